// The best cut of every evaluator against trying every cut by the definition.
#include "scan.hpp"

#include <cmath>

#include "check.hpp"
#include "naive.hpp"
#include "random_data.hpp"

namespace treewright::tests {
namespace {

Limits random_limits(Random& random, const Target& target, std::int64_t n_rows) {
  Limits limits;
  if (random.one_in(2)) limits.min_rows = 1 + random.below(n_rows / 3 + 1);
  // without weights the memory source turns a weight limit into a row limit
  if (!target.weights.empty() && random.one_in(2))
    limits.min_weight = random.below(2 * n_rows + 1);
  return limits;
}

void check_cut(const Evaluating& by, std::span<const Entry> all,
               std::span<const Entry> known, const Limits& limits) {
  const Rows node = rows_of(all);
  const double scale = scale_of(by.target, node);
  const double tolerance = 1e-12 * scale;
  const double base = by.evaluator->begin(all);
  const auto expected_base = static_cast<double>(naive_score(by.target, node, node));
  CHECK(std::abs(base - expected_base) <= 1e-13 * scale);
  const Cut cut = by.evaluator->best_cut(known, limits, tolerance);
  const auto candidates = naive_cuts(by.target, known, limits, node);
  CHECK((cut.position == 0) == candidates.empty());
  check_best(cut.score, cut.position, candidates, tolerance, scale);

  // the same from the node's statistic, which has the sums already
  by.evaluator->begin(all, naive_statistic(by.target, node));
  const Cut again = by.evaluator->best_cut(known, limits, tolerance);
  CHECK(again.position == cut.position && again.score == cut.score);
  const auto expected =
      static_cast<double>(naive_score(by.target, rows_of(known), node));
  CHECK(std::abs(by.evaluator->branch_score(known) - expected) <= 1e-13 * scale);
}

// Lists with few, some or mostly different values; all rows are known, or some are not.
void check_random_cuts(Random& random, const TargetData& data, std::int64_t n_rows) {
  const Evaluating by(data);
  for (const std::int64_t n_codes : {2, 5, 40, 10000}) {
    const auto list = list_of(random_codes(random, n_rows, n_codes));
    const auto all = std::span<const Entry>(list);
    auto n_known = static_cast<std::size_t>(random.below(n_rows + 1));
    while (n_known > 0 && n_known < list.size() && !starts_value(list[n_known]))
      --n_known;
    check_cut(by, all, all, random_limits(random, by.target, n_rows));
    check_cut(by, all, all.first(n_known), random_limits(random, by.target, n_rows));
  }
}

void check_classes(const std::vector<int>& n_classes, std::int64_t largest_weight) {
  for (const Criterion criterion : class_criteria) {
    Random random(11);
    for (int round = 0; round < 12; ++round) {
      const std::int64_t n_rows = 1 + random.below(50);
      note(name_of(criterion) + ", round " + std::to_string(round));
      check_random_cuts(
          random, random_classes(random, n_rows, n_classes, criterion, largest_weight),
          n_rows);
    }
  }
}

void best_cut_of_two_classes() { check_classes({2}, 0); }
void best_cut_of_two_classes_with_weights() { check_classes({2}, 5); }
void best_cut_of_one_class() { check_classes({1}, 0); }
void best_cut_of_many_classes() { check_classes({5}, 0); }
void best_cut_of_more_classes_than_rows() { check_classes({70}, 0); }
void best_cut_of_many_classes_with_weights() { check_classes({4}, 9); }
void best_cut_of_several_class_outputs() { check_classes({2, 3, 4}, 0); }
void best_cut_of_several_class_outputs_with_weights() { check_classes({3, 2}, 4); }
void best_cut_with_huge_weights() { check_classes({3}, std::int64_t{1} << 40); }

void check_numbers(Criterion criterion, int n_outputs, std::int64_t largest_weight,
                   std::int64_t spread = 1000, std::int64_t offset = -300) {
  Random random(12);
  for (int round = 0; round < 20; ++round) {
    const std::int64_t n_rows = 1 + random.below(50);
    note("round " + std::to_string(round));
    check_random_cuts(random,
                      random_numbers(random, n_rows, n_outputs, criterion,
                                     largest_weight, spread, offset),
                      n_rows);
  }
}

void best_cut_of_numbers() { check_numbers(Criterion::squared_error, 1, 0); }
void best_cut_of_numbers_with_weights() {
  check_numbers(Criterion::squared_error, 1, 7);
}
void best_cut_of_several_numbers() { check_numbers(Criterion::squared_error, 3, 0); }
void best_cut_of_several_numbers_with_weights() {
  check_numbers(Criterion::squared_error, 2, 7);
}
void best_cut_of_few_different_numbers() {
  check_numbers(Criterion::squared_error, 1, 0, 2, 0);
  check_numbers(Criterion::squared_error, 1, 0, 1, 5);
}
void best_cut_of_medians() { check_numbers(Criterion::absolute_error, 1, 0); }
void best_cut_of_medians_with_weights() {
  check_numbers(Criterion::absolute_error, 1, 7);
}
void best_cut_of_several_medians_with_weights() {
  check_numbers(Criterion::absolute_error, 2, 4);
}

// A spread of 10 around 2^26: the squares have 52 bits, the differences 3.
void small_spread_around_a_large_mean_is_kept() {
  check_numbers(Criterion::squared_error, 1, 0, 10, std::int64_t{1} << 26);
  check_numbers(Criterion::squared_error, 2, 0, 10, std::int64_t{1} << 26);
  check_numbers(Criterion::squared_error, 1, 3, 10, -(std::int64_t{1} << 26));
}

// Both values have the mean 0 = the node's: the gain of the only cut, at 2, is zero. A
// tolerance above it must not let a place pass where no value starts.
void a_cut_without_gain_is_still_at_a_new_value() {
  const auto data = numbers_of({-5, 5, 5, -5}, Criterion::squared_error);
  const Evaluating by(data);
  const auto list = list_of({0, 0, 1, 1});
  by.evaluator->begin(list);
  for (const double tolerance : {0.0, 0.5, 2.0, 1e6}) {
    note("tolerance " + std::to_string(tolerance));
    const Cut cut = by.evaluator->best_cut(list, {}, tolerance);
    CHECK(cut.position == 2);
    CHECK(cut.score == 0);
  }
}

// Cuts at 1 and 3 have equal gains for every criterion: the lower one is taken.
void ties_go_to_the_lowest_cut() {
  const auto list = list_of({0, 1, 2, 3});
  for (const Criterion criterion : class_criteria)
    for (const int n_classes : {2, 3}) {
      note(name_of(criterion));
      const auto data = classes_of({1, 0, 0, 1}, n_classes, criterion);
      const Evaluating by(data);
      by.evaluator->begin(list);
      CHECK(by.evaluator->best_cut(list, {}, 1e-9).position == 1);
    }
  for (const auto criterion : {Criterion::squared_error, Criterion::absolute_error}) {
    note(name_of(criterion));
    const auto data = numbers_of({8, 0, 0, 8}, criterion);
    const Evaluating by(data);
    by.evaluator->begin(list);
    CHECK(by.evaluator->best_cut(list, {}, 1e-9).position == 1);
  }
}

// A gain that is higher by less than the tolerance does not win: 10.01 against 10.
void scores_within_the_tolerance_are_equal() {
  const auto data = numbers_of({1000, 0, 0, 1001}, Criterion::squared_error);
  const Evaluating by(data);
  const auto list = list_of({0, 1, 2, 3});
  by.evaluator->begin(list);
  CHECK(by.evaluator->best_cut(list, {}, 0).position == 3);
  CHECK(by.evaluator->best_cut(list, {}, 1e5).position == 1);
}

// A scan that takes seconds asks now and then whether it shall stop.
void a_long_scan_can_be_stopped() {
  Random random(13);
  constexpr std::int64_t n_rows = 10000;
  for (const auto& data :
       {random_classes(random, n_rows, {5}, Criterion::entropy, 0),
        random_numbers(random, n_rows, 1, Criterion::absolute_error, 0)}) {
    const Evaluating by(data);
    const auto list = list_of(random_codes(random, n_rows, n_rows));
    by.evaluator->begin(list);
    ThreadPool pool(1);
    bool began = false, ended = false, stopped = false;
    pool.on_poll([&] { return began; });
    Limits limits;
    limits.pool = &pool;
    try {
      pool.run(1, [&](std::int64_t, int) {
        began = true;
        by.evaluator->best_cut(list, limits, 0.0);
        ended = true;
      });
    } catch (const Interrupted&) {
      stopped = true;
    }
    CHECK(stopped && !ended);
  }
}

}  // namespace

Tests scan_tests() {
  return {
      {"best_cut_of_two_classes", best_cut_of_two_classes},
      {"best_cut_of_two_classes_with_weights", best_cut_of_two_classes_with_weights},
      {"best_cut_of_one_class", best_cut_of_one_class},
      {"best_cut_of_many_classes", best_cut_of_many_classes},
      {"best_cut_of_more_classes_than_rows", best_cut_of_more_classes_than_rows},
      {"best_cut_of_many_classes_with_weights", best_cut_of_many_classes_with_weights},
      {"best_cut_of_several_class_outputs", best_cut_of_several_class_outputs},
      {"best_cut_of_several_class_outputs_with_weights",
       best_cut_of_several_class_outputs_with_weights},
      {"best_cut_with_huge_weights", best_cut_with_huge_weights},
      {"best_cut_of_numbers", best_cut_of_numbers},
      {"best_cut_of_numbers_with_weights", best_cut_of_numbers_with_weights},
      {"best_cut_of_several_numbers", best_cut_of_several_numbers},
      {"best_cut_of_several_numbers_with_weights",
       best_cut_of_several_numbers_with_weights},
      {"best_cut_of_few_different_numbers", best_cut_of_few_different_numbers},
      {"best_cut_of_medians", best_cut_of_medians},
      {"best_cut_of_medians_with_weights", best_cut_of_medians_with_weights},
      {"best_cut_of_several_medians_with_weights",
       best_cut_of_several_medians_with_weights},
      {"small_spread_around_a_large_mean_is_kept",
       small_spread_around_a_large_mean_is_kept},
      {"a_cut_without_gain_is_still_at_a_new_value",
       a_cut_without_gain_is_still_at_a_new_value},
      {"ties_go_to_the_lowest_cut", ties_go_to_the_lowest_cut},
      {"scores_within_the_tolerance_are_equal", scores_within_the_tolerance_are_equal},
      {"a_long_scan_can_be_stopped", a_long_scan_can_be_stopped}};
}

}  // namespace treewright::tests
