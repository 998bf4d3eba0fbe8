// The evaluator for squared error: sums of deviations from the node's mean.
//
// The score of a branch is the square of its sum of deviations over its weight, which
// is what the split takes off the node's sum of squares. Deviations are formed in
// integers before anything is rounded, so a small spread around a large mean is not
// lost.
#pragma once

#include "score_cuts.hpp"
#include "spread.hpp"
#include "summed_groups.hpp"

namespace treewright {

class Squares final : public SummedGroups {
 public:
  // reciprocals: 1 / n for every possible number of rows n
  Squares(const Target& target, std::span<const double> reciprocals)
      : SummedGroups(target, 1 + target.n_outputs), reciprocals_(reciprocals) {}

  Cut best_cut(std::span<const Entry> known, const Limits& limits,
               double tolerance) override {
    if (target_.weights.empty() && target_.n_outputs == 1 && limits.min_weight <= 1 &&
        !limits.every_cut)
      return best_unit_cut(known, limits, tolerance);
    left_.assign(width_, 0);
    right_.assign(width_, 0);
    add(known, right_);
    AnySums sums{*this, left_, right_};
    return scan_all_cuts(sums, known, limits, tolerance);
  }
  Cut best_cut_around(const AroundRun& list, const Limits& limits,
                      double tolerance) override;  // around_squares.hpp

  double begin(std::span<const Entry> entries) override {
    const double base = SummedGroups::begin(entries);
    mean_ = total_[0] > 0 ? total_[1] / total_[0] : 0;
    return base;
  }
  double begin(std::span<const Entry> entries,
               std::span<const std::int64_t> statistic) override {
    const double base = SummedGroups::begin(entries, statistic);
    mean_ = total_[0] > 0 ? total_[1] / total_[0] : 0;
    return base;
  }

  int n_orders() const override { return target_.n_outputs; }
  double order_key(int group, int order) const override {
    const auto sums = sums_of(group);
    return sums[0] > 0 ? deviation(sums, order) / static_cast<double>(sums[0]) : 0.0;
  }
  bool prefixes_suffice() const override { return target_.n_outputs == 1; }

  bool summarise(PiecesView branch, std::span<std::int64_t> out) override {
    if (target_.weights.empty() && target_.n_outputs == 1)
      return summarise_unit(branch, out);
    return summarise_with(branch, {}, {}, out);
  }

  bool summarise_with(PiecesView branch, std::span<const Entry> divided,
                      const Share& share, std::span<std::int64_t> out) override {
    std::ranges::fill(out, 0);
    bool pure = true;
    for (int output = 0; output < target_.n_outputs; ++output) {
      const auto each = [&](const auto& visit) {
        const auto visit_row = [&](std::size_t row, std::int64_t weight) {
          visit(target_.values[row * target_.n_outputs + output], weight);
        };
        for (const auto& piece : branch)
          for (const Entry entry : piece)
            visit_row(row_of(entry), target_.weight(row_of(entry)));
        for (const Entry entry : divided)
          visit_row(row_of(entry), share.of(target_.weight(row_of(entry))));
      };
      std::int64_t weight = 0, low = largest, high = -largest;
      each([&](std::int64_t value, std::int64_t of_row) {
        weight += of_row;
        low = std::min(low, value);
        high = std::max(high, value);
      });
      out[0] = weight;
      if (low >= high) continue;
      pure = false;
      if (weight > 0)
        out[1 + target_.n_outputs + output] = Spread(weight, low, high).bits_of(each);
    }
    for (const auto& piece : branch) add_sums(piece, out);
    for (const Entry entry : divided)
      for (int output = 0; output < target_.n_outputs; ++output)
        out[1 + output] += share.of(
            target_.weighted[std::size_t{row_of(entry)} * target_.n_outputs + output]);
    return pure;
  }

 protected:
  void add(std::span<const Entry> entries, std::span<std::int64_t> out) const override {
    for (const Entry entry : entries) out[0] += target_.weight(row_of(entry));
    add_sums(entries, out);
  }
  void add_sums(std::span<const Entry> entries, std::span<std::int64_t> out) const {
    const std::size_t n_outputs = target_.n_outputs;
    for (const Entry entry : entries) {
      const std::size_t row = row_of(entry);
      for (std::size_t output = 0; output < n_outputs; ++output)
        out[1 + output] += target_.weighted[row * n_outputs + output];
    }
  }
  std::int64_t weight(std::span<const std::int64_t> sums) const override {
    return sums[0];
  }
  double score(std::span<const std::int64_t> sums) const override {
    if (sums[0] == 0) return 0;
    double sum = 0;
    for (int output = 0; output < target_.n_outputs; ++output) {
      const double deviated = deviation(sums, output);
      sum += deviated * deviated * target_.factor(output);
    }
    return sum / static_cast<double>(sums[0]) / target_.n_outputs;
  }

 private:
  // Sum over the rows of (value - mean of the rows of begin).
  double deviation(std::span<const std::int64_t> sums, int output) const {
    const Wide exact =
        Wide{sums[1 + output]} * total_[0] - Wide{total_[1 + output]} * sums[0];
    return static_cast<double>(exact) / static_cast<double>(total_[0]);
  }

  static constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

  // One output, no weights.
  bool summarise_unit(PiecesView branch, std::span<std::int64_t> out) const {
    const std::int64_t* values = target_.values.data();
    std::int64_t n_rows = 0, sum = 0, low = largest, high = -largest;
    for (const auto& piece : branch) {
      n_rows += std::ssize(piece);
      for (const Entry entry : piece) {
        const std::int64_t value = values[row_of(entry)];
        sum += value;
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
    out[0] = n_rows;
    out[1] = sum;
    out[2] =
        low >= high ? 0 : Spread(n_rows, low, high).bits_of([&](const auto& visit) {
          for (const auto& piece : branch)
            for (const Entry entry : piece) visit(values[row_of(entry)], 1);
        });
    return low >= high;
  }

  // One output, no weights: deviations from the rounded mean fit 64 bits. Sums first,
  // then scores, then the best: loops without branches that depend on the data.
  Cut best_unit_cut(std::span<const Entry> known, const Limits& limits,
                    double tolerance) {
    const std::int64_t first = limits.min_rows, last = last_cut(known, limits);
    if (last == 0) return {};
    const std::int64_t* values = target_.weighted.data();
    const std::int64_t mean = mean_;
    const auto n_known = static_cast<std::int64_t>(known.size());
    const bool whole = n_known == total_[0];  // missing rows may be in total_
    if (!whole) {
      std::ranges::fill(branch_, 0);
      add(known, branch_);
    }
    const auto rest =
        static_cast<double>((whole ? total_ : branch_)[1] - n_known * mean);
    if (scores_.size() < known.size()) scores_.resize(known.size());
    std::int64_t sum = 0, place = 0;
    for (; place < first; ++place) sum += values[row_of(known[place])] - mean;
    const double* per_left = reciprocals_.data();
    const double* per_right = reciprocals_.data() + n_known;
    double best = -std::numeric_limits<double>::infinity();
    if (last - first < few_cuts) {
      for (; place <= last; ++place) {
        const double left = static_cast<double>(sum), right = rest - left;
        const double score =
            left * left * per_left[place] + right * right * per_right[-place];
        scores_[place] = starts_value(known[place]) ? score : not_a_cut;
        best = std::max(best, scores_[place]);
        sum += values[row_of(known[place])] - mean;
      }
    } else {
      Entry common = new_value;
      double* const scores = scores_.data();
      for (; place <= last; ++place) {
        const Entry entry = known[place];
        scores[place] = static_cast<double>(sum);
        sum += values[row_of(entry)] - mean;
        common &= entry;
      }
      // a place that is no cut gets a NaN, which loses every comparison below
      if (!starts_value(common))
        for (place = first; place <= last; ++place)
          scores[place] = starts_value(known[place])
                              ? scores[place]
                              : std::numeric_limits<double>::quiet_NaN();
      best = score_cuts(std::span(scores_).subspan(first, last - first + 1),
                        per_left + first, per_right - first, rest);
    }
    const double enough = best - tolerance;
    place = first;
    while (!(scores_[place] >= enough)) ++place;
    // scores are relative to the rounded mean here, to the exact one elsewhere
    const double shift = rest * rest * reciprocals_[n_known];
    return {scores_[place] - shift + (whole ? 0.0 : score(branch_)), place};
  }

  Cut best_unit_cut_around(const AroundRun& list, const Limits& limits,
                           double tolerance);

  // Most nodes of a deep tree have no more cuts than this: one loop is quicker than
  // two.
  static constexpr std::int64_t few_cuts = 32;
  static constexpr double not_a_cut = -std::numeric_limits<double>::infinity();

  struct AnySums {
    const Squares& self;
    std::vector<std::int64_t>& left;
    std::vector<std::int64_t>& right;

    void add(std::uint32_t row) {
      const Target& target = self.target_;
      move(0, target.weight(row));
      for (int output = 0; output < target.n_outputs; ++output)
        move(1 + output, target.weighted[std::size_t{row} * target.n_outputs + output]);
    }
    bool admits(const Limits& limits) const {
      return left[0] >= limits.min_weight && right[0] >= limits.min_weight;
    }
    double score(std::int64_t) const { return self.score(left) + self.score(right); }
    void move(int slot, std::int64_t amount) {
      left[slot] += amount;
      right[slot] -= amount;
    }
  };

  std::span<const double> reciprocals_;
  std::int64_t mean_ = 0;  // of the first output over the rows of begin(), rounded
  std::vector<double> scores_;
  std::vector<std::int64_t> places_;  // of the scores, around a run
};

}  // namespace treewright
