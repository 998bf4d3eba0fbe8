#include "place.hpp"

#include <algorithm>

namespace treewright {
namespace {

struct Part {
  std::int64_t item;
  double weight;
};

struct Bag {
  std::int32_t node;
  std::vector<Part> parts;
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

  void place_group(std::int64_t group) {
    Bag bag{groups_.tops[group], {}};
    for (std::int64_t item = groups_.starts[group]; item < groups_.starts[group + 1];
         ++item)
      bag.parts.push_back({item, groups_.weights[item]});
    waiting_.push_back(std::move(bag));
    while (!waiting_.empty()) {  // no recursion: a tree may be very deep
      const Bag next = std::move(waiting_.back());
      waiting_.pop_back();
      place_bag(next);
    }
  }

  Placed placed;

 private:
  void place_bag(const Bag& bag) {
    if (static_cast<NodeKind>(tree_.kind[bag.node]) == NodeKind::leaf) {
      for (const Part& part : bag.parts) end(part, bag.node);
      return;
    }
    const std::int64_t n_branches = tree_.n_children[bag.node];
    std::vector<std::vector<Part>> branches(n_branches);
    std::vector<Part> unknown;
    for (const Part& part : bag.parts) {
      const double cell =
          cells_[groups_.rows[part.item] * n_features_ + tree_.feature[bag.node]];
      const std::int32_t branch = branch_of(tree_, bag.node, cell);
      if (branch >= 0)
        branches[branch].push_back(part);
      else if (branch == every_branch)
        unknown.push_back(part);
      else
        end(part, bag.node);
    }
    if (!unknown.empty()) divide(bag.node, unknown, branches);
    for (std::int64_t branch = n_branches - 1; branch >= 0; --branch)
      if (!branches[branch].empty())
        waiting_.push_back(
            {static_cast<std::int32_t>(tree_.first_child[bag.node] + branch),
             std::move(branches[branch])});
  }

  void divide(std::int32_t node, const std::vector<Part>& unknown,
              std::vector<std::vector<Part>>& branches) const {
    std::vector<double> weights(branches.size(), 0.0);
    double total = 0;
    for (std::size_t branch = 0; branch < branches.size(); ++branch) {
      if (!node_weights_.empty())
        weights[branch] = node_weights_[tree_.first_child[node] + branch];
      else
        for (const Part& part : branches[branch]) weights[branch] += part.weight;
      total += weights[branch];
    }
    if (total <= 0) {  // nothing is known here: all branches alike
      std::ranges::fill(weights, 1.0);
      total = static_cast<double>(weights.size());
    }
    for (std::size_t branch = 0; branch < branches.size(); ++branch) {
      if (weights[branch] <= 0) continue;
      for (const Part& part : unknown)
        branches[branch].push_back(
            {part.item, part.weight * (weights[branch] / total)});
    }
  }

  void end(const Part& part, std::int32_t node) {
    placed.item.push_back(part.item);
    placed.node.push_back(node);
    placed.weight.push_back(part.weight);
  }

  const TreeView& tree_;
  const std::span<const double> node_weights_, cells_;
  const std::int64_t n_features_;
  const Groups& groups_;
  std::vector<Bag> waiting_;
};

}  // namespace

Placed place(const TreeView& tree, std::span<const double> node_weights,
             std::span<const double> cells, std::int64_t n_features,
             const Groups& groups, ThreadPool& pool) {
  const auto n_groups = std::ssize(groups.tops);
  std::vector<Placed> parts(n_groups);
  pool.run(n_groups, [&](std::int64_t group, int) {
    Placer placer(tree, node_weights, cells, n_features, groups);
    placer.place_group(group);
    parts[group] = std::move(placer.placed);
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
