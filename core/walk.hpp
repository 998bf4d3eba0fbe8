// The walk: each row goes from the root to the node where its questions end.
//
// Cells are float64: numbers as they are, categories as their codes, NaN for missing, a
// negative code for a category that training never saw.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "threads.hpp"

namespace treewright {

enum class NodeKind : std::uint8_t {
  leaf,
  cut,
  order,
  multiway,
  subset,
  known,
  groups,
  combination
};

// Views on the arrays of src/treewright/tree/structure/surrogates.py: node n has the
// surrogates start[n] up to start[n + 1]; `start` is empty if no node has any.
struct SurrogatesView {
  std::span<const std::int64_t> start;
  std::span<const std::int32_t> feature;
  std::span<const std::uint8_t> kind;
  std::span<const double> threshold;
  std::span<const std::int32_t> branch;  // cut, order: of values up to the threshold
  std::span<const std::int64_t> set_start;
  std::span<const std::int32_t> set_codes;
  std::span<const std::int32_t> set_branch;  // subset: the branch of each code
};

// Views on the arrays of src/treewright/tree/structure/tree.py; validated before they
// come here.
struct TreeView {
  std::span<const std::uint8_t> kind;
  std::span<const std::int32_t> feature;
  std::span<const double> threshold;
  std::span<const std::int32_t> first_child;
  std::span<const std::int32_t> n_children;
  std::span<const std::int32_t> missing_branch;
  std::span<const std::int64_t> set_start;
  // subset: the codes of branch 0, ascending; groups: the branch of each code;
  // combination: for each term the feature and the two halves of its weight
  std::span<const std::int32_t> set_codes;
  SurrogatesView surrogates{};
};

// What `branch_of` says of a missing value that goes down all branches; a walk, which
// follows one, stops there.
inline constexpr std::int32_t every_branch = -2;

// A combination as the terms that are added up, in this order.
struct TermsView {
  std::span<const std::int32_t> codes;

  std::size_t size() const { return codes.size() / 3; }
  std::int32_t feature(std::size_t term) const { return codes[3 * term]; }
  double weight(std::size_t term) const {
    const auto low = static_cast<std::uint32_t>(codes[3 * term + 1]);
    const auto high = static_cast<std::uint32_t>(codes[3 * term + 2]);
    return std::bit_cast<double>(std::uint64_t{high} << 32 | low);
  }
};
inline TermsView terms_of(const TreeView& tree, std::int32_t node) {
  const auto start = tree.set_start[node];
  return {tree.set_codes.subspan(start, tree.set_start[node + 1] - start)};
}

// The branch that `cell` takes at `node`, -1 to stop there, or every_branch. Of a
// combination the cell is its sum.
std::int32_t branch_of(const TreeView& tree, std::int32_t node, double cell);

// The same for a row: without a value it follows the first surrogate that has one.
std::int32_t branch_of_row(const TreeView& tree, std::int32_t node,
                           const double* cells);

// The same, quick for the common questions of known values.
inline std::int32_t next_branch(const TreeView& tree, std::int32_t node,
                                const double* cells) {
  const auto kind = static_cast<NodeKind>(tree.kind[node]);
  const double cell = cells[tree.feature[node]];
  if (kind == NodeKind::cut) {
    if (cell <= tree.threshold[node]) return 0;
    if (cell > tree.threshold[node]) return 1;
  } else if (kind == NodeKind::multiway && cell >= 0) {
    return static_cast<std::int32_t>(cell);
  }
  return branch_of_row(tree, node, cells);
}

// The node where a row's questions end, from `top` on.
inline std::int32_t end_of_walk(const TreeView& tree, std::int32_t top,
                                const double* cells) {
  std::int32_t node = top;
  while (static_cast<NodeKind>(tree.kind[node]) != NodeKind::leaf) {
    const std::int32_t branch = next_branch(tree, node, cells);
    if (branch < 0) break;
    node = tree.first_child[node] + branch;
  }
  return node;
}

// rows: n_rows x n_features cells, row after row.
void walk(const TreeView& tree, std::span<const double> rows, std::int64_t n_features,
          ThreadPool& pool, std::span<std::int32_t> out_nodes);

}  // namespace treewright
