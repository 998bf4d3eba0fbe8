// A forest of cuts in eight bytes a question, for predicting many rows.
//
// A row's number matters only by where it stands among the forest's thresholds for that
// feature. So a row becomes its ranks, once for all trees, and a node asks whether a
// rank is larger than that of its threshold. Leaves that say the same are one *end*;
// most trees have few, since most leaves are of one class. A tree is then its
// questions, and stays in the cache.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "threshold_ranks.hpp"
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

  // The end of each of the rows in a tree; uses up `rows`.
  void walk(std::size_t tree, const Rank* ranks, std::span<std::int32_t> rows,
            std::int32_t* ends) const;
  // What the ends of a tree say, `width` numbers each.
  const double* answers(std::size_t tree) const {
    return trees_[tree].answers.table.data();
  }

 private:
  template <class Id>
  struct Step {
    Rank threshold;  // an end's is the largest, which no row exceeds
    Rank feature;
    std::array<Id, 2> next;  // an end leads to itself
  };
  template <class Id>
  struct Steps;
  struct Answers {
    std::int32_t n_ends = 0;
    std::vector<double> table;
  };
  // Ends come first, then the questions; where 16 bits can number them, they do.
  struct RankedTree {
    std::vector<Step<std::uint16_t>> small;
    std::vector<Step<std::uint32_t>> large;
    std::int32_t root = 0;
    int n_first = 0;  // steps that all rows take
    Answers answers;
  };
  struct Cut;
  using Cuts = std::vector<std::vector<Cut>>;  // by feature

  void add_tree(const TreeView& tree, std::size_t number, const AnswerOf& answer_of);
  std::vector<std::int32_t> ids_of(const TreeView& tree, std::size_t number,
                                   const AnswerOf& answer_of);
  template <class Id>
  static void add_cuts(const TreeView& tree, std::span<Step<Id>> questions, Cuts& out);
  bool rank_cuts(Cuts& cuts, ThreadPool& pool);

  std::int64_t n_features_ = 0, width_ = 0;
  std::vector<RankedTree> trees_;
  std::vector<ThresholdRanks> thresholds_;  // of each feature
};

}  // namespace treewright
