// The criteria for classes, as functions of class weights.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>

#include "target.hpp"

namespace treewright {

// Entropy in bits, Gini's impurity or the classification error of one output.
template <class Number>
double class_impurity(Criterion criterion, std::span<const Number> weights) {
  const auto whole =
      static_cast<double>(std::accumulate(weights.begin(), weights.end(), Number{0}));
  if (!(whole > 0)) return criterion == Criterion::entropy ? 0.0 : 1.0;
  double sum = 0, largest = 0;
  for (const Number weight : weights) {
    if (weight == 0) continue;  // adds nothing, and most nodes have few of the classes
    const double share = static_cast<double>(weight) / whole;
    largest = std::max(largest, share);
    if (criterion != Criterion::entropy)
      sum += share * share;
    else if (share > 0)
      sum -= share * std::log2(share);
  }
  switch (criterion) {
    case Criterion::entropy:
      return std::max(sum, 0.0);
    case Criterion::gini:
      return std::max(1 - sum, 0.0);
    default:
      return std::max(1 - largest, 0.0);
  }
}

}  // namespace treewright
