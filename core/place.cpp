#include "place.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <functional>
#include <numeric>

#include "target.hpp"

namespace treewright {

template <class Weight>
void Placed<Weight>::clear() {
  item.clear();
  node.clear();
  weight.clear();
}

template <class Weight>
void Placed<Weight>::append(const Placed& more) {
  item.insert(item.end(), more.item.begin(), more.item.end());
  node.insert(node.end(), more.node.begin(), more.node.end());
  weight.insert(weight.end(), more.weight.begin(), more.weight.end());
}

template <class Weight>
void Placer<Weight>::place(const TreeView& tree, std::int32_t top,
                           const Items<Weight>& items, std::int64_t first_item,
                           Placed<Weight>& placed) {
  first_item_ = first_item;
  placed_ = &placed;
  // shares depend on what has passed each node; most groups have nothing to divide
  counting_ = dividing_.node_weights.empty() && items.divided;
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

// Follows an item to its end, or to where it is stuck.
template <class Weight>
void Placer<Weight>::walk_from(const TreeView& tree, std::int32_t node,
                               const Items<Weight>& items, std::int64_t item,
                               Weight weight) {
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

template <class Weight>
void Placer<Weight>::add(std::int32_t node, Weight weight) {
  if (walked_[node] == 0) touched_.push_back(node);
  walked_[node] += weight;
}

template <class Weight>
void Placer<Weight>::find_shares(const TreeView& tree, std::int32_t node,
                                 const Items<Weight>& items) {
  const std::int32_t first = tree.first_child[node], n_branches = tree.n_children[node];
  const auto take = [&](const auto& weights) {
    shares_.assign(weights.begin() + first, weights.begin() + first + n_branches);
  };
  if constexpr (std::floating_point<Weight>)
    dividing_.node_weights.empty() ? take(walked_) : take(dividing_.node_weights);
  else
    take(walked_);
  if (!items.staying.empty())
    for (std::int32_t branch = 0; branch < n_branches; ++branch)
      shares_[branch] += items.staying[first + branch];
  total_ = std::accumulate(shares_.begin(), shares_.end(), Weight{0});
  if (total_ <= 0)  // nothing is known here: all branches alike
    std::ranges::fill(shares_, Weight{1});
  const double least = std::min(dividing_.min_share * static_cast<double>(total_),
                                static_cast<double>(std::ranges::max(shares_)));
  for (Weight& share : shares_)
    if (static_cast<double>(share) < least) share = 0;
  total_ = std::accumulate(shares_.begin(), shares_.end(), Weight{0});
  if constexpr (std::integral<Weight>)  // part_of takes differences of these
    std::partial_sum(shares_.begin(), shares_.end(), shares_.begin());
}

// Shares of integers add up to the whole, as those of `Share` do while growing.
template <class Weight>
Weight Placer<Weight>::part_of(Weight weight, std::int32_t branch) const {
  if constexpr (std::integral<Weight>) {
    const Weight before = branch > 0 ? shares_[branch - 1] : 0;
    return Share{before, shares_[branch] - before, total_}.of(weight);
  } else {
    return weight * (shares_[branch] / total_);
  }
}

// Sends the parts that are stuck at a node down its branches.
template <class Weight>
void Placer<Weight>::divide_at(const TreeView& tree, std::int32_t node,
                               const Items<Weight>& items) {
  here_.clear();
  while (!stuck_.empty() && stuck_.front().node == node) {
    std::ranges::pop_heap(stuck_, std::greater<>{});
    here_.push_back(stuck_.back());
    stuck_.pop_back();
  }
  // heaps forget the order of equals, and the parts come in the order of their items
  std::ranges::sort(here_, {}, &Stuck::item);
  find_shares(tree, node, items);
  const std::int32_t first = tree.first_child[node];
  for (const Stuck& part : here_)
    for (std::int32_t branch = 0; branch < tree.n_children[node]; ++branch) {
      const Weight weight = part_of(part.weight, branch);
      if (weight <= 0) continue;
      if (counting_) add(first + branch, weight);
      const std::size_t n_stuck = stuck_.size();
      walk_from(tree, first + branch, items, part.item, weight);
      if (stuck_.size() > n_stuck) std::ranges::push_heap(stuck_, std::greater<>{});
    }
}

namespace {

// Whether some rows lack a value.
bool any_missing(std::span<const std::int64_t> rows, std::span<const double> cells,
                 std::int64_t n_features) {
  return std::ranges::any_of(rows, [&](std::int64_t row) {
    bool missing = false;
    for (const double cell : cells.subspan(row * n_features, n_features))
      missing |= std::isnan(cell);
    return missing;
  });
}

}  // namespace

template <class Weight>
Placed<Weight> place(const TreeView& tree, const Dividing& dividing,
                     std::span<const double> cells, std::int64_t n_features,
                     const Groups<Weight>& groups, ThreadPool& pool) {
  // a few groups to a task: most are small
  constexpr std::int64_t items_per_task = 1 << 14;
  std::vector<std::int64_t> starts{0};
  const auto n_groups = std::ssize(groups.tops);
  for (std::int64_t group = 0; group < n_groups; ++group)
    if (groups.starts[group + 1] - groups.starts[starts.back()] >= items_per_task)
      starts.push_back(group + 1);
  if (starts.back() != n_groups) starts.push_back(n_groups);
  std::vector<Placed<Weight>> parts(starts.size() - 1);
  pool.run(std::ssize(parts), [&](std::int64_t task, int) {
    Placer<Weight> placer(dividing, cells, n_features);
    for (std::int64_t group = starts[task]; group < starts[task + 1]; ++group) {
      const std::int64_t first = groups.starts[group];
      const std::int64_t n_items = groups.starts[group + 1] - first;
      const auto rows = groups.items.rows.subspan(first, n_items);
      placer.place(tree, groups.tops[group],
                   {rows, groups.items.weights.subspan(first, n_items),
                    any_missing(rows, cells, n_features)},
                   first, parts[task]);
    }
  });
  Placed<Weight> all;
  for (const auto& part : parts) all.append(part);
  return all;
}

template struct Placed<double>;
template struct Placed<std::int64_t>;
template class Placer<double>;
template class Placer<std::int64_t>;
template Placed<double> place(const TreeView&, const Dividing&, std::span<const double>,
                              std::int64_t, const Groups<double>&, ThreadPool&);
template Placed<std::int64_t> place(const TreeView&, const Dividing&,
                                    std::span<const double>, std::int64_t,
                                    const Groups<std::int64_t>&, ThreadPool&);

}  // namespace treewright
