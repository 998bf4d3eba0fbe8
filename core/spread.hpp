// The sum of squared deviations from the mean, exactly, in integers.
//
// The usual formula takes the difference of two sums, which cancels where a node's
// values are close together and far from zero, and a sum of doubles would depend on the
// order of the rows. Here values count from the middle of the node's own range.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "target.hpp"

namespace treewright {

class Spread {
 public:
  // weight: of all rows; low, high: their least and largest value.
  Spread(std::int64_t weight, std::int64_t low, std::int64_t high)
      : weight_(weight), middle_(low + (high - low) / 2) {
    // weight x deviation^2 must fit, with a bit to spare
    const auto farthest = static_cast<std::uint64_t>(high - middle_);
    const int needed = std::bit_width(static_cast<std::uint64_t>(weight)) +
                       2 * static_cast<int>(std::bit_width(farthest));
    shift_ = std::max(0, (needed - most_bits + 1) / 2);
  }

  // The sum as the bits of a double; each(visit) calls visit(value, weight) for every
  // row.
  template <class Each>
  std::int64_t bits_of(const Each& each) const {
    Wide squares = 0, sum = 0;
    each([&](std::int64_t value, std::int64_t weight) {
      const Wide deviation = (value - middle_) >> shift_;
      sum += weight * deviation;
      squares += weight * deviation * deviation;
    });
    // squares - sum^2 / weight, where sum = whole * weight + rest
    const Wide whole = sum / weight_, rest = sum % weight_;
    const auto exact = static_cast<double>(squares - whole * sum - rest * whole);
    const double rounded = static_cast<double>(rest) * static_cast<double>(rest) /
                           static_cast<double>(weight_);
    return std::bit_cast<std::int64_t>(std::ldexp(exact - rounded, 2 * shift_));
  }

 private:
  static constexpr int most_bits = 124;

  std::int64_t weight_, middle_;
  int shift_ = 0;
};

}  // namespace treewright
