#include "place.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace treewright {

void Placed::clear() {
  item.clear();
  node.clear();
  weight.clear();
}

void Placer::place(const TreeView& tree, std::int32_t top, const Items& items,
                   std::int64_t first_item, Placed& placed) {
  first_item_ = first_item;
  placed_ = &placed;
  // shares depend on what has passed each node; most groups have nothing to divide
  counting_ = node_weights_.empty() && any_missing(items);
  if (counting_ && walked_.size() < tree.kind.size()) walked_.resize(tree.kind.size());
  for (std::int64_t item = 0; item < std::ssize(items.rows); ++item)
    walk_from(tree, top, items, item, items.weights[item]);
  // a child has a larger number than its parent: in this order, all that comes to a
  // node is there when its shares are formed
  std::ranges::make_heap(stuck_, std::greater<>{});
  while (!stuck_.empty()) divide_at(tree, stuck_.front().node, items);
  for (const std::int32_t node : touched_) walked_[node] = 0;
  touched_.clear();
}

bool Placer::any_missing(const Items& items) const {
  return std::ranges::any_of(items.rows, [&](std::int64_t row) {
    const double* cells = cells_of(row);
    bool missing = false;
    for (std::int64_t feature = 0; feature < n_features_; ++feature)
      missing |= std::isnan(cells[feature]);
    return missing;
  });
}

// Follows an item to its end, or to where it is stuck.
void Placer::walk_from(const TreeView& tree, std::int32_t node, const Items& items,
                       std::int64_t item, double weight) {
  const double* cells = cells_of(items.rows[item]);
  while (static_cast<NodeKind>(tree.kind[node]) != NodeKind::leaf) {
    const std::int32_t branch = next_branch(tree, node, cells);
    if (branch == every_branch) {
      stuck_.push_back({node, item, weight});
      return;
    }
    if (branch < 0) break;
    node = tree.first_child[node] + branch;
    if (counting_) add(node, weight);
  }
  placed_->item.push_back(first_item_ + item);
  placed_->node.push_back(node);
  placed_->weight.push_back(weight);
}

void Placer::add(std::int32_t node, double weight) {
  if (walked_[node] == 0) touched_.push_back(node);
  walked_[node] += weight;
}

// Sends the parts that are stuck at a node down its branches.
void Placer::divide_at(const TreeView& tree, std::int32_t node, const Items& items) {
  here_.clear();
  while (!stuck_.empty() && stuck_.front().node == node) {
    std::ranges::pop_heap(stuck_, std::greater<>{});
    here_.push_back(stuck_.back());
    stuck_.pop_back();
  }
  // heaps forget the order of equals, and sums of doubles must not depend on it
  std::ranges::sort(here_, {}, &Stuck::item);
  const std::int32_t first = tree.first_child[node], n_branches = tree.n_children[node];
  const auto& weights =
      node_weights_.empty() ? std::span<const double>(walked_) : node_weights_;
  shares_.assign(weights.begin() + first, weights.begin() + first + n_branches);
  double total = 0;
  for (const double weight : shares_) total += weight;
  if (total <= 0) {  // nothing is known here: all branches alike
    std::ranges::fill(shares_, 1.0);
    total = static_cast<double>(n_branches);
  }
  for (double& share : shares_) share /= total;
  for (const Stuck& part : here_)
    for (std::int32_t branch = 0; branch < n_branches; ++branch) {
      if (shares_[branch] <= 0) continue;
      const double weight = part.weight * shares_[branch];
      if (counting_) add(first + branch, weight);
      const std::size_t n_stuck = stuck_.size();
      walk_from(tree, first + branch, items, part.item, weight);
      if (stuck_.size() > n_stuck) std::ranges::push_heap(stuck_, std::greater<>{});
    }
}

Placed place(const TreeView& tree, std::span<const double> node_weights,
             std::span<const double> cells, std::int64_t n_features,
             const Groups& groups, ThreadPool& pool) {
  // a few groups to a task: most are small
  constexpr std::int64_t items_per_task = 1 << 14;
  std::vector<std::int64_t> starts{0};
  const auto n_groups = std::ssize(groups.tops);
  for (std::int64_t group = 0; group < n_groups; ++group)
    if (groups.starts[group + 1] - groups.starts[starts.back()] >= items_per_task)
      starts.push_back(group + 1);
  if (starts.back() != n_groups) starts.push_back(n_groups);
  std::vector<Placed> parts(starts.size() - 1);
  pool.run(std::ssize(parts), [&](std::int64_t task, int) {
    Placer placer(node_weights, cells, n_features);
    for (std::int64_t group = starts[task]; group < starts[task + 1]; ++group) {
      const std::int64_t first = groups.starts[group];
      const std::int64_t n_items = groups.starts[group + 1] - first;
      placer.place(tree, groups.tops[group],
                   {groups.items.rows.subspan(first, n_items),
                    groups.items.weights.subspan(first, n_items)},
                   first, parts[task]);
    }
  });
  if (parts.size() == 1) return std::move(parts[0]);
  Placed all;
  for (const Placed& part : parts) {
    all.item.insert(all.item.end(), part.item.begin(), part.item.end());
    all.node.insert(all.node.end(), part.node.begin(), part.node.end());
    all.weight.insert(all.weight.end(), part.weight.begin(), part.weight.end());
  }
  return all;
}

}  // namespace treewright
