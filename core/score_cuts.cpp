#include "score_cuts.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace treewright {
namespace {

constexpr int n_lanes = 8;

// Lanes are independent: no element waits for the one before it, and the compiler may
// use vectors of any width. Each element is computed alike in all of them, so the bits
// do not depend on the machine.
[[gnu::always_inline]] inline double score_all(double* __restrict scores,
                                               std::ptrdiff_t n,
                                               const double* __restrict per_left,
                                               const double* __restrict per_right,
                                               double rest) {
  const auto score_one = [&](std::ptrdiff_t place) {
    const double left = scores[place], right = rest - left;
    return left * left * per_left[place] + right * right * per_right[-place];
  };
  if (n < 2 * n_lanes) {  // most nodes of a deep tree are this small
    double largest = -std::numeric_limits<double>::infinity();
    for (std::ptrdiff_t place = 0; place < n; ++place) {
      scores[place] = score_one(place);
      largest = scores[place] > largest ? scores[place] : largest;
    }
    return largest;
  }
  double best[n_lanes];
  for (double& largest : best) largest = -std::numeric_limits<double>::infinity();
  std::ptrdiff_t place = 0;
  for (; place + n_lanes <= n; place += n_lanes) {
    double score[n_lanes];
    for (int lane = 0; lane < n_lanes; ++lane) score[lane] = score_one(place + lane);
    for (int lane = 0; lane < n_lanes; ++lane) {
      scores[place + lane] = score[lane];
      // a NaN is not larger
      best[lane] = score[lane] > best[lane] ? score[lane] : best[lane];
    }
  }
  for (; place < n; ++place) {
    scores[place] = score_one(place);
    best[0] = scores[place] > best[0] ? scores[place] : best[0];
  }
  return *std::max_element(best, best + n_lanes);
}

double score_plain(double* scores, std::ptrdiff_t n, const double* per_left,
                   const double* per_right, double rest) {
  return score_all(scores, n, per_left, per_right, rest);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] double score_avx2(double* scores, std::ptrdiff_t n,
                                          const double* per_left,
                                          const double* per_right, double rest) {
  return score_all(scores, n, per_left, per_right, rest);
}
const auto score_best = __builtin_cpu_supports("avx2") ? score_avx2 : score_plain;
#else
const auto score_best = score_plain;
#endif

}  // namespace

double score_cuts(std::span<double> scores, const double* per_left,
                  const double* per_right, double rest) {
  return score_best(scores.data(), std::ssize(scores), per_left, per_right, rest);
}

}  // namespace treewright
