// Sums over the subtrees of a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

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

}  // namespace treewright
