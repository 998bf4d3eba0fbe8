#include "incremental.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>

namespace treewright {
namespace {

// A node is grown anew if more than one in so many of its rows change.
constexpr std::int64_t few = 4;

std::int64_t n_of(std::span<const std::uint32_t> counts) {
  return std::reduce(counts.begin(), counts.end(), std::int64_t{0});
}

}  // namespace

IncrementalTree::IncrementalTree(Criterion criterion, std::int64_t n_features)
    : multiway_(criterion == Criterion::entropy),
      candidates_(n_features, multiway_ ? Candidates::multiway : Candidates::cut),
      orders_(n_features),
      keys_(n_features),
      key_counts_(n_features),
      nodes_(1),
      search_(std::make_unique<SplitSearch>(criterion, multiway_, 0)),
      found_(n_features) {}

bool IncrementalTree::Node::is_pure() const {
  return std::ranges::count_if(totals, [](auto count) { return count > 0; }) < 2;
}

void IncrementalTree::set_candidates(std::int64_t feature, Candidates candidates) {
  candidates_[feature] = candidates;
}

void IncrementalTree::set_ranks(std::int64_t feature,
                                std::vector<std::uint32_t> ranks) {
  key_counts_[feature].resize(ranks.size());
  orders_[feature].ranks = std::move(ranks);
}

void IncrementalTree::set_classes(int n_classes,
                                  std::span<const std::int32_t> new_class) {
  const std::vector<Slot> rows = slots();
  is_whole_ = false;
  search_ = std::make_unique<SplitSearch>(
      multiway_ ? Criterion::entropy : Criterion::gini, multiway_, n_classes);
  n_classes_ = n_classes;
  slots_by_hash_.clear();
  for (const Slot slot : rows) {
    classes_[slot] = static_cast<std::uint32_t>(new_class[classes_[slot]]);
    slots_by_hash_.emplace(hash_of(keys_of(slot), classes_[slot]), slot);
  }
  grow(0, rows);
  is_whole_ = true;
}

std::vector<Slot> IncrementalTree::slots() const {
  std::vector<Slot> found;
  for (Slot slot = 0; slot < uses_.size(); ++slot)
    if (uses_[slot] == Use::row) found.push_back(slot);
  return found;
}

std::vector<Key> IncrementalTree::keys_of(Slot slot) const {
  std::vector<Key> own;
  for (const auto& keys : keys_) own.push_back(keys[slot]);
  return own;
}

void IncrementalTree::count_keys(Slot slot, int change) {
  for (std::size_t feature = 0; feature < keys_.size(); ++feature)
    if (const Key key = keys_[feature][slot]; key < key_counts_[feature].size())
      key_counts_[feature][key] += change;
}

std::uint64_t IncrementalTree::hash_of(std::span<const Key> keys,
                                       std::uint32_t of_class) const {
  std::uint64_t hash = of_class;
  for (const Key key : keys) {
    hash = (hash ^ key) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return hash;
}

std::vector<Slot> IncrementalTree::add(std::span<const Key> keys,
                                       std::span<const std::uint32_t> classes) {
  Change change{0, {}, {}};
  for (std::size_t row = 0; row < classes.size(); ++row) {
    if (free_.empty()) {
      free_.push_back(static_cast<Slot>(uses_.size()));
      for (auto& column : keys_) column.push_back(0);
      classes_.push_back(0);
      marks_.push_back(0);
      uses_.push_back(Use::free);
      awaiting_.push_back(0);
    }
    const Slot slot = free_.back();
    const auto own = keys.subspan(row * keys_.size(), keys_.size());
    slots_by_hash_.emplace(hash_of(own, classes[row]), slot);
    free_.pop_back();
    for (std::size_t feature = 0; feature < own.size(); ++feature)
      keys_[feature][slot] = own[feature];
    classes_[slot] = classes[row];
    uses_[slot] = Use::row;
    count_keys(slot, 1);
    change.added.push_back(slot);
  }
  std::vector<Slot> added = change.added;
  apply(std::move(change));
  return added;
}

std::vector<Slot> IncrementalTree::find(std::span<const Key> keys,
                                        std::span<const std::uint32_t> classes) const {
  std::vector<Slot> found;
  std::unordered_map<Slot, bool> taken;
  for (std::size_t row = 0; row < classes.size(); ++row) {
    const auto own = keys.subspan(row * keys_.size(), keys_.size());
    const auto [first, last] =
        slots_by_hash_.equal_range(hash_of(own, classes[row]));
    const auto is_it = [&](const auto& entry) {
      const Slot slot = entry.second;
      return !taken.contains(slot) && classes_[slot] == classes[row] &&
             std::ranges::equal(own, keys_of(slot));
    };
    const auto place = std::find_if(first, last, is_it);
    if (place == last) break;
    taken.emplace(place->second, true);
    found.push_back(place->second);
  }
  return found;
}

void IncrementalTree::remove(std::span<const Slot> slots) {
  for (const Slot slot : slots) {
    const auto [first, last] =
        slots_by_hash_.equal_range(hash_of(keys_of(slot), classes_[slot]));
    slots_by_hash_.erase(
        std::find_if(first, last, [&](auto& entry) { return entry.second == slot; }));
    uses_[slot] = Use::awaited;
    count_keys(slot, -1);
  }
  apply({0, {}, {slots.begin(), slots.end()}});
  release(slots);
}

void IncrementalTree::apply(Change change) {
  if (!is_whole_) {
    grow(0, slots());
    is_whole_ = true;
    return;
  }
  is_whole_ = false;
  std::vector<Change> open;
  open.push_back(std::move(change));
  while (!open.empty()) {
    Change next = std::move(open.back());
    open.pop_back();
    update(next, open);
  }
  is_whole_ = true;
  release(heard_);
  heard_.clear();
}

void IncrementalTree::update(Change& change, std::vector<Change>& next) {
  Node& node = nodes_[change.node];
  const std::int64_t before = node.n_rows;
  const std::int64_t n_changes = std::ssize(change.added) + std::ssize(change.removed);
  const std::int64_t after =
      before + std::ssize(change.added) - std::ssize(change.removed);
  if (n_changes == 0) return;
  std::vector<std::int64_t> totals = node.totals;
  totals.resize(n_classes_);
  for (const Slot slot : change.added) ++totals[classes_[slot]];
  for (const Slot slot : change.removed) --totals[classes_[slot]];
  const bool was_pure = node.is_pure();
  node.totals.swap(totals);
  node.n_rows = after;
  if (was_pure && node.is_pure() && node.is_leaf()) {
    for (const Slot slot : change.removed) std::erase(node.rows, slot);
    node.rows.insert(node.rows.end(), change.added.begin(), change.added.end());
    return;
  }
  if (node.tables.empty() || after <= small_rows || few * n_changes > after ||
      node.is_pure())
    return grow_changed(change);
  update_tables(node, change);
  const Flags allowed = allowed_at(change.node);
  Split split = choose(node.tables, node.totals, allowed, node.split.feature);
  miss_in_spares(change);
  if (split.feature != node.split.feature && !take_spare(split.feature, change)) return;
  if (node.is_leaf()) {
    for (const Slot slot : change.removed) std::erase(node.rows, slot);
    node.rows.insert(node.rows.end(), change.added.begin(), change.added.end());
  } else if (multiway_) {
    node.split = std::move(split);
    hand_on_by_value(node, change.node, change, next);
  } else {
    hand_on(node, std::move(split), change, next);
  }
}

void IncrementalTree::update_tables(Node& node, const Change& change) {
  const double rise = search_->most_rise(node.n_rows + std::ssize(change.removed)) *
                      static_cast<double>(change.removed.size());
  for (std::size_t feature = 0; feature < node.tables.size(); ++feature) {
    ValueTable& table = node.tables[feature];
    if (table.missing.empty()) continue;  // it may not be asked about here
    const KeyOrder& order = orders_[feature];
    const auto& keys = keys_[feature];
    for (const Slot slot : change.removed)
      table.remove(keys[slot], classes_[slot], order);
    for (const Slot slot : change.added) table.add(keys[slot], classes_[slot], order);
    table.ceiling += rise;
  }
}

// The best split of all features; `asked` is the one that is likely best.
IncrementalTree::Split IncrementalTree::choose(std::span<ValueTable> tables,
                                               std::span<const std::int64_t> totals,
                                               std::span<const std::uint8_t> allowed,
                                               std::int32_t asked) {
  search_->begin(totals);
  double best = one_value;
  const auto look = [&](std::int64_t feature) {
    found_[feature] = search_->best(tables[feature], candidates_[feature]);
    best = std::max(best, found_[feature].gain);
  };
  for (FoundSplit& found : found_) found.gain = one_value;
  if (asked >= 0) look(asked);
  const double tolerance = search_->tolerance();
  for (std::int64_t feature = 0; feature < n_features(); ++feature)
    if (allowed[feature] && feature != asked &&
        !(search_->largest_gain(tables[feature]) < best - tolerance))
      look(feature);
  if (best == one_value) return {};
  std::int64_t winner = 0;
  while (!(found_[winner].gain >= best - tolerance)) ++winner;
  return split_by(winner, tables[winner], found_[winner]);
}

IncrementalTree::Split IncrementalTree::split_by(std::int64_t feature,
                                                 const ValueTable& table,
                                                 const FoundSplit& found) const {
  Split split;
  split.feature = static_cast<std::int32_t>(feature);
  split.gain = found.gain;
  if (multiway_) return split;
  const bool is_cut = candidates_[feature] == Candidates::cut;
  std::int64_t weights[2] = {0, 0};  // of the right, of the left
  for (std::size_t place = 0; place < table.keys.size(); ++place) {
    const bool left = is_cut ? place < found.n_left : found.on_left[place];
    weights[left] += n_of(table.counts_of(place));
  }
  if (is_cut) {
    split.low = table.keys[found.n_left - 1];
    split.high = table.keys[found.n_left];
    split.missing_branch = weights[1] >= weights[0] ? 0 : 1;
    return split;
  }
  // branch 0 has the lighter set; of equal ones that of the first value
  const bool keep =
      weights[1] < weights[0] || (weights[1] == weights[0] && found.on_left[0]);
  for (std::size_t place = 0; place < table.keys.size(); ++place)
    if (static_cast<bool>(found.on_left[place]) == keep)
      split.first.push_back(table.keys[place]);
  std::ranges::sort(split.first);
  split.missing_branch = weights[0] == weights[1] ? 0 : 1;
  return split;
}

std::int32_t IncrementalTree::branch_of(const Split& split, Slot slot) const {
  const Key key = keys_[split.feature][slot];
  if (key == no_value) return split.missing_branch;
  if (candidates_[split.feature] == Candidates::subset)
    return std::ranges::binary_search(split.first, key) ? 0 : 1;
  const KeyOrder& order = orders_[split.feature];
  return order.place(key) <= order.place(split.low) ? 0 : 1;
}

// One branch per value: a change goes to the branches of its rows' values.
void IncrementalTree::hand_on_by_value(Node& node, std::int32_t number, Change& change,
                                       std::vector<Change>& next) {
  const auto& keys = keys_[node.split.feature];
  std::vector<Change> parts;
  for (const std::int32_t child : node.children) parts.push_back({child, {}, {}});
  const auto part_of = [&](Slot slot) -> Change& {
    const auto place = std::ranges::lower_bound(node.child_keys, keys[slot]) -
                       node.child_keys.begin();
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
    const std::int64_t left = nodes_[part.node].n_rows + std::ssize(part.added) -
                              std::ssize(part.removed);
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
    balance += same ? n_of(table.counts_of(place)) : -n_of(table.counts_of(place));
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
      if (is_other(table.keys[from])) differ += n_of(table.counts_of(from));
  } else if (!is_cut && node.split.first != split.first) {
    for (std::size_t place = 0; place < table.keys.size(); ++place)
      if (is_other(table.keys[place])) differ += n_of(table.counts_of(place));
  }
  if (node.split.missing_branch != split.missing_branch) differ += n_of(table.missing);
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

// The rows of a node after a change.
std::vector<Slot> IncrementalTree::rows_after(const Change& change) {
  std::vector<Slot> rows = rows_of(change.node);
  for (const Slot slot : change.removed) marks_[slot] = 1;
  std::erase_if(rows, [&](Slot slot) { return marks_[slot] != 0; });
  for (const Slot slot : change.removed) marks_[slot] = 0;
  rows.insert(rows.end(), change.added.begin(), change.added.end());
  return rows;
}

// Which features may be asked about: where a feature is asked about once, all that no
// node above asks.
IncrementalTree::Flags IncrementalTree::allowed_at(std::int32_t node) const {
  Flags allowed(keys_.size(), 1);
  if (!multiway_) return allowed;
  for (node = nodes_[node].parent; node >= 0; node = nodes_[node].parent)
    allowed[nodes_[node].split.feature] = 0;
  return allowed;
}

std::vector<Slot> IncrementalTree::rows_of(std::int32_t top) const {
  std::vector<Slot> rows;
  std::vector<std::int32_t> open{top};
  while (!open.empty()) {
    const Node& node = nodes_[open.back()];
    open.pop_back();
    rows.insert(rows.end(), node.rows.begin(), node.rows.end());
    open.insert(open.end(), node.children.begin(), node.children.end());
  }
  return rows;
}

std::int32_t IncrementalTree::new_node(std::int32_t parent) {
  if (free_nodes_.empty()) {
    nodes_.emplace_back();
    free_nodes_.push_back(static_cast<std::int32_t>(nodes_.size()) - 1);
  }
  const std::int32_t number = free_nodes_.back();
  free_nodes_.pop_back();
  nodes_[number] = {};
  nodes_[number].parent = parent;
  nodes_[number].totals.assign(n_classes_, 0);
  return number;
}

// Makes a leaf without rows of a node.
void IncrementalTree::drop_below(Node& node) {
  drop_nodes(std::move(node.children));
  node.children.clear();
  for (const Spare& spare : node.spares) drop_spare(spare);
  node.spares.clear();
  node.split = {};
  node.child_keys.clear();
  node.rows.clear();
  node.tables.clear();
}

}  // namespace treewright
