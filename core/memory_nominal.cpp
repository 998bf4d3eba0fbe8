// The first step of the memory source for nominal columns: their best split at a node.
#include <algorithm>
#include <numeric>

#include "memory.hpp"
#include "nominal.hpp"

namespace treewright {

bool MemorySource::admits_multiway(const Pieces& groups,
                                   std::span<const std::int64_t> weights) const {
  std::size_t n_large = 0;
  for (std::size_t group = 0; group < groups.size(); ++group)
    n_large += std::ssize(groups[group]) >= rule_.limits.min_rows &&
               weights[group] >= rule_.limits.min_weight;
  return n_large >= (rule_.two_branches ? 2 : groups.size());
}

Candidate MemorySource::scan_nominal(Evaluator& evaluator, std::int64_t feature,
                                     std::span<const Entry> all, std::size_t known,
                                     double base, double tolerance) const {
  Candidate found;
  const Candidates candidates = columns_[feature].candidates;
  const bool own = rule_.missing == Missing::own_branch && known < all.size();
  const bool multiway = candidates == Candidates::multiway;
  // with a branch of their own, missing values are one more value of a multiway split
  const auto part = own && multiway ? all : all.first(known);
  const Pieces groups = groups_of(part);
  if (groups.size() + (own && !multiway && known > 0) < 2) return found;
  found.gain = too_few_rows;
  const bool subset_search = candidates == Candidates::subset;  // has its own groups
  if (!subset_search) evaluator.set_groups(groups);
  auto weights = subset_search ? weights_of(groups) : evaluator.group_weights();
  if (multiway) {
    if (!admits_multiway(groups, weights)) return found;
    found.gain = evaluator.multiway_score();
    if (rule_.wants_information) {
      const auto missing = own ? 0 : weight_of(all.subspan(known));
      found.split_information = information(weights, missing);
    }
    return found;
  }
  if (candidates == Candidates::one_value)
    return scan_one_value(evaluator, feature, groups, weights,
                          weight_of(all.subspan(known)), base, tolerance);
  if (own && !admits(all.subspan(known))) return found;
  const double beside = own ? evaluator.branch_score(all.subspan(known)) : 0;
  const Subset subset =
      best_subset(evaluator, groups, weights, rule_.limits, tolerance);
  if (!subset.on_left.empty()) {
    found.gain = subset.score + beside;
    if (rule_.wants_information) {
      std::vector<std::int64_t> sides{0, 0};
      for (std::size_t group = 0; group < groups.size(); ++group)
        sides[subset.on_left[group]] += weights[group];
      found.split_information = information(sides, weight_of(all.subspan(known)));
    }
  }
  if (own && admits(part)) {
    const double apart = evaluator.branch_score(part) + beside;
    if (apart > found.gain + tolerance) {
      found.gain = apart;
      found.position = std::ssize(part);
      if (rule_.wants_information)
        found.split_information =
            information({weight_of(part), weight_of(all.subspan(known))});
    }
  }
  return found;
}

// One value against the rest, by gain or gain ratio; the position is -1 - the value's
// code.
Candidate MemorySource::scan_one_value(Evaluator& evaluator, std::int64_t feature,
                                       const Pieces& groups,
                                       const std::vector<std::int64_t>& weights,
                                       std::int64_t missing, double base,
                                       double tolerance) const {
  Candidate found{too_few_rows};
  const std::int64_t known = std::reduce(weights.begin(), weights.end());
  std::int64_t n_rows = 0;
  for (const auto& group : groups) n_rows += std::ssize(group);
  double best = 0;
  for (int group = 0; group < std::ssize(groups); ++group) {
    const std::int64_t rows = std::ssize(groups[group]);
    const Limits& limits = rule_.limits;
    if (std::min(rows, n_rows - rows) < limits.min_rows ||
        std::min(weights[group], known - weights[group]) < limits.min_weight)
      continue;
    evaluator.toggle(group);
    const double score = evaluator.two_way_score();
    evaluator.toggle(group);
    const double bits = information({weights[group], known - weights[group]}, missing);
    const double gain = score - base;
    const double worth = !rule_.wants_information ? gain : bits > 0 ? gain / bits : 0;
    const auto code = static_cast<std::int64_t>(code_of(feature, groups[group][0]));
    // a feature that gains nothing still counts in the average of the gains
    if (found.gain == too_few_rows) found = {base, -1 - code, 0, bits};
    if (code == 0 || worth > best + tolerance) {
      best = worth;
      found = {score, -1 - code, 0, bits};
    }
  }
  return found;
}

}  // namespace treewright
