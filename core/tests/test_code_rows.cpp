// Rows beside their codes: keys in order, cuts as the evaluators find them in lists,
// and rows that go where their codes say.
#include <algorithm>
#include <numeric>

#include "check.hpp"
#include "code_rows.hpp"
#include "grow.hpp"

namespace treewright::tests {
namespace {

void keys_are_sorted_by_code() {
  Random random(81);
  SortedKeys sorting;
  for (const std::int64_t n_rows : {1, 2, 15, 16, 17, 63, 64, 65, 300, 5000})
    for (const std::int64_t n_codes : {1, 2, 200, 3000, 65536}) {
      note(std::to_string(n_rows) + " rows, " + std::to_string(n_codes) + " codes");
      std::vector<Key> keys;
      for (std::int64_t row = 0; row < n_rows; ++row)
        keys.push_back(key_of(static_cast<std::uint32_t>(random.below(n_codes)),
                              mark_of(random.below(5), 1 + random.below(3))));
      std::ranges::copy(keys, sorting.room_for(n_rows).begin());
      const auto [low, high] = sorting.range();
      CHECK(low == *std::ranges::min_element(keys));
      CHECK(high == *std::ranges::max_element(keys));
      const auto sorted = sorting.sorted(code_in(low), code_in(high));
      CHECK(std::ranges::is_sorted(sorted, {}, code_in));
      std::vector<Key> found(sorted.begin(), sorted.end());
      std::ranges::sort(found);
      std::ranges::sort(keys);
      CHECK(found == keys);
    }
}

// The marks of `Target` that the evaluators of small whole weights read.
Target with_small_numbers(const TargetData& data, std::int64_t n_rows) {
  Target target = data.view();
  const bool two = target.n_classes() == 2;
  for (std::uint32_t row = 0; row < n_rows; ++row) {
    const std::int64_t weight = target.weights.empty() && two ? 0 : target.weight(row);
    if (two)
      target.bytes.push_back(
          static_cast<std::uint8_t>(2 * weight + target.classes[row]));
    else if (target.criterion == Criterion::gini)
      target.pairs.push_back(mark_of(target.classes[row], weight));
  }
  return target;
}

struct Case {
  std::int64_t n_rows, n_codes;
  int n_classes;
  Criterion criterion;
};

// The best cut of one column, and both sides of it, beside an evaluator's.
void check_cut(Random& random, const Case& one) {
  const TargetData data = random_classes(random, one.n_rows, {one.n_classes},
                                         one.criterion, random.below(4));
  const Evaluating tables(data);
  const Target target = with_small_numbers(data, one.n_rows);
  const auto evaluator = make_evaluator(target, tables.tables);
  const auto codes = random_codes(random, one.n_rows, one.n_codes);
  Table table(one.n_rows);
  table.add(codes, static_cast<std::uint32_t>(one.n_codes), Candidates::cut, 4);
  const auto list = list_of(codes);
  std::vector<std::int64_t> statistic(one.n_classes), left(one.n_classes);
  evaluator->summarise(Pieces{list}, statistic);
  Limits limits;
  limits.min_rows = 1 + random.below(3);
  evaluator->begin(list);
  const Cut cut = evaluator->best_cut(list, limits, 1e-12);

  const auto columns = table.columns();
  CodeRows rows(columns, target, tables.tables);
  rows.start({}, 0, one.n_rows);
  rows.look_at(0, one.n_rows);
  CHECK(rows.prepare(0));
  const Candidate found = rows.best_cut(statistic, limits, 1e-12);
  CHECK(found.position == cut.position);
  CHECK(rows.has_cut(0) == (cut.position > 0));
  if (cut.position == 0) return;
  CHECK(found.gain == cut.score);
  const auto sides = rows.divide(0, left);
  CHECK(sides.n_left == cut.position && sides.n_left + sides.n_right == one.n_rows);
  CHECK(sides.low == codes[row_of(list[cut.position - 1])]);
  CHECK(sides.high == codes[row_of(list[cut.position])]);
  std::vector<std::int64_t> naive(one.n_classes);
  evaluator->summarise(Pieces{std::span(list).first(cut.position)}, naive);
  CHECK(left == naive);
  rows.look_at(sides.n_left, sides.n_right);
  CHECK(std::ssize(rows.entries()) == sides.n_right);
  for (const Entry row : rows.entries()) CHECK(codes[row] >= sides.high);
}

void cuts_are_those_of_evaluators() {
  Random random(82);
  for (const Criterion criterion : {Criterion::gini, Criterion::entropy})
    for (const int n_classes : {2, 3, 4, 7, 9, 20})
      for (const std::int64_t n_codes : {1, 2, 5, 60, 3000, 70'000})
        for (const std::int64_t n_rows : {2, 3, 10, 60, 70, 400, 3000, 5000}) {
          note(name_of(criterion) + ", " + std::to_string(n_classes) + " classes, " +
               std::to_string(n_codes) + " codes, " + std::to_string(n_rows) + " rows");
          for (int round = 0; round < (n_rows < 100 ? 10 : 2); ++round)
            check_cut(random, {n_rows, n_codes, n_classes, criterion});
        }
}

// Scores that are far apart, equal, and a little less or more than the tolerance apart.
void best_of_scores_is_that_of_comparing_in_turn() {
  Random random(83);
  constexpr double tolerance = 1e-9;
  for (const std::int64_t n_scores : {1, 2, 7, 15, 16, 17, 23, 24, 200})
    for (int round = 0; round < 200; ++round) {
      const std::int64_t n_levels = 1 + random.below(6);
      const double step = random.below(2) == 0 ? 1.0 : 0.4 * tolerance;
      std::vector<double> scores;
      for (std::int64_t place = 0; place < n_scores; ++place)
        scores.push_back(-5 + step * static_cast<double>(random.below(n_levels)));
      double most = -1e300;
      std::size_t best = 0;
      for (std::size_t place = 0; place < scores.size(); ++place)
        if (scores[place] > most + tolerance) most = scores[best = place];
      CHECK(place_of_best(scores, tolerance) == best);
    }
}

void rows_of_a_bag_come_in_order() {
  const std::vector<std::uint32_t> counts{0, 2, 1, 0, 0, 3, 0};
  const Bag bag = rows_in_bag(counts);
  CHECK(bag.rows == std::vector<std::uint32_t>({1, 2, 5}));
  CHECK(bag.counts == std::vector<std::uint32_t>({2, 1, 3}));
  CHECK(rows_in_bag({}).rows.empty());
}

// Rows without a value are somebody else's; so are features that are not cut.
void rows_without_a_value_are_seen() {
  for (const std::uint32_t n_codes : {3u, 70'000u}) {
    Table table(4);
    table.add({0, 1, 2, n_codes}, n_codes, Candidates::cut, 4);
    table.add({0, 1, 2, 2}, 3, Candidates::subset, 4);
    const TargetData data = classes_of({0, 1, 1, 0}, 2, Criterion::gini);
    const Evaluating tables(data);
    const auto columns = table.columns();
    CodeRows rows(columns, tables.target, tables.tables);
    rows.start({}, 0, 4);
    rows.look_at(0, 4);
    CHECK(!rows.prepare(0) && !rows.prepare(1));
    const std::vector<std::uint8_t> branch_of{2, 0, 1, 0};
    rows.divide(branch_of, 3);
    CHECK(rows_of(rows.entries()) == std::vector<std::uint32_t>({1, 3, 2, 0}));
    rows.look_at(2, 2);  // rows 2 and 0 have values
    CHECK(rows.prepare(0));
  }
}

}  // namespace

Tests code_rows_tests() {
  return {{"keys_are_sorted_by_code", keys_are_sorted_by_code},
          {"cuts_are_those_of_evaluators", cuts_are_those_of_evaluators},
          {"best_of_scores_is_that_of_comparing_in_turn",
           best_of_scores_is_that_of_comparing_in_turn},
          {"rows_of_a_bag_come_in_order", rows_of_a_bag_come_in_order},
          {"rows_without_a_value_are_seen", rows_without_a_value_are_seen}};
}

}  // namespace treewright::tests
