#include "score_places.hpp"

#include <algorithm>
#include <bit>

namespace treewright {
namespace {

// A whole number below 2^52 as a double, in steps that are as wide as doubles are.
inline double to_double(std::uint64_t whole) {
  constexpr std::uint64_t bits_of_2_52 = 0x4330000000000000u;
  return std::bit_cast<double>(whole | bits_of_2_52) - 0x1p52;
}

std::size_t best_in_turn(std::span<const double> scores, double tolerance) {
  std::size_t best = 0;
  for (std::size_t place = 1; place < scores.size(); ++place)
    if (scores[place] > scores[best] + tolerance) best = place;
  return best;
}

// How many scores are above `floor` and below `most`.
TREEWRIGHT_WIDE
std::int64_t count_between(const double* scores, std::size_t n_scores, double floor,
                           double most) {
  std::int64_t n_between = 0;
  for (std::size_t place = 0; place < n_scores; ++place)
    n_between +=
        static_cast<std::int64_t>((scores[place] > floor) & (scores[place] < most));
  return n_between;
}

TREEWRIGHT_WIDE
double highest(const double* scores, std::size_t n_scores) {
  constexpr std::size_t n_lanes = 8;
  double most[n_lanes];
  std::size_t place = n_lanes;
  for (std::size_t lane = 0; lane < n_lanes; ++lane) most[lane] = scores[lane];
  for (; place + n_lanes <= n_scores; place += n_lanes)
    for (std::size_t lane = 0; lane < n_lanes; ++lane)
      most[lane] =
          scores[place + lane] > most[lane] ? scores[place + lane] : most[lane];
  for (; place < n_scores; ++place)
    most[0] = scores[place] > most[0] ? scores[place] : most[0];
  for (std::size_t lane = 1; lane < n_lanes; ++lane)
    most[0] = most[lane] > most[0] ? most[lane] : most[0];
  return most[0];
}

}  // namespace

// The highest score is also what comes of comparing them in turn, unless others come
// near it: those might have been taken first, and not have been left for it.
std::size_t place_of_best(std::span<const double> scores, double tolerance) {
  constexpr std::size_t few = 16;
  if (scores.size() < few) return best_in_turn(scores, tolerance);
  const double most = highest(scores.data(), scores.size());
  if (count_between(scores.data(), scores.size(), most - 4 * tolerance, most) > 0)
    return best_in_turn(scores, tolerance);
  return std::ranges::find(scores, most) - scores.begin();
}

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

TREEWRIGHT_WIDE
void score_packed(std::span<const std::uint64_t> noted, std::int64_t all_weight,
                  std::int64_t all_squares, double* out) {
  const std::size_t n_places = noted.size();
  const std::uint64_t* from = noted.data();
  constexpr std::uint64_t mask = PackedSquares::squares_mask;
  for (std::size_t place = 0; place < n_places; ++place) {
    const std::uint64_t squares = from[place] & mask;
    const std::uint64_t products = from[place] >> PackedSquares::products & mask;
    const double on_left = to_double(from[place] >> PackedSquares::weight);
    const double on_right = static_cast<double>(all_weight) - on_left;
    // the sum of (t - c)^2 over the classes
    const std::uint64_t right = all_squares + squares - 2 * products;
    out[place] = (to_double(squares) / on_left - on_left) +
                 (to_double(right) / on_right - on_right);
  }
}

}  // namespace treewright
