// The walk against a simple loop over nodes that hold their own questions.
#include "walk.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "check.hpp"
#include "random_data.hpp"
#include "voter.hpp"

namespace treewright::tests {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int n_codes = 6;

struct Node {
  NodeKind kind = NodeKind::leaf;
  int feature = -1;
  double threshold = 0;
  int missing_branch = -1;
  std::set<int> codes;
  std::vector<int> children;
  std::vector<int> branch_of{};  // groups: by code
};

// The features by number: 0 and 1 numbers, 2 and 3 categories.
struct Tree {
  std::vector<Node> nodes{Node{}};
  // arrays of the view
  std::vector<std::uint8_t> kind;
  std::vector<std::int32_t> feature, first_child, n_children, missing_branch, set_codes;
  std::vector<double> threshold;
  std::vector<std::int64_t> set_start{0};

  void split(int node, Random& random);
  TreeView view();
};

void Tree::split(int node, Random& random) {
  Node made;
  made.kind = static_cast<NodeKind>(1 + random.below(6));
  const bool is_number =
      made.kind == NodeKind::cut || (made.kind == NodeKind::known && random.one_in(2));
  made.feature = static_cast<int>(random.below(2)) + (is_number ? 0 : 2);
  made.threshold = static_cast<double>(random.below(n_codes)) + (is_number ? 0.5 : 0.0);
  int n_branches = 2;
  if (made.kind == NodeKind::multiway) n_branches = n_codes + 1;
  if (made.kind == NodeKind::subset)
    for (int code = 0; code < n_codes; ++code)
      if (random.one_in(2)) made.codes.insert(code);
  if (made.kind == NodeKind::groups) {
    n_branches = 4;
    for (int code = 0; code < n_codes; ++code)
      made.branch_of.push_back(static_cast<int>(random.below(n_branches)));
  }
  made.missing_branch = static_cast<int>(random.below(n_branches + 1)) - 1;
  for (int branch = 0; branch < n_branches; ++branch) {
    made.children.push_back(static_cast<int>(nodes.size()));
    nodes.emplace_back();
  }
  nodes[node] = made;
}

TreeView Tree::view() {
  for (const Node& node : nodes) {
    kind.push_back(static_cast<std::uint8_t>(node.kind));
    feature.push_back(node.feature);
    threshold.push_back(node.threshold);
    first_child.push_back(node.children.empty() ? -1 : node.children[0]);
    n_children.push_back(static_cast<std::int32_t>(node.children.size()));
    missing_branch.push_back(node.missing_branch);
    set_codes.insert(set_codes.end(), node.codes.begin(), node.codes.end());
    set_codes.insert(set_codes.end(), node.branch_of.begin(), node.branch_of.end());
    set_start.push_back(std::ssize(set_codes));
  }
  return {kind,       feature,        threshold, first_child,
          n_children, missing_branch, set_start, set_codes};
}

// The branch, or -1 to stop.
int naive_branch(const Node& node, double cell) {
  if (std::isnan(cell)) return node.kind == NodeKind::known ? 1 : node.missing_branch;
  switch (node.kind) {
    case NodeKind::known:
      return 0;
    case NodeKind::cut:
      return cell > node.threshold;
    case NodeKind::order:
      return cell < 0 ? -1 : cell > node.threshold;
    case NodeKind::multiway:
      return cell < 0 ? -1 : static_cast<int>(cell);
    case NodeKind::subset:
      return cell < 0 ? -1 : !node.codes.contains(static_cast<int>(cell));
    case NodeKind::groups:
      return cell < 0 ? -1 : node.branch_of[static_cast<std::size_t>(cell)];
    default:
      return -1;
  }
}

int naive_walk(const Tree& tree, const double* cells) {
  int node = 0;
  while (!tree.nodes[node].children.empty()) {
    const int branch = naive_branch(tree.nodes[node], cells[tree.nodes[node].feature]);
    if (branch < 0) break;
    node = tree.nodes[node].children[branch];
  }
  return node;
}

std::vector<double> random_rows(Random& random, std::int64_t n_rows) {
  std::vector<double> rows;
  for (std::int64_t row = 0; row < n_rows; ++row)
    for (int feature = 0; feature < 4; ++feature) {
      double cell = static_cast<double>(random.below(n_codes));
      if (feature < 2) cell += static_cast<double>(random.below(3)) / 2 - 1;
      if (feature < 2 && random.one_in(20))
        cell = random.one_in(2) ? infinity : -infinity;
      if (feature >= 2 && random.one_in(12)) cell = -1;
      if (random.one_in(8)) cell = nan;
      rows.push_back(cell);
    }
  return rows;
}

void walk_of_random_trees() {
  Random random(81);
  ThreadPool one(1), three(3);
  for (int round = 0; round < 30; ++round) {
    note("round " + std::to_string(round));
    Tree tree;
    const std::int64_t n_splits = random.below(40);
    for (std::int64_t split = 0; split < n_splits; ++split) {
      const auto node = static_cast<int>(random.below(std::ssize(tree.nodes)));
      if (tree.nodes[node].children.empty()) tree.split(node, random);
    }
    const TreeView view = tree.view();
    // a chunk is 4096 rows: none, one, a whole one, several
    for (const std::int64_t n_rows : {0, 1, 4096, 9001}) {
      if (n_rows > 1 && round % 5) continue;
      const auto rows = random_rows(random, n_rows);
      std::vector<std::int32_t> nodes(n_rows, -7), again(n_rows, -7), expected;
      for (std::int64_t row = 0; row < n_rows; ++row)
        expected.push_back(naive_walk(tree, rows.data() + row * 4));
      walk(view, rows, 4, one, nodes);
      walk(view, rows, 4, three, again);
      CHECK(nodes == expected);
      CHECK(again == expected);
    }
  }
}

// The sums of the answers at the nodes where a simple walk ends.
void votes_of_random_trees() {
  Random random(83);
  ThreadPool one(1), three(3);
  for (int round = 0; round < 20; ++round) {
    note("round " + std::to_string(round));
    std::vector<Tree> trees(1 + random.below(5));
    std::vector<TreeView> views;
    std::vector<std::vector<std::int32_t>> places;
    std::vector<std::vector<double>> answers;
    for (Tree& tree : trees) {
      const std::int64_t n_splits = random.below(30);
      for (std::int64_t split = 0; split < n_splits; ++split) {
        const auto node = static_cast<int>(random.below(std::ssize(tree.nodes)));
        if (!tree.nodes[node].children.empty()) continue;
        tree.split(node, random);
        if (round % 2 == 0 && tree.nodes[node].kind != NodeKind::cut) {  // cuts only
          tree.nodes.resize(tree.nodes.size() - tree.nodes[node].children.size());
          tree.nodes[node] = Node{};
        }
      }
      views.push_back(tree.view());
      answers.emplace_back();
      for (std::size_t cell = 0; cell < 2 * tree.nodes.size(); ++cell)
        answers.back().push_back(static_cast<double>(random.below(1000)) / 8);
      places.emplace_back();
      if (round % 3)  // nodes share rows
        for (std::size_t node = 0; node < tree.nodes.size(); ++node)
          places.back().push_back(static_cast<std::int32_t>(node / 2));
    }
    const Voter voter(views, {places.begin(), places.end()},
                      {answers.begin(), answers.end()}, 2);
    for (const std::int64_t n_rows : {0, 1, 7, 8, 4096, 9001}) {
      if (n_rows > 8 && round % 5) continue;
      auto rows = random_rows(random, n_rows);
      if (round % 4 == 0)
        for (double& cell : rows) cell = std::isnan(cell) ? 0.25 : cell;
      std::vector<double> expected(2 * n_rows), sums(2 * n_rows), again(2 * n_rows);
      std::vector<std::uint8_t> divided(n_rows);
      for (std::size_t tree = 0; tree < trees.size(); ++tree)
        for (std::int64_t row = 0; row < n_rows; ++row) {
          const int node = naive_walk(trees[tree], rows.data() + row * 4);
          const int place = places[tree].empty() ? node : places[tree][node];
          for (int slot = 0; slot < 2; ++slot)
            expected[2 * row + slot] += answers[tree][2 * place + slot];
        }
      voter.vote(rows, 4, one, sums, divided);
      voter.vote(rows, 4, three, again, divided);
      CHECK(sums == expected);
      CHECK(again == expected);
      CHECK(divided == std::vector<std::uint8_t>(n_rows, 0));
    }
  }
}

void votes_of_divided_rows_are_left_to_others() {
  Tree tree;
  tree.nodes[0] = {NodeKind::cut, 0, 1.0, every_branch, {}, {1, 2}};
  tree.nodes.resize(3);
  const std::vector<double> answers{5, 7, 9};
  const Voter voter({tree.view()}, {{}}, {answers}, 1);
  ThreadPool pool(1);
  const std::vector<double> rows{nan, 0, 2};
  std::vector<double> sums(3);
  std::vector<std::uint8_t> divided(3);
  voter.vote(rows, 1, pool, sums, divided);
  CHECK((divided == std::vector<std::uint8_t>{1, 0, 0}));
  CHECK(sums[1] == 7 && sums[2] == 9);
}

// A tree with one question of each kind, asked about every cell.
void branch_of_each_kind() {
  const std::map<NodeKind, std::vector<int>> expected{
      // cells: NaN, -1, 0, 2, 2.5, 5
      {NodeKind::cut, {1, 0, 0, 0, 1, 1}},
      {NodeKind::order, {1, -1, 0, 0, 1, 1}},
      {NodeKind::multiway, {1, -1, 0, 2, 2, 5}},
      {NodeKind::subset, {1, -1, 1, 0, 0, 1}},  // the set is {2, 4}
      {NodeKind::known, {1, 0, 0, 0, 0, 0}}};
  const std::vector<double> cells{nan, -1, 0, 2, 2.5, 5};
  for (const auto& [kind, branches] : expected) {
    note("kind " + std::to_string(static_cast<int>(kind)));
    Tree tree;
    tree.nodes[0] = {kind, 0, 2.0, 1, {2, 4}, {1, 2}};
    tree.nodes.resize(3);
    const TreeView view = tree.view();
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
      CHECK(branch_of(view, 0, cells[cell]) == branches[cell]);
  }
}

void rows_without_a_branch_stop_where_they_are() {
  Tree tree;
  tree.nodes[0] = {NodeKind::subset, 0, 0, -1, {1}, {1, 2}};
  tree.nodes.resize(3);
  const TreeView view = tree.view();
  ThreadPool pool(1);
  const std::vector<double> rows{nan, -1, 0, 1};
  std::vector<std::int32_t> nodes(4);
  walk(view, rows, 1, pool, nodes);
  CHECK((nodes == std::vector<std::int32_t>{0, 0, 2, 1}));
}

void tree_of_one_leaf_needs_no_cells() {
  Tree tree;
  const TreeView view = tree.view();
  ThreadPool pool(2);
  std::vector<std::int32_t> nodes(10000, -7);
  walk(view, {}, 0, pool, nodes);
  CHECK(nodes == std::vector<std::int32_t>(10000, 0));
}

}  // namespace

Tests walk_tests() {
  return {{"walk_of_random_trees", walk_of_random_trees},
          {"branch_of_each_kind", branch_of_each_kind},
          {"rows_without_a_branch_stop_where_they_are",
           rows_without_a_branch_stop_where_they_are},
          {"votes_of_random_trees", votes_of_random_trees},
          {"votes_of_divided_rows_are_left_to_others",
           votes_of_divided_rows_are_left_to_others},
          {"tree_of_one_leaf_needs_no_cells", tree_of_one_leaf_needs_no_cells}};
}

}  // namespace treewright::tests
