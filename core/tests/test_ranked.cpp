// Ranks among thresholds against plain counting, and the votes of trees of cuts, which
// are walked by ranks, against a walk by the numbers.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "check.hpp"
#include "random_data.hpp"
#include "threshold_ranks.hpp"
#include "voter.hpp"

namespace treewright::tests {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double huge = std::numeric_limits<double>::max();
constexpr double tiny = std::numeric_limits<double>::denorm_min();

double share(Random& random) {
  return static_cast<double>(random.below(1 << 20)) / (1 << 20);
}

// Numbers that lie evenly, in lumps, over many orders of size, or at the very ends.
double number(Random& random, int spread) {
  switch (spread) {
    case 0:
      return share(random) * 8 - 4;
    case 1:
      return static_cast<double>(random.below(5)) + (random.one_in(9) ? 0.5 : 0.0);
    case 2:
      return std::ldexp(share(random) - 0.5,
                        static_cast<int>(random.below(2000)) - 1000);
    default: {
      const double ends[] = {-infinity, -huge, -tiny, 0, tiny, huge, infinity};
      return random.one_in(2) ? ends[random.below(7)] : share(random);
    }
  }
}

void ranks_are_counts() {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    note("round " + std::to_string(round));
    std::vector<double> thresholds;
    for (std::int64_t left = random.below(round % 2 ? 3 : 500); left > 0; --left)
      thresholds.push_back(number(random, round % 4));
    std::ranges::sort(thresholds);
    thresholds.erase(std::ranges::unique(thresholds).begin(), thresholds.end());
    const ThresholdRanks ranks(thresholds);
    for (int asked = 0; asked < 20; ++asked) {
      std::array<double, ThresholdRanks::together> cells;
      for (double& cell : cells)
        cell = thresholds.empty() || random.one_in(2)
                   ? number(random, static_cast<int>(random.below(4)))
                   : thresholds[random.below(std::ssize(thresholds))];
      const auto below = ranks.count_below(cells);
      for (std::size_t which = 0; which < cells.size(); ++which)
        CHECK(below[which] == static_cast<std::size_t>(std::ranges::count_if(
                                  thresholds, [&](double threshold) {
                                    return threshold < cells[which];
                                  })));
    }
  }
}

void ranks_bear_missing_values() {
  const ThresholdRanks ranks({1, 2, 3, 4, 5, 6, 7, 8, 9});
  std::array<double, ThresholdRanks::together> cells;
  cells.fill(std::numeric_limits<double>::quiet_NaN());
  for (const std::size_t below : ranks.count_below(cells)) CHECK(below <= 9);
}

// A tree of cuts of two features; leaves are drawn until there are enough.
struct CutTree {
  std::vector<std::uint8_t> kind{0};
  std::vector<std::int32_t> feature{-1}, first_child{-1}, none;
  std::vector<double> threshold{0}, answers;

  CutTree(Random& random, std::int64_t n_cuts, bool is_chain, std::int64_t width) {
    std::vector<std::int32_t> leaves{0};
    for (std::int64_t cut = 0; cut < n_cuts; ++cut) {
      const auto which =
          is_chain ? std::ssize(leaves) - 1 : random.below(std::ssize(leaves));
      const std::int32_t node = leaves[which];
      kind[node] = 1;
      feature[node] = static_cast<std::int32_t>(random.below(2));
      threshold[node] = static_cast<double>(random.below(1000)) / 1000;
      first_child[node] = static_cast<std::int32_t>(kind.size());
      leaves[which] = first_child[node];
      leaves.push_back(first_child[node] + 1);
      for (int branch = 0; branch < 2; ++branch) {
        kind.push_back(0), feature.push_back(-1), first_child.push_back(-1);
        threshold.push_back(0);
      }
    }
    // few different answers, or one for each leaf
    const std::int64_t n_different = random.one_in(2) ? 3 : 1 << 30;
    for (std::size_t cell = 0; cell < kind.size() * width; ++cell)
      answers.push_back(1.0 / static_cast<double>(1 + random.below(n_different)));
  }
  TreeView view() const {
    return {kind, feature, threshold, first_child, {}, {}, {}, {}};
  }
  const double* answer(const double* cells, std::int64_t width) const {
    std::int32_t node = 0;
    while (kind[node] != 0)
      node = first_child[node] + (cells[feature[node]] > threshold[node]);
    return answers.data() + node * width;
  }
};

void votes_by_ranks(std::int64_t n_trees, std::int64_t n_cuts, std::int64_t width) {
  note("width " + std::to_string(width));
  Random random(11 + width);
  std::vector<CutTree> trees;
  std::vector<TreeView> views;
  std::vector<std::span<const double>> answers;
  for (std::int64_t tree = 0; tree < n_trees; ++tree)
    trees.emplace_back(random, tree == 0 ? 0 : n_cuts, tree == 1, width);
  for (const CutTree& tree : trees) views.push_back(tree.view());
  for (const CutTree& tree : trees) answers.push_back(tree.answers);
  const std::int64_t n_rows = 4096 + 5;
  std::vector<double> rows(2 * n_rows), expected(n_rows * width);
  for (double& cell : rows) cell = static_cast<double>(random.below(1001)) / 1000;
  for (const CutTree& tree : trees)
    for (std::int64_t row = 0; row < n_rows; ++row)
      for (std::int64_t slot = 0; slot < width; ++slot)
        expected[row * width + slot] += tree.answer(&rows[2 * row], width)[slot];
  const Voter voter(views, std::vector<std::span<const std::int32_t>>(n_trees), answers,
                    width);
  for (const int n_threads : {1, 3}) {
    ThreadPool pool(n_threads);
    std::vector<double> sums(n_rows * width);
    std::vector<std::uint8_t> divided(n_rows);
    voter.vote(rows, 2, pool, sums, divided);
    CHECK(sums == expected);  // added in the same order: the same bits
  }
}

void votes_of_any_width() {
  for (std::int64_t width = 1; width < 11; ++width) votes_by_ranks(19, 150, width);
}

void votes_of_trees_that_16_bits_cannot_number() { votes_by_ranks(5, 70000, 1); }

}  // namespace

Tests ranked_tests() {
  return {{"ranks_are_counts", ranks_are_counts},
          {"ranks_bear_missing_values", ranks_bear_missing_values},
          {"votes_of_any_width", votes_of_any_width},
          {"votes_of_trees_that_16_bits_cannot_number",
           votes_of_trees_that_16_bits_cannot_number}};
}

}  // namespace treewright::tests
