// Spares: what was below a node of an incremental tree when it asked about another
// feature, kept for the case that it asks about that one again.
//
// A spare misses the changes of its node. They are kept beside it, and a row that is
// gone keeps its slot, and so its keys, until all spares have heard of it.
#include <algorithm>

#include "incremental.hpp"

namespace treewright {
namespace {

constexpr std::size_t most_spares = 2;
// A spare that misses more, or more than one in so many of the node's rows, is dropped.
constexpr std::size_t most_missed = 256;
constexpr std::size_t missed_share = 4;

// Notes slots in one list, or crosses them out in the other.
template <class Note, class Cross>
void note(std::span<const Slot> slots, std::vector<Slot>& to, std::vector<Slot>& other,
          const Note& on_note, const Cross& on_cross) {
  for (const Slot slot : slots) {
    const auto found = std::ranges::find(other, slot);
    if (found == other.end()) {
      to.push_back(slot);
      on_note(slot);
    } else {
      other.erase(found);
      on_cross(slot);
    }
  }
}

}  // namespace

// Another feature asks at a node whose tables and totals are up to date. If there is a
// spare of it, this takes its place below the node, and `change` becomes what it
// misses. Otherwise all is grown anew, and false is returned.
bool IncrementalTree::take_spare(std::int32_t feature, Change& change) {
  Node& node = nodes_[change.node];
  const auto found = std::ranges::find(
      node.spares, feature, [](const Spare& spare) { return spare.split.feature; });
  const bool is_there = found != node.spares.end();
  std::vector<Slot> rows;
  if (!is_there) rows = rows_after(change);
  Spare taken;
  if (is_there) {
    taken = std::move(*found);
    node.spares.erase(found);
  }
  std::vector<Spare> spares = std::move(node.spares);
  node.spares.clear();
  if (!node.is_leaf()) {
    drop_spares_below(node.children);
    spares.push_back({std::move(node.split),
                      std::move(node.children),
                      std::move(node.child_keys),
                      {},
                      {}});
    miss(spares.back(), change);
  }
  node.rows.clear();  // if it was a leaf
  node.split = std::move(taken.split);
  node.children = std::move(taken.children);
  node.child_keys = std::move(taken.child_keys);
  if (spares.size() > most_spares) {
    drop_spare(spares.front());
    spares.erase(spares.begin());
  }
  if (!is_there) grow(change.node, rows);
  node.spares = std::move(spares);
  for (const Slot slot : taken.removed) --awaiting_[slot];
  heard_.insert(heard_.end(), taken.removed.begin(), taken.removed.end());
  change.added = std::move(taken.added);
  change.removed = std::move(taken.removed);
  return is_there;
}

// Keeps a change for the spares of its node; those that miss too much are dropped.
void IncrementalTree::miss_in_spares(const Change& change) {
  Node& node = nodes_[change.node];
  for (Spare& spare : node.spares) miss(spare, change);
  std::erase_if(node.spares, [&](const Spare& spare) {
    const std::size_t missed = spare.added.size() + spare.removed.size();
    const bool too_much = missed > most_missed ||
                          missed_share * missed > static_cast<std::size_t>(node.n_rows);
    if (too_much) drop_spare(spare);
    return too_much;
  });
}

void IncrementalTree::miss(Spare& spare, const Change& change) {
  const auto await = [&](Slot slot) { ++awaiting_[slot]; };
  const auto hear = [&](Slot slot) { --awaiting_[slot]; };
  const auto nothing = [](Slot) {};
  note(change.removed, spare.removed, spare.added, await, nothing);
  note(change.added, spare.added, spare.removed, nothing, hear);
}

void IncrementalTree::drop_spare(const Spare& spare) {
  drop_nodes(spare.children);
  for (const Slot slot : spare.removed) --awaiting_[slot];
  heard_.insert(heard_.end(), spare.removed.begin(), spare.removed.end());
}

// A spare has no spares itself: there would be no end of them.
void IncrementalTree::drop_spares_below(std::vector<std::int32_t> open) {
  while (!open.empty()) {
    Node& node = nodes_[open.back()];
    open.pop_back();
    open.insert(open.end(), node.children.begin(), node.children.end());
    for (const Spare& spare : node.spares) drop_spare(spare);
    node.spares.clear();
  }
}

void IncrementalTree::drop_nodes(std::vector<std::int32_t> open) {
  while (!open.empty()) {
    const std::int32_t number = open.back();
    open.pop_back();
    Node& node = nodes_[number];
    open.insert(open.end(), node.children.begin(), node.children.end());
    const std::vector<Spare> spares = std::move(node.spares);
    node = {};
    free_nodes_.push_back(number);
    for (const Spare& spare : spares) drop_spare(spare);
  }
}

// Slots of rows that are gone can be used again when no spare awaits them.
void IncrementalTree::release(std::span<const Slot> slots) {
  for (const Slot slot : slots) {
    if (uses_[slot] != Use::awaited || awaiting_[slot] > 0) continue;
    uses_[slot] = Use::free;
    free_.push_back(slot);
  }
}

}  // namespace treewright
