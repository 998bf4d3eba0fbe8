// Permuted features and proximities against loops that do what the words say.
#include <algorithm>
#include <cmath>
#include <limits>

#include "check.hpp"
#include "permute.hpp"
#include "proximity.hpp"
#include "random_data.hpp"

namespace treewright::tests {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t n_features = 4;

// A random tree of cuts, and categories if it has any, with an answer at each node.
struct SmallTree {
  std::vector<std::uint8_t> kind{0};
  std::vector<std::int32_t> feature{-1}, first_child{-1}, n_children{0}, missing{-1};
  std::vector<double> threshold{0}, answers;
  std::vector<std::int64_t> set_start;

  SmallTree(Random& random, bool only_cuts) {
    for (std::size_t node = 0; node < kind.size() && kind.size() < 40; ++node) {
      if (node > 0 && random.one_in(4)) continue;
      kind[node] = static_cast<std::uint8_t>(
          only_cuts || random.one_in(2) ? NodeKind::cut : NodeKind::known);
      feature[node] = static_cast<std::int32_t>(random.below(n_features));
      threshold[node] = static_cast<double>(random.below(5));
      first_child[node] = static_cast<std::int32_t>(kind.size());
      n_children[node] = 2;
      missing[node] = static_cast<std::int32_t>(random.below(3)) - 1;
      kind.resize(kind.size() + 2);
      feature.resize(kind.size(), -1);
      first_child.resize(kind.size(), -1);
      n_children.resize(kind.size());
      missing.resize(kind.size(), -1);
      threshold.resize(kind.size());
    }
    for (std::size_t node = 0; node < kind.size(); ++node)
      answers.push_back(static_cast<double>(random.below(3)));
    set_start.resize(kind.size() + 1);
  }
  TreeView view() const {
    return {kind,    feature,   threshold, first_child, n_children,
            missing, set_start, {},        {}};
  }
};

struct SmallTable {
  std::vector<double> cells, target, weights;
  bool complete = true;

  SmallTable(Random& random, std::int64_t n_rows, bool has_gaps) {
    for (std::int64_t cell = 0; cell < n_rows * n_features; ++cell) {
      const bool gap = has_gaps && random.one_in(6);
      cells.push_back(gap ? nan : static_cast<double>(random.below(6)));
      complete &= !gap;
    }
    for (std::int64_t row = 0; row < n_rows; ++row) {
      target.push_back(static_cast<double>(random.below(3)));
      weights.push_back(static_cast<double>(1 + random.below(3)));
    }
  }
};

void losses_are_those_of_walking_every_row_again() {
  Random random(3);
  const std::vector<std::int64_t> first_slot{0};
  ThreadPool pool(1);
  for (int turn = 0; turn < 300; ++turn) {
    const bool only_cuts = random.one_in(2), is_classes = random.one_in(2);
    const SmallTree tree(random, only_cuts);
    const std::int64_t n_rows = 1 + random.below(40);
    const SmallTable table(random, n_rows, random.one_in(2));
    const std::int64_t n_slots = is_classes ? 3 : 1;
    const KnownRows known{table.cells,
                          n_features,
                          table.target,
                          1,
                          table.weights,
                          is_classes ? std::span<const std::int64_t>(first_slot)
                                     : std::span<const std::int64_t>{},
                          n_slots,
                          table.complete};
    std::vector<std::int64_t> rows;
    for (std::int64_t row = 0; row < n_rows; ++row)
      if (!random.one_in(3)) rows.push_back(row);
    const AskedTree asked{tree.view(), tree.answers, rows, random.bits()};
    std::vector<double> found(n_features * n_slots, 7.0), wanted(found.size());
    permuted_losses(asked, known, pool, found);
    for (std::int64_t feature = 0; feature < n_features; ++feature) {
      const auto order = permutation(asked.key, feature, std::ssize(rows));
      for (std::size_t place = 0; place < rows.size(); ++place) {
        std::vector<double> cells(table.cells.begin() + rows[place] * n_features,
                                  table.cells.begin() + (rows[place] + 1) * n_features);
        const double actual = table.target[rows[place]];
        const auto fault = [&] {
          const double said = tree.answers[end_of_walk(asked.tree, 0, cells.data())];
          return is_classes ? double(said != actual)
                            : (said - actual) * (said - actual);
        };
        const double before = fault();
        cells[feature] = table.cells[rows[order[place]] * n_features + feature];
        const auto slot = is_classes ? static_cast<std::int64_t>(actual) : 0;
        wanted[feature * n_slots + slot] +=
            table.weights[rows[place]] * (fault() - before);
      }
    }
    CHECK(found == wanted);
  }
}

void permutations_deal_every_value_once() {
  for (std::int64_t n = 0; n < 60; ++n) {
    auto order = permutation(static_cast<std::uint64_t>(n) * 977, n % 5, n);
    CHECK(permutation(static_cast<std::uint64_t>(n) * 977, n % 5, n) == order);
    std::ranges::sort(order);
    for (std::int64_t place = 0; place < n; ++place) CHECK(order[place] == place);
  }
  CHECK(permutation(1, 0, 30) != permutation(1, 1, 30));
  CHECK(permutation(1, 0, 30) != permutation(2, 0, 30));
}

void proximities_count_the_trees_in_which_rows_end_together() {
  Random random(8);
  for (int turn = 0; turn < 60; ++turn) {
    const std::int64_t n_rows = 1 + random.below(80), n_trees = 1 + random.below(90);
    const std::int64_t n_ends = 1 + random.below(60);
    const bool has_flags = random.one_in(2);
    std::vector<std::int32_t> ends(n_rows * n_trees), groups(n_rows);
    std::vector<std::uint8_t> asked(has_flags ? ends.size() : 0);
    for (auto& end : ends) end = static_cast<std::int32_t>(random.below(n_ends));
    for (auto& flag : asked) flag = static_cast<std::uint8_t>(random.below(2));
    for (auto& group : groups) group = static_cast<std::int32_t>(random.below(3));
    const auto counts = [&](std::int64_t tree, std::int64_t row) {
      return !has_flags || asked[tree * n_rows + row];
    };
    ThreadPool pool(1 + turn % 3);
    const Proximities near(ends, asked, n_trees, n_rows, pool);
    std::vector<double> matrix(n_rows * n_rows);
    near.matrix(pool, matrix);
    std::vector<std::int64_t> squares(n_rows), nearest(n_rows);
    near.squares_within(groups, pool, squares);
    std::vector<double> shares(n_rows);
    near.nearest(1, pool, nearest, shares);
    for (std::int64_t row = 0; row < n_rows; ++row) {
      std::int64_t square = 0;
      double best = 0;
      for (std::int64_t other = 0; other < n_rows; ++other) {
        std::int64_t together = 0, common = 0;
        for (std::int64_t tree = 0; tree < n_trees; ++tree) {
          const bool both = counts(tree, row) && counts(tree, other);
          common += both;
          together += both && ends[tree * n_rows + row] == ends[tree * n_rows + other];
        }
        const double share = static_cast<double>(together) / common;
        const double found = matrix[row * n_rows + other];
        CHECK(row == other ? found == 1
                           : (common == 0 ? std::isnan(found) : found == share));
        if (groups[row] == groups[other]) square += together * together;
        if (row != other && common > 0) best = std::max(best, share);
      }
      CHECK(squares[row] == square);
      CHECK(shares[row] == best);
      CHECK((nearest[row] == -1) == (best == 0));
    }
  }
}

}  // namespace

Tests measures_tests() {
  return {
      {"losses are those of walking every row again",
       losses_are_those_of_walking_every_row_again},
      {"permutations deal every value once", permutations_deal_every_value_once},
      {"proximities count the trees in which rows end together",
       proximities_count_the_trees_in_which_rows_end_together},
  };
}

}  // namespace treewright::tests
