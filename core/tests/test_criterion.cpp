// Scores of branches worked out by hand, and the table of logarithms.
#include "criterion.hpp"

#include <cmath>

#include "check.hpp"

namespace treewright::tests {
namespace {

template <class Score>
double score_of(std::initializer_list<std::int64_t> weights) {
  const typename Score::Table small_table(3);
  Score score{small_table};
  std::int64_t sum = 0;
  for (const std::int64_t weight : weights) {
    score.add(weight);
    sum += weight;
  }
  return score.score(sum);
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * (1 + std::abs(b)); }

void x_log2_x_goes_on_beyond_its_table() {
  for (const std::int64_t largest : {0, 1, 2, 10, 1000}) {
    const XLog2X f(largest);
    CHECK(f(0) == 0);
    CHECK(f(1) == 0);
    for (std::int64_t x = 2; x < 2000; ++x)
      CHECK(near(f(x), static_cast<double>(x) * std::log2(static_cast<double>(x))));
    for (int power = 2; power <= 60; ++power)
      CHECK(near(f(std::int64_t{1} << power), power * std::ldexp(1.0, power)));
  }
}

// A table of sums of whole rows gives the bits of the formula, and so do parts of rows.
void weights_are_looked_up_as_the_formula_has_them() {
  const XLog2XOfWeights table(100, 8.0, 10), formula(0, 8.0, 10);
  for (std::int64_t x = 0; x < 200'000; x += 64) CHECK(table(x) == formula(x));
  CHECK(near(table(3 * 1024), 384 * std::log2(384.0)));
  CHECK(near(table(3 * 1024 + 8), 385 * std::log2(385.0)));
}

void entropy_score_is_minus_weight_times_entropy() {
  CHECK(near(score_of<EntropyScore>({4, 4}), -8.0));         // 1 bit
  CHECK(near(score_of<EntropyScore>({2, 2, 2, 2}), -16.0));  // 2 bits
  // Quinlan 1986, table 1: 9 and 5 of 14 rows, 0.940 bits
  CHECK(std::abs(score_of<EntropyScore>({9, 5}) / -14 - 0.940) < 0.0005);
  CHECK(score_of<EntropyScore>({5, 0}) == 0);
  CHECK(score_of<EntropyScore>({0, 0}) == 0);
}

void gini_score_is_minus_weight_times_gini() {
  CHECK(near(score_of<GiniScore>({4, 4}), -4.0));  // 8 x 1/2
  CHECK(near(score_of<GiniScore>({1, 3}), -1.5));  // 4 x (1 - 1/16 - 9/16)
  CHECK(score_of<GiniScore>({5, 0}) == 0);
  CHECK(score_of<GiniScore>({0, 0}) == 0);
}

void error_score_is_minus_the_rows_that_are_wrong() {
  CHECK(score_of<ErrorScore>({4, 4}) == -4);
  CHECK(score_of<ErrorScore>({1, 3, 2}) == -3);
  CHECK(score_of<ErrorScore>({5, 0}) == 0);
  CHECK(score_of<ErrorScore>({0, 0}) == 0);
}

// 13 log2 13 = 48.1057..., 60 log2 60 = 354.413...: beside the latter a 32-bit float
// has steps of 2^-15, so that a pure branch scores what 13 log2 13 lost by rounding.
void single_entropy_keeps_every_sum_in_32_bits() {
  const double f13 = 13 * std::log2(13.0), f60 = 60 * std::log2(60.0);
  const double f47 = 47 * std::log2(47.0);
  CHECK(score_of<SingleEntropyScore>({13}) ==
        static_cast<float>(static_cast<float>(f13) - f13));
  const float sum = static_cast<float>(static_cast<float>(f13) + f47);
  CHECK(score_of<SingleEntropyScore>({13, 47}) == static_cast<float>(sum - f60));
  CHECK(std::abs(score_of<SingleEntropyScore>({13, 47}) -
                 score_of<EntropyScore>({13, 47})) < 1e-4);
  CHECK(SingleEntropyScore::join(1.0, 1e-9) == 1.0);
  CHECK(EntropyScore::join(1.0, 1e-9) > 1.0);
}

void single_entropy_counts_in_units_of_weight() {
  const XLog2XOfWeights in_units(0, 1024.0), in_rows(0);
  SingleEntropyScore scaled(in_units), plain(in_rows);
  for (const std::int64_t weight : {13, 47, 1}) {
    scaled.add(1024 * weight);
    plain.add(weight);
  }
  CHECK(scaled.score(1024 * 61) == 1024 * plain.score(61));
}

// Two cuts of 18 rows that are mirror images of each other.
void single_gains_may_be_equal_where_scores_differ() {
  const auto join = SingleEntropyScore::join;
  const double one = join(score_of<SingleEntropyScore>({2, 4, 0}),
                          score_of<SingleEntropyScore>({5, 3, 4}));
  const double other = join(score_of<SingleEntropyScore>({3, 5, 4}),
                            score_of<SingleEntropyScore>({4, 2, 0}));
  CHECK(other > one);
  const double before = score_of<SingleEntropyScore>({7, 7, 4}) / -18;
  const SingleGain gain{18, 18, 1, to_single(before)};
  CHECK(gain(one) == gain(other));
  CHECK(gain.of_all(one) == 18 * gain(one));
}

}  // namespace

Tests criterion_tests() {
  return {
      {"x_log2_x_goes_on_beyond_its_table", x_log2_x_goes_on_beyond_its_table},
      {"weights_are_looked_up_as_the_formula_has_them",
       weights_are_looked_up_as_the_formula_has_them},
      {"entropy_score_is_minus_weight_times_entropy",
       entropy_score_is_minus_weight_times_entropy},
      {"single_entropy_keeps_every_sum_in_32_bits",
       single_entropy_keeps_every_sum_in_32_bits},
      {"single_entropy_counts_in_units_of_weight",
       single_entropy_counts_in_units_of_weight},
      {"single_gains_may_be_equal_where_scores_differ",
       single_gains_may_be_equal_where_scores_differ},
      {"gini_score_is_minus_weight_times_gini", gini_score_is_minus_weight_times_gini},
      {"error_score_is_minus_the_rows_that_are_wrong",
       error_score_is_minus_the_rows_that_are_wrong}};
}

}  // namespace treewright::tests
