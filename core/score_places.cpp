#include "score_places.hpp"

#include <bit>

namespace treewright {
namespace {

// A whole number below 2^52 as a double, in steps that are as wide as doubles are.
inline double to_double(std::uint64_t whole) {
  constexpr std::uint64_t bits_of_2_52 = 0x4330000000000000u;
  return std::bit_cast<double>(whole | bits_of_2_52) - 0x1p52;
}

}  // namespace

TREEWRIGHT_WIDE
void score_gini_of_two(std::span<const TwoWeights> left, TwoWeights all, double* out) {
  const std::size_t n_places = left.size();
  const TwoWeights* from = left.data();
  for (std::size_t place = 0; place < n_places; ++place) {
    // as GiniScore::of_two; no side is empty
    const double a = from[place].first, b = from[place].second;
    const double c = all.first - from[place].first, d = all.second - from[place].second;
    out[place] = -2 * a * b / (a + b) + -2 * c * d / (c + d);
  }
}

TREEWRIGHT_WIDE
void score_squares(std::span<const TwoSquares> noted, std::int64_t all_weight,
                   double* out) {
  const std::size_t n_places = noted.size();
  const TwoSquares* from = noted.data();
  for (std::size_t place = 0; place < n_places; ++place) {
    const double on_left = to_double(from[place].weight);
    const double on_right = static_cast<double>(all_weight) - on_left;
    out[place] = (to_double(from[place].left_squares) / on_left - on_left) +
                 (to_double(from[place].right_squares) / on_right - on_right);
  }
}

}  // namespace treewright
