// Where a number stands among ascending thresholds, for many numbers.
//
// The range of the thresholds is divided into buckets of equal width, so that a number
// is searched for among the few thresholds of its bucket. Where outliers put nearly all
// into one bucket, that is an ordinary binary search.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace treewright {

class ThresholdRanks {
 public:
  // How many searches go on side by side.
  static constexpr std::size_t together = 8;

  ThresholdRanks() : ThresholdRanks(std::vector<double>{}) {}
  // thresholds: ascending, without NaN.
  explicit ThresholdRanks(std::vector<double> thresholds);

  // How many thresholds are below each of the cells; of NaN, any number.
  std::array<std::size_t, together> count_below(
      const std::array<double, together>& cells) const;

 private:
  std::size_t bucket_of(double number) const;

  std::vector<double> thresholds_;  // and infinities behind them, for the last search
  double low_ = 0, per_width_ = 0;  // buckets per unit from `low_` on
  double last_bucket_ = 0;
  std::vector<std::uint32_t> starts_;  // of each bucket, in the thresholds
  std::size_t n_searched_ = 0;         // thresholds in the fullest bucket
};

}  // namespace treewright
