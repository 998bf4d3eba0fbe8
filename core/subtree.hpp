// Sums over the subtrees of a tree, and its nodes level by level.
#pragma once

#include <cstddef>
#include <cstdint>
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

// The nodes of several trees, whose roots are the first n_roots nodes: tree by tree, in
// a tree level by level, in a level branch after branch.
struct ByLevel {
  std::vector<std::int64_t> order;
  std::vector<std::int64_t> starts{0};  // of each tree, and the end
};

inline ByLevel order_by_level(std::span<const std::int32_t> first_child,
                              std::span<const std::int32_t> n_children,
                              std::int64_t n_roots) {
  ByLevel found;
  auto& order = found.order;
  order.reserve(first_child.size());
  for (std::int64_t root = 0; root < n_roots; ++root) {
    order.push_back(root);
    for (std::size_t place = found.starts.back(); place < order.size(); ++place) {
      const std::int64_t node = order[place];
      for (std::int32_t branch = 0; branch < n_children[node]; ++branch)
        order.push_back(first_child[node] + branch);
    }
    found.starts.push_back(std::ssize(order));
  }
  return found;
}

}  // namespace treewright
