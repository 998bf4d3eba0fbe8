// The evaluator: scores of splits at one open node, for one kind of target.
//
// One instance per thread, chosen once per fit by `make_evaluator`, the only table from
// criteria to implementations. It is asked about ordered columns (`best_cut`) and about
// nominal ones, whose rows come as groups of equal value (`nominal.hpp` searches).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "criterion.hpp"
#include "scan.hpp"
#include "target.hpp"

namespace treewright {

// Stretches of a column's list: the groups of a nominal column, or one branch.
using Pieces = std::vector<std::span<const Entry>>;
using PiecesView = std::span<const std::span<const Entry>>;

struct AroundRun;

class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // The rows that take part in the split; all scores are relative to them. Returns
  // their score as one branch. The second form is for all rows of a node, whose
  // statistic is known already.
  virtual double begin(std::span<const Entry> entries) = 0;
  virtual double begin(std::span<const Entry> entries,
                       std::span<const std::int64_t> statistic) = 0;

  // The weight of the rows of `begin`.
  virtual std::int64_t begun_weight() const = 0;

  // Entropy of one output: the score of `begin`, of sums that are not rounded to 32
  // bits.
  virtual double begun_score_in_full() const { return 0; }

  // Score of a set of rows as one branch.
  virtual double branch_score(std::span<const Entry> entries) = 0;
  // Classes only: score of a branch with these class weights.
  virtual double class_score(std::span<const std::int64_t>) const { return 0; }
  // Classes only: score of two branches with these class weights, as `best_cut` has it.
  virtual double score_of_sides(std::span<const std::int64_t>,
                                std::span<const std::int64_t>) const {
    return 0;
  }

  // The best cut of `known`, all or a part of the rows of `begin`; the score is that of
  // its two branches.
  virtual Cut best_cut(std::span<const Entry> known, const Limits& limits,
                       double tolerance) = 0;

  // The same of a column in which most rows have one value, all rows of `begin`; not
  // for absolute error.
  virtual Cut best_cut_around(const AroundRun&, const Limits&, double) { return {}; }

  // Nominal columns: groups are given once, then scored as branches of their own, or
  // moved between two branches one at a time. All groups start on the right.
  virtual void set_groups(const Pieces& groups) = 0;
  virtual std::vector<std::int64_t> group_weights() const = 0;
  virtual double multiway_score() = 0;
  virtual double group_score(int group) = 0;
  virtual double joined_score(int group, int other) = 0;  // the two as one branch
  virtual void toggle(int group) = 0;
  virtual double two_way_score() = 0;

  // Orders of the groups whose prefixes are good left branches. `prefixes_suffice` says
  // that the best subset is one of them (Breiman et al. 1984, section 9.4).
  virtual int n_orders() const = 0;
  virtual double order_key(int group, int order) const = 0;
  virtual bool prefixes_suffice() const = 0;

  // Statistic of a branch (Target::width numbers); true if all its rows agree.
  virtual bool summarise(PiecesView branch, std::span<std::int64_t> out) = 0;
  // The same of a branch that also gets a share of each of the `divided` rows; not for
  // absolute error.
  virtual bool summarise_with(PiecesView branch, std::span<const Entry> divided,
                              const Share& share, std::span<std::int64_t> out) = 0;
};

std::unique_ptr<Evaluator> make_evaluator(const Target& target, const Tables& tables);

}  // namespace treewright
