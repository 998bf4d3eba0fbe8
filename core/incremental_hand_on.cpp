// A node of an incremental tree asks what it asked before: its change goes on to the
// branches, with the rows that change branches because the border has moved.
#include <algorithm>

#include "incremental.hpp"

namespace treewright {

// One branch per value: a change goes to the branches of its rows' values.
void IncrementalTree::hand_on_by_value(Node& node, std::int32_t number, Change& change,
                                       std::vector<Change>& next) {
  const auto& keys = keys_[node.split.feature];
  std::vector<Change> parts;
  for (const std::int32_t child : node.children) parts.push_back({child, {}, {}});
  const auto part_of = [&](Slot slot) -> Change& {
    const auto place =
        std::ranges::lower_bound(node.child_keys, keys[slot]) - node.child_keys.begin();
    if (place == std::ssize(node.child_keys) || node.child_keys[place] != keys[slot]) {
      const std::int32_t child = new_node(number);
      node.child_keys.insert(node.child_keys.begin() + place, keys[slot]);
      node.children.insert(node.children.begin() + place, child);
      parts.insert(parts.begin() + place, {child, {}, {}});
    }
    return parts[place];
  };
  for (const Slot slot : change.added) part_of(slot).added.push_back(slot);
  for (const Slot slot : change.removed) part_of(slot).removed.push_back(slot);
  for (std::size_t place = parts.size(); place-- > 0;) {
    Change& part = parts[place];
    const std::int64_t left =
        nodes_[part.node].n_rows + std::ssize(part.added) - std::ssize(part.removed);
    if (left > 0) {
      next.push_back(std::move(part));
      continue;
    }
    drop_below(nodes_[part.node]);
    free_nodes_.push_back(part.node);
    node.children.erase(node.children.begin() + place);
    node.child_keys.erase(node.child_keys.begin() + place);
  }
}

// Two branches: a change goes to them, with the rows that change branches.
void IncrementalTree::hand_on(Node& node, Split&& split, Change& change,
                              std::vector<Change>& next) {
  if (sets_changed_places(node, split)) turn(node, change);
  Change parts[2] = {{node.children[0], {}, {}}, {node.children[1], {}, {}}};
  for (const Slot slot : change.removed)
    parts[branch_of(node.split, slot)].removed.push_back(slot);
  if (!nothing_moves(node, split, change)) {
    for (const Slot slot : change.removed) marks_[slot] = 1;
    find_moved(node, split, parts);
    for (const Slot slot : change.removed) marks_[slot] = 0;
    const auto n_moved = std::ssize(parts[0].added) + std::ssize(parts[1].added);
    if (few * n_moved > node.n_rows) return grow_changed(change);
  }
  for (const Slot slot : change.added)
    parts[branch_of(split, slot)].added.push_back(slot);
  node.split = std::move(split);
  for (Change& part : parts) next.push_back(std::move(part));
}

// Whether most rows are in the other branch under a new split: the lighter of two sets
// is branch 0, and has become the heavier one.
bool IncrementalTree::sets_changed_places(const Node& node, const Split& split) const {
  if (candidates_[split.feature] != Candidates::subset) return false;
  const ValueTable& table = node.tables[split.feature];
  std::int64_t balance = 0;
  for (std::size_t place = 0; place < table.keys.size(); ++place) {
    const Key key = table.keys[place];
    const bool same = std::ranges::binary_search(node.split.first, key) ==
                      std::ranges::binary_search(split.first, key);
    balance += same ? sum_of(table.counts_of(place)) : -sum_of(table.counts_of(place));
  }
  return balance < 0;
}

// Exchanges the branches of a node with two sets.
void IncrementalTree::turn(Node& node, const Change& change) const {
  const ValueTable& table = node.tables[node.split.feature];
  std::vector<Key> others;
  const auto note = [&](Key key) {
    if (key != no_value && !std::ranges::binary_search(node.split.first, key))
      others.push_back(key);
  };
  std::ranges::for_each(table.keys, note);
  for (const Slot slot : change.removed) note(keys_[node.split.feature][slot]);
  std::ranges::sort(others);
  node.split.first = std::move(others);
  node.split.missing_branch = 1 - node.split.missing_branch;
  std::swap(node.children[0], node.children[1]);
}

// Whether a new split has all rows that stay in the branches where they are.
bool IncrementalTree::nothing_moves(const Node& node, const Split& split,
                                    const Change& change) const {
  const ValueTable& table = node.tables[split.feature];
  // rows with values that the two splits put into different branches
  std::int64_t differ = 0;
  const auto is_other = [&](Key key) {
    const auto& keys = node.split.first;
    if (candidates_[split.feature] == Candidates::subset)
      return std::ranges::binary_search(keys, key) !=
             std::ranges::binary_search(split.first, key);
    const KeyOrder& order = orders_[split.feature];
    return (order.place(key) <= order.place(node.split.low)) !=
           (order.place(key) <= order.place(split.low));
  };
  const bool is_cut = candidates_[split.feature] == Candidates::cut;
  if (is_cut && node.split.low != split.low) {
    const KeyOrder& order = orders_[split.feature];
    std::size_t from = table.find(node.split.low, order);
    std::size_t to = table.find(split.low, order);
    if (to < from) std::swap(from, to);
    for (; from <= to && from < table.keys.size(); ++from)
      if (is_other(table.keys[from])) differ += sum_of(table.counts_of(from));
  } else if (!is_cut && node.split.first != split.first) {
    for (std::size_t place = 0; place < table.keys.size(); ++place)
      if (is_other(table.keys[place])) differ += sum_of(table.counts_of(place));
  }
  if (node.split.missing_branch != split.missing_branch)
    differ += sum_of(table.missing);
  for (const Slot slot : change.added)
    differ -= branch_of(node.split, slot) != branch_of(split, slot);
  return differ == 0;
}

// The rows that are in another branch under a new split, without those that are marked.
void IncrementalTree::find_moved(const Node& node, const Split& split,
                                 std::span<Change> parts) {
  for (std::int32_t branch = 0; branch < 2; ++branch)
    for (const Slot slot : rows_of(node.children[branch])) {
      if (marks_[slot] || branch_of(split, slot) == branch) continue;
      parts[branch].removed.push_back(slot);
      parts[1 - branch].added.push_back(slot);
    }
}

}  // namespace treewright
