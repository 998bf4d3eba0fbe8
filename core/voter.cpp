#include "voter.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "add_answers.hpp"
#include "walk_together.hpp"

namespace treewright {
namespace {

// many, because a tree that has come into the cache should serve them all
constexpr std::int64_t rows_of_block = 16384;
// fewer where their ranks would take too much memory
constexpr std::int64_t ranks_of_block = 1 << 21;
// from so many rows on, making ranks pays
constexpr std::int64_t rows_worth_ranks = 4096;
// whose ends are kept for all rows of a block, and then added up
constexpr std::size_t trees_together = 8;

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

// The end of each row in a tree of cuts, and what the ends say. Uses up `walking`,
// which has room for the rows.
TreeEnds Voter::walk_cuts(std::size_t tree, const Block& block,
                          std::span<const std::int32_t> rows,
                          std::span<std::int32_t> walking, std::int32_t* ends) const {
  std::ranges::copy(rows, walking.begin());
  if (block.ranked) {
    block.ranked->walk(tree, block.ranks, walking, ends);
    return {ends, block.ranked->answers(tree)};
  }
  constexpr int n_first = 14;  // in a large tree hardly any row arrives earlier
  for (const std::int32_t row : rows) ends[row] = 0;
  walk_together(Steps{steps_[tree].data()}, n_first, block.cells, block.n_features,
                walking, ends);
  if (!places_[tree].empty())
    for (const std::int32_t row : rows) ends[row] = places_[tree][ends[row]];
  return {ends, answers_[tree].data()};
}

// Rows with all values.
void Voter::vote_together(const Block& block, std::span<const std::int32_t> rows,
                          const ThreadPool& pool, double* out,
                          std::uint8_t* divided) const {
  std::vector<std::int32_t> walking(rows.size());
  std::vector<std::int32_t> ends(trees_together * block.n_rows);
  std::vector<TreeEnds> ended;
  for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
    pool.pause();
    if (!only_cuts_[tree]) {
      vote_alone(tree, block, rows, out, divided);
      continue;
    }
    ended.push_back(
        walk_cuts(tree, block, rows, walking, &ends[ended.size() * block.n_rows]));
    const bool more = tree + 1 < trees_.size() && only_cuts_[tree + 1];
    if (more && ended.size() < trees_together) continue;
    add_answers(ended, rows, width_, out);
    ended.clear();
  }
}

void Voter::vote_alone(std::size_t tree, const Block& block,
                       std::span<const std::int32_t> rows, double* out,
                       std::uint8_t* divided) const {
  for (const std::int32_t row : rows)
    add_answer(tree, end(tree, block.row(row)), out + row * width_, divided[row]);
}

void Voter::vote_block(Block block, const ThreadPool& pool, double* out,
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
  for (std::size_t tree = 0; tree < trees_.size() && !others.empty(); ++tree) {
    pool.pause();
    vote_alone(tree, block, others, out, divided);
  }
  if (complete.empty()) return;
  std::vector<RankedSteps::Rank> ranks;
  if (block.ranked) {
    ranks.resize(block.n_rows * block.n_features);
    block.ranked->rank({block.cells, ranks.size()}, ranks);
    block.ranks = ranks.data();
  }
  vote_together(block, complete, pool, out, divided);
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
    vote_block({rows.data() + first * n_features, stop - first, n_features,
                ranked_steps, nullptr},
               pool, out.data() + first * width_, divided.data() + first);
  });
}

}  // namespace treewright
