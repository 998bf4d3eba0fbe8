#include "incremental.hpp"

#include <algorithm>

namespace treewright {

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
  auto search = std::make_unique<SplitSearch>(
      multiway_ ? Criterion::entropy : Criterion::gini, multiway_, n_classes);
  const std::vector<Slot> rows = slots();
  is_whole_ = false;
  search_ = std::move(search);
  n_classes_ = n_classes;
  slots_by_hash_.clear();
  for (const Slot slot : rows) {
    classes_[slot] = static_cast<std::uint32_t>(new_class[classes_[slot]]);
    slots_by_hash_.emplace(hash_of(slot), slot);
  }
  start_anew();
}

void IncrementalTree::apply(Change change) {
  if (!is_whole_) return start_anew();
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

// After a change that was not carried out to its end: the rows are all that counts.
void IncrementalTree::start_anew() {
  nodes_.clear();
  nodes_.emplace_back();
  free_nodes_.clear();
  heard_.clear();
  std::ranges::fill(marks_, 0);
  std::ranges::fill(awaiting_, 0);
  grow(0, slots());
  is_whole_ = true;
  for (Slot slot = 0; slot < uses_.size(); ++slot) release(std::span(&slot, 1));
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
    weights[left] += sum_of(table.counts_of(place));
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
