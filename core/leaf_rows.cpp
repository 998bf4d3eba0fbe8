#include "leaf_rows.hpp"

#include <algorithm>

namespace treewright {

void Tally::append(const Tally& more) {
  others.insert(others.end(), more.others.begin(), more.others.end());
  group.insert(group.end(), more.group.begin(), more.group.end());
  leaf.insert(leaf.end(), more.leaf.begin(), more.leaf.end());
  weights.insert(weights.end(), more.weights.begin(), more.weights.end());
}

LeafRows::Desk::Desk(const TrainingRows& training)
    : placer({{}, training.min_share}, training.cells, training.n_features),
      item_of_row(training.classes.size(), -1) {}

LeafRows::LeafRows(const TrainingRows& rows, std::int64_t n_classes, int n_threads)
    : rows_(rows), n_classes_(n_classes), pool_(n_threads) {
  for (int thread = 0; thread < pool_.n_threads(); ++thread) desks_.emplace_back(rows_);
}

void LeafRows::fill(const TreeView& tree) {
  parts_.assign(tree.kind.size(), {});
  n_divided_.assign(tree.kind.size(), 0);
  for (Desk& desk : desks_) desk.slot_of_node.assign(tree.kind.size(), -1);
  Desk& desk = desks_[0];
  for (std::size_t row = 0; row < rows_.classes.size(); ++row) {
    desk.rows.push_back(static_cast<std::int64_t>(row));
    desk.weights.push_back(rows_.weights[row]);
  }
  desk.placer.place(tree, 0, {desk.rows, desk.weights}, 0, desk.placed);
  for (std::size_t place = 0; place < desk.placed.item.size(); ++place)
    keep(desk.placed.node[place], desk.placed.item[place], desk.placed.weight[place]);
}

void LeafRows::keep(std::int32_t node, std::int64_t row, std::int64_t weight) {
  parts_[node].push_back({row, weight});
  n_divided_[node] += rows_.divided[row];
}

// The nodes under `top`, and itself, where parts stand, from left to right; the subtree
// `without` is left out.
void LeafRows::find(const TreeView& tree, std::int32_t top, std::int32_t without,
                    Desk& desk, std::vector<std::int32_t>& found) const {
  found.clear();
  desk.stack.assign(1, top);
  while (!desk.stack.empty()) {
    const std::int32_t node = desk.stack.back();
    desk.stack.pop_back();
    if (node == without) continue;
    if (!parts_[node].empty()) found.push_back(node);
    for (std::int32_t branch = tree.n_children[node]; branch-- > 0;)
      desk.stack.push_back(tree.first_child[node] + branch);
  }
}

bool LeafRows::any_divided(std::span<const std::int32_t> nodes) const {
  return std::ranges::any_of(nodes,
                             [&](std::int32_t node) { return n_divided_[node] > 0; });
}

// Adds the parts at nodes to the items; the parts of a row become one item.
void LeafRows::take(std::span<const std::int32_t> nodes, Desk& desk) const {
  for (const std::int32_t node : nodes)
    for (const Part& part : parts_[node]) {
      std::int32_t& item = desk.item_of_row[part.row];
      if (rows_.divided[part.row] && item >= 0) {
        desk.weights[item] += part.weight;
        continue;
      }
      if (rows_.divided[part.row]) item = static_cast<std::int32_t>(desk.rows.size());
      desk.rows.push_back(part.row);
      desk.weights.push_back(part.weight);
    }
}

void LeafRows::forget_items(Desk& desk) const {
  for (const std::int64_t row : desk.rows) desk.item_of_row[row] = -1;
  desk.rows.clear();
  desk.weights.clear();
}

// Sends the rows of `node` down `branch`; whether only those of the other branches.
bool LeafRows::send_one(const TreeView& tree, std::int32_t node, std::int32_t branch,
                        Desk& desk) const {
  forget_items(desk);
  desk.placed.clear();
  find(tree, node, branch, desk, desk.outside);
  find(tree, branch, -1, desk, desk.inside);
  const bool others = !any_divided(desk.outside) && !any_divided(desk.inside);
  take(desk.outside, desk);
  if (!others) take(desk.inside, desk);
  desk.placer.place(tree, branch, {desk.rows, desk.weights}, 0, desk.placed);
  return others;
}

void LeafRows::count(std::int64_t group, Desk& desk, Tally& tally) const {
  const std::size_t first = tally.leaf.size();
  for (std::size_t place = 0; place < desk.placed.node.size(); ++place) {
    std::int32_t& slot = desk.slot_of_node[desk.placed.node[place]];
    if (slot < 0) {
      slot = static_cast<std::int32_t>(tally.leaf.size() - first);
      tally.group.push_back(group);
      tally.leaf.push_back(desk.placed.node[place]);
      tally.weights.resize(tally.weights.size() + n_classes_);
    }
    const std::int64_t row = desk.rows[desk.placed.item[place]];
    tally.weights[(first + slot) * n_classes_ + rows_.classes[row]] +=
        desk.placed.weight[place];
  }
  for (std::size_t place = first; place < tally.leaf.size(); ++place)
    desk.slot_of_node[tally.leaf[place]] = -1;
}

void LeafRows::clear(std::span<const std::int32_t> nodes) {
  for (const std::int32_t node : nodes) {
    std::vector<Part>().swap(parts_[node]);
    n_divided_[node] = 0;
  }
}

Tally LeafRows::send_all(const TreeView& tree, std::span<const std::int64_t> nodes,
                         std::span<const std::int64_t> branches, bool stay) {
  constexpr std::int64_t groups_per_task = 16;  // most have a few rows
  const auto n_groups = std::ssize(nodes);
  std::vector<Tally> tallies((n_groups + groups_per_task - 1) / groups_per_task);
  pool_.run(std::ssize(tallies), [&](std::int64_t task, int thread) {
    Desk& desk = desks_[thread];
    const auto stop = std::min((task + 1) * groups_per_task, n_groups);
    for (auto group = task * groups_per_task; group < stop; ++group) {
      const auto branch = static_cast<std::int32_t>(branches[group]);
      const bool others =
          send_one(tree, static_cast<std::int32_t>(nodes[group]), branch, desk);
      tallies[task].others.push_back(others);
      count(group, desk, tallies[task]);
      if (!stay) continue;
      clear(desk.outside);
      if (!others) clear(desk.inside);
      for (std::size_t place = 0; place < desk.placed.item.size(); ++place)
        keep(desk.placed.node[place], desk.rows[desk.placed.item[place]],
             desk.placed.weight[place]);
    }
  });
  Tally all;
  for (const Tally& tally : tallies) all.append(tally);
  return all;
}

Tally LeafRows::send(const TreeView& tree, std::span<const std::int64_t> nodes,
                     std::span<const std::int64_t> branches) {
  return send_all(tree, nodes, branches, false);
}

Tally LeafRows::raise(const TreeView& tree, std::span<const std::int64_t> nodes,
                      std::span<const std::int64_t> branches) {
  return send_all(tree, nodes, branches, true);
}

void LeafRows::make_leaves(const TreeView& tree, std::span<const std::int64_t> nodes) {
  Desk& desk = desks_[0];
  for (const std::int64_t node : nodes) {
    forget_items(desk);
    find(tree, static_cast<std::int32_t>(node), -1, desk, desk.inside);
    take(desk.inside, desk);
    clear(desk.inside);
    for (std::size_t item = 0; item < desk.rows.size(); ++item)
      keep(static_cast<std::int32_t>(node), desk.rows[item], desk.weights[item]);
  }
}

}  // namespace treewright
