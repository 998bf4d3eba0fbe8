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

// A part of an item that ended at a node. Weights are doubles, or integers (fixed
// point) where parts are added up: then no sum depends on the order of the rows.
template <class Weight>
struct Placed {
  std::vector<std::int64_t> item;
  std::vector<std::int32_t> node;
  std::vector<Weight> weight;

  void clear();
  void append(const Placed& more);
};

// Items that stand together: item i is the row rows[i] of the cells with weights[i].
template <class Weight>
struct Items {
  std::span<const std::int64_t> rows;
  std::span<const Weight> weights;
  bool divided = true;  // false: all have the values that they are asked for
  // The weight that stands under each node already and counts in its share; empty: 0.
  std::span<const Weight> staying{};
};

// Which rows are divided, and how.
struct Dividing {
  // The shares of the branches are in proportion to these; empty: to the items with a
  // value. Only with doubles.
  std::span<const double> node_weights;
  // Branches with a smaller share get no part, unless none has a larger one.
  double min_share = 0;
};

// Places groups of items, one after the other.
template <class Weight>
class Placer {
 public:
  // cells: n_features for each row
  Placer(const Dividing& dividing, std::span<const double> cells,
         std::int64_t n_features)
      : dividing_(dividing), cells_(cells), n_features_(n_features) {}

  // Sends items down from `top`; appends where they end, as numbers from first_item on.
  // Missing values at nodes whose missing_branch is every_branch are divided; other
  // nodes are as in `walk`.
  void place(const TreeView& tree, std::int32_t top, const Items<Weight>& items,
             std::int64_t first_item, Placed<Weight>& placed);

 private:
  // A part of an item that has come to a node without having a value for its question.
  struct Stuck {
    std::int32_t node;
    std::int64_t item;
    Weight weight;
    bool operator>(const Stuck& other) const { return node > other.node; }
  };

  const double* cells_of(std::int64_t row) const {
    return cells_.data() + row * n_features_;
  }
  void walk_from(const TreeView& tree, std::int32_t node, const Items<Weight>& items,
                 std::int64_t item, Weight weight);
  void add(std::int32_t node, Weight weight);
  void find_shares(const TreeView& tree, std::int32_t node, const Items<Weight>& items);
  Weight part_of(Weight weight, std::int32_t branch) const;
  void divide_at(const TreeView& tree, std::int32_t node, const Items<Weight>& items);

  Dividing dividing_;
  std::span<const double> cells_;
  std::int64_t n_features_;
  std::vector<Stuck> stuck_;           // a heap once all items have been walked
  std::vector<Stuck> here_;            // those of one node
  std::vector<Weight> walked_;         // weight that has come to each node
  std::vector<std::int32_t> touched_;  // nodes of which that is not 0
  std::vector<Weight> shares_;         // of the branches of a node, and their sum
  Weight total_ = 0;
  bool counting_ = false;
  std::int64_t first_item_ = 0;
  Placed<Weight>* placed_ = nullptr;
};

// Groups of items: group g starts at tops[g] with the items from starts[g] up to
// starts[g + 1].
template <class Weight>
struct Groups {
  std::span<const std::int32_t> tops;
  std::span<const std::int64_t> starts;
  Items<Weight> items;
};

template <class Weight>
Placed<Weight> place(const TreeView& tree, const Dividing& dividing,
                     std::span<const double> cells, std::int64_t n_features,
                     const Groups<Weight>& groups, ThreadPool& pool);

}  // namespace treewright
