// The vote: the answers of many trees for each row, added up.
//
// The common question, a cut of a known value, is kept in 16 bytes a node beside the
// trees' own arrays. Rows go through a tree in blocks, so that the tree stays in the
// cache, and a few at a time, because each step waits for memory.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "add_answers.hpp"
#include "ranked_steps.hpp"
#include "walk.hpp"

namespace treewright {

class Voter {
 public:
  // answers: for each tree a table, `width` numbers a row; places: for each tree the
  // row of each node, or nothing if every node has its own. The views must outlive the
  // voter.
  Voter(std::vector<TreeView> trees, std::vector<std::span<const std::int32_t>> places,
        std::vector<std::span<const double>> answers, std::int64_t width);

  std::int64_t width() const { return width_; }
  std::int64_t n_trees() const { return static_cast<std::int64_t>(trees_.size()); }

  // out: width numbers per row, the sums over the trees, always added in their order.
  // divided: whether a tree sends a row down several branches; its sums are void.
  void vote(std::span<const double> rows, std::int64_t n_features, ThreadPool& pool,
            std::span<double> out, std::span<std::uint8_t> divided) const;

 private:
  struct Block {
    const double* cells;
    std::int64_t n_rows, n_features;
    const RankedSteps* ranked;  // if there are enough rows for it
    const RankedSteps::Rank* ranks;

    const double* row(std::int64_t which) const { return cells + which * n_features; }
  };
  struct Step {
    double threshold;
    std::int32_t feature;
    std::int32_t first_child;  // a leaf's is itself
  };
  struct Steps {
    const Step* steps;

    std::int32_t next(std::int32_t node, const double* cells) const {
      const Step& at = steps[node];
      return at.first_child + (cells[at.feature] > at.threshold);
    }
    bool is_end(std::int32_t node) const { return steps[node].first_child == node; }
  };

  // The node where a row ends; every_branch if it is divided.
  std::int32_t end(std::size_t tree, const double* cells) const;
  void ends(std::span<const Step* const> trees, const double* cells,
            std::span<std::int32_t> out) const;
  const double* answer(std::size_t tree, std::int32_t node) const {
    const std::int64_t place = places_[tree].empty() ? node : places_[tree][node];
    return answers_[tree].data() + place * width_;
  }
  void add(const double* answer, double* out) const {
    for (std::int64_t slot = 0; slot < width_; ++slot) out[slot] += answer[slot];
  }
  void add_answer(std::size_t tree, std::int32_t node, double* out,
                  std::uint8_t& divided) const;
  void vote_one(std::span<const double> cells, double* out,
                std::uint8_t& divided) const;
  TreeEnds walk_cuts(std::size_t tree, const Block& block,
                     std::span<const std::int32_t> rows,
                     std::span<std::int32_t> walking, std::int32_t* ends) const;
  void vote_together(const Block& block, std::span<const std::int32_t> rows,
                     const ThreadPool& pool, double* out, std::uint8_t* divided) const;
  void vote_alone(std::size_t tree, const Block& block,
                  std::span<const std::int32_t> rows, double* out,
                  std::uint8_t* divided) const;
  void vote_block(Block block, const ThreadPool& pool, double* out,
                  std::uint8_t* divided) const;

  std::vector<TreeView> trees_;
  std::vector<std::span<const std::int32_t>> places_;
  std::vector<std::span<const double>> answers_;
  std::int64_t width_;
  std::vector<std::vector<Step>> steps_;
  std::vector<bool> only_cuts_;
  // Made when there are many rows for the first time.
  const RankedSteps* ranked(std::int64_t n_features, ThreadPool& pool) const;
  mutable std::once_flag once_;
  mutable std::unique_ptr<RankedSteps> ranked_;
};

}  // namespace treewright
