// The choice: which feature an open node is split on.
//
// The best split of every feature is found. The largest gain wins, or, for C4.5, the
// largest gain ratio among the features that gain enough. Of equals the first wins.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "memory_types.hpp"

namespace treewright {

// How much a split must gain before its ratio is looked at: a ratio is large where
// split information is near 0, however little the split gains. c45: the average gain,
// less `average_slack`. c50: the average in small tables, the bits that it takes to
// name a feature in large ones; what reaches the share `enough` of it passes.
enum class Guard : std::uint8_t { none, c45, c50 };
inline constexpr double average_slack = 1e-3;
inline constexpr double enough = 0.999;

struct Choosing {
  bool by_ratio = false;  // compare gain divided by split information; else gain
  Guard guard = Guard::none;
  bool pays_for_cuts = false;    // log2(number of cuts) / weight of the node
  bool pays_for_groups = false;  // the bits that name them / weight of the node
  // Gains and ratios, per row, that differ by no more are equal; 0: those of scores
  // that differ by the node's tolerance.
  double tolerance = 0;
  // Gains and ratios are 32-bit floats, and the larger one wins, however close.
  bool single_precision = false;
  bool accepts_no_gain = false;      // of a split that pays nothing for being named
  double min_split_information = 0;  // a split must have more
  double rows_per_class = 0;         // of the whole table
  double weight_scale = 1;           // integer units per unit of weight
  // by feature
  std::vector<std::uint8_t> is_cut;
  // Features that do not have very many values. The gains of the others do not count in
  // the average; under c50 they are out.
  std::vector<std::uint8_t> is_few_valued;
  std::vector<std::int64_t> n_branches;  // without one for missing values

  // Whether worths are compared one by one, not just the gains as found.
  bool by_worth() const { return by_ratio || pays_for_cuts || tolerance > 0; }
};

// Why a node has no split, or that it has one.
enum class Choice : std::uint8_t { split, no_split, too_few, no_gain, no_feature };

// What is compared at a node; gains are per row.
struct Weighed {
  double gain = 0;              // as found
  double cost = 0, charge = 0;  // what is paid for naming a cut, or groups
  double net = 0;               // what is left
  double worth = 0;             // compared, if `valid`
  std::uint8_t counts = 0;      // whether the guard looked at it
  std::uint8_t valid = 0;       // whether it is compared
};

// Chooses at one node after another.
class Chooser {
 public:
  explicit Chooser(const Choosing& choosing) : choosing_(choosing) {}

  // The place of the answer that wins; -1: none is worth enough. `weight` is that of
  // the node, `per_score` its gain per row for a score of 1, `tolerance` the difference
  // of scores that is none.
  std::int64_t choose(std::span<const Answer> answers, double weight, double per_score,
                      double tolerance);
  // Why: what `choose` found last.
  Choice found() const { return found_; }

  // What is compared, answer by answer.
  std::span<const Weighed> weigh(std::span<const Answer> answers, double weight,
                                 double per_score);
  // What the guard asked for in the last call of it; NaN without a guard.
  double least() const { return least_; }

 private:
  double rounded(double number) const;
  double least_gain(std::span<const Answer> answers, double weight) const;
  std::int64_t best_in_turn(std::span<const Answer> answers) const;
  std::int64_t fewest_branches(std::span<const Answer> answers) const;

  const Choosing& choosing_;
  std::vector<Weighed> weighed_;
  double least_ = 0;
  Choice found_ = Choice::no_split;
};

}  // namespace treewright
