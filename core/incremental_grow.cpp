// Growing what is below a node of an incremental tree from its rows.
//
// As in the memory source there is one list of rows per feature, in the order of its
// keys, and an open node is the same stretch of every list; the rows are sorted once.
// Rows are numbered anew, and keys become codes, so that what is looked up often is
// small and near.
#include <algorithm>
#include <numeric>

#include "incremental.hpp"

namespace treewright {

class IncrementalTree::Grower {
 public:
  Grower(IncrementalTree& tree, const std::vector<Slot>& slots, const Flags& allowed)
      : tree_(tree),
        slots_(slots),
        rows_(slots.size()),
        branches_(slots.size()),
        lists_(tree.n_features()),
        keys_(tree.n_features()),
        tables_(tree.n_features()),
        allowed_(allowed) {
    std::iota(rows_.begin(), rows_.end(), 0u);
    for (const Slot slot : slots) classes_.push_back(tree.classes_[slot]);
  }

  void grow(std::int32_t top) {
    Node& node = tree_.nodes_[top];
    if (!close(node, rows_)) {
      for (std::int64_t feature = 0; feature < tree_.n_features(); ++feature)
        if (allowed_[feature]) {
          if (tree_.pool_) tree_.pool_->pause();
          sort(feature);
        }
      open_.push_back({top, 0, rows_.size()});
    }
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
  struct Item {
    std::uint32_t row, code;
  };

  template <class T>
  static std::span<T> stretch(std::vector<T>& list, const Open& open) {
    return std::span(list).subspan(open.start, open.stop - open.start);
  }

  // Counts the rows of a node; whether they agree, which makes it a leaf.
  bool close(Node& node, std::span<const std::uint32_t> rows) {
    node.n_rows = std::ssize(rows);
    node.totals.assign(tree_.n_classes_, 0);
    for (const std::uint32_t row : rows) ++node.totals[classes_[row]];
    if (!node.is_pure()) return false;
    keep_rows(node, rows);
    return true;
  }

  void keep_rows(Node& node, std::span<const std::uint32_t> rows) const {
    node.rows.clear();
    for (const std::uint32_t row : rows) node.rows.push_back(slots_[row]);
  }

  // The rows in the order of a feature, with codes 0, 1, ... of the keys that occur;
  // rows without a value stand last.
  void sort(std::int64_t feature) {
    struct Placed {
      Key place;
      std::uint32_t row;
    };
    const KeyOrder& order = tree_.orders_[feature];
    const auto& keys = tree_.keys_[feature];
    std::vector<Placed> placed;
    placed.reserve(rows_.size());
    for (const std::uint32_t row : rows_) {
      const Key key = keys[slots_[row]];
      placed.push_back({key == no_value ? no_value : order.place(key), row});
    }
    std::ranges::sort(placed, {}, &Placed::place);
    auto& list = lists_[feature];
    list.reserve(placed.size());
    for (const Placed& one : placed) {
      const Key key = keys[slots_[one.row]];
      if (key != no_value && (keys_[feature].empty() || keys_[feature].back() != key))
        keys_[feature].push_back(key);
      const std::size_t code = keys_[feature].size() - (key != no_value);
      list.push_back({one.row, static_cast<std::uint32_t>(code)});
    }
  }

  // A node whose rows do not agree.
  void look(const Open& open) {
    if (tree_.pool_) tree_.pool_->pause();
    Node& node = tree_.nodes_[open.node];
    if (tree_.multiway_) allowed_ = tree_.allowed_at(open.node);
    for (std::int64_t feature = 0; feature < tree_.n_features(); ++feature)
      if (allowed_[feature])
        fill_table(feature, open);
      else
        tables_[feature].clear(0);
    node.split = tree_.choose(tables_, node.totals, allowed_, -1);
    if (node.n_rows > small_rows) node.tables = tables_;
    if (node.is_leaf())
      keep_rows(node, stretch(rows_, open));
    else
      divide(node, open);
  }

  void fill_table(std::int64_t feature, const Open& open) {
    ValueTable& table = tables_[feature];
    const auto items = stretch(lists_[feature], open);
    const std::size_t width = tree_.n_classes_;
    const std::size_t no_code = keys_[feature].size();
    table.clear(tree_.n_classes_);
    table.ceiling = 0;
    table.counts.resize(items.size() * width);
    std::size_t last = no_code;
    std::uint32_t* counts = table.counts.data() - width;
    for (const Item& item : items) {
      if (item.code != last) {
        last = item.code;
        counts = last < no_code ? counts + width : table.missing.data();
        if (last < no_code) {
          table.keys.push_back(keys_[feature][last]);
          std::fill_n(counts, width, 0u);
        }
      } else if (last == no_code) {
        counts = table.missing.data();
      }
      ++counts[classes_[item.row]];
    }
    table.counts.resize(table.keys.size() * width);
  }

  // The branch of each row, and how many branches there are.
  std::size_t find_branches(Node& node, std::span<const std::uint32_t> rows) {
    if (!tree_.multiway_) {
      for (const std::uint32_t row : rows)
        branches_[row] =
            static_cast<std::uint32_t>(tree_.branch_of(node.split, slots_[row]));
      return 2;
    }
    const auto& keys = tree_.keys_[node.split.feature];
    auto& own = node.child_keys;
    for (const std::uint32_t row : rows) own.push_back(keys[slots_[row]]);
    std::ranges::sort(own);
    own.erase(std::ranges::unique(own).begin(), own.end());
    for (const std::uint32_t row : rows) {
      const auto place = std::ranges::lower_bound(own, keys[slots_[row]]);
      branches_[row] = static_cast<std::uint32_t>(place - own.begin());
    }
    return own.size();
  }

  // Makes the branches; lists are parted only for those that stay open.
  void divide(Node& node, const Open& open) {
    const auto rows = stretch(rows_, open);
    std::vector<std::size_t> starts(find_branches(node, rows) + 1, 0);
    for (const std::uint32_t row : rows) ++starts[branches_[row] + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    part(rows, starts, spare_rows_, [](std::uint32_t row) { return row; });
    const std::size_t n_open = open_.size();
    for (std::size_t branch = 0; branch + 1 < starts.size(); ++branch) {
      const std::int32_t child = tree_.new_node(open.node);
      node.children.push_back(child);
      const Open below{child, open.start + starts[branch],
                       open.start + starts[branch + 1]};
      if (!close(tree_.nodes_[child], stretch(rows_, below))) open_.push_back(below);
    }
    if (open_.size() == n_open) return;
    for (auto& list : lists_)
      if (!list.empty())
        part(stretch(list, open), starts, spare_,
             [](const Item& item) { return item.row; });
  }

  // Stable: items keep their order within a branch.
  template <class T, class RowOf>
  void part(std::span<T> list, std::vector<std::size_t> starts, std::vector<T>& spare,
            const RowOf& row_of_item) {
    spare.resize(std::max(spare.size(), list.size()));
    for (const T& item : list) spare[starts[branches_[row_of_item(item)]]++] = item;
    std::copy_n(spare.begin(), list.size(), list.begin());
  }

  IncrementalTree& tree_;
  const std::vector<Slot>& slots_;
  // by row
  std::vector<std::uint32_t> classes_, rows_, branches_;
  // by feature; keys_ by code
  std::vector<std::vector<Item>> lists_;
  std::vector<std::vector<Key>> keys_;
  std::vector<ValueTable> tables_;  // of the node that is looked at
  Flags allowed_;
  std::vector<Item> spare_;
  std::vector<std::uint32_t> spare_rows_;
  std::vector<Open> open_;
};

void IncrementalTree::grow(std::int32_t node, const std::vector<Slot>& rows) {
  drop_below(nodes_[node]);
  Grower(*this, rows, allowed_at(node)).grow(node);
}

}  // namespace treewright
