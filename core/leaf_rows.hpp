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
  double min_share = 0;                   // see `Dividing`
};

// Leaves whose rows change if branches get all rows of their parents.
struct Tally {
  std::vector<std::int64_t> group;  // of each leaf: its branch, as an index
  std::vector<std::int32_t> leaf;
  std::vector<std::int64_t> weights;  // class weights that each leaf has then
  std::vector<std::uint8_t> divides;  // by branch: whether some of the rows are divided

  void append(const Tally& more);
};

// What stands at each node: class weights, how many whole rows, and parts of others.
struct Standing {
  std::vector<std::int64_t> weights;
  std::vector<std::int64_t> n_whole;
  std::vector<std::int64_t> row;  // of each part
  std::vector<std::int32_t> node;
};

class LeafRows {
 public:
  LeafRows(const TrainingRows& rows, std::int64_t n_classes, int n_threads);

  // Sends all rows down from the root.
  void fill(const TreeView& tree);

  // What raising branches[i] in the place of nodes[i] would bring to its leaves. Whole
  // rows of the branch stay where they are, so only the others are sent.
  Tally send(const TreeView& tree, std::span<const std::int64_t> nodes,
             std::span<const std::int64_t> branches);

  // The same, but rows that may be divided are left out, which are few and take long.
  Tally send_whole(const TreeView& tree, std::span<const std::int64_t> nodes,
                   std::span<const std::int64_t> branches);

  // The same, and it is done: call this before the tree is changed.
  Tally raise(const TreeView& tree, std::span<const std::int64_t> nodes,
              std::span<const std::int64_t> branches);

  // Gathers the rows under nodes that will be leaves.
  void make_leaves(const TreeView& tree, std::span<const std::int64_t> nodes);

  // What stands where now, which is what `fill` would send there down the tree.
  Standing standing() const;

  ThreadPool& pool() { return pool_; }

 private:
  enum class How { whole, all, for_good };
  struct Part {
    std::int64_t row;
    std::int64_t weight;
  };
  // What a thread works with: one group after the other.
  struct Desk {
    explicit Desk(const TrainingRows& training);
    Placer<std::int64_t> placer;
    std::vector<std::int32_t> stack, inside, outside;  // nodes of a branch and around
    std::vector<std::int64_t> rows;                    // items: whole rows first
    std::vector<std::int64_t> weights;
    std::vector<std::int32_t> ends;                       // of the whole rows
    std::vector<std::int32_t> item_of_row, slot_of_node;  // -1: none
    std::vector<std::int64_t> arriving;  // weight of whole rows that are sent, by end
    std::vector<std::int64_t> staying;   // and of those inside, with all below
    Placed<std::int64_t> placed;         // the parts of the divided rows
    // whose whole rows these are; -1: nobody's, or they have changed since
    std::int32_t node = -1, branch = -1;
  };

  void find(const TreeView& tree, std::int32_t top, std::int32_t without, Desk& desk,
            std::vector<std::int32_t>& found) const;
  bool any_divided(std::span<const std::int32_t> nodes) const;
  void take_whole(std::span<const std::int32_t> nodes, Desk& desk) const;
  void find_divided(const TreeView& tree);
  void take_divided(std::span<const std::int32_t> nodes, Desk& desk) const;
  void forget_items(Desk& desk, std::size_t n_kept) const;
  void forget_walks();
  void walk_whole(const TreeView& tree, std::int32_t top, bool alone, Desk& desk);
  void add_up_staying(const TreeView& tree, Desk& desk) const;
  bool send_one(const TreeView& tree, std::int32_t node, std::int32_t branch, How how,
                bool alone, Desk& desk);
  void count(const TreeView& tree, std::int64_t group, Desk& desk, Tally& tally) const;
  void place_for_good(Desk& desk);
  void clear_divided(std::int32_t node);
  void clear(std::int32_t node);
  void keep(std::int32_t node, std::int64_t row, std::int64_t weight);
  std::int64_t whole_weight(std::int32_t node) const;
  Tally send_all(const TreeView& tree, std::span<const std::int64_t> nodes,
                 std::span<const std::int64_t> branches, How how);

  TrainingRows rows_;
  std::int64_t n_classes_;
  ThreadPool pool_;
  std::vector<Desk> desks_;               // one per thread
  std::vector<std::uint8_t> may_divide_;  // whether a row may have several parts
  std::vector<std::vector<std::int32_t>> whole_;  // rows that are not divided, by node
  std::vector<std::vector<Part>> divided_;        // parts of the others, by node
  std::vector<std::int64_t> sums_;                // class weights of both
};

}  // namespace treewright
