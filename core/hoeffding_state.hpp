// A Hoeffding tree as arrays, and back: what a checkpoint holds.
//
// The nodes in the order in which they came up, so that a child stands after its
// parent; lists of different lengths one after the other, with where each begins.
#pragma once

#include <string>

#include "hoeffding.hpp"

namespace treewright {

struct HoeffdingArrays {
  std::vector<std::int32_t> parent, feature, missing;
  std::vector<double> threshold, gain, right_plain, right_bayes, seen, looked;
  std::vector<std::int64_t> n_rows;
  std::vector<std::uint8_t> awake;
  std::vector<std::int64_t> child_start, value_start;
  std::vector<std::int32_t> child;
  std::vector<double> value;
  std::vector<std::int64_t> block_start;  // feature by feature, of the leaves awake
  std::vector<double> block;
};

// What the arrays are checked against.
struct HoeffdingLimits {
  std::int64_t n_classes = 0;         // 0: numbers
  std::vector<std::int64_t> n_codes;  // of each feature; 0: numeric
};

template <class Task>
HoeffdingArrays arrays_of(const HoeffdingTree<Task>& tree);

// Fills a fresh tree; throws std::invalid_argument, with what is wrong, if the arrays
// are not those of a tree.
template <class Task>
void fill(HoeffdingTree<Task>& tree, const HoeffdingArrays& arrays,
          const HoeffdingLimits& limits);

}  // namespace treewright
