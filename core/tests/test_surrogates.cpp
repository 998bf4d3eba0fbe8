// Surrogates on tables small enough to work out by hand, and for any number of threads.
#include "check.hpp"
#include "grow.hpp"

namespace treewright::tests {
namespace {

using Codes = std::vector<std::int32_t>;
using Numbers = std::vector<std::int64_t>;

// The root of a table, cut on its first feature with three known rows on the left.
Branches split_root(const Table& table, const Rule& rule) {
  std::vector<std::uint32_t> classes(table.n_rows(), 1);
  std::fill_n(classes.begin(), 3, 0u);
  const auto data = classes_of(classes, 2, Criterion::gini);
  const Target target = data.view();
  MemorySource source(table.columns(), target, rule, table.n_rows(), 2);
  source.build_lists();
  std::vector<std::int64_t> statistic(source.width());
  open_root(source, statistic);
  return source.split(Numbers{0}, Codes{0}, Numbers{3}, std::vector<double>{0});
}

Rule with_surrogates() {
  Rule rule;
  rule.missing = Missing::surrogates;
  return rule;
}

// Rows 0 to 2 go left, 3 to 6 right; row 7 has no value.
Table eight_rows() {
  Table table(8);
  table.add({0, 1, 2, 3, 4, 5, 6, 7}, 7, Candidates::cut);
  return table;
}

void best_surrogate_leads_and_sends_the_row() {
  Table table = eight_rows();
  table.add({5, 5, 1, 1, 0, 0, 0, 5}, 6, Candidates::cut);     // turned: 6 of 7
  table.add({0, 0, 0, 1, 1, 1, 1, 2}, 3, Candidates::subset);  // all 7
  const auto made = split_root(table, with_surrogates());
  const Surrogates& found = made.surrogates;
  CHECK((found.n_surrogates == Numbers{2}));
  CHECK((found.feature == Codes{2, 1}));
  CHECK(found.agreement[0] == 1.0 && found.adjusted[0] == 1.0);
  CHECK(found.agreement[1] == 6.0 / 7.0);
  CHECK((found.codes == Codes{0, 1} && found.branch_of_code == Codes{0, 1}));
  CHECK(found.low[1] == 0 && found.high[1] == 1 && found.branch[1] == 1);
  // value 2 of the first one says nothing; the second one sends the row left
  CHECK((made.n_rows == Numbers{4, 4}));
  CHECK((made.statistics == Numbers{3, 1, 0, 4}));
  CHECK(made.missing_branch[0] == 1);
}

void rows_that_nothing_sends_follow_the_heavier_branch() {
  Table table = eight_rows();
  table.add({0, 0, 0, 1, 1, 1, 1, 2}, 2, Candidates::cut);  // the last one: missing
  const auto made = split_root(table, with_surrogates());
  CHECK((made.surrogates.feature == Codes{1}));
  CHECK((made.n_rows == Numbers{3, 5}));
}

void surrogates_must_beat_the_majority() {
  Table table = eight_rows();
  table.add({0, 1, 1, 0, 1, 1, 1, 0}, 2, Candidates::cut);
  table.add({0, 1, 1, 1, 1, 1, 1, 0}, 2, Candidates::subset);  // one row goes left
  table.add({0, 1, 1, 1, 1, 1, 1, 0}, 2, Candidates::cut);     // likewise
  const auto made = split_root(table, with_surrogates());
  CHECK((made.surrogates.n_surrogates == Numbers{0}));
  CHECK((made.n_rows == Numbers{3, 5}));
}

void nominal_ones_may_need_rows_that_disagree() {
  Table table = eight_rows();
  table.add({0, 1, 1, 1, 1, 1, 1, 0}, 2, Candidates::subset);  // two disagree
  table.add({0, 0, 0, 1, 1, 1, 1, 0}, 2, Candidates::subset);  // none does
  Rule rule = with_surrogates();
  CHECK((split_root(table, rule).surrogates.feature == Codes{2}));
  rule.two_disagree = true;
  CHECK((split_root(table, rule).surrogates.feature == Codes{1}));
}

void no_more_are_kept_than_asked_for() {
  Table table = eight_rows();
  for (int copy = 0; copy < 4; ++copy)
    table.add({0, 0, 0, 1, 1, 1, 1, 0}, 2, Candidates::cut);
  Rule rule = with_surrogates();
  rule.max_surrogates = 2;
  CHECK((split_root(table, rule).surrogates.feature == Codes{1, 2}));
  rule.max_surrogates = 0;
  const auto none = split_root(table, rule);
  CHECK((none.surrogates.feature.empty() && none.n_rows == Numbers{3, 5}));
}

void threads_do_not_matter() {
  Random random(83);
  Table table(3000);
  for (const auto candidates : {Candidates::cut, Candidates::subset})
    for (int copy = 0; copy < 3; ++copy) table.add_random(random, 9, candidates, 5);
  const auto data = random_classes(random, 3000, {3}, Criterion::gini, 4);
  const Target target = data.view();
  Growing growing{table, target, with_surrogates()};
  const History one = grow(growing);
  for (const int n_threads : {2, 3}) {
    growing.n_threads = n_threads;
    CHECK(grow(growing) == one);
  }
}

}  // namespace

Tests surrogate_tests() {
  return {{"best_surrogate_leads_and_sends_the_row",
           best_surrogate_leads_and_sends_the_row},
          {"rows_that_nothing_sends_follow_the_heavier_branch",
           rows_that_nothing_sends_follow_the_heavier_branch},
          {"surrogates_must_beat_the_majority", surrogates_must_beat_the_majority},
          {"nominal_ones_may_need_rows_that_disagree",
           nominal_ones_may_need_rows_that_disagree},
          {"no_more_are_kept_than_asked_for", no_more_are_kept_than_asked_for},
          {"surrogates_for_any_number_of_threads", threads_do_not_matter}};
}

}  // namespace treewright::tests
