// The best two sets of values against all sets.
#include "nominal.hpp"

#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "naive.hpp"
#include "random_data.hpp"

namespace treewright::tests {
namespace {

Pieces groups_in(std::span<const Entry> list) {
  Pieces groups;
  std::size_t start = 0;
  for (std::size_t place = 1; place <= list.size(); ++place)
    if (place == list.size() || starts_value(list[place])) {
      groups.push_back(list.subspan(start, place - start));
      start = place;
    }
  return groups;
}

std::uint32_t number_of(const std::vector<std::uint8_t>& on_left) {
  std::uint32_t set = 0;
  for (std::size_t group = 0; group < on_left.size(); ++group)
    set |= std::uint32_t{on_left[group]} << group;
  return set;
}

struct Searched {
  Subset subset;
  std::vector<Candidate> candidates;
  double tolerance, scale;
  std::size_t n_groups;
};

Searched search_subsets(const Evaluating& by, std::span<const Entry> list,
                        const Limits& limits) {
  const Pieces groups = groups_in(list);
  std::vector<std::int64_t> weights;
  for (const auto& group : groups)
    weights.push_back(naive_weight(by.target, rows_of(group)));
  const Rows node = rows_of(list);
  const double scale = scale_of(by.target, node), tolerance = 1e-12 * scale;
  by.evaluator->begin(list);
  return {best_subset(*by.evaluator, groups, weights, limits, tolerance),
          naive_subsets(by.target, groups, limits, node), tolerance, scale,
          groups.size()};
}

// The set or its complement, whichever lacks the last group.
std::uint32_t normal(std::uint32_t set, std::size_t n_groups) {
  const std::uint32_t all = (1u << n_groups) - 1;
  return set >> (n_groups - 1) & 1 ? all & ~set : set;
}

// Every search that tries all sets: the first of the best ones, under any limits.
void check_all_sets(const TargetData& data, Random& random, std::int64_t n_rows) {
  const Evaluating by(data);
  CHECK(!by.evaluator->prefixes_suffice());
  for (const std::int64_t n_codes : {1, 2, 4, 7}) {
    Limits limits;
    if (random.one_in(2)) limits.min_rows = 1 + random.below(n_rows / 3 + 1);
    if (!data.weights.empty()) limits.min_weight = random.below(n_rows);
    const auto list = list_of(random_codes(random, n_rows, n_codes));
    const auto found = search_subsets(by, list, limits);
    CHECK(found.subset.on_left.empty() == found.candidates.empty());
    check_best(found.subset.score, number_of(found.subset.on_left), found.candidates,
               found.tolerance, found.scale);
  }
}

// Searches by prefixes: as good as the best of all sets.
void check_prefixes(const TargetData& data, Random& random, std::int64_t n_rows) {
  const Evaluating by(data);
  CHECK(by.evaluator->prefixes_suffice());
  for (const std::int64_t n_codes : {1, 2, 4, 9}) {
    const auto list = list_of(random_codes(random, n_rows, n_codes));
    const auto found = search_subsets(by, list, {});
    CHECK(found.subset.on_left.empty() == found.candidates.empty());
    if (found.candidates.empty()) continue;
    const auto best =
        std::ranges::max_element(found.candidates, {}, &Candidate::score)->score;
    CHECK(std::abs(found.subset.score - best) <= found.tolerance);
    const auto set = normal(number_of(found.subset.on_left), found.n_groups);
    const auto same = std::ranges::find(found.candidates, set, &Candidate::position);
    CHECK(same != found.candidates.end() &&
          std::abs(found.subset.score - same->score) <= found.tolerance);
  }
}

// Limits may forbid the best prefix, or all: then the best of the other sets.
void check_limited(const TargetData& data, Random& random, std::int64_t n_rows) {
  const Evaluating by(data);
  Limits limits{2 + random.below(n_rows / 3 + 1), 0};
  if (!data.weights.empty()) limits.min_weight = random.below(n_rows);
  const auto list = list_of(random_codes(random, n_rows, 7));
  const auto found = search_subsets(by, list, limits);
  CHECK(found.subset.on_left.empty() == found.candidates.empty());
  check_best(found.subset.score, number_of(found.subset.on_left), found.candidates,
             found.tolerance, found.scale);
}

// Values of 1, 4 and 1 rows in the order of their class shares: no prefix leaves two
// rows on both sides, but the first and the last value together do.
void limits_that_forbid_every_prefix_leave_other_sets() {
  const auto data = classes_of({0, 0, 0, 1, 1, 1}, 2, Criterion::gini);
  const Evaluating by(data);
  const auto list = list_of({0, 1, 1, 1, 1, 2});
  const auto found = search_subsets(by, list, {2, 0});
  CHECK(!found.subset.on_left.empty() && found.subset.on_left[1] == 1);
}

using CheckData = void (*)(const TargetData&, Random&, std::int64_t);

void check_classes(const std::vector<int>& n_classes, std::int64_t largest_weight,
                   CheckData check_data) {
  for (const Criterion criterion : class_criteria) {
    Random random(31);
    for (int round = 0; round < 10; ++round) {
      note(name_of(criterion) + ", round " + std::to_string(round));
      const std::int64_t n_rows = 1 + random.below(40);
      check_data(random_classes(random, n_rows, n_classes, criterion, largest_weight),
                 random, n_rows);
    }
  }
}

void check_numbers(Criterion criterion, int n_outputs, std::int64_t largest_weight,
                   CheckData check_data) {
  Random random(32);
  for (int round = 0; round < 10; ++round) {
    note("round " + std::to_string(round));
    const std::int64_t n_rows = 1 + random.below(40);
    check_data(random_numbers(random, n_rows, n_outputs, criterion, largest_weight),
               random, n_rows);
  }
}

void best_subset_of_two_classes() {
  check_classes({2}, 0, check_prefixes);
  check_classes({2}, 6, check_prefixes);
  check_classes({2}, 0, check_limited);
  check_classes({2}, 6, check_limited);
}
void best_subset_of_numbers() {
  check_numbers(Criterion::squared_error, 1, 0, check_prefixes);
  check_numbers(Criterion::squared_error, 1, 5, check_prefixes);
  check_numbers(Criterion::squared_error, 1, 5, check_limited);
}
void best_subset_of_three_classes() {
  check_classes({3}, 0, check_all_sets);
  check_classes({3}, 5, check_all_sets);
}
void best_subset_of_several_outputs() {
  check_classes({2, 3}, 0, check_all_sets);
  check_numbers(Criterion::squared_error, 2, 0, check_all_sets);
}
void best_subset_of_medians() {
  check_numbers(Criterion::absolute_error, 1, 0, check_all_sets);
  check_numbers(Criterion::absolute_error, 2, 3, check_all_sets);
}

// Rounded weights can be zero. Group 1 has none; the best sets are {0, 2} and {3, 4}
// with any place for it.
void a_group_without_weight_does_not_spoil_the_order() {
  TargetData data = numbers_of({9, 5, 8, 1, 0, 5}, Criterion::squared_error);
  data.weights = {1, 0, 1, 1, 1, 0};
  data.weighted = {9, 0, 8, 1, 0, 0};
  const Evaluating by(data);
  for (const auto& codes : {std::vector<std::uint32_t>{0, 1, 2, 3, 4, 1},
                            std::vector<std::uint32_t>{0, 2, 1, 3, 4, 2},
                            std::vector<std::uint32_t>{4, 2, 0, 3, 1, 2}}) {
    const auto found = search_subsets(by, list_of(codes), {});
    CHECK(std::abs(found.subset.score - 64.0) < 1e-9);  // 4 x (8.5 - 4.5)^2
  }
}

// Beyond ten values the prefixes by each class are tried: here a value is of one class,
// so that one class against the others is such a prefix.
void many_values_of_three_classes_are_split_by_class() {
  std::vector<std::uint32_t> classes, codes;
  for (std::uint32_t value = 0; value < 30; ++value)
    for (int copy = 0; copy < 2; ++copy) {
      classes.push_back(value % 3);
      codes.push_back(value);
    }
  const auto data = classes_of(classes, 3, Criterion::gini);
  const Evaluating by(data);
  const auto list = list_of(codes);
  by.evaluator->begin(list);
  const std::vector<std::int64_t> weights(30, 2);
  const Subset subset = best_subset(*by.evaluator, groups_in(list), weights, {}, 1e-9);
  CHECK(std::abs(subset.score + 20.0) < 1e-9);  // 20 pure rows, 40 x gini 1/2
  for (std::size_t value = 3; value < 30; ++value)
    CHECK(subset.on_left[value] == subset.on_left[value % 3]);
}

void multiway_score_is_the_sum_over_the_groups() {
  Random random(33);
  for (int kind = 0; kind < 5; ++kind) {
    const auto criterion = static_cast<Criterion>(kind);
    const auto data = kind < 3 ? random_classes(random, 40, {3, 2}, criterion, 4)
                               : random_numbers(random, 40, 2, criterion, 4);
    const Evaluating by(data);
    const auto list = list_of(random_codes(random, 40, 6));
    const auto groups = groups_in(list);
    const Rows node = rows_of(list);
    by.evaluator->begin(list);
    by.evaluator->set_groups(groups);
    long double sum = 0;
    for (const auto& group : groups)
      sum += naive_score(by.target, rows_of(group), node);
    CHECK(std::abs(by.evaluator->multiway_score() - sum) <=
          1e-13 * scale_of(by.target, node));
  }
}

}  // namespace

Tests nominal_tests() {
  return {{"best_subset_of_two_classes", best_subset_of_two_classes},
          {"best_subset_of_numbers", best_subset_of_numbers},
          {"best_subset_of_three_classes", best_subset_of_three_classes},
          {"best_subset_of_several_outputs", best_subset_of_several_outputs},
          {"best_subset_of_medians", best_subset_of_medians},
          {"a_group_without_weight_does_not_spoil_the_order",
           a_group_without_weight_does_not_spoil_the_order},
          {"many_values_of_three_classes_are_split_by_class",
           many_values_of_three_classes_are_split_by_class},
          {"limits_that_forbid_every_prefix_leave_other_sets",
           limits_that_forbid_every_prefix_leave_other_sets},
          {"multiway_score_is_the_sum_over_the_groups",
           multiway_score_is_the_sum_over_the_groups}};
}

}  // namespace treewright::tests
