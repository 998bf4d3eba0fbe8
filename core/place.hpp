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

  void clear();
};

// Items that stand together: item i is the row rows[i] of the cells with weights[i].
struct Items {
  std::span<const std::int64_t> rows;
  std::span<const double> weights;
};

// Places groups of items, one after the other.
class Placer {
 public:
  // node_weights: the shares of the branches are in proportion to them; empty: to the
  // items with a value. cells: n_features for each row.
  Placer(std::span<const double> node_weights, std::span<const double> cells,
         std::int64_t n_features)
      : node_weights_(node_weights), cells_(cells), n_features_(n_features) {}

  // Sends items down from `top`; appends where they end, as numbers from first_item on.
  // Missing values at nodes whose missing_branch is every_branch are divided; other
  // nodes are as in `walk`.
  void place(const TreeView& tree, std::int32_t top, const Items& items,
             std::int64_t first_item, Placed& placed);

 private:
  // A part of an item that has come to a node without having a value for its question.
  struct Stuck {
    std::int32_t node;
    std::int64_t item;
    double weight;
    bool operator>(const Stuck& other) const { return node > other.node; }
  };

  const double* cells_of(std::int64_t row) const {
    return cells_.data() + row * n_features_;
  }
  bool any_missing(const Items& items) const;
  void walk_from(const TreeView& tree, std::int32_t node, const Items& items,
                 std::int64_t item, double weight);
  void add(std::int32_t node, double weight);
  void divide_at(const TreeView& tree, std::int32_t node, const Items& items);

  std::span<const double> node_weights_, cells_;
  std::int64_t n_features_;
  std::vector<Stuck> stuck_, here_;  // a heap once all items have been walked; a node's
  std::vector<double> walked_;       // weight that has come to each node
  std::vector<std::int32_t> touched_;  // nodes of which that is not 0
  std::vector<double> shares_;         // of the branches of a node
  bool counting_ = false;
  std::int64_t first_item_ = 0;
  Placed* placed_ = nullptr;
};

// Groups of items: group g starts at tops[g] with the items from starts[g] up to
// starts[g + 1].
struct Groups {
  std::span<const std::int32_t> tops;
  std::span<const std::int64_t> starts;
  Items items;
};

Placed place(const TreeView& tree, std::span<const double> node_weights,
             std::span<const double> cells, std::int64_t n_features,
             const Groups& groups, ThreadPool& pool);

}  // namespace treewright
