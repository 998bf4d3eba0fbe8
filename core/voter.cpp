#include "voter.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "walk_together.hpp"

namespace treewright {
namespace {

// many, because a tree that has come into the cache should serve them all
constexpr std::int64_t rows_of_block = 16384;
// fewer where their ranks would take too much memory
constexpr std::int64_t ranks_of_block = 1 << 21;
// from so many rows on, making ranks pays
constexpr std::int64_t rows_worth_ranks = 4096;

}  // namespace

Voter::Voter(std::vector<TreeView> trees,
             std::vector<std::span<const std::int32_t>> places,
             std::vector<std::span<const double>> answers, std::int64_t width)
    : trees_(std::move(trees)),
      places_(std::move(places)),
      answers_(std::move(answers)),
      width_(width) {
  for (const TreeView& tree : trees_) {
    std::vector<Step> steps(tree.kind.size());
    bool only_cuts = true;
    for (std::size_t node = 0; node < steps.size(); ++node) {
      const auto kind = static_cast<NodeKind>(tree.kind[node]);
      if (kind == NodeKind::leaf)  // leads to itself, whatever the first cell is
        steps[node] = {std::numeric_limits<double>::infinity(), 0,
                       static_cast<std::int32_t>(node)};
      else
        steps[node] = {tree.threshold[node], tree.feature[node],
                       tree.first_child[node]};
      only_cuts &= kind == NodeKind::leaf || kind == NodeKind::cut;
    }
    steps_.push_back(std::move(steps));
    only_cuts_.push_back(only_cuts);
  }
}

std::int32_t Voter::end(std::size_t tree, const double* cells) const {
  const TreeView& view = trees_[tree];
  std::int32_t node = 0;
  while (static_cast<NodeKind>(view.kind[node]) != NodeKind::leaf) {
    const std::int32_t branch = next_branch(view, node, cells);
    if (branch == every_branch) return every_branch;
    if (branch < 0) break;
    node = view.first_child[node] + branch;
  }
  return node;
}

// One row through some trees of cuts, a step in each in turn, so that they wait for
// memory together: every tree is far away.
void Voter::ends(std::span<const Step* const> trees, const double* cells,
                 std::span<std::int32_t> out) const {
  std::ranges::fill(out, 0);
  for (std::int32_t moved = 1; moved != 0;) {
    moved = 0;
    for (std::size_t tree = 0; tree < trees.size(); ++tree) {
      const Step& step = trees[tree][out[tree]];
      const std::int32_t next =
          step.first_child + (cells[step.feature] > step.threshold);
      moved |= next ^ out[tree];
      out[tree] = next;
    }
  }
}

void Voter::add_answer(std::size_t tree, std::int32_t node, double* out,
                       std::uint8_t& divided) const {
  if (node < 0) {
    divided = 1;
    return;
  }
  add(answer(tree, node), out);
}

static bool has_all_values(std::span<const double> cells) {
  return std::ranges::none_of(cells, [](double x) { return x != x; });
}

void Voter::vote_one(std::span<const double> cells, double* out,
                     std::uint8_t& divided) const {
  constexpr std::size_t most_trees = 32;
  std::array<const Step*, most_trees> steps;
  std::array<std::int32_t, most_trees> nodes;
  const bool complete = has_all_values(cells);
  for (std::size_t first = 0; first < trees_.size();) {
    std::size_t n = 0;  // trees from `first` on that are cuts alone
    for (; n < most_trees && first + n < trees_.size(); ++n) {
      if (!complete || !only_cuts_[first + n]) break;
      steps[n] = steps_[first + n].data();
    }
    if (n > 0)
      ends(std::span(steps).first(n), cells.data(), std::span(nodes).first(n));
    else
      nodes[n++] = end(first, cells.data());
    for (std::size_t tree = 0; tree < n; ++tree)
      add_answer(first++, nodes[tree], out, divided);
  }
}

const RankedSteps* Voter::ranked(std::int64_t n_features, ThreadPool& pool) const {
  std::call_once(once_, [&] {
    const auto answer_of = [&](std::size_t tree, std::size_t node) {
      return answer(tree, static_cast<std::int32_t>(node));
    };
    ranked_ =
        RankedSteps::make(trees_, only_cuts_, n_features, answer_of, width_, pool);
  });
  return ranked_.get();
}

void Voter::vote_block(const Block& block, const ThreadPool& pool, double* out,
                       std::uint8_t* divided) const {
  const auto cells_of = [&](std::int64_t row) {
    return std::span(block.row(row), static_cast<std::size_t>(block.n_features));
  };
  if (block.n_rows < static_cast<std::int64_t>(rows_side_by_side)) {
    for (std::int64_t row = 0; row < block.n_rows; ++row)
      vote_one(cells_of(row), out + row * width_, divided[row]);
    return;
  }
  std::vector<std::int32_t> complete, others;  // rows with all values, and without
  for (std::int32_t row = 0; row < block.n_rows; ++row)
    (has_all_values(cells_of(row)) ? complete : others).push_back(row);
  std::vector<RankedSteps::Rank> ranks;
  if (block.ranked) {
    ranks.resize(block.n_rows * block.n_features);
    block.ranked->rank({block.cells, ranks.size()}, ranks);
  }
  std::vector<std::int32_t> nodes(block.n_rows);
  std::vector<std::int32_t> rows(complete.size());
  const auto vote_alone = [&](std::size_t tree, std::int32_t row) {
    add_answer(tree, end(tree, block.row(row)), out + row * width_, divided[row]);
  };
  const auto vote_together = [&](const auto* steps, const auto* cells,
                                 const auto& answer_of) {
    std::ranges::copy(complete, rows.begin());
    for (const std::int32_t row : complete) nodes[row] = 0;
    walk_together(steps, cells, block.n_features, rows, nodes.data());
    for (const std::int32_t row : complete)
      add(answer_of(nodes[row]), out + row * width_);
  };
  for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
    pool.pause();
    for (const std::int32_t row : others) vote_alone(tree, row);
    if (!only_cuts_[tree])
      for (const std::int32_t row : complete) vote_alone(tree, row);
    else if (block.ranked)
      vote_together(block.ranked->steps(tree), ranks.data(), [&](std::int32_t leaf) {
        return block.ranked->answer(tree, leaf);
      });
    else
      vote_together(steps_[tree].data(), block.cells,
                    [&](std::int32_t leaf) { return answer(tree, leaf); });
  }
}

void Voter::vote(std::span<const double> rows, std::int64_t n_features,
                 ThreadPool& pool, std::span<double> out,
                 std::span<std::uint8_t> divided) const {
  const auto n_rows = static_cast<std::int64_t>(divided.size());
  std::ranges::fill(out, 0.0);
  const RankedSteps* ranked_steps =
      n_rows >= rows_worth_ranks ? ranked(n_features, pool) : nullptr;
  const std::int64_t most_rows =
      ranked_steps ? std::min(rows_of_block, ranks_of_block / (n_features + 1))
                   : rows_of_block;
  const std::int64_t n_rows_of_task =
      std::max(std::int64_t{256}, std::min(n_rows / (4 * pool.n_threads()), most_rows));
  const std::int64_t n_tasks = (n_rows + n_rows_of_task - 1) / n_rows_of_task;
  pool.run(n_tasks, [&](std::int64_t task, int) {
    const std::int64_t first = task * n_rows_of_task;
    const std::int64_t stop = std::min(n_rows, first + n_rows_of_task);
    vote_block(
        {rows.data() + first * n_features, stop - first, n_features, ranked_steps},
        pool, out.data() + first * width_, divided.data() + first);
  });
}

}  // namespace treewright
