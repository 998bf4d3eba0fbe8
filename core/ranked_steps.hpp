// A forest of cuts in eight bytes a node, for predicting many rows.
//
// A row's number matters only by where it stands among the forest's thresholds for that
// feature. So a row becomes its ranks, once for all trees, and a node asks whether a
// rank is larger than that of its threshold: rows and trees then take a quarter and
// half of the room, and stay in the cache.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "walk.hpp"

namespace treewright {

class RankedSteps {
 public:
  using Rank = std::uint16_t;

  // Nothing if a feature has too many different thresholds, or there are too many
  // features. Trees that have more than cuts are left out, and must not be asked for.
  // answer_of(tree, node): `width` numbers.
  using AnswerOf = std::function<const double*(std::size_t, std::size_t)>;
  static std::unique_ptr<RankedSteps> make(std::span<const TreeView> trees,
                                           const std::vector<bool>& only_cuts,
                                           std::int64_t n_features,
                                           const AnswerOf& answer_of,
                                           std::int64_t width, ThreadPool& pool);

  // A missing value has some rank, which nobody may ask about.
  void rank(std::span<const double> cells, std::span<Rank> ranks) const;

  struct Step {
    Rank threshold;  // a leaf's is the largest, which no row exceeds
    Rank feature;
    std::int32_t first_child;  // a leaf's is itself
  };
  const Step* steps(std::size_t tree) const { return steps_[tree].data(); }
  const double* answer(std::size_t tree, std::int32_t leaf) const {
    const Answers& own = answers_[tree];
    return own.table.data() + own.place[leaf] * width_;
  }

 private:
  // Leaves that say the same share a row of answers: most are of one class.
  struct Answers {
    std::vector<std::int32_t> place;  // of each node
    std::vector<double> table;
  };
  void add_tree(const TreeView& tree, std::size_t number, const AnswerOf& answer_of);

  std::int64_t n_features_ = 0, width_ = 0;
  std::vector<Answers> answers_;                 // of each tree
  std::vector<std::vector<double>> thresholds_;  // of each feature, ascending
  std::vector<std::vector<Step>> steps_;         // of each tree
};

}  // namespace treewright
