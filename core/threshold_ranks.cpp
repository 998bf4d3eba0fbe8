#include "threshold_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treewright {
namespace {

constexpr std::size_t thresholds_of_bucket = 4;  // in the mean
constexpr std::size_t most_buckets = 4096;       // whose starts stay in the cache

}  // namespace

ThresholdRanks::ThresholdRanks(std::vector<double> thresholds)
    : thresholds_(std::move(thresholds)) {
  const std::size_t n = thresholds_.size();
  const auto is_finite = [](double number) { return std::isfinite(number); };
  const auto first = std::ranges::find_if(thresholds_, is_finite);
  const auto stop = std::find_if_not(first, thresholds_.end(), is_finite);
  if (first != stop) {
    const std::size_t n_buckets =
        std::clamp(n / thresholds_of_bucket, std::size_t{1}, most_buckets);
    low_ = *first;
    per_width_ = static_cast<double>(n_buckets) / (*(stop - 1) - low_);
    // a range that is too narrow or too wide for that is one bucket
    if (per_width_ > 0 && std::isfinite(per_width_))
      last_bucket_ = static_cast<double>(n_buckets - 1);
    else
      per_width_ = 0;
  }
  std::vector<std::uint32_t> sizes(static_cast<std::size_t>(last_bucket_) + 1);
  for (const double threshold : thresholds_) ++sizes[bucket_of(threshold)];
  for (std::uint32_t start = 0; const std::uint32_t size : sizes) {
    starts_.push_back(start);
    start += size;
  }
  n_searched_ = *std::ranges::max_element(sizes);
  thresholds_.resize(n + n_searched_, std::numeric_limits<double>::infinity());
}

// A larger number is never in an earlier bucket, however this is rounded; so all
// thresholds of earlier buckets are below a number, and none of later ones is.
std::size_t ThresholdRanks::bucket_of(double number) const {
  const double place = (number - low_) * per_width_;
  // the comparisons are false for NaN, which has no place
  return static_cast<std::size_t>(place > 0 ? std::min(place, last_bucket_) : 0.0);
}

std::array<std::size_t, ThresholdRanks::together> ThresholdRanks::count_below(
    const std::array<double, together>& cells) const {
  std::array<std::size_t, together> below{};
  if (n_searched_ == 0) return below;
  for (std::size_t which = 0; which < together; ++which)
    below[which] = starts_[bucket_of(cells[which])];
  // All searches take as many steps, beyond the end of their bucket if need be, and
  // none waits for a guess, so that they overlap.
  std::size_t n = n_searched_;
  for (; n > 1; n -= n / 2)
    for (std::size_t which = 0; which < together; ++which)
      below[which] +=
          thresholds_[below[which] + n / 2 - 1] < cells[which] ? n / 2 : std::size_t{0};
  for (std::size_t which = 0; which < together; ++which)
    below[which] += thresholds_[below[which]] < cells[which];
  return below;
}

}  // namespace treewright
