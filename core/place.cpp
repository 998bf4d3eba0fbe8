#include "place.hpp"

#include <algorithm>
#include <functional>

namespace treewright {
namespace {

// A part of an item that has come to a node without having a value for its question.
struct Stuck {
  std::int32_t node;
  std::int64_t item;
  double weight;
  bool operator>(const Stuck& other) const { return node > other.node; }
};

class Placer {
 public:
  Placer(const TreeView& tree, std::span<const double> node_weights,
         std::span<const double> cells, std::int64_t n_features, const Groups& groups)
      : tree_(tree),
        node_weights_(node_weights),
        cells_(cells),
        n_features_(n_features),
        groups_(groups) {}

  void place_group(std::int64_t group, Placed& placed) {
    stuck_.clear();
    for (std::int64_t item = groups_.starts[group]; item < groups_.starts[group + 1];
         ++item)
      walk_from(groups_.tops[group], item, groups_.weights[item], placed);
    if (stuck_.empty()) return;
    // a child has a larger number than its parent: in this order, all that comes to a
    // node is there when its shares are formed
    if (node_weights_.empty()) count_walked(group, placed);
    std::ranges::make_heap(stuck_, std::greater<>{});
    while (!stuck_.empty()) divide_at(stuck_.front().node, placed);
    for (const std::int32_t node : touched_) walked_[node] = 0;
    touched_.clear();
  }

 private:
  // Follows an item to its end, or to where it is stuck.
  void walk_from(std::int32_t node, std::int64_t item, double weight, Placed& placed) {
    const double* cells = cells_.data() + groups_.rows[item] * n_features_;
    while (static_cast<NodeKind>(tree_.kind[node]) != NodeKind::leaf) {
      const std::int32_t branch = branch_of_row(tree_, node, cells);
      if (branch == every_branch) {
        stuck_.push_back({node, item, weight});
        return;
      }
      if (branch < 0) break;
      node = tree_.first_child[node] + branch;
      if (counting_) add(node, weight);
    }
    placed.item.push_back(item);
    placed.node.push_back(node);
    placed.weight.push_back(weight);
  }

  void add(std::int32_t node, double weight) {
    if (walked_.empty()) walked_.resize(tree_.kind.size());
    if (walked_[node] == 0) touched_.push_back(node);
    walked_[node] += weight;
  }

  // Some items are stuck: their shares depend on what has passed each node.
  void count_walked(std::int64_t group, Placed& placed) {
    const auto n_items = groups_.starts[group + 1] - groups_.starts[group];
    const auto n_ended = n_items - std::ssize(stuck_);
    placed.item.resize(placed.item.size() - n_ended);
    placed.node.resize(placed.item.size());
    placed.weight.resize(placed.item.size());
    stuck_.clear();
    counting_ = true;
    for (std::int64_t item = groups_.starts[group]; item < groups_.starts[group + 1];
         ++item)
      walk_from(groups_.tops[group], item, groups_.weights[item], placed);
    counting_ = false;
  }

  // Sends the parts that are stuck at a node down its branches.
  void divide_at(std::int32_t node, Placed& placed) {
    std::vector<Stuck> here;
    while (!stuck_.empty() && stuck_.front().node == node) {
      std::ranges::pop_heap(stuck_, std::greater<>{});
      here.push_back(stuck_.back());
      stuck_.pop_back();
    }
    // heaps forget the order of equals, and sums of doubles must not depend on it
    std::ranges::sort(here, {}, &Stuck::item);
    const std::int32_t first = tree_.first_child[node];
    const std::int32_t n_branches = tree_.n_children[node];
    std::vector<double> weights(n_branches);
    double total = 0;
    for (std::int32_t branch = 0; branch < n_branches; ++branch) {
      weights[branch] = !node_weights_.empty() ? node_weights_[first + branch]
                        : walked_.empty()      ? 0
                                               : walked_[first + branch];
      total += weights[branch];
    }
    if (total <= 0) {  // nothing is known here: all branches alike
      std::ranges::fill(weights, 1.0);
      total = static_cast<double>(n_branches);
    }
    counting_ = node_weights_.empty();
    for (const Stuck& part : here)
      for (std::int32_t branch = 0; branch < n_branches; ++branch) {
        if (weights[branch] <= 0) continue;
        const double weight = part.weight * (weights[branch] / total);
        if (counting_) add(first + branch, weight);
        const std::size_t n_stuck = stuck_.size();
        walk_from(first + branch, part.item, weight, placed);
        if (stuck_.size() > n_stuck) std::ranges::push_heap(stuck_, std::greater<>{});
      }
    counting_ = false;
  }

  const TreeView& tree_;
  const std::span<const double> node_weights_, cells_;
  const std::int64_t n_features_;
  const Groups& groups_;
  std::vector<Stuck> stuck_;           // a heap, once all items have been walked
  std::vector<double> walked_;         // weight that has come to each node
  std::vector<std::int32_t> touched_;  // nodes of which that is not 0
  bool counting_ = false;
};

}  // namespace

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
    Placer placer(tree, node_weights, cells, n_features, groups);
    for (std::int64_t group = starts[task]; group < starts[task + 1]; ++group)
      placer.place_group(group, parts[task]);
  });
  Placed all;
  for (const Placed& part : parts) {
    all.item.insert(all.item.end(), part.item.begin(), part.item.end());
    all.node.insert(all.node.end(), part.node.begin(), part.node.end());
    all.weight.insert(all.weight.end(), part.weight.begin(), part.weight.end());
  }
  return all;
}

}  // namespace treewright
