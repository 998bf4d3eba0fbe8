#include "memory.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace treewright {
namespace {

// A task is about this many entries: long enough to hide its cost, short enough to
// share the work evenly and to answer an interrupt.
constexpr std::int64_t entries_per_task = 1 << 13;

// The largest power of two that divides all weights: rows without weights of their own
// that may be divided all weigh so much.
int common_shift(std::span<const std::int64_t> weights) {
  std::uint64_t bits = 0;
  for (const std::int64_t weight : weights) bits |= static_cast<std::uint64_t>(weight);
  return bits == 0 ? 0 : std::countr_zero(bits);
}

// Only the table that the target's criterion reads has entries.
Tables make_tables(const Target& target, std::int64_t n_rows, bool drawn) {
  const bool counts = target.weights.empty() && !drawn;
  const bool singles = target.single_unit > 0;
  const std::int64_t n_sums = target.criterion == Criterion::entropy ? n_rows : 0;
  Tables tables{
      XLog2X(counts && !singles ? n_sums : 0),
      XLog2XOfWeights(counts && !singles ? 0 : n_sums,
                      singles ? target.single_unit : 1.0, common_shift(target.weights)),
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
                           std::int64_t n_rows, int n_threads, const Roots& roots)
    : columns_(std::move(columns)),
      target_(std::move(target)),
      rule_(rule),
      n_table_rows_(n_rows),
      n_rows_(roots.starts.empty() ? n_rows : std::ssize(roots.rows)),
      pool_(n_threads),
      tables_(make_tables(target_, n_rows, !roots.counts.empty())),
      has_roots_(!roots.starts.empty()),
      root_starts_(roots.starts.begin(), roots.starts.end()),
      drawn_sides_(pool_.n_threads()),
      combinations_(pool_.n_threads()),
      spares_(pool_.n_threads()),
      divisions_(pool_.n_threads()) {
  rule_.limits.pool = &pool_;
  if (has_roots_)
    own_target(roots);
  else
    root_starts_ = {0, n_rows_};
  if (target_.weights.empty()) {
    rule_.limits.min_rows = std::max(rule_.limits.min_rows, rule_.limits.min_weight);
    rule_.limits.min_weight = 0;
  }
  if (target_.is_classes() && target_.n_outputs == 1) fill_bytes();
  if (rule_.missing == Missing::fractional && !has_roots_) own_target();
  counts_codes_ = roots.looks_at_some(n_features()) && can_count_codes();
  makes_lists_ = counts_codes_ || roots.few_looked(n_features()) || draws_cuts();
  lists_.resize(makes_lists_ ? 1 : columns_.size());
  late_lists_.resize(makes_lists_ ? pool_.n_threads() : 0);
  for (int thread = 0; thread < pool_.n_threads(); ++thread)
    evaluators_.push_back(make_evaluator(target_, tables_));
  branch_of_row_.narrow.resize(n_rows_);
}

// Fractional rows need room behind the table's own.
void MemorySource::own_target() {
  std::vector<std::uint32_t> order(n_rows_);
  std::iota(order.begin(), order.end(), 0u);
  reorder(target_, order, storage_);
  table_rows_ = std::move(order);
}

std::size_t MemorySource::n_known(std::int64_t feature,
                                  std::span<const Entry> all) const {
  const Column& column = columns_[feature];
  if (!column.has_missing) return all.size();
  const auto is_known = [&](Entry entry) {
    return code_of(feature, entry) < column.n_codes;
  };
  if (all.empty() || is_known(all.back())) return all.size();  // at most nodes
  return std::partition_point(all.begin(), all.end(), is_known) - all.begin();
}

Pieces MemorySource::groups_of(std::span<const Entry> list) {
  Pieces groups;
  groups.reserve(16);  // most features have no more values
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
  if (!target_.bytes.empty())
    for (const Entry entry : entries) weight += target_.bytes[row_of(entry)] >> 1;
  else
    for (const Entry entry : entries) weight += target_.weights[row_of(entry)];
  return weight;
}

std::vector<std::int64_t> MemorySource::weights_of(const Pieces& groups) const {
  std::vector<std::int64_t> weights;
  for (const auto& group : groups) weights.push_back(weight_of(group));
  return weights;
}

// Entropy in bits of weights that are shares of a whole.
double MemorySource::information(std::span<const std::int64_t> weights,
                                 std::int64_t missing) const {
  const auto sum = std::reduce(weights.begin(), weights.end(), missing);
  const auto whole = static_cast<double>(sum);
  double bits = 0;
  if (target_.single_unit > 0) {
    SingleEntropyScore branches{tables_.of_weights};
    branches.add(missing);  // before the others: the order matters in 32 bits
    for (const std::int64_t weight : weights) branches.add(weight);
    return to_single(-branches.score(sum) / whole);
  }
  const auto add = [&](std::int64_t weight) {
    if (weight == 0) return;
    const double share = static_cast<double>(weight) / whole;
    bits -= share * std::log2(share);
  };
  for (const std::int64_t weight : weights) add(weight);
  add(missing);
  return bits;
}

// Whether these rows are enough for a branch.
bool MemorySource::admits(std::span<const Entry> entries) const {
  return std::ssize(entries) >= rule_.limits.min_rows &&
         weight_of(entries) >= rule_.limits.min_weight;
}

// What each side of a cut must hold, if `known` is the weight that it divides.
Limits MemorySource::limits_of_cut(std::int64_t known, double base) const {
  Limits limits = rule_.limits;
  limits.every_cut = rule_.every_cut;
  if (rule_.every_cut) limits.floor = base;
  if (rule_.most_per_side > 0) {
    const double tenth = 0.1 * static_cast<double>(known) / target_.n_classes();
    auto& least = target_.weights.empty() ? limits.min_rows : limits.min_weight;
    const auto wanted = static_cast<std::int64_t>(std::ceil(
        std::min(tenth, static_cast<double>(rule_.most_per_side)) - rule_.slack));
    least = std::max(least, wanted);
  }
  return limits;
}

// The entries with the marks taken away between values that are too close for a cut.
std::vector<Entry> MemorySource::wide_gaps(std::int64_t feature,
                                           std::span<const Entry> known) const {
  if (known.empty()) return {};
  const auto values = columns_[feature].values;
  std::vector<Entry> marked(known.begin(), known.end());
  std::uint32_t before = code_of(feature, known[0]);
  for (std::size_t place = 1; place < known.size(); ++place) {
    const std::uint32_t code = code_of(feature, known[place]);
    if (starts_value(known[place]) && !(values[before] + rule_.min_gap < values[code]))
      marked[place] = row_of(known[place]);
    if (code < values.size()) before = code;  // some rows are there without a value
  }
  return marked;
}

Candidate MemorySource::scan_cut(Evaluator& evaluator, std::int64_t feature,
                                 std::span<const Entry> all, std::size_t known,
                                 double base, double tolerance) const {
  if (known == all.size() && plain_cuts()) {
    const Cut cut = evaluator.best_cut(all, rule_.limits, tolerance);
    if (cut.position > 0) return {cut.score, cut.position};
    const bool one =
        std::find_if(all.begin() + (known > 0), all.end(), starts_value) == all.end();
    return {one ? one_value : too_few_rows};
  }
  Candidate found;
  std::vector<Entry> marked;
  if (rule_.min_gap > 0 && !columns_[feature].values.empty())
    marked = wide_gaps(feature, all.first(known));
  const auto values =
      marked.empty() ? all.first(known) : std::span<const Entry>(marked);
  const auto missing = all.subspan(known);
  const bool own =
      rule_.missing == Missing::own_branch && !missing.empty() && known > 0;
  if (own && !admits(missing)) return {too_few_rows};
  const bool needs_weight = rule_.most_per_side > 0 || rule_.wants_information;
  const std::int64_t weight = !needs_weight         ? 0
                              : known == all.size() ? evaluator.begun_weight()
                                                    : weight_of(values);
  Limits limits = limits_of_cut(weight, base);
  limits.single_gain = single_gain_of(evaluator, base, all, known, true);
  const Cut cut = evaluator.best_cut(values, limits, tolerance);
  found.n_cuts = static_cast<double>(cut.n_cuts);
  if (rule_.count_values && known > 0)
    found.n_cuts =
        static_cast<double>(std::ranges::count_if(values.subspan(1), starts_value));
  if (cut.position > 0) {
    found.gain = cut.score;
    found.position = cut.position;
    if (rule_.cuts_by_range)
      found.n_cuts =
          std::fmin(found.n_cuts, gaps_in_range(feature, values, cut.position));
    if (rule_.wants_information) {
      const std::int64_t left = weight_of(values.first(cut.position));
      found.split_information = information({left, weight - left}, weight_of(missing));
    }
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
      if (rule_.wants_information)
        found.split_information = information({weight_of(values), weight_of(missing)});
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

// How the gains of a feature are rounded, if they are; `base` is the score of the rows
// of `begin`. Before a cut the sum over the classes is of 32 bits like all others;
// before a multiway split it is not (anneal-na shows it).
SingleGain MemorySource::single_gain_of(const Evaluator& evaluator, double base,
                                        std::span<const Entry> all, std::size_t known,
                                        bool is_cut) const {
  if (target_.single_unit == 0) return {};
  SingleGain gain;
  gain.known = static_cast<double>(evaluator.begun_weight());
  gain.whole = known < all.size() ? static_cast<double>(weight_of(all)) : gain.known;
  const double missing = is_cut ? to_single(1 - to_single(gain.known / gain.whole))
                                : to_single((gain.whole - gain.known) / gain.whole);
  if (rule_.discounts_missing) gain.share = to_single(1 - missing);
  gain.before =
      to_single(-(is_cut ? base : evaluator.begun_score_in_full()) / gain.known);
  return gain;
}

// The best split of one feature, with its gain; `all` is the node's list of it.
Candidate MemorySource::look(Evaluator& evaluator, Looking& looking, std::int64_t index,
                             std::int64_t feature, std::span<const Entry> all,
                             std::span<const std::int64_t> statistic,
                             double tolerance) const {
  std::size_t known = n_known(feature, all);
  if (known < all.size() && known > 0 && fills()) {
    looking.filled = fill(feature, all, known).entries;
    all = looking.filled;
    known = all.size();
  }
  if (known < all.size() && rule_.missing != Missing::own_branch &&
      rule_.missing != Missing::learned) {
    // rows that agree are not told apart, even where the missing ones differ
    std::vector<std::int64_t> of_known(width());
    if ((rule_.missing == Missing::majority || rule_.missing == Missing::surrogates) &&
        evaluator.summarise(Pieces{all.first(known)}, of_known))
      return {};
    looking.base = evaluator.begin(all.first(known));
    looking.begun = -1;
  } else if (looking.begun != index) {
    looking.base = evaluator.begin(all, statistic);
    looking.begun = index;
  }
  const Candidates candidates = columns_[feature].candidates;
  const double base = looking.base;
  const bool is_cut = makes_two_sides(candidates);
  const bool learns = rule_.missing == Missing::learned && known < all.size();
  Candidate found = learns && known > 0
                        ? scan_learned(evaluator, feature, all, known, base, tolerance)
                    : is_cut ? scan_cut(evaluator, feature, all, known, base, tolerance)
                    : candidates == Candidates::groups
                        ? scan_groups(evaluator, all, known, base, tolerance)
                        : scan_nominal(evaluator, feature, all, known, base, tolerance);
  if (found.gain > too_few_rows)
    found.gain =
        target_.single_unit == 0
            ? found.gain - base
            : single_gain_of(evaluator, base, all, known, is_cut).of_all(found.gain);
  if (found.gain > 0 && !rule_.discounts_missing && known < all.size() &&
      target_.single_unit == 0)
    found.gain *= static_cast<double>(weight_of(all)) /
                  static_cast<double>(weight_of(all.first(known)));
  return found;
}

void MemorySource::scan(std::span<const std::int64_t> nodes,
                        std::span<const std::int64_t> statistics,
                        std::span<const double> tolerances,
                        std::span<const std::uint8_t> allowed, std::span<Found> out,
                        std::span<Detail> details) {
  std::vector<Looking> looking(pool_.n_threads());
  const auto look_at = [&](std::int64_t index, std::int64_t feature, int thread) {
    const std::int64_t pair = index * n_features() + feature;
    if (!allowed.empty() && !allowed[pair]) return;
    const Candidate found =
        look(*evaluators_[thread], looking[thread], index, feature,
             entries(feature, stretches_[nodes[index]], thread),
             statistics.subspan(index * width(), width()), tolerances[index]);
    out[pair] = {found.gain, found.position};
    if (!details.empty())
      details[pair] = {found.n_cuts, found.split_information, found.charge};
  };
  for_each_pair(nodes, n_features(), look_at);
}

}  // namespace treewright
