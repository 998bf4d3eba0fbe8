// Scores of all cuts of a list for squared error, the hottest loop of regression.
#pragma once

#include <span>

namespace treewright {

// Turns the sums of deviations to the left of each place into scores (see
// evaluate_squares.hpp) and returns the largest; a place that is no cut holds a NaN and
// keeps it. `rest` is the sum over both sides; per_left[k] and per_right[-k] are one
// over the number of rows on the two sides of place k.
double score_cuts(std::span<double> scores, const double* per_left,
                  const double* per_right, double rest);

}  // namespace treewright
