// A tree of classes that is kept up to date while rows come and go: at any time the one
// that the growing loop would grow from the rows that are there.
//
// A node of more than a few rows keeps a table of values for each feature
// (value_table.hpp). A change, rows that are added to a node and rows that are taken
// away, updates the tables, and the best split is looked for again
// (incremental_search.hpp):
//   the same question     the change goes on to the branches. Where the border between
//                         these has moved, the rows beside it change branches: they are
//                         taken away from one and added to the other
//   another question      all that is below the node is grown anew. What was there is
//                         kept as a spare for a while, with the changes that it misses:
//                         where two features are nearly as good, the lead changes again
//                         and again, and then the spare is brought up to date
// So a change visits the nodes on the way of its rows, each once. What is below small
// nodes is grown anew, which takes less than keeping tables would.
//
// Glossary
//   slot     the number of a row here; slots of rows that are gone are used again
//   key      a cell: see value_table.hpp
//   change   slots to add to a node and slots to take away from it
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "incremental_search.hpp"

namespace treewright {

using Slot = std::uint32_t;

// Why a leaf is a leaf; numbered as in tree/structure/tree.py.
enum class LeafReason : std::uint8_t {
  none = 0,
  pure = 1,
  no_feature_left = 2,
  no_split = 3,
  empty = 10
};

// The tree as arrays, nodes level by level; see Tree in tree/structure/tree.py. Cuts
// are told by the keys on both sides.
struct FlatTree {
  std::vector<std::int32_t> feature, first_child, n_children, missing_branch, parent,
      depth;
  std::vector<Key> low, high;
  std::vector<std::int64_t> n_set;
  std::vector<std::int32_t> set_codes;
  std::vector<std::int64_t> statistics;
  std::vector<std::int64_t> n_rows;
  std::vector<double> gain;
  std::vector<std::uint8_t> reason;
};

class IncrementalTree {
 public:
  // entropy: one branch per value, features are asked about once on a path, rows
  // without a value have a branch of their own (ID3). gini: two branches, rows without
  // a value follow the heavier one (CART).
  IncrementalTree(Criterion criterion, std::int64_t n_features);

  // What the splits of a feature are; before it has a row with a value.
  void set_candidates(std::int64_t feature, Candidates candidates);
  // Ranks of a feature's keys 0, 1, ...; those that had one keep their order.
  void set_ranks(std::int64_t feature, std::vector<std::uint32_t> ranks);
  // Other classes: new_class has one for each that there was. All is grown anew.
  void set_classes(int n_classes, std::span<const std::int32_t> new_class);

  // keys: n_features per row, row after row. The slots of the new rows.
  std::vector<Slot> add(std::span<const Key> keys,
                        std::span<const std::uint32_t> classes);
  // The slots of rows like these, each slot once, up to the first row that is not
  // there.
  std::vector<Slot> find(std::span<const Key> keys,
                         std::span<const std::uint32_t> classes) const;
  void remove(std::span<const Slot> slots);

  // codes: of each feature's keys, for nominal ones; -1 where the key has no row.
  FlatTree flatten(std::span<const std::vector<std::int32_t>> codes) const;

  // A step that was not carried out to its end, because memory or patience ran out,
  // takes its rows back, but what was grown may not hold: to be called before
  // `flatten`.
  void mend() {
    if (!is_whole_) start_anew();
  }
  // Asked at every node that is grown whether to stop.
  void set_pool(const ThreadPool* pool) { pool_ = pool; }

  std::int64_t n_rows() const { return nodes_[0].n_rows; }
  std::int64_t n_features() const { return std::ssize(keys_); }
  int n_classes() const { return n_classes_; }
  bool is_there(Slot slot) const {
    return slot < uses_.size() && uses_[slot] == Use::row;
  }
  // The rows that are there, in the order of their slots.
  std::vector<Slot> slots() const;
  // How many rows have each key of a feature with ranks.
  const std::vector<std::int64_t>& key_counts(std::int64_t feature) const {
    return key_counts_[feature];
  }
  Key key(std::int64_t feature, Slot slot) const { return keys_[feature][slot]; }
  std::uint32_t class_of(Slot slot) const { return classes_[slot]; }

 private:
  struct Split {
    std::int32_t feature = -1;  // -1: a leaf
    Key low = 0, high = 0;      // cut: the keys on both sides of it
    std::vector<Key> first;     // two sets: the keys of branch 0, sorted
    std::int32_t missing_branch = -1;
    double gain = 0;
  };
  // What was below a node when it asked about another feature.
  struct Spare {
    Split split;
    std::vector<std::int32_t> children;
    std::vector<Key> child_keys;
    std::vector<Slot> added, removed;  // the changes that it misses
  };
  struct Node {
    std::int32_t parent = -1;
    std::int64_t n_rows = 0;
    std::vector<std::int64_t> totals;  // class counts
    Split split;
    std::vector<std::int32_t> children;
    std::vector<Key> child_keys;     // multiway: of each child, sorted
    std::vector<Slot> rows;          // of a leaf
    std::vector<ValueTable> tables;  // unless pure or small
    std::vector<Spare> spares;
    bool is_leaf() const { return split.feature < 0; }
    bool is_pure() const;
  };
  struct Change {
    std::int32_t node;
    std::vector<Slot> added, removed;
  };
  class Grower;  // incremental_grow.cpp
  // Of a slot: no row has it; a row; a row that is gone, but a spare has to hear of it.
  enum class Use : std::uint8_t { free, row, awaited };
  using Flags = std::vector<std::uint8_t>;
  // Nodes with no more rows have no tables.
  static constexpr std::int64_t small_rows = 32;
  // A node is grown anew if more than one in so many of its rows change.
  static constexpr std::int64_t few = 4;

  void apply(Change change);
  void start_anew();
  void update(Change& change, std::vector<Change>& next);
  void hand_on(Node& node, Split&& split, Change& change, std::vector<Change>& next);
  void find_moved(const Node& node, const Split& split, std::span<Change> parts);
  void hand_on_by_value(Node& node, std::int32_t number, Change& change,
                        std::vector<Change>& next);
  bool sets_changed_places(const Node& node, const Split& split) const;
  void turn(Node& node, const Change& change) const;
  bool nothing_moves(const Node& node, const Split& split, const Change& change) const;
  void grow(std::int32_t node, const std::vector<Slot>& rows);
  void grow_changed(const Change& change) { grow(change.node, rows_after(change)); }
  std::vector<Slot> rows_after(const Change& change);
  void update_tables(Node& node, const Change& change);

  // Spares (incremental_spares.cpp).
  bool take_spare(std::int32_t feature, Change& change);
  void miss_in_spares(const Change& change);
  void miss(Spare& spare, const Change& change);
  void drop_spare(const Spare& spare);
  void drop_spares_below(std::vector<std::int32_t> open);
  void drop_nodes(std::vector<std::int32_t> open);
  void release(std::span<const Slot> slots);

  Split choose(std::span<ValueTable> tables, std::span<const std::int64_t> totals,
               std::span<const std::uint8_t> allowed, std::int32_t asked);
  Split split_by(std::int64_t feature, const ValueTable& table,
                 const FoundSplit& found) const;
  std::int32_t branch_of(const Split& split, Slot slot) const;
  Flags allowed_at(std::int32_t node) const;
  std::vector<Slot> rows_of(std::int32_t node) const;
  LeafReason reason_of(const Node& node, std::int32_t number) const;
  std::int32_t new_node(std::int32_t parent);
  void drop_below(Node& node);
  void book(Slot slot);
  void unbook(Slot slot);
  void make_slots();
  void count_keys(Slot slot, int change);
  std::uint64_t hash_of(Slot slot) const;

  bool multiway_;
  int n_classes_ = 0;
  std::vector<Candidates> candidates_;
  std::vector<KeyOrder> orders_;
  // by feature and slot; by slot
  std::vector<std::vector<Key>> keys_;
  std::vector<std::uint32_t> classes_;
  std::vector<Use> uses_;
  std::vector<std::uint32_t> awaiting_;  // how many spares have to hear of the slot
  std::vector<Slot> heard_;              // slots that one spare less has to hear of
  std::vector<std::vector<std::int64_t>> key_counts_;  // by feature and key
  std::vector<Slot> free_;
  std::unordered_multimap<std::uint64_t, Slot> slots_by_hash_;

  std::deque<Node> nodes_;  // 0 is the root
  std::vector<std::int32_t> free_nodes_;
  std::unique_ptr<SplitSearch> search_;
  std::vector<FoundSplit> found_;
  std::vector<std::uint32_t> marks_;  // by slot: scratch
  const ThreadPool* pool_ = nullptr;
  bool is_whole_ = true;  // false after a change that was not carried out to its end
};

}  // namespace treewright
