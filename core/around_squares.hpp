// The evaluator for squared error, for columns in which most rows have one value.
#pragma once

#include "around.hpp"
#include "evaluate_squares.hpp"

namespace treewright {

inline Cut Squares::best_cut_around(const AroundRun& list, const Limits& limits,
                                    double tolerance) {
  if (target_.weights.empty() && target_.n_outputs == 1 && limits.min_weight <= 1)
    return best_unit_cut_around(list, limits, tolerance);
  left_.assign(width_, 0);
  right_ = branch_ = total_;
  for (const Coded entry : list.entries) {
    branch_[0] -= target_.weight(entry.row);
    for (int output = 0; output < target_.n_outputs; ++output)
      branch_[1 + output] -=
          target_.weighted[std::size_t{entry.row} * target_.n_outputs + output];
  }
  struct Sums : AnySums {
    static std::uint32_t class_of(std::uint32_t) { return 0; }
  } sums{{*this, left_, right_}};
  const auto add_run = [&] {
    for (int slot = 0; slot < width_; ++slot) sums.move(slot, branch_[slot]);
  };
  WithRun with_run{sums, add_run};
  return scan_around(with_run, list, limits, tolerance, false);
}

// As best_unit_cut: the scores first, then the first of the best ones.
inline Cut Squares::best_unit_cut_around(const AroundRun& list, const Limits& limits,
                                         double tolerance) {
  const std::int64_t* values = target_.weighted.data();
  const std::int64_t n_rows = list.n_rows;
  const std::int64_t all = total_[1] - n_rows * mean_;
  std::int64_t in_run = all;
  for (const Coded entry : list.entries) in_run -= values[entry.row] - mean_;
  const auto rest = static_cast<double>(all);
  const std::size_t n_most = list.entries.size() + 1;
  if (scores_.size() < n_most) scores_.resize(n_most);
  if (places_.size() < n_most) places_.resize(n_most);
  std::size_t n_cuts = 0;
  std::int64_t place = 0, sum = 0;
  double best = -std::numeric_limits<double>::infinity();
  for_each_value(list, [&](std::span<const Coded> rows, std::int64_t n_here) {
    if (place >= limits.min_rows && n_rows - place >= limits.min_rows) {
      const double left = static_cast<double>(sum), right = rest - left;
      scores_[n_cuts] = left * left * reciprocals_[place] +
                        right * right * reciprocals_[n_rows - place];
      places_[n_cuts] = place;
      best = std::max(best, scores_[n_cuts++]);
    }
    if (rows.empty()) sum += in_run;
    for (const Coded entry : rows) sum += values[entry.row] - mean_;
    place += n_here;
  });
  if (n_cuts == 0) return {};
  std::size_t chosen = 0;
  while (!(scores_[chosen] >= best - tolerance)) ++chosen;
  const double shift = rest * rest * reciprocals_[n_rows];
  return {scores_[chosen] - shift, places_[chosen]};
}

}  // namespace treewright
