// Sums over the subtrees of a tree, and its nodes level by level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace treewright {

// Adds to the numbers of each node those of all nodes below it; `inout_numbers` has the
// same number of columns for each node. A child has a larger number than its parent.
template <class Number>
void add_up_subtrees(std::span<const std::int32_t> first_child,
                     std::span<const std::int32_t> n_children,
                     std::span<Number> inout_numbers) {
  const std::size_t n_nodes = first_child.size();
  const std::size_t n_columns = n_nodes == 0 ? 0 : inout_numbers.size() / n_nodes;
  for (std::size_t node = n_nodes; node-- > 0;) {
    const std::size_t first = first_child[node];
    for (std::int32_t branch = 0; branch < n_children[node]; ++branch)
      for (std::size_t column = 0; column < n_columns; ++column)
        inout_numbers[node * n_columns + column] +=
            inout_numbers[(first + branch) * n_columns + column];
  }
}

// The nodes level by level, the first n_roots first; in a level branch after branch.
inline std::vector<std::int64_t> order_by_level(
    std::span<const std::int32_t> first_child, std::span<const std::int32_t> n_children,
    std::int64_t n_roots) {
  std::vector<std::int64_t> order(n_roots);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  order.reserve(first_child.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::int64_t node = order[place];
    for (std::int32_t branch = 0; branch < n_children[node]; ++branch)
      order.push_back(first_child[node] + branch);
  }
  return order;
}

}  // namespace treewright
