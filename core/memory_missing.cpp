// Rows without a value, where they are given one or sent down a branch while growing.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "memory.hpp"
#include "nominal.hpp"

namespace treewright {
namespace {

// How many values rows without one are tried with, if there are more than can be
// enumerated.
constexpr std::size_t most_values_joined = 16;

}  // namespace

// For each class (or once) the group that holds the most common value: the heaviest, or
// in an ordered column the one with the middle of the weight.
std::vector<std::size_t> MemorySource::common_groups(const Pieces& groups, bool ordered,
                                                     bool by_class) const {
  const std::size_t n_kinds = by_class ? target_.n_classes() : 1;
  // by class: there is one output
  const auto kind_of = [&](Entry entry) -> std::size_t {
    return by_class ? target_.classes[row_of(entry)] : 0;
  };
  std::vector<std::int64_t> total(n_kinds), so_far(n_kinds), best(n_kinds, -1);
  for (const auto& group : groups)
    for (const Entry entry : group)
      total[kind_of(entry)] += target_.weight(row_of(entry));
  std::vector<std::size_t> found(n_kinds, groups.size());  // no such row: none
  std::vector<std::int64_t> here(n_kinds);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const Entry entry : groups[group])
      here[kind_of(entry)] += target_.weight(row_of(entry));
    for (const Entry entry : groups[group]) {
      const std::size_t kind = kind_of(entry);
      const std::int64_t weight = std::exchange(here[kind], 0);
      if (weight == 0) continue;  // counted already
      const std::int64_t before = so_far[kind];
      so_far[kind] += weight;
      const bool is_middle =
          2 * before < total[kind] && 2 * so_far[kind] >= total[kind];
      if (ordered ? is_middle : weight > best[kind]) {
        best[kind] = weight;
        found[kind] = group;
      }
    }
  }
  return found;
}

// The list of a node with every row in the group of a value: those without one take the
// most common at the node, or among the rows of their class.
Filled MemorySource::fill(std::int64_t feature, std::span<const Entry> all,
                          std::size_t known) const {
  const Pieces groups = groups_of(all.first(known));
  const bool ordered = columns_[feature].candidates == Candidates::cut;
  const std::size_t usual = common_groups(groups, ordered, false)[0];
  std::vector<std::size_t> of_class;
  if (rule_.missing == Missing::class_value)
    of_class = common_groups(groups, ordered, true);
  std::vector<std::vector<Entry>> added(groups.size());
  for (const Entry entry : all.subspan(known)) {
    std::size_t group = usual;
    if (!of_class.empty()) group = of_class[target_.classes[row_of(entry)]];
    added[group < groups.size() ? group : usual].push_back(row_of(entry));
  }
  Filled filled;
  filled.usual = row_of(groups[usual][0]);
  filled.entries.reserve(all.size());
  for (std::size_t group = 0; group < groups.size(); ++group) {
    filled.entries.insert(filled.entries.end(), groups[group].begin(),
                          groups[group].end());
    filled.entries.insert(filled.entries.end(), added[group].begin(),
                          added[group].end());
  }
  return filled;
}

// The list of a node with the rows without a value beside the lowest or highest one.
std::vector<Entry> MemorySource::joined(std::span<const Entry> all, std::size_t known,
                                        bool low) {
  const auto values = all.first(known), missing = all.subspan(known);
  std::vector<Entry> list;
  list.reserve(all.size());
  if (!low) list.assign(values.begin(), values.end());
  for (const Entry entry : missing) list.push_back(row_of(entry));
  if (low) {
    list.insert(list.end(), values.begin(), values.end());
    list[missing.size()] = row_of(list[missing.size()]);
  }
  list[0] |= new_value;
  return list;
}

// The best cut if all rows without a value go left, or all right.
Learned MemorySource::learn_cut(Evaluator& evaluator, std::int64_t feature,
                                std::span<const Entry> all, std::size_t known,
                                double base, double tolerance) const {
  Learned best;
  for (const bool low : {true, false}) {
    auto list = joined(all, known, low);
    const Candidate found =
        scan_cut(evaluator, feature, list, list.size(), base, tolerance);
    if (best.entries.empty() || found.gain > best.found.gain + tolerance)
      best = {found, std::move(list), low ? 0 : 1};
  }
  return best;
}

// The branch of a multiway split that rows without a value fit best.
Learned MemorySource::learn_branch(Evaluator& evaluator, const Pieces& groups,
                                   std::span<const Entry> missing,
                                   double tolerance) const {
  Learned best;
  Pieces with_missing = groups;
  with_missing.push_back(missing);
  evaluator.set_groups(with_missing);
  const int last = static_cast<int>(groups.size());
  double all = 0;
  for (int group = 0; group < last; ++group) all += evaluator.group_score(group);
  for (int group = 0; group < last; ++group) {
    const double score =
        all - evaluator.group_score(group) + evaluator.joined_score(group, last);
    if (group == 0 || score > best.found.gain + tolerance) {
      best.found.gain = score;
      best.branch = group;
    }
  }
  return best;
}

// The best two sets of values, the rows without one being a value too.
Subset MemorySource::learn_subset(Evaluator& evaluator, const Pieces& groups,
                                  std::span<const Entry> missing,
                                  double tolerance) const {
  Pieces with_missing = groups;
  with_missing.push_back(missing);
  Subset subset = best_subset(evaluator, with_missing, weights_of(with_missing),
                              rule_.limits, tolerance);
  if (subset.on_left.empty()) return subset;
  const auto known = std::span(subset.on_left).first(groups.size());
  const bool alone =
      std::ranges::all_of(known, [&](auto side) { return side == known[0]; });
  return alone ? learn_subset_with_a_value(evaluator, groups, missing, tolerance)
               : subset;
}

// The same where missing values alone would be the best set, which is no set of values:
// they go with one of the values, the best one. Of many values only the nearest are
// tried, because each of them asks for a search of its own.
Subset MemorySource::learn_subset_with_a_value(Evaluator& evaluator,
                                               const Pieces& groups,
                                               std::span<const Entry> missing,
                                               double tolerance) const {
  Subset best;
  std::vector<Entry> together;
  for (const std::size_t group : values_near(evaluator, groups, missing)) {
    together.assign(groups[group].begin(), groups[group].end());
    together.insert(together.end(), missing.begin(), missing.end());
    Pieces joined = groups;
    joined[group] = together;
    Subset subset =
        best_subset(evaluator, joined, weights_of(joined), rule_.limits, tolerance);
    if (subset.on_left.empty() || !(subset.score > best.score + tolerance)) continue;
    subset.on_left.push_back(subset.on_left[group]);
    best = std::move(subset);
  }
  return best;
}

// The values that rows without one may go with, in ascending order: all of them if they
// are few, else those next to these rows in the evaluator's orders, which take turns.
std::vector<std::size_t> MemorySource::values_near(Evaluator& evaluator,
                                                   const Pieces& groups,
                                                   std::span<const Entry> missing) {
  std::vector<std::size_t> found(groups.size());
  std::iota(found.begin(), found.end(), std::size_t{0});
  if (groups.size() <= most_values_enumerated) return found;
  Pieces with_missing = groups;
  with_missing.push_back(missing);
  evaluator.set_groups(with_missing);
  const int last = static_cast<int>(groups.size());
  const std::size_t wanted = std::min(groups.size(), most_values_joined);
  const std::vector<std::size_t> every = std::exchange(found, {});
  std::vector<std::vector<std::size_t>> orders(
      std::min<std::size_t>(evaluator.n_orders(), wanted), every);
  std::vector<double> distance(groups.size());
  for (std::size_t order = 0; order < orders.size(); ++order) {
    const int index = static_cast<int>(order);
    const double here = evaluator.order_key(last, index);
    for (int group = 0; group < last; ++group)
      distance[group] = std::abs(evaluator.order_key(group, index) - here);
    std::partial_sort(orders[order].begin(), orders[order].begin() + wanted,
                      orders[order].end(), [&](std::size_t a, std::size_t b) {
                        return std::pair(distance[a], a) < std::pair(distance[b], b);
                      });
  }
  for (std::size_t place = 0; place < wanted; ++place)
    for (const auto& order : orders)
      if (found.size() < wanted &&
          std::ranges::find(found, order[place]) == found.end())
        found.push_back(order[place]);
  std::ranges::sort(found);
  return found;
}

Candidate MemorySource::scan_learned(Evaluator& evaluator, std::int64_t feature,
                                     std::span<const Entry> all, std::size_t known,
                                     double base, double tolerance) const {
  const Candidates candidates = columns_[feature].candidates;
  if (makes_two_sides(candidates))
    return learn_cut(evaluator, feature, all, known, base, tolerance).found;
  const auto missing = all.subspan(known);
  const Pieces groups = groups_of(all.first(known));
  Candidate found;
  if (groups.size() < 2) return found;
  found.gain = too_few_rows;
  if (candidates == Candidates::multiway) {
    const Learned best = learn_branch(evaluator, groups, missing, tolerance);
    auto weights = weights_of(groups);
    if (!admits_multiway(groups, weights)) return found;
    found.gain = best.found.gain;
    weights[best.branch] += weight_of(missing);
    if (rule_.wants_information) found.split_information = information(weights);
    return found;
  }
  const Subset subset = learn_subset(evaluator, groups, missing, tolerance);
  if (subset.on_left.empty()) return found;
  found.gain = subset.score;
  if (rule_.wants_information) {
    std::vector<std::int64_t> sides{0, 0};
    for (std::size_t group = 0; group < groups.size(); ++group)
      sides[subset.on_left[group]] += weight_of(groups[group]);
    sides[subset.on_left.back()] += weight_of(missing);
    found.split_information = information(sides);
  }
  return found;
}

}  // namespace treewright
