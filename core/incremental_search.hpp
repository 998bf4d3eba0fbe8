// The best split of a feature from its table of values, as the engine finds it.
//
// Which splits are compared, in which order and by which formula is what the scans of
// the engine do (scan.hpp, evaluate_classes.hpp, nominal.hpp), so that the same split
// comes out; only that here all rows with one value are one item.
//
// A table need not be searched again for every row. The score of a branch is minus
// (rows x impurity). A row of class k that joins a branch of w rows, c of them of this
// class, changes it by
//   gini      w (2c/w - q - 1) / (w + 1), q the sum of the squared shares: 0 at most,
//             since q >= (c/w)^2, and above -2
//   entropy   f(c + 1) - f(c) - (f(w + 1) - f(w)), f(x) = x log2 x: 0 at most, since f
//             is convex and c <= w, and at least -(log2(w + 1) + 1/ln 2)
// So no score rises where rows are added: what was the largest score of a feature stays
// an upper bound, its ceiling. A value that is new makes new splits, but each of them
// is a split of the old rows with one more row on a side, or sets that row against all
// others, and a branch that is not split has no larger score than its splits have.
// Where a row is taken away, scores rise by no more than they can fall (`most_rise`). A
// feature whose ceiling does not reach the best gain is not looked at.
#pragma once

#include <memory>
#include <vector>

#include "criterion.hpp"
#include "memory_types.hpp"
#include "target.hpp"
#include "value_table.hpp"

namespace treewright {

// The best split of one feature.
struct FoundSplit {
  double gain = one_value;  // in units of the score
  std::size_t n_left = 0;   // cut: how many keys are on the left
  std::vector<std::uint8_t>
      on_left;  // two sets: of each key, whether it is in the first
};

class SplitSearch {
 public:
  // own_branch: rows without a value are a branch of a multiway split; otherwise they
  // are left out of the comparison.
  SplitSearch(Criterion criterion, bool own_branch, int n_classes);
  ~SplitSearch();

  // The class counts of a node, which the next calls are about.
  void begin(std::span<const std::int64_t> totals);
  double tolerance() const { return tolerance_; }

  // Also sets the table's ceiling.
  FoundSplit best(ValueTable& table, Candidates candidates);

  // No split of the feature gains more than this.
  double largest_gain(const ValueTable& table) const;

  // How much a row that is taken away from a node of n rows can raise a score.
  double most_rise(std::int64_t n_rows) const;

 private:
  class Values;
  template <class Sides>
  FoundSplit best_cut(const ValueTable& table, Sides sides) const;
  FoundSplit best_sets(const ValueTable& table, bool& exact);
  FoundSplit all_values(const ValueTable& table);
  double base_of(const ValueTable& table) const;
  std::span<const std::int64_t> known_of(const ValueTable& table) const;
  void set_groups(const ValueTable& table, bool with_missing);

  bool own_branch_;
  Target target_;
  XLog2X x_log2_x_{0};
  std::int64_t n_in_table_ = 0;
  std::unique_ptr<Values> values_;
  std::vector<std::int64_t> totals_, weights_;
  mutable std::vector<std::int64_t> known_;
  double base_ = 0, tolerance_ = 0;
};

}  // namespace treewright
