// Placing: rows go down a tree, and one without a value goes down every branch, in
// shares.
//
// The shares of a node's branches are either given, as the tree's own weights, or those
// of the rows with a value that are placed: then rows that stand together must be
// placed together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "walk.hpp"

namespace treewright {

// A part of an item that ended at a node.
struct Placed {
  std::vector<std::int64_t> item;
  std::vector<std::int32_t> node;
  std::vector<double> weight;
};

// Groups of items: group g starts at tops[g] with the items from starts[g] up to
// starts[g + 1]. Item i is the row rows[i] of `cells` with the weight weights[i].
struct Groups {
  std::span<const std::int32_t> tops;
  std::span<const std::int64_t> starts;
  std::span<const std::int64_t> rows;
  std::span<const double> weights;
};

// node_weights: the shares of the branches are in proportion to them; empty: to the
// items with a value. Missing values at nodes whose missing_branch is every_branch are
// divided; other nodes are as in `walk`.
Placed place(const TreeView& tree, std::span<const double> node_weights,
             std::span<const double> cells, std::int64_t n_features,
             const Groups& groups, ThreadPool& pool);

}  // namespace treewright
