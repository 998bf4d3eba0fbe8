// Scores of many cuts at a time (key_scan.hpp): loops that a compiler makes wide.
#pragma once

#include <cstdint>
#include <span>

// Compiles a function once more for processors with wider registers, where the compiler
// and the system can choose between the two at start. Nothing but the width differs:
// each lane does the same operations, so the bits are the same.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define TREEWRIGHT_WIDE [[gnu::target_clones("default", "avx2")]]
#else
#define TREEWRIGHT_WIDE
#endif

namespace treewright {

// Weights of two classes.
struct TwoWeights {
  std::int32_t first = 0, second = 0;
};

// Gini of two classes to the left of each place and to the right; `all`: of both.
void score_gini_of_two(std::span<const TwoWeights> left, TwoWeights all, double* out);

// Sums of the squares of class weights on both sides of a place, below 2^52, and the
// weight to its left.
struct TwoSquares {
  std::uint64_t left_squares = 0, right_squares = 0;
  std::uint64_t weight = 0;
};

// The same in one number, of a node that weighs less than 2^12. From the lowest bits
// up: the sum of the squares to the left; the sum of products, weight to the left times
// weight in all; the weight to the left.
struct PackedSquares {
  static constexpr std::int64_t most_weight = (1 << 12) - 1;
  static constexpr int products = 24, weight = 48;  // where they begin
  static constexpr std::uint64_t squares_mask = (1 << products) - 1;
};
// all_squares: of the weights in all.
void score_packed(std::span<const std::uint64_t> noted, std::int64_t all_weight,
                  std::int64_t all_squares, double* out);

// Where the best of the scores is: each is compared with the best before it, and is
// better only if it is higher by more than the tolerance.
std::size_t place_of_best(std::span<const double> scores, double tolerance);

// Gini of any number of classes; all_weight: of both sides.
void score_squares(std::span<const TwoSquares> noted, std::int64_t all_weight,
                   double* out);

}  // namespace treewright
