// An incremental tree as arrays.
#include <algorithm>
#include <numeric>

#include "incremental.hpp"

namespace treewright {
namespace {

// A node to write: -1 for a branch that no row reached.
struct Waiting {
  std::int32_t node;
  std::int32_t parent, depth;
};

std::vector<Key> keys_by_code(const std::vector<std::int32_t>& codes) {
  std::vector<Key> keys(
      std::ranges::count_if(codes, [](std::int32_t code) { return code >= 0; }));
  for (std::size_t key = 0; key < codes.size(); ++key)
    if (codes[key] >= 0) keys[codes[key]] = key;
  return keys;
}

}  // namespace

FlatTree IncrementalTree::flatten(
    std::span<const std::vector<std::int32_t>> codes) const {
  FlatTree out;
  std::vector<std::vector<Key>> keys;
  for (const auto& one : codes) keys.push_back(keys_by_code(one));
  std::vector<Waiting> waiting{{0, -1, 0}};
  for (std::size_t number = 0; number < waiting.size(); ++number) {
    const Waiting at = waiting[number];
    static const Node nothing;
    const Node& node = at.node < 0 ? nothing : nodes_[at.node];
    const Split& split = node.split;
    out.feature.push_back(split.feature);
    out.parent.push_back(at.parent);
    out.depth.push_back(at.depth);
    out.low.push_back(split.low);
    out.high.push_back(split.high);
    out.gain.push_back(split.gain);
    out.n_rows.push_back(node.n_rows);
    out.statistics.insert(out.statistics.end(), node.totals.begin(), node.totals.end());
    out.statistics.resize((number + 1) * n_classes_);
    out.reason.push_back(static_cast<std::uint8_t>(reason_of(node, at.node)));
    out.first_child.push_back(
        node.is_leaf() ? -1 : static_cast<std::int32_t>(waiting.size()));
    const std::size_t first_code = out.set_codes.size();
    for (const Key key : split.first)
      out.set_codes.push_back(codes[split.feature][key]);
    std::sort(out.set_codes.begin() + first_code, out.set_codes.end());
    out.n_set.push_back(std::ssize(split.first));
    std::int32_t missing_branch = split.missing_branch;
    const auto branch = [&](std::int32_t child) {
      waiting.push_back({child, static_cast<std::int32_t>(number), at.depth + 1});
    };
    const std::size_t before = waiting.size();
    if (!node.is_leaf() && multiway_) {
      for (const Key key : keys[split.feature]) {
        const auto place = std::ranges::lower_bound(node.child_keys, key);
        const bool is_there = place != node.child_keys.end() && *place == key;
        branch(is_there ? node.children[place - node.child_keys.begin()] : -1);
      }
      if (node.child_keys.back() == no_value) {
        missing_branch = static_cast<std::int32_t>(waiting.size() - before);
        branch(node.children.back());
      }
    } else {
      for (const std::int32_t child : node.children) branch(child);
    }
    out.n_children.push_back(static_cast<std::int32_t>(waiting.size() - before));
    out.missing_branch.push_back(missing_branch);
  }
  return out;
}

LeafReason IncrementalTree::reason_of(const Node& node, std::int32_t number) const {
  if (!node.is_leaf()) return LeafReason::none;
  if (node.n_rows == 0) return LeafReason::empty;
  if (node.is_pure()) return LeafReason::pure;
  const Flags allowed = allowed_at(number);
  const bool some = std::ranges::any_of(allowed, [](auto flag) { return flag != 0; });
  return some ? LeafReason::no_split : LeafReason::no_feature_left;
}

}  // namespace treewright
