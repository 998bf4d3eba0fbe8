// How far two scores of a node may differ and still be equal.
#pragma once

#include <span>

#include "target.hpp"

namespace treewright {

// 1e-12 of the node's impurity. Scores of classes are differences of numbers as large
// as the weight (times its logarithm, for entropy), which a node with one heavy row has
// and its impurity has not: there it is no less than what rounding makes of them.
double tolerance_of_ties(const Target& target, std::span<const std::int64_t> statistic);

}  // namespace treewright
