// Splits of a nominal column: one branch per value, or the best two sets of values.
//
// The best two sets are exact for two classes and for one number (the best is a prefix
// of the values in order of their class share or mean), and by trying all sets for up
// to ten values present at the node. Beyond, with more classes or outputs, or with a
// least size of branches, the prefixes of several orders are tried: by the share of
// each class (the first 32), by the mean or median of each output. That is a heuristic.
#pragma once

#include <vector>

#include "evaluator.hpp"

namespace treewright {

inline constexpr int most_values_enumerated = 10;

// Which groups form branch 0 of a two-way split; empty: no admissible split.
struct Subset {
  double score = -std::numeric_limits<double>::infinity();
  std::vector<std::uint8_t> on_left;
};

// `group_weights` are the groups' weights, for the limits. Ties go to the set that
// comes first: sets that lack the last value, as binary numbers with the first value
// lowest.
Subset best_subset(Evaluator& evaluator, const Pieces& groups,
                   const std::vector<std::int64_t>& group_weights, const Limits& limits,
                   double tolerance);

}  // namespace treewright
