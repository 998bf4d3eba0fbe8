// The training rows at the leaves of a tree that is being pruned.
//
// Rows without a value are divided among branches, so a row may stand in several leaves
// with a part of its weight each. To raise a branch means that it takes its parent's
// place and all rows of it: those of the other branches come to its leaves, and divided
// rows are divided anew.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "place.hpp"

namespace treewright {

struct TrainingRows {
  std::span<const double> cells;  // n_features for each row
  std::int64_t n_features;
  std::span<const std::int32_t> classes;
  std::span<const std::int64_t> weights;  // fixed point
  std::span<const std::uint8_t> divided;  // whether a row may have several parts
  double min_share = 0;                   // see `Dividing`
};

// What came to the leaves of branches that rows were sent down.
struct Tally {
  std::vector<std::uint8_t> others;  // by branch: only rows of other branches were sent
  std::vector<std::int64_t> group;   // of each leaf: its branch, as an index
  std::vector<std::int32_t> leaf;
  std::vector<std::int64_t> weights;  // class weights of each leaf

  void append(const Tally& more);
};

class LeafRows {
 public:
  LeafRows(const TrainingRows& rows, std::int64_t n_classes, int n_threads);

  // Sends all rows down from the root.
  void fill(const TreeView& tree);

  // What raising branches[i] in the place of nodes[i] would bring to its leaves. Where
  // no row is divided, the branch's own rows need not be sent.
  Tally send(const TreeView& tree, std::span<const std::int64_t> nodes,
             std::span<const std::int64_t> branches);

  // The same, and it is done: call this before the tree is changed.
  Tally raise(const TreeView& tree, std::span<const std::int64_t> nodes,
              std::span<const std::int64_t> branches);

  // Gathers the rows under nodes that will be leaves.
  void make_leaves(const TreeView& tree, std::span<const std::int64_t> nodes);

  ThreadPool& pool() { return pool_; }

 private:
  struct Part {
    std::int64_t row;
    std::int64_t weight;
  };
  // What a thread works with: one group after the other.
  struct Desk {
    explicit Desk(const TrainingRows& training);
    Placer<std::int64_t> placer;
    std::vector<std::int32_t> stack, inside, outside;  // nodes with parts
    std::vector<std::int64_t> rows;                    // items to be sent
    std::vector<std::int64_t> weights;
    std::vector<std::int32_t> item_of_row, slot_of_node;  // -1: none
    Placed<std::int64_t> placed;
  };

  void find(const TreeView& tree, std::int32_t top, std::int32_t without, Desk& desk,
            std::vector<std::int32_t>& found) const;
  bool any_divided(std::span<const std::int32_t> nodes) const;
  void take(std::span<const std::int32_t> nodes, Desk& desk) const;
  void forget_items(Desk& desk) const;
  bool send_one(const TreeView& tree, std::int32_t node, std::int32_t branch,
                Desk& desk) const;
  void count(std::int64_t group, Desk& desk, Tally& tally) const;
  void clear(std::span<const std::int32_t> nodes);
  void keep(std::int32_t node, std::int64_t row, std::int64_t weight);
  Tally send_all(const TreeView& tree, std::span<const std::int64_t> nodes,
                 std::span<const std::int64_t> branches, bool stay);

  TrainingRows rows_;
  std::int64_t n_classes_;
  ThreadPool pool_;
  std::vector<Desk> desks_;               // one per thread
  std::vector<std::vector<Part>> parts_;  // by node
  std::vector<std::int64_t> n_divided_;   // parts of divided rows, by node
};

}  // namespace treewright
