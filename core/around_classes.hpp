// The evaluators for classes, for columns in which most rows have one value.
#pragma once

#include "around.hpp"
#include "evaluate_classes.hpp"

namespace treewright {

template <class Score>
Cut ManyClasses<Score>::best_cut_around(const AroundRun& list, const Limits& limits,
                                        double tolerance) {
  const Target& target = this->target_;
  std::vector<std::int64_t>& left = this->left_;
  std::vector<std::int64_t>& right = this->right_;
  std::vector<std::int64_t>& run = this->branch_;
  right = run = this->total_;
  left.assign(this->width_, 0);
  for (const Coded entry : list.entries)
    for (int output = 0; output < target.n_outputs; ++output)
      run[target.classes[std::size_t{entry.row} * target.n_outputs + output]] -=
          target.weight(entry.row);
  const bool boundaries = target.n_outputs == 1 && limits.min_weight == 0;
  const auto one_class = static_cast<std::uint32_t>(
      std::ranges::find_if(run, [](auto weight) { return weight > 0; }) - run.begin());
  const auto scan = [&](auto& counts, const auto& add_run) {
    WithRun sums{counts, add_run, one_class};
    return scan_around(sums, list, limits, tolerance, boundaries);
  };
  if (squares_are_exact()) {
    SquaredCounts counts{target, left, right};
    return scan(counts, [&] {
      for (int slot = 0; slot < this->width_; ++slot) counts.move(slot, run[slot]);
    });
  }
  Counts counts{*this, left, right, 0, this->weight(right)};
  return scan(counts, [&] {
    for (int slot = 0; slot < this->width_; ++slot) counts.move(slot, run[slot]);
    counts.left_weight += this->weight(run);
    counts.right_weight -= this->weight(run);
  });
}

template <class Score, bool weighted>
Cut TwoClasses<Score, weighted>::best_cut_around(const AroundRun& list,
                                                 const Limits& limits,
                                                 double tolerance) {
  if (limits.min_weight > 0)
    return ManyClasses<Score>::best_cut_around(list, limits, tolerance);
  struct Sides {
    const std::uint8_t* bytes;
    const typename Score::Table& f;
    Counted all, run, left{};

    static std::uint32_t class_in(std::uint8_t byte) { return byte & 1; }
    std::uint32_t class_of(std::uint32_t row) const { return class_in(bytes[row]); }
    std::uint32_t class_of_run() const { return run.second > 0; }
    void add(std::uint32_t row) { left.add(bytes[row]); }
    void add_run() {
      left.first += run.first;
      left.second += run.second;
    }
    bool admits(const Limits&) const { return true; }
    double score(std::int64_t) const {
      return Score::join(
          score_of_two<Score>(f, left.first, left.second),
          score_of_two<Score>(f, all.first - left.first, all.second - left.second));
    }
  };
  const Counted all{static_cast<std::uint32_t>(this->total_[0]),
                    static_cast<std::uint32_t>(this->total_[1])};
  const std::uint8_t* bytes = this->target_.bytes.data();
  Counted listed;
  for (const Coded entry : list.entries) listed.add(bytes[entry.row]);
  Sides sides{
      bytes, this->f_, all, {all.first - listed.first, all.second - listed.second}};
  return scan_around(sides, list, limits, tolerance, true);
}

}  // namespace treewright
