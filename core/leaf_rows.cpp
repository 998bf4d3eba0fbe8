#include "leaf_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace treewright {

void Tally::append(const Tally& more) {
  group.insert(group.end(), more.group.begin(), more.group.end());
  leaf.insert(leaf.end(), more.leaf.begin(), more.leaf.end());
  weights.insert(weights.end(), more.weights.begin(), more.weights.end());
  divides.insert(divides.end(), more.divides.begin(), more.divides.end());
}

LeafRows::Desk::Desk(const TrainingRows& training)
    : placer({{}, training.min_share}, training.cells, training.n_features),
      item_of_row(training.classes.size(), -1) {}

LeafRows::LeafRows(const TrainingRows& rows, std::int64_t n_classes, int n_threads)
    : rows_(rows), n_classes_(n_classes), pool_(n_threads) {
  for (int thread = 0; thread < pool_.n_threads(); ++thread) desks_.emplace_back(rows_);
}

void LeafRows::fill(const TreeView& tree) {
  const std::size_t n_nodes = tree.kind.size();
  whole_.assign(n_nodes, {});
  divided_.assign(n_nodes, {});
  sums_.assign(n_nodes * n_classes_, 0);
  for (Desk& desk : desks_) {
    desk.slot_of_node.assign(n_nodes, -1);
    desk.arriving.assign(n_nodes, 0);
    desk.staying.assign(n_nodes, 0);
  }
  forget_walks();
  find_divided(tree);
  // whole rows first: what stands under each node says how the others are divided
  const auto n_rows = std::ssize(rows_.classes);
  std::vector<std::int32_t> ends(n_rows);
  walk(tree, rows_.cells, rows_.n_features, pool_, ends);
  std::vector<std::int64_t> n_at(n_nodes);
  for (std::int64_t row = 0; row < n_rows; ++row)
    if (!may_divide_[row]) ++n_at[ends[row]];
  for (std::size_t node = 0; node < n_nodes; ++node) whole_[node].reserve(n_at[node]);
  Desk& desk = desks_[0];
  for (std::int64_t row = 0; row < n_rows; ++row)
    if (may_divide_[row]) {
      desk.rows.push_back(row);
      desk.weights.push_back(rows_.weights[row]);
    } else {
      keep(ends[row], row, rows_.weights[row]);
    }
  if (desk.rows.empty()) return;
  desk.inside.resize(n_nodes);
  std::iota(desk.inside.begin(), desk.inside.end(), 0);
  add_up_staying(tree, desk);
  desk.placer.place(tree, 0, {desk.rows, desk.weights, true, desk.staying}, 0,
                    desk.placed);
  for (std::size_t place = 0; place < desk.placed.item.size(); ++place)
    keep(desk.placed.node[place], desk.rows[desk.placed.item[place]],
         desk.placed.weight[place]);
}

// Rows without a value of a feature whose branches all get a part of such rows.
void LeafRows::find_divided(const TreeView& tree) {
  std::vector<std::uint8_t> asked(rows_.n_features);
  for (std::size_t node = 0; node < tree.kind.size(); ++node)
    if (tree.n_children[node] > 0 && tree.missing_branch[node] == every_branch)
      asked.at(tree.feature[node]) = 1;
  may_divide_.assign(rows_.classes.size(), 0);
  const double* cell = rows_.cells.data();
  for (std::uint8_t& divides : may_divide_)
    for (std::int64_t feature = 0; feature < rows_.n_features; ++feature, ++cell)
      divides |= asked[feature] & std::isnan(*cell);
}

void LeafRows::keep(std::int32_t node, std::int64_t row, std::int64_t weight) {
  if (may_divide_[row])
    divided_[node].push_back({row, weight});
  else
    whole_[node].push_back(static_cast<std::int32_t>(row));
  sums_[node * n_classes_ + rows_.classes[row]] += weight;
}

// The nodes under `top`, and itself, a parent before its branches; the subtree
// `without` is left out.
void LeafRows::find(const TreeView& tree, std::int32_t top, std::int32_t without,
                    Desk& desk, std::vector<std::int32_t>& found) const {
  found.clear();
  desk.stack.assign(1, top);
  while (!desk.stack.empty()) {
    const std::int32_t node = desk.stack.back();
    desk.stack.pop_back();
    if (node == without) continue;
    found.push_back(node);
    for (std::int32_t branch = tree.n_children[node]; branch-- > 0;)
      desk.stack.push_back(tree.first_child[node] + branch);
  }
}

bool LeafRows::any_divided(std::span<const std::int32_t> nodes) const {
  return std::ranges::any_of(
      nodes, [&](std::int32_t node) { return !divided_[node].empty(); });
}

// Adds the whole rows at nodes to the items.
void LeafRows::take_whole(std::span<const std::int32_t> nodes, Desk& desk) const {
  for (const std::int32_t node : nodes)
    for (const std::int32_t row : whole_[node]) {
      desk.rows.push_back(row);
      desk.weights.push_back(rows_.weights[row]);
    }
}

// Adds the divided rows at nodes to the items; the parts of a row become one item.
void LeafRows::take_divided(std::span<const std::int32_t> nodes, Desk& desk) const {
  for (const std::int32_t node : nodes)
    for (const Part& part : divided_[node]) {
      std::int32_t& item = desk.item_of_row[part.row];
      if (item >= 0) {
        desk.weights[item] += part.weight;
        continue;
      }
      item = static_cast<std::int32_t>(desk.rows.size());
      desk.rows.push_back(part.row);
      desk.weights.push_back(part.weight);
    }
}

// Keeps the first items, which are whole rows.
void LeafRows::forget_items(Desk& desk, std::size_t n_kept) const {
  for (std::size_t item = n_kept; item < desk.rows.size(); ++item)
    desk.item_of_row[desk.rows[item]] = -1;
  desk.rows.resize(n_kept);
  desk.weights.resize(n_kept);
}

// Rows are about to stand elsewhere.
void LeafRows::forget_walks() {
  for (Desk& desk : desks_) desk.node = desk.branch = -1;
}

// Finds where the items, all whole rows, end under `top`. They are shared among the
// threads if nobody else uses these.
void LeafRows::walk_whole(const TreeView& tree, std::int32_t top, bool alone,
                          Desk& desk) {
  const auto n_items = std::ssize(desk.rows);
  desk.ends.resize(n_items);
  const auto walk_some = [&](std::int64_t start, std::int64_t stop) {
    for (std::int64_t item = start; item < stop; ++item)
      desk.ends[item] = end_of_walk(
          tree, top, rows_.cells.data() + desk.rows[item] * rows_.n_features);
  };
  if (!alone) return walk_some(0, n_items);
  constexpr std::int64_t per_task = 1024;
  pool_.run((n_items + per_task - 1) / per_task, [&](std::int64_t task, int) {
    walk_some(task * per_task, std::min((task + 1) * per_task, n_items));
  });
}

std::int64_t LeafRows::whole_weight(std::int32_t node) const {
  const auto first = sums_.begin() + node * n_classes_;
  std::int64_t weight = std::accumulate(first, first + n_classes_, std::int64_t{0});
  for (const Part& part : divided_[node]) weight -= part.weight;
  return weight;
}

// The weight of the whole rows under each node that is inside, or will be.
void LeafRows::add_up_staying(const TreeView& tree, Desk& desk) const {
  for (auto node = desk.inside.rbegin(); node != desk.inside.rend(); ++node) {
    std::int64_t weight = whole_weight(*node) + desk.arriving[*node];
    const std::int32_t first = tree.first_child[*node];
    for (std::int32_t branch = 0; branch < tree.n_children[*node]; ++branch)
      weight += desk.staying[first + branch];
    desk.staying[*node] = weight;
  }
}

// Sends the rows of `node` down `branch`, but for whole rows that are there already.
// Whether some of them are divided.
bool LeafRows::send_one(const TreeView& tree, std::int32_t node, std::int32_t branch,
                        How how, bool alone, Desk& desk) {
  desk.placed.clear();
  if (desk.node == node && desk.branch == branch) {
    forget_items(desk, desk.ends.size());
  } else {
    desk.node = desk.branch = -1;  // a walk may be stopped
    forget_items(desk, 0);
    find(tree, node, branch, desk, desk.outside);
    find(tree, branch, -1, desk, desk.inside);
    take_whole(desk.outside, desk);
    walk_whole(tree, branch, alone, desk);
    desk.node = node;
    desk.branch = branch;
  }
  const bool divided = any_divided(desk.outside) || any_divided(desk.inside);
  if (!divided || how == How::whole) return divided;
  const std::size_t n_whole = desk.ends.size();
  take_divided(desk.outside, desk);
  take_divided(desk.inside, desk);
  for (std::size_t item = 0; item < n_whole; ++item)
    desk.arriving[desk.ends[item]] += desk.weights[item];
  add_up_staying(tree, desk);
  for (const std::int32_t end : desk.ends) desk.arriving[end] = 0;
  desk.placer.place(tree, branch,
                    {std::span(desk.rows).subspan(n_whole),
                     std::span(desk.weights).subspan(n_whole), true, desk.staying},
                    static_cast<std::int64_t>(n_whole), desk.placed);
  return divided;
}

// Class weights of the leaves that rows have left, or come to. Rows that stop at an
// inner node, which training rows do not, are no part of any leaf.
void LeafRows::count(const TreeView& tree, std::int64_t group, Desk& desk,
                     Tally& tally) const {
  const std::size_t first = tally.leaf.size();
  const auto weight_at = [&](std::int32_t node, std::int64_t row) -> std::int64_t& {
    std::int32_t& slot = desk.slot_of_node[node];
    if (slot < 0) {
      slot = static_cast<std::int32_t>(tally.leaf.size() - first);
      tally.group.push_back(group);
      tally.leaf.push_back(node);
      const auto before = sums_.begin() + node * n_classes_;
      tally.weights.insert(tally.weights.end(), before, before + n_classes_);
    }
    return tally.weights[(first + slot) * n_classes_ + rows_.classes[row]];
  };
  const auto is_leaf = [&](std::int32_t node) { return tree.n_children[node] == 0; };
  for (const std::int32_t node : desk.inside)
    if (is_leaf(node))
      for (const Part& part : divided_[node]) weight_at(node, part.row) -= part.weight;
  for (std::size_t item = 0; item < desk.ends.size(); ++item)
    if (const std::int32_t node = desk.ends[item]; is_leaf(node))
      weight_at(node, desk.rows[item]) += desk.weights[item];
  for (std::size_t place = 0; place < desk.placed.node.size(); ++place)
    if (const std::int32_t node = desk.placed.node[place]; is_leaf(node))
      weight_at(node, desk.rows[desk.placed.item[place]]) += desk.placed.weight[place];
  for (std::size_t place = first; place < tally.leaf.size(); ++place)
    desk.slot_of_node[tally.leaf[place]] = -1;
}

void LeafRows::clear_divided(std::int32_t node) {
  for (const Part& part : divided_[node])
    sums_[node * n_classes_ + rows_.classes[part.row]] -= part.weight;
  std::vector<Part>().swap(divided_[node]);
}

void LeafRows::clear(std::int32_t node) {
  std::vector<std::int32_t>().swap(whole_[node]);
  std::vector<Part>().swap(divided_[node]);
  std::fill_n(sums_.begin() + node * n_classes_, n_classes_, std::int64_t{0});
}

// Lets the rows that were sent stand where they have come to.
void LeafRows::place_for_good(Desk& desk) {
  for (const std::int32_t node : desk.outside) clear(node);
  for (const std::int32_t node : desk.inside) clear_divided(node);
  for (std::size_t item = 0; item < desk.ends.size(); ++item)
    keep(desk.ends[item], desk.rows[item], desk.weights[item]);
  for (std::size_t place = 0; place < desk.placed.item.size(); ++place)
    keep(desk.placed.node[place], desk.rows[desk.placed.item[place]],
         desk.placed.weight[place]);
}

Tally LeafRows::send_all(const TreeView& tree, std::span<const std::int64_t> nodes,
                         std::span<const std::int64_t> branches, How how) {
  // most groups have a few rows; near the root there are few, and they are large
  const auto n_groups = std::ssize(nodes);
  const auto groups_per_task =
      std::clamp(n_groups / (8 * pool_.n_threads()), std::int64_t{1}, std::int64_t{16});
  std::vector<Tally> tallies((n_groups + groups_per_task - 1) / groups_per_task);
  const bool alone = n_groups == 1;  // then its rows are shared among the threads
  const auto send_some = [&](std::int64_t task, int thread) {
    Desk& desk = desks_[thread];
    const auto stop = std::min((task + 1) * groups_per_task, n_groups);
    for (auto group = task * groups_per_task; group < stop; ++group) {
      const auto node = static_cast<std::int32_t>(nodes[group]);
      const auto branch = static_cast<std::int32_t>(branches[group]);
      tallies[task].divides.push_back(send_one(tree, node, branch, how, alone, desk));
      count(tree, group, desk, tallies[task]);
      if (how == How::for_good) place_for_good(desk);
    }
  };
  if (alone)
    send_some(0, 0);
  else
    pool_.run(std::ssize(tallies), send_some);
  if (how == How::for_good) forget_walks();
  Tally all;
  for (const Tally& tally : tallies) all.append(tally);
  return all;
}

Tally LeafRows::send(const TreeView& tree, std::span<const std::int64_t> nodes,
                     std::span<const std::int64_t> branches) {
  return send_all(tree, nodes, branches, How::all);
}

Tally LeafRows::send_whole(const TreeView& tree, std::span<const std::int64_t> nodes,
                           std::span<const std::int64_t> branches) {
  return send_all(tree, nodes, branches, How::whole);
}

Tally LeafRows::raise(const TreeView& tree, std::span<const std::int64_t> nodes,
                      std::span<const std::int64_t> branches) {
  return send_all(tree, nodes, branches, How::for_good);
}

void LeafRows::make_leaves(const TreeView& tree, std::span<const std::int64_t> nodes) {
  Desk& desk = desks_[0];
  forget_walks();
  for (const std::int64_t wide : nodes) {
    const auto node = static_cast<std::int32_t>(wide);
    forget_items(desk, 0);
    find(tree, node, -1, desk, desk.inside);
    take_divided(desk.inside, desk);
    std::size_t n_whole = 0;
    for (const std::int32_t inside : desk.inside) n_whole += whole_[inside].size();
    std::vector<std::int32_t> gathered;
    gathered.reserve(n_whole);
    std::vector<std::int64_t> sums(n_classes_);
    for (const std::int32_t inside : desk.inside) {
      gathered.insert(gathered.end(), whole_[inside].begin(), whole_[inside].end());
      for (std::int64_t label = 0; label < n_classes_; ++label)
        sums[label] += sums_[inside * n_classes_ + label];
      clear(inside);
    }
    whole_[node] = std::move(gathered);
    for (std::size_t item = 0; item < desk.rows.size(); ++item)
      divided_[node].push_back({desk.rows[item], desk.weights[item]});
    std::ranges::copy(sums, sums_.begin() + node * n_classes_);
  }
}

Standing LeafRows::standing() const {
  Standing all{sums_, {}, {}, {}};
  for (std::size_t node = 0; node < whole_.size(); ++node) {
    all.n_whole.push_back(std::ssize(whole_[node]));
    for (const Part& part : divided_[node]) {
      all.row.push_back(part.row);
      all.node.push_back(static_cast<std::int32_t>(node));
    }
  }
  return all;
}

}  // namespace treewright
