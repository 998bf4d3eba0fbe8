// Growing what is below a node of an incremental tree from its rows.
//
// As in the memory source there is one list of rows per feature, in the order of its
// keys, and an open node is the same stretch of every list; the rows are sorted once.
#include <algorithm>
#include <numeric>

#include "incremental.hpp"

namespace treewright {

class IncrementalTree::Grower {
 public:
  Grower(IncrementalTree& tree, const std::vector<Slot>& rows, const Flags& allowed)
      : tree_(tree), lists_(tree.n_features() + 1), tables_(tree.n_features()) {
    for (std::int64_t feature = 0; feature < tree.n_features(); ++feature)
      if (allowed[feature]) sort(feature, rows);
    lists_.back() = rows;
    spare_.resize(rows.size());
  }

  void grow(std::int32_t top) {
    open_.push_back({top, 0, lists_.back().size()});
    while (!open_.empty()) {
      const Open next = open_.back();
      open_.pop_back();
      look(next);
    }
  }

 private:
  struct Open {
    std::int32_t node;
    std::size_t start, stop;
  };

  void sort(std::int64_t feature, const std::vector<Slot>& rows) {
    struct Placed {
      Key place;
      Slot slot;
    };
    std::vector<Placed> placed;
    placed.reserve(rows.size());
    const KeyOrder& order = tree_.orders_[feature];
    for (const Slot slot : rows) {
      const Key key = tree_.key(feature, slot);
      placed.push_back({key == no_value ? no_value : order.place(key), slot});
    }
    std::ranges::sort(placed, {}, &Placed::place);
    for (const Placed& one : placed) lists_[feature].push_back(one.slot);
  }

  std::span<Slot> stretch(std::size_t list, const Open& open) {
    return std::span(lists_[list]).subspan(open.start, open.stop - open.start);
  }

  void look(const Open& open) {
    Node& node = tree_.nodes_[open.node];
    const auto rows = stretch(lists_.size() - 1, open);
    node.n_rows = std::ssize(rows);
    node.totals.assign(tree_.n_classes_, 0);
    for (const Slot slot : rows) ++node.totals[tree_.classes_[slot]];
    if (node.is_pure()) {
      node.rows.assign(rows.begin(), rows.end());
      return;
    }
    const Flags allowed = tree_.allowed_at(open.node);
    fill_tables(open, allowed);
    node.split = tree_.choose(tables_, node.totals, allowed, -1);
    if (node.n_rows > small_rows) node.tables = tables_;
    if (node.is_leaf())
      node.rows.assign(rows.begin(), rows.end());
    else
      divide(node, open);
  }

  void fill_tables(const Open& open, const Flags& allowed) {
    for (std::int64_t feature = 0; feature < tree_.n_features(); ++feature) {
      ValueTable& table = tables_[feature];
      table.clear(allowed[feature] ? tree_.n_classes_ : 0);
      table.ceiling = 0;
      if (!allowed[feature]) continue;
      for (const Slot slot : stretch(feature, open))
        table.append(tree_.key(feature, slot), tree_.classes_[slot]);
    }
  }

  // Makes the branches and parts the lists.
  void divide(Node& node, const Open& open) {
    const auto rows = stretch(lists_.size() - 1, open);
    std::size_t n_branches = 2;
    if (tree_.multiway_) {
      const auto& keys = tree_.keys_[node.split.feature];
      node.child_keys.clear();
      for (const Slot slot : rows) node.child_keys.push_back(keys[slot]);
      std::ranges::sort(node.child_keys);
      const auto repeated = std::ranges::unique(node.child_keys);
      node.child_keys.erase(repeated.begin(), repeated.end());
      n_branches = node.child_keys.size();
      for (const Slot slot : rows)
        tree_.marks_[slot] = static_cast<std::uint32_t>(
            std::ranges::lower_bound(node.child_keys, keys[slot]) -
            node.child_keys.begin());
    } else {
      for (const Slot slot : rows)
        tree_.marks_[slot] =
            static_cast<std::uint32_t>(tree_.branch_of(node.split, slot));
    }
    std::vector<std::size_t> starts(n_branches + 1, 0);
    for (const Slot slot : rows) ++starts[tree_.marks_[slot] + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    for (std::size_t list = 0; list < lists_.size(); ++list)
      if (!lists_[list].empty()) part(stretch(list, open), starts);
    for (const Slot slot : rows) tree_.marks_[slot] = 0;
    for (std::size_t branch = 0; branch < n_branches; ++branch) {
      const std::int32_t child = tree_.new_node(open.node);
      node.children.push_back(child);
      open_.push_back({child, open.start + starts[branch], open.start + starts[branch + 1]});
    }
  }

  // Stable: rows keep their order within a branch.
  void part(std::span<Slot> list, std::vector<std::size_t> starts) {
    for (const Slot slot : list) spare_[starts[tree_.marks_[slot]]++] = slot;
    std::copy_n(spare_.begin(), list.size(), list.begin());
  }

  IncrementalTree& tree_;
  std::vector<std::vector<Slot>> lists_;  // by feature, and one without an order
  std::vector<ValueTable> tables_;        // of the node that is looked at
  std::vector<Slot> spare_;
  std::vector<Open> open_;
};

void IncrementalTree::grow(std::int32_t node, const std::vector<Slot>& rows) {
  drop_below(nodes_[node]);
  Grower(*this, rows, allowed_at(node)).grow(node);
}

}  // namespace treewright
