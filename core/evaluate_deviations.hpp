// The evaluator for absolute error: deviations from the median of each branch.
//
// Medians do not add up, so a cut is scanned with a Fenwick tree over the node's sorted
// values (log n per row), and branches of a nominal column are walked as a whole.
#pragma once

#include "evaluator.hpp"

namespace treewright {

// Weights and values of some rows, by rank of their value; finds the weighted median.
class SortedWeights {
 public:
  struct Item {
    std::int64_t value, weight;
  };
  struct Middle {
    std::int64_t twice_median = 0;
    Wide deviation = 0;
  };

  // `items` in ascending order of value; all absent at first.
  void reset(std::span<const Item> items);
  void add(std::size_t rank) { change(rank, 1); }
  void remove(std::size_t rank) { change(rank, -1); }
  Middle middle() const;

 private:
  void change(std::size_t rank, int sign);
  std::size_t rank_at(std::int64_t weight, std::int64_t& below, Wide& sum_below) const;

  std::span<const Item> items_;
  std::vector<std::int64_t> weights_;  // Fenwick trees over the ranks
  std::vector<Wide> sums_;
  std::int64_t weight_ = 0;
  Wide sum_ = 0;
};

class Deviations final : public Evaluator {
 public:
  explicit Deviations(const Target& target) : target_(target) {}

  // Scores of branches stand alone: nothing to prepare.
  double begin(std::span<const Entry> entries) override {
    begun_weight_ = weight_of(entries);
    return score_of(Pieces{entries});
  }
  double begin(std::span<const Entry> entries, std::span<const std::int64_t>) override {
    return begin(entries);
  }
  std::int64_t begun_weight() const override { return begun_weight_; }
  double branch_score(std::span<const Entry> entries) override {
    return score_of(Pieces{entries});
  }
  Cut best_cut(std::span<const Entry> known, const Limits& limits,
               double tolerance) override;

  void set_groups(const Pieces& groups) override {
    groups_ = groups;
    on_left_.assign(groups.size(), 0);
  }
  std::vector<std::int64_t> group_weights() const override {
    std::vector<std::int64_t> weights;
    for (const auto& group : groups_) weights.push_back(weight_of(group));
    return weights;
  }
  double multiway_score() override;
  double group_score(int group) override { return score_of(Pieces{groups_[group]}); }
  double joined_score(int group, int other) override {
    return score_of(Pieces{groups_[group], groups_[other]});
  }
  void toggle(int group) override { on_left_[group] ^= 1; }
  double two_way_score() override;

  int n_orders() const override { return target_.n_outputs; }
  double order_key(int group, int order) const override;
  bool prefixes_suffice() const override { return false; }

  bool summarise(PiecesView branch, std::span<std::int64_t> out) override;
  bool summarise_with(PiecesView branch, std::span<const Entry>, const Share&,
                      std::span<std::int64_t> out) override {
    return summarise(branch, out);
  }

 private:
  std::vector<SortedWeights::Item> sorted_items(PiecesView branch, int output) const;
  double score_of(PiecesView branch) const;
  std::int64_t weight_of(std::span<const Entry> entries) const {
    std::int64_t weight = 0;
    for (const Entry entry : entries) weight += target_.weight(row_of(entry));
    return weight;
  }

  const Target& target_;
  std::int64_t begun_weight_ = 0;
  Pieces groups_;
  std::vector<std::uint8_t> on_left_;
};

}  // namespace treewright
