// How many errors a leaf is expected to make on new rows, besides those in training:
// Quinlan's pessimistic estimate (C4.5, chapter 4), as C4.5 and J48 compute it.
#pragma once

#include <algorithm>
#include <cmath>

namespace treewright {

struct ErrorEstimate {
  double confidence;  // at most 0.5
  double quantile;    // standard deviations that it stands for
  double rest_share;  // of the rows that are not wrong, added where nearly all are

  // U(n, e) for a leaf with weight n of which e is wrong.
  double added(double n, double e) const {
    n = std::max(n, 1e-300);
    const double some = std::max(e, 1.0);
    const double of_some = some + 0.5 >= n ? rest(n, some) : limit(n, some);
    if (e >= 1) return of_some;
    // between 0 and 1 errors: on the line between the two
    const double of_none = n * (1 - std::pow(confidence, 1 / n));
    return of_none + e * (of_some - of_none);
  }

 private:
  double rest(double n, double e) const { return rest_share * std::max(n - e, 0.0); }

  // Upper limit of the normal approximation with continuity correction.
  double limit(double n, double e) const {
    const double z = quantile, f = e + 0.5;
    const double spread = z * std::sqrt(f * (1 - f / n) + z * z / 4);
    return n * (f + z * z / 2 + spread) / (n + z * z) - e;
  }
};

}  // namespace treewright
