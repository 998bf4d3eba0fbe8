#include "memory.hpp"

#include <algorithm>
#include <numeric>

#include "nominal.hpp"

namespace treewright {
namespace {

// A task is about this many entries: long enough to hide its cost, short enough to
// share the work evenly and to answer an interrupt.
constexpr std::int64_t entries_per_task = 1 << 15;

// Only the table that the target's criterion reads has entries.
Tables make_tables(const Target& target, std::int64_t n_rows) {
  const bool counts = target.weights.empty();
  Tables tables{XLog2X(counts && target.criterion == Criterion::entropy ? n_rows : 0),
                {}};
  if (counts && target.criterion == Criterion::squared_error && target.n_outputs == 1) {
    tables.reciprocals.resize(n_rows + 1);
    for (std::int64_t n = 1; n <= n_rows; ++n)
      tables.reciprocals[n] = 1.0 / static_cast<double>(n);
  }
  return tables;
}

}  // namespace

MemorySource::MemorySource(std::vector<Column> columns, Target target, Rule rule,
                           std::int64_t n_rows, int n_threads)
    : columns_(std::move(columns)),
      target_(std::move(target)),
      rule_(rule),
      n_rows_(n_rows),
      pool_(n_threads),
      tables_(make_tables(target_, n_rows)),
      lists_(columns_.size()),
      spares_(pool_.n_threads()),
      divisions_(pool_.n_threads()) {
  if (target_.weights.empty()) {
    rule_.limits.min_rows = std::max(rule_.limits.min_rows, rule_.limits.min_weight);
    rule_.limits.min_weight = 0;
  }
  if (target_.n_classes() == 2 && target_.n_outputs == 1 && target_.weights.empty())
    target_.bytes.assign(target_.classes.begin(), target_.classes.end());
  for (int thread = 0; thread < pool_.n_threads(); ++thread)
    evaluators_.push_back(make_evaluator(target_, tables_));
  branch_of_row_.narrow.resize(n_rows);
}

void MemorySource::build_lists() {
  pool_.run(n_features(), [&](std::int64_t feature, int) { build_list(feature); });
}

// A counting sort by code: the codes are ranks already.
void MemorySource::build_list(std::int64_t feature) {
  const Column& column = columns_[feature];
  std::vector<std::uint32_t> next(std::size_t{column.n_codes} + 2, 0);
  for (std::int64_t row = 0; row < n_rows_; ++row) ++next[column.code(row) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  auto& list = lists_[feature];
  list.resize(n_rows_);
  for (std::int64_t row = 0; row < n_rows_; ++row)
    list[next[column.code(row)]++] = static_cast<Entry>(row);
  // `next` now holds where each code ends
  std::uint32_t start = 0;
  for (const std::uint32_t stop : next) {
    if (start < list.size() && stop > start) list[start] |= new_value;
    start = stop;
  }
}

bool MemorySource::open_root(std::span<std::int64_t> out) {
  stretches_.push_back({0, n_rows_});
  is_open_.push_back(1);
  n_open_nodes_ = 1;
  n_open_rows_ = rows_per_node_ = n_rows_;
  std::vector<Entry> all(n_rows_);
  std::iota(all.begin(), all.end(), Entry{0});
  return evaluators_[0]->summarise(Pieces{all}, out);
}

std::size_t MemorySource::n_known(std::int64_t feature,
                                  std::span<const Entry> all) const {
  const Column& column = columns_[feature];
  if (!column.has_missing) return all.size();
  const auto is_known = [&](Entry entry) {
    return code_of(feature, entry) < column.n_codes;
  };
  return std::partition_point(all.begin(), all.end(), is_known) - all.begin();
}

Pieces MemorySource::groups_of(std::span<const Entry> list) {
  Pieces groups;
  std::size_t start = 0;
  for (std::size_t place = 1; place <= list.size(); ++place)
    if (place == list.size() || starts_value(list[place])) {
      groups.push_back(list.subspan(start, place - start));
      start = place;
    }
  return groups;
}

std::int64_t MemorySource::weight_of(std::span<const Entry> entries) const {
  if (target_.weights.empty()) return std::ssize(entries);
  std::int64_t weight = 0;
  for (const Entry entry : entries) weight += target_.weights[row_of(entry)];
  return weight;
}

std::vector<std::int64_t> MemorySource::weights_of(const Pieces& groups) const {
  std::vector<std::int64_t> weights;
  for (const auto& group : groups) weights.push_back(weight_of(group));
  return weights;
}

// Whether these rows are enough for a branch.
bool MemorySource::admits(std::span<const Entry> entries) const {
  return std::ssize(entries) >= rule_.limits.min_rows &&
         weight_of(entries) >= rule_.limits.min_weight;
}

Found MemorySource::scan_cut(Evaluator& evaluator, std::span<const Entry> all,
                             std::size_t known, double tolerance) const {
  Found found;
  const auto values = all.first(known);
  const auto missing = all.subspan(known);
  const bool own =
      rule_.missing == Missing::own_branch && !missing.empty() && known > 0;
  if (own && !admits(missing)) return {too_few_rows};
  const Cut cut = evaluator.best_cut(values, rule_.limits, tolerance);
  if (cut.position > 0) {
    found = {cut.score, cut.position};
  } else if (own || std::find_if(values.begin() + (known > 0), values.end(),
                                 starts_value) != values.end()) {
    found.gain = too_few_rows;
  }
  if (own) {
    const double beside = evaluator.branch_score(missing);
    if (cut.position > 0) found.gain += beside;
    const double apart = evaluator.branch_score(values) + beside;
    if (admits(values) && apart > found.gain + tolerance) {
      found.gain = apart;
      found.position = std::ssize(values);
    }
  }
  return found;
}

Found MemorySource::scan_nominal(Evaluator& evaluator, Candidates candidates,
                                 std::span<const Entry> all, std::size_t known,
                                 double tolerance) const {
  Found found;
  const bool own = rule_.missing == Missing::own_branch && known < all.size();
  const bool multiway = candidates == Candidates::multiway;
  // with a branch of their own, missing values are one more value of a multiway split
  const auto part = own && multiway ? all : all.first(known);
  const Pieces groups = groups_of(part);
  if (groups.size() + (own && !multiway && known > 0) < 2) return found;
  found.gain = too_few_rows;
  const auto weights = weights_of(groups);
  if (multiway) {
    for (std::size_t group = 0; group < groups.size(); ++group)
      if (std::ssize(groups[group]) < rule_.limits.min_rows ||
          weights[group] < rule_.limits.min_weight)
        return found;
    evaluator.set_groups(groups);
    found.gain = evaluator.multiway_score();
    return found;
  }
  if (own && !admits(all.subspan(known))) return found;
  const double beside = own ? evaluator.branch_score(all.subspan(known)) : 0;
  const Subset subset =
      best_subset(evaluator, groups, weights, rule_.limits, tolerance);
  if (!subset.on_left.empty()) found.gain = subset.score + beside;
  if (own && admits(part)) {
    const double apart = evaluator.branch_score(part) + beside;
    if (apart > found.gain + tolerance) {
      found.gain = apart;
      found.position = std::ssize(part);
    }
  }
  return found;
}

// Where the tasks start, in pairs (node of the batch, list), if each node has n_lists
// lists to go through; a task is about entries_per_task entries.
std::vector<std::int64_t> MemorySource::chunk_starts(
    std::span<const std::int64_t> nodes, std::int64_t n_lists) const {
  std::vector<std::int64_t> starts{0};
  std::int64_t n_entries = 0;
  for (std::int64_t index = 0; index < std::ssize(nodes); ++index)
    for (std::int64_t list = 0; list < n_lists; ++list) {
      n_entries += stretches_[nodes[index]].n_rows;
      if (n_entries < entries_per_task) continue;
      starts.push_back(index * n_lists + list + 1);
      n_entries = 0;
    }
  const std::int64_t n_pairs = std::ssize(nodes) * n_lists;
  if (starts.back() != n_pairs) starts.push_back(n_pairs);
  return starts;
}

void MemorySource::scan(std::span<const std::int64_t> nodes,
                        std::span<const std::int64_t> statistics,
                        std::span<const double> tolerances,
                        std::span<const std::uint8_t> allowed, std::span<Found> out) {
  // what each thread's evaluator has begun: most features share the node's own total
  std::vector<std::int64_t> begun(pool_.n_threads(), -1);
  std::vector<double> bases(pool_.n_threads());
  for_each_pair(nodes, [&](std::int64_t index, std::int64_t feature, int thread) {
    const std::int64_t pair = index * n_features() + feature;
    if (!allowed.empty() && !allowed[pair]) return;
    Evaluator& evaluator = *evaluators_[thread];
    const auto all = entries(feature, stretches_[nodes[index]]);
    const std::size_t known = n_known(feature, all);
    if (known < all.size() && rule_.missing != Missing::own_branch) {
      // rows that agree are not told apart, even where the missing ones differ
      std::vector<std::int64_t> statistic(width());
      if (evaluator.summarise(Pieces{all.first(known)}, statistic)) return;
      bases[thread] = evaluator.begin(all.first(known));
      begun[thread] = -1;
    } else if (begun[thread] != index) {
      bases[thread] =
          evaluator.begin(all, statistics.subspan(index * width(), width()));
      begun[thread] = index;
    }
    const Candidates candidates = columns_[feature].candidates;
    Found found =
        candidates == Candidates::cut
            ? scan_cut(evaluator, all, known, tolerances[index])
            : scan_nominal(evaluator, candidates, all, known, tolerances[index]);
    if (found.gain > too_few_rows) found.gain -= bases[thread];
    out[pair] = found;
  });
}

std::int64_t MemorySource::advance(std::span<const std::int64_t> nodes,
                                   std::span<const std::int64_t> n_branches,
                                   std::span<const std::int64_t> branch_rows,
                                   std::span<const std::uint8_t> open) {
  const auto first_new = std::ssize(stretches_);
  std::vector<std::int64_t> places(open.size(), closed);  // inside the node's stretch
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int64_t> kept;  // indices of nodes with an open branch
  std::int64_t branch = 0;
  for (std::int64_t index = 0; index < std::ssize(nodes); ++index) {
    std::int64_t place = 0;
    is_open_[nodes[index]] = 0;
    --n_open_nodes_;
    n_open_rows_ -= stretches_[nodes[index]].n_rows;
    for (const std::int64_t stop = branch + n_branches[index]; branch < stop;
         ++branch) {
      if (!open[branch]) continue;
      places[branch] = place;
      is_open_.push_back(1);
      ++n_open_nodes_;
      n_open_rows_ += branch_rows[branch];
      stretches_.push_back(
          {stretches_[nodes[index]].start + place, branch_rows[branch]});
      place += branch_rows[branch];
    }
    offsets.push_back(branch);
    if (place > 0) kept.push_back(index);
  }
  std::vector<std::int64_t> kept_nodes;
  for (const std::int64_t index : kept) kept_nodes.push_back(nodes[index]);
  for_each_pair(kept_nodes, [&](std::int64_t which, std::int64_t feature, int thread) {
    const std::int64_t index = kept[which];
    const Stretch& stretch = stretches_[nodes[index]];
    partition(std::span(lists_[feature]).subspan(stretch.start, stretch.n_rows),
              branch_of_row_,
              std::span(places).subspan(offsets[index], n_branches[index]),
              spares_[thread]);
  });
  if (renumbering_pays()) renumber();
  return first_new;
}

bool MemorySource::renumbering_pays() const {
  constexpr std::int64_t shrunk = 16;   // a pass over all lists for as much less spread
  constexpr std::int64_t fits_l1 = 64;  // rows per node that are close enough anyway
  return n_open_nodes_ > 0 && n_features() > 1 && rows_per_node_ > fits_l1 * shrunk &&
         n_open_rows_ / n_open_nodes_ * shrunk < rows_per_node_;
}

void MemorySource::renumber() {
  rows_per_node_ = n_open_rows_ / n_open_nodes_;
  std::vector<std::uint32_t> number(n_rows_), order;
  order.reserve(n_open_rows_);
  std::vector<Stretch> open;
  for (std::size_t node = 0; node < stretches_.size(); ++node)
    if (is_open_[node]) open.push_back(stretches_[node]);
  for (const Stretch& stretch : open)
    for (const Entry entry : entries(0, stretch)) {
      number[row_of(entry)] = static_cast<std::uint32_t>(order.size());
      order.push_back(row_of(entry));
    }
  pool_.run(n_features(), [&](std::int64_t feature, int) {
    for (const Stretch& stretch : open)
      for (Entry& entry :
           std::span(lists_[feature]).subspan(stretch.start, stretch.n_rows))
        entry = number[row_of(entry)] | (entry & new_value);
  });
  reorder(target_, order, storage_);
  for (std::uint32_t& row : order)
    if (!table_rows_.empty()) row = table_rows_[row];
  table_rows_ = std::move(order);
}

}  // namespace treewright
