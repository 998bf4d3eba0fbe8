#include "voter.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace treewright {
namespace {

constexpr std::int64_t rows_of_block = 4096;

}  // namespace

Voter::Voter(std::vector<TreeView> trees, std::vector<std::span<const double>> answers,
             std::int64_t width)
    : trees_(std::move(trees)), answers_(std::move(answers)), width_(width) {
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

// Rows that have all values, through a tree of cuts: a few at a time, a step for each
// in turn, so that they wait for memory together. Those that have arrived mark time,
// because a leaf leads to itself. (Giving each place to the next row at once took
// longer.)
void Voter::ends(std::size_t tree, const Block& block, std::int32_t* out) const {
  const Step* steps = steps_[tree].data();
  std::int64_t first = 0;
  for (; first + together <= block.n_rows; first += together) {
    const double* cells = block.row(first);
    std::array<std::int32_t, together> nodes{};
    for (std::int32_t moved = 1; moved != 0;) {
      moved = 0;
      for (int row = 0; row < together; ++row) {
        const Step& step = steps[nodes[row]];
        const double cell = cells[row * block.n_features + step.feature];
        const std::int32_t next = step.first_child + (cell > step.threshold);
        moved |= next ^ nodes[row];
        nodes[row] = next;
      }
    }
    std::ranges::copy(nodes, out + first);
  }
  for (; first < block.n_rows; ++first) out[first] = end(tree, block.row(first));
}

void Voter::vote_block(const Block& block, double* out, std::uint8_t* divided) const {
  const std::span values(block.cells, block.n_rows * block.n_features);
  const bool complete = std::ranges::none_of(values, [](double x) { return x != x; });
  std::array<std::int32_t, rows_of_block> nodes;
  for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
    if (complete && only_cuts_[tree])
      ends(tree, block, nodes.data());
    else
      for (std::int64_t row = 0; row < block.n_rows; ++row)
        nodes[row] = end(tree, block.row(row));
    for (std::int64_t row = 0; row < block.n_rows; ++row) {
      if (nodes[row] < 0) {
        divided[row] = 1;
        continue;
      }
      const double* answer = answers_[tree].data() + nodes[row] * width_;
      for (std::int64_t slot = 0; slot < width_; ++slot)
        out[row * width_ + slot] += answer[slot];
    }
  }
}

void Voter::vote(std::span<const double> rows, std::int64_t n_features,
                 ThreadPool& pool, std::span<double> out,
                 std::span<std::uint8_t> divided) const {
  const auto n_rows = static_cast<std::int64_t>(divided.size());
  std::ranges::fill(out, 0.0);
  pool.run((n_rows + rows_of_block - 1) / rows_of_block, [&](std::int64_t task, int) {
    const std::int64_t first = task * rows_of_block;
    const std::int64_t stop = std::min(n_rows, first + rows_of_block);
    vote_block({rows.data() + first * n_features, stop - first, n_features},
               out.data() + first * width_, divided.data() + first);
  });
}

}  // namespace treewright
