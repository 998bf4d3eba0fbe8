// Groups whose numbers add up, as class weights and sums of values do: what the
// evaluators for classes and for squared error share.
#pragma once

#include <algorithm>
#include <functional>

#include "evaluator.hpp"

namespace treewright {

class SummedGroups : public Evaluator {
 public:
  SummedGroups(const Target& target, int width)
      : target_(target), width_(width), total_(width), branch_(width) {}

  double begin(std::span<const Entry> entries) override {
    n_begun_ = entries.size();
    std::fill(total_.begin(), total_.end(), 0);
    add(entries, total_);
    return score(total_);
  }
  double begin(std::span<const Entry> entries,
               std::span<const std::int64_t> statistic) override {
    n_begun_ = entries.size();
    std::copy_n(statistic.begin(), width_, total_.begin());
    return score(total_);
  }
  std::int64_t begun_weight() const override { return weight(total_); }
  double branch_score(std::span<const Entry> entries) override {
    std::fill(branch_.begin(), branch_.end(), 0);
    add(entries, branch_);
    return score(branch_);
  }

  void set_groups(const Pieces& groups) override {
    n_groups_ = static_cast<int>(groups.size());
    sums_.assign(groups.size() * width_, 0);
    on_left_.assign(groups.size(), 0);
    left_.assign(width_, 0);
    right_.assign(width_, 0);
    for (int group = 0; group < n_groups_; ++group) {
      add(groups[group], sums_of(group));
      std::ranges::transform(right_, sums_of(group), right_.begin(), std::plus<>{});
    }
  }
  std::vector<std::int64_t> group_weights() const override {
    std::vector<std::int64_t> weights;
    weights.reserve(n_groups_ + 1);  // rows without a value may be one more
    for (int group = 0; group < n_groups_; ++group)
      weights.push_back(weight(sums_of(group)));
    return weights;
  }
  double multiway_score() override {
    double sum = 0;
    for (int group = 0; group < n_groups_; ++group)
      sum = join(sum, score(sums_of(group)));
    return sum;
  }
  double group_score(int group) override { return score(sums_of(group)); }
  double joined_score(int group, int other) override {
    std::ranges::transform(sums_of(group), sums_of(other), branch_.begin(),
                           std::plus<>{});
    return score(branch_);
  }
  void toggle(int group) override {
    auto& from = on_left_[group] ? left_ : right_;
    auto& to = on_left_[group] ? right_ : left_;
    on_left_[group] ^= 1;
    std::ranges::transform(from, sums_of(group), from.begin(), std::minus<>{});
    std::ranges::transform(to, sums_of(group), to.begin(), std::plus<>{});
  }
  double two_way_score() override { return join(score(left_), score(right_)); }

 protected:
  // Adds the numbers of the rows to `out`.
  virtual void add(std::span<const Entry> entries,
                   std::span<std::int64_t> out) const = 0;
  // Weight of a branch from its numbers.
  virtual std::int64_t weight(std::span<const std::int64_t> sums) const = 0;
  // The scores of two branches together.
  virtual double join(double one, double other) const { return one + other; }
  // Score of a branch from its numbers.
  virtual double score(std::span<const std::int64_t> sums) const = 0;

  std::span<std::int64_t> sums_of(int group) {
    return std::span(sums_).subspan(std::size_t(group) * width_, width_);
  }
  std::span<const std::int64_t> sums_of(int group) const {
    return std::span(sums_).subspan(std::size_t(group) * width_, width_);
  }

  const Target& target_;
  const int width_;
  std::vector<std::int64_t> total_;  // of the rows of begin()
  std::size_t n_begun_ = 0;          // how many these are
  std::vector<std::int64_t> branch_, left_, right_;

 private:
  int n_groups_ = 0;
  std::vector<std::int64_t> sums_;
  std::vector<std::uint8_t> on_left_;
};

}  // namespace treewright
