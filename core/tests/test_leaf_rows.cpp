// Rows at leaves: what raising a branch brings, beside placing all rows anew.
#include "leaf_rows.hpp"

#include <cmath>
#include <limits>
#include <map>

#include "check.hpp"
#include "random_data.hpp"

namespace treewright::tests {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr int n_features = 3, n_classes = 2;

// 0 asks x0; its branches 1 and 2 ask x1 and x2; 3 asks x2 again; all divide.
struct SmallTree {
  std::vector<std::uint8_t> kind{1, 1, 1, 1, 0, 0, 0, 0, 0};
  std::vector<std::int32_t> feature{0, 1, 2, 2, -1, -1, -1, -1, -1};
  std::vector<double> threshold{0, 0.5, -0.5, 0.25, 0, 0, 0, 0, 0};
  std::vector<std::int32_t> first_child{1, 3, 5, 7, -1, -1, -1, -1, -1};
  std::vector<std::int32_t> n_children{2, 2, 2, 2, 0, 0, 0, 0, 0};
  std::vector<std::int32_t> missing_branch{-2, -2, -2, -2, -1, -1, -1, -1, -1};
  std::vector<std::int64_t> set_start = std::vector<std::int64_t>(10, 0);

  TreeView view() const {
    return {kind,       feature,        threshold, first_child,
            n_children, missing_branch, set_start, {}};
  }
};

struct Rows {
  std::vector<double> cells;
  std::vector<std::int64_t> weights;
  std::vector<std::int32_t> classes;

  Rows(Random& random, int n_rows, bool with_missing) {
    for (int row = 0; row < n_rows; ++row) {
      for (int feature = 0; feature < n_features; ++feature) {
        const bool unknown = with_missing && random.one_in(5);
        cells.push_back(unknown ? nan : static_cast<double>(random.below(9)) / 4 - 1);
      }
      classes.push_back(static_cast<std::int32_t>(random.below(n_classes)));
      weights.push_back((1 + random.below(3)) << 30);
    }
  }
  TrainingRows view() const { return {cells, n_features, classes, weights}; }
  std::int64_t total() const {
    std::int64_t sum = 0;
    for (const std::int64_t weight : weights) sum += weight;
    return sum;
  }
};

// Class weights by leaf if all rows of the table go down from `top`.
std::map<std::int32_t, std::vector<std::int64_t>> placed_anew(const SmallTree& tree,
                                                              const Rows& rows,
                                                              std::int32_t top) {
  std::vector<std::int64_t> all;
  for (std::size_t row = 0; row < rows.classes.size(); ++row)
    all.push_back(static_cast<std::int64_t>(row));
  Placed<std::int64_t> placed;
  Placer<std::int64_t> placer({}, rows.cells, n_features);
  placer.place(tree.view(), top, {all, rows.weights}, 0, placed);
  std::map<std::int32_t, std::vector<std::int64_t>> found;
  for (std::size_t place = 0; place < placed.node.size(); ++place) {
    auto& weights = found[placed.node[place]];
    weights.resize(n_classes);
    weights[rows.classes[placed.item[place]]] += placed.weight[place];
  }
  return found;
}

using ByNode = std::map<std::int32_t, std::vector<std::int64_t>>;

std::vector<std::int64_t> weights_at(const ByNode& found, std::int32_t node) {
  const auto place = found.find(node);
  return place == found.end() ? std::vector<std::int64_t>(n_classes) : place->second;
}

ByNode standing_at(const LeafRows& leaf_rows) {
  const auto sums = leaf_rows.standing().weights;
  ByNode found;
  for (std::size_t node = 0; node * n_classes < sums.size(); ++node) {
    const auto first = sums.begin() + static_cast<std::ptrdiff_t>(node * n_classes);
    const std::vector<std::int64_t> weights(first, first + n_classes);
    if (weights != std::vector<std::int64_t>(n_classes))
      found[static_cast<std::int32_t>(node)] = weights;
  }
  return found;
}

std::int64_t sum_of(const Tally& tally) {
  std::int64_t sum = 0;
  for (const std::int64_t weight : tally.weights) sum += weight;
  return sum;
}

// Without divided rows no leaf gets more, and all get the same if there are none.
void check_bound(const Tally& whole, const Tally& sent) {
  CHECK(whole.divides == sent.divides);
  CHECK(sent.divides[0] || whole.weights == sent.weights);
  ByNode found;
  for (std::size_t place = 0; place < sent.leaf.size(); ++place) {
    const auto first =
        sent.weights.begin() + static_cast<std::ptrdiff_t>(place) * n_classes;
    found[sent.leaf[place]] = {first, first + n_classes};
  }
  for (std::size_t place = 0; place < whole.leaf.size(); ++place) {
    CHECK(found.contains(whole.leaf[place]));
    for (int label = 0; label < n_classes; ++label)
      CHECK(whole.weights[place * n_classes + label] <=
            weights_at(found, whole.leaf[place])[label]);
  }
}

void check_raise_of(const Rows& rows, int n_threads) {
  const SmallTree tree;
  LeafRows leaf_rows(rows.view(), n_classes, n_threads);
  leaf_rows.fill(tree.view());
  const std::vector<std::int64_t> nodes{0}, branches{1};
  const Tally sent = leaf_rows.send(tree.view(), nodes, branches);
  check_bound(leaf_rows.send_whole(tree.view(), nodes, branches), sent);
  const Tally raised = leaf_rows.raise(tree.view(), nodes, branches);
  CHECK(sent.leaf == raised.leaf && sent.weights == raised.weights);
  // all rows stand under 1 now, as if they had been sent there from the start
  auto expected = placed_anew(tree, rows, 1);
  CHECK(sum_of(raised) <= rows.total());
  for (std::size_t place = 0; place < raised.leaf.size(); ++place)
    for (int label = 0; label < n_classes; ++label)
      CHECK(raised.weights[place * n_classes + label] ==
            weights_at(expected, raised.leaf[place])[label]);
  CHECK(standing_at(leaf_rows) == expected);
  // 1 becomes a leaf: then sending from 0 down to 2 brings every row there, once
  leaf_rows.make_leaves(tree.view(), std::vector<std::int64_t>{1});
  const auto gathered = standing_at(leaf_rows);
  CHECK(gathered.size() == 1 && gathered.contains(1));
  const Tally again = leaf_rows.send(tree.view(), nodes, std::vector<std::int64_t>{2});
  CHECK(sum_of(again) == rows.total());
}

void raising_brings_all_rows() {
  Random random(11);
  for (int trial = 0; trial < 30; ++trial)
    for (const bool with_missing : {false, true})
      check_raise_of(Rows(random, 1 + static_cast<int>(random.below(60)), with_missing),
                     1 + trial % 3);
}

void many_branches_at_once() {
  Random random(12);
  const Rows rows(random, 200, true);
  const SmallTree tree;
  const std::vector<std::int64_t> nodes{1, 0, 1, 0}, branches{3, 2, 3, 1};
  Tally first;
  for (const int n_threads : {1, 4}) {
    LeafRows leaf_rows(rows.view(), n_classes, n_threads);
    leaf_rows.fill(tree.view());
    const Tally tally = leaf_rows.send(tree.view(), nodes, branches);
    if (n_threads == 1) first = tally;
    CHECK(tally.group == first.group && tally.leaf == first.leaf);
    CHECK(tally.weights == first.weights);
  }
}

}  // namespace

Tests leaf_rows_tests() {
  return {{"raising_brings_all_rows", raising_brings_all_rows},
          {"many_branches_at_once", many_branches_at_once}};
}

}  // namespace treewright::tests
