// Splits whose rows without a value follow surrogates.
//
// Three passes over a batch: the rows with a value take their side; every other feature
// of every node is searched for its best surrogate; the best few of them send the rows
// without a value, and the branches are summed up.
#include "memory_surrogates.hpp"

#include <algorithm>
#include <array>

#include "memory.hpp"

namespace treewright {
namespace {

using PerSide = std::array<std::int64_t, 3>;  // the last one: of an unknown side

std::int64_t largest(const PerSide& weight) { return std::max(weight[0], weight[1]); }

// Whether the rows of a nominal value go to branch 1; tied ones go with all the others.
bool goes_to_1(const PerSide& here, const PerSide& all) {
  if (here[0] != here[1]) return here[1] > here[0];
  return all[1] > all[0];
}

}  // namespace

// Weight of the rows on each side.
std::array<std::int64_t, 3> MemorySource::weight_of_sides(
    std::span<const Entry> rows) const {
  PerSide weight{};
  for (const Entry entry : rows) {
    const std::uint32_t row = row_of(entry);
    weight[branch_of_row_.narrow[row]] += target_.weight(row);
  }
  return weight;
}

Surrogate MemorySource::find_surrogate_cut(std::span<const Entry> values) const {
  const PerSide all = weight_of_sides(values);
  std::int64_t n_above = 0, n_below = 0;
  for (const Entry entry : values)
    n_above += branch_of_row_.narrow[row_of(entry)] != unknown_side;
  PerSide below{};
  Surrogate best{largest(all)};
  for (std::size_t place = 0; n_above >= 2 && place < values.size(); ++place) {
    const std::uint32_t row = row_of(values[place]);
    if (n_below >= 2 && starts_value(values[place]))
      for (const int side : {0, 1}) {
        const std::int64_t agreed = below[side] + all[1 - side] - below[1 - side];
        if (agreed > best.agreed)
          best = {agreed, static_cast<std::uint32_t>(place), side};
      }
    const std::uint8_t side = branch_of_row_.narrow[row];
    below[side] += target_.weight(row);
    n_below += side != unknown_side;
    n_above -= side != unknown_side;
  }
  return best.n_low > 0 ? best : Surrogate{};
}

Surrogate MemorySource::find_surrogate_sets(std::span<const Entry> values) const {
  const PerSide all = weight_of_sides(values);
  Surrogate found;
  PerSide n_sent{};
  std::int64_t n_astray = 0;
  for (const auto& group : groups_of(values)) {
    const PerSide here = weight_of_sides(group);
    const std::uint8_t branch = goes_to_1(here, all) ? 1 : 0;
    found.agreed += here[branch];
    for (const Entry entry : group) {
      const std::uint8_t side = branch_of_row_.narrow[row_of(entry)];
      if (side == unknown_side) continue;
      ++n_sent[branch];
      n_astray += side != branch;
    }
  }
  const bool enough =
      rule_.two_disagree ? n_astray >= 2 : std::min(n_sent[0], n_sent[1]) >= 2;
  return enough ? found : Surrogate{};
}

std::vector<Surrogate> MemorySource::find_surrogates(
    std::span<const std::int64_t> nodes, std::span<const std::int32_t> features) {
  std::vector<Surrogate> found(nodes.size() * n_features());
  for_each_pair(nodes, n_features(),
                [&](std::int64_t index, std::int64_t feature, int thread) {
                  if (feature == features[index]) return;
                  const auto all = entries(feature, stretches_[nodes[index]], thread);
                  const auto values = all.first(n_known(feature, all));
                  found[index * n_features() + feature] =
                      columns_[feature].candidates == Candidates::cut
                          ? find_surrogate_cut(values)
                          : find_surrogate_sets(values);
                });
  return found;
}

// The features with the best surrogates at a node, the best first; of equal ones the
// first feature.
std::vector<std::int32_t> MemorySource::best_surrogates(
    std::span<const Surrogate> found, std::int64_t majority) const {
  std::vector<std::int32_t> order;
  for (std::int32_t feature = 0; feature < std::ssize(found); ++feature)
    if (found[feature].agreed > majority) order.push_back(feature);
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::int32_t feature) { return found[feature].agreed; });
  if (std::ssize(order) > rule_.max_surrogates) order.resize(rule_.max_surrogates);
  return order;
}

// Notes a feature's surrogate down.
void MemorySource::add_surrogate(std::int32_t feature, const Surrogate& found,
                                 const Stretch& stretch, int thread,
                                 Surrogates& out) const {
  const auto all = entries(feature, stretch, thread);
  out.feature.push_back(feature);
  out.branch.push_back(found.branch);
  out.n_codes.push_back(0);
  const bool cut = columns_[feature].candidates == Candidates::cut;
  out.low.push_back(cut ? code_of(feature, all[found.n_low - 1]) : 0);
  out.high.push_back(cut ? code_of(feature, all[found.n_low]) : 0);
  if (cut) return;
  const auto values = all.first(n_known(feature, all));
  const PerSide weight = weight_of_sides(values);
  for (const auto& group : groups_of(values)) {
    const PerSide here = weight_of_sides(group);
    if (here[0] + here[1] == 0) continue;
    out.codes.push_back(static_cast<std::int32_t>(code_of(feature, group[0])));
    out.branch_of_code.push_back(goes_to_1(here, weight) ? 1 : 0);
    ++out.n_codes.back();
  }
}

// The branch of a row without a value: that of the first of the last `n` surrogates
// that has one for it, or `otherwise`.
std::int32_t MemorySource::surrogate_branch(const Surrogates& surrogates,
                                            std::int64_t n, Entry entry,
                                            std::int32_t otherwise) const {
  const std::int64_t stop = std::ssize(surrogates.feature);
  std::int64_t set = std::ssize(surrogates.codes);
  for (std::int64_t which = stop - n; which < stop; ++which)
    set -= surrogates.n_codes[which];
  for (std::int64_t which = stop - n; which < stop; ++which) {
    const std::int32_t feature = surrogates.feature[which];
    const std::uint32_t code = code_of(feature, entry);
    const auto codes =
        std::span(surrogates.codes).subspan(set, surrogates.n_codes[which]);
    const std::int64_t first = set;
    set += std::ssize(codes);
    if (code == columns_[feature].n_codes) continue;
    if (columns_[feature].candidates == Candidates::cut) {
      const bool is_low = code <= static_cast<std::uint64_t>(surrogates.low[which]);
      return is_low ? surrogates.branch[which] : 1 - surrogates.branch[which];
    }
    const auto place = std::ranges::lower_bound(codes, static_cast<std::int32_t>(code));
    if (place != codes.end() && *place == static_cast<std::int32_t>(code))
      return surrogates.branch_of_code[first + (place - codes.begin())];
  }
  return otherwise;
}

// Sends the rows without a value, once the sides of the others are set.
void MemorySource::send_missing(std::span<const Surrogate> found,
                                const Stretch& stretch, std::int64_t feature,
                                std::int32_t heavier, int thread, Surrogates& out) {
  const auto all = entries(feature, stretch, thread);
  const auto unknown = all.subspan(n_known(feature, all));
  // the surrogates' lists may take the place of this one
  const std::vector<Entry> missing(unknown.begin(), unknown.end());
  const PerSide weight = weight_of_sides(all);
  const std::int64_t total = weight[0] + weight[1], majority = largest(weight);
  const auto best = best_surrogates(found, majority);
  for (const std::int32_t other : best) {
    const std::int64_t agreed = found[other].agreed;
    add_surrogate(other, found[other], stretch, thread, out);
    out.agreement.push_back(static_cast<double>(agreed) / static_cast<double>(total));
    out.adjusted.push_back(static_cast<double>(agreed - majority) /
                           static_cast<double>(total - majority));
  }
  out.n_surrogates.push_back(std::ssize(best));
  for (const Entry entry : missing)
    branch_of_row_.narrow[row_of(entry)] = static_cast<std::uint8_t>(
        surrogate_branch(out, std::ssize(best), entry, heavier));
}

// The two branches of a node, once all rows have theirs.
void MemorySource::sum_up_sides(Evaluator& evaluator, std::span<const Entry> all,
                                Branches& out) const {
  std::array<std::vector<Entry>, 2> sides;
  for (const Entry entry : all)
    sides[branch_of_row_.narrow[row_of(entry)]].push_back(entry);
  out.n_branches.push_back(2);
  for (const auto& side : sides) {
    out.statistics.resize(out.statistics.size() + width());
    out.pure.push_back(
        evaluator.summarise(Pieces{side}, std::span(out.statistics).last(width())));
    out.n_rows.push_back(std::ssize(side));
    out.known.push_back(0);
  }
}

Branches MemorySource::split_with_surrogates(std::span<const std::int64_t> nodes,
                                             std::span<const std::int32_t> features,
                                             std::span<const std::int64_t> positions,
                                             std::span<const double> tolerances) {
  const auto starts = chunk_starts(nodes, 1);
  std::vector<Branches> found(starts.size() - 1);
  pool_.run(std::ssize(found), [&](std::int64_t task, int thread) {
    Division& division = divisions_[thread];
    Branches& out = found[task];
    for (std::int64_t index = starts[task]; index < starts[task + 1]; ++index) {
      std::int64_t position = positions[index];
      const auto all =
          entries_of_split(features[index], stretches_[nodes[index]], thread, position);
      const std::size_t known = n_known(features[index], all);
      start_node(out);
      divide(*evaluators_[thread], division, features[index], all, known, position,
             tolerances[index], out);
      note_drawn_sides(features[index], positions[index], all, thread, out);
      out.missing_branch.push_back(missing_branch_of(division));
      for (const std::int64_t branch : {0, 1})
        for (const auto& piece : division.branch(branch)) set_branch(piece, branch, 2);
      set_branch(all.subspan(known), unknown_side, 2);
    }
    look_up_sides(features.subspan(starts[task]), out);
  });
  std::vector<Surrogate> surrogates(nodes.size() * n_features());
  if (rule_.max_surrogates > 0) surrogates = find_surrogates(nodes, features);
  pool_.run(std::ssize(found), [&](std::int64_t task, int thread) {
    Branches& out = found[task];
    for (std::int64_t index = starts[task]; index < starts[task + 1]; ++index) {
      const Stretch& stretch = stretches_[nodes[index]];
      send_missing(std::span(surrogates).subspan(index * n_features(), n_features()),
                   stretch, features[index], out.missing_branch[index - starts[task]],
                   thread, out.surrogates);
      sum_up_sides(*evaluators_[thread], entries(features[index], stretch, thread),
                   out);
    }
  });
  Branches all;
  for (const Branches& part : found) all.append(part);
  return all;
}

void Surrogates::append(const Surrogates& more) {
  const auto join = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  join(n_surrogates, more.n_surrogates);
  join(feature, more.feature);
  join(low, more.low);
  join(high, more.high);
  join(branch, more.branch);
  join(agreement, more.agreement);
  join(adjusted, more.adjusted);
  join(n_codes, more.n_codes);
  join(codes, more.codes);
  join(branch_of_code, more.branch_of_code);
}

}  // namespace treewright
