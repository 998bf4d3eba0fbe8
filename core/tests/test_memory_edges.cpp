// The memory source where there is little: one row, no features, nothing known.
#include "check.hpp"
#include "twin.hpp"

namespace treewright::tests {
namespace {

int n_splits_of(const TargetData& data, const Table& table, const Rule& rule) {
  const Target target = data.view();
  const Growing growing{table, target, rule};
  Twin twin(growing);
  grow(growing, twin);
  return twin.n_splits();
}

// All gains at the root, also if it is pure.
std::vector<Found> scan_root(const TargetData& data, const Table& table,
                             const Rule& rule,
                             const std::vector<std::uint8_t>& allowed = {},
                             const Found& before = {}) {
  const Target target = data.view();
  MemorySource source(table.columns(), target, rule, table.n_rows(), 2);
  source.build_lists();
  std::vector<std::int64_t> statistic(source.width());
  open_root(source, statistic);
  std::vector<Found> found(table.n_features(), before);
  source.scan(std::vector<std::int64_t>{0}, statistic, std::vector<double>{1e-9},
              allowed, found);
  return found;
}

std::vector<TargetData> all_kinds(std::int64_t n_rows) {
  Random random(61);
  std::vector<TargetData> kinds;
  for (const std::int64_t largest_weight : {0, 3}) {
    kinds.push_back(
        random_classes(random, n_rows, {2}, Criterion::entropy, largest_weight));
    kinds.push_back(
        random_classes(random, n_rows, {3}, Criterion::gini, largest_weight));
    kinds.push_back(
        random_numbers(random, n_rows, 1, Criterion::squared_error, largest_weight));
    kinds.push_back(
        random_numbers(random, n_rows, 1, Criterion::absolute_error, largest_weight));
  }
  return kinds;
}

void one_row_has_no_split() {
  for (const auto& data : all_kinds(1))
    for (const auto missing : {Missing::own_branch, Missing::majority}) {
      Table table(1);
      table.add({0}, 1, Candidates::cut);
      table.add({0}, 1, Candidates::multiway);
      table.add({1}, 1, Candidates::subset);  // missing
      CHECK(n_splits_of(data, table, {{}, missing}) == 0);
      for (const Found& found : scan_root(data, table, {{}, missing}))
        CHECK(found.gain == one_value);
    }
}

void no_features_have_no_split() {
  for (const auto& data : all_kinds(20)) {
    CHECK(n_splits_of(data, Table(20), {}) == 0);
    CHECK(scan_root(data, Table(20), {}).empty());
  }
}

void pure_root_is_known_to_be_pure() {
  const auto data = classes_of({1, 1, 1, 1}, 2, Criterion::entropy);
  Table table(4);
  table.add({0, 1, 2, 3}, 4, Candidates::cut);
  CHECK(n_splits_of(data, table, {}) == 0);
  CHECK(scan_root(data, table, {})[0].gain == 0);
  const auto numbers = numbers_of({7, 7, 7, 7}, Criterion::squared_error);
  CHECK(n_splits_of(numbers, table, {}) == 0);
  CHECK(scan_root(numbers, table, {})[0].gain == 0);
}

void constant_features_have_no_split() {
  for (const auto& data : all_kinds(20)) {
    Table table(20);
    const std::vector<std::uint32_t> zeros(20, 0);
    table.add(zeros, 1, Candidates::cut);
    table.add(zeros, 3, Candidates::multiway);
    table.add(zeros, 2, Candidates::subset);
    CHECK(n_splits_of(data, table, {}) == 0);
    for (const Found& found : scan_root(data, table, {}))
      CHECK(found.gain == one_value);
  }
}

void columns_without_any_value_have_no_split() {
  for (const auto& data : all_kinds(20))
    for (const auto missing : {Missing::own_branch, Missing::majority})
      for (const std::uint32_t n_codes : {0u, 3u}) {
        Table table(20);
        const std::vector<std::uint32_t> nothing(20, n_codes);
        table.add(nothing, n_codes, Candidates::cut);
        table.add(nothing, n_codes, Candidates::multiway);
        table.add(nothing, n_codes, Candidates::subset);
        for (const Found& found : scan_root(data, table, {{}, missing}))
          CHECK(found.gain == one_value);
        // beside a column that can be split they are partitioned with it
        Random random(62);
        table.add_random(random, 20, Candidates::cut);
        CHECK(n_splits_of(data, table, {{}, missing}) > 0);
      }
}

// One value and missing ones: with a branch of their own there is one split.
void one_value_and_missing_ones_are_told_apart() {
  const auto data = classes_of({0, 0, 0, 1, 1, 1}, 2, Criterion::gini);
  for (const auto kind : {Candidates::cut, Candidates::multiway, Candidates::subset}) {
    Table table(6);
    table.add({0, 0, 0, 1, 1, 1}, 1, kind);
    CHECK(n_splits_of(data, table, {{1, 0}, Missing::own_branch}) == 1);
    CHECK(n_splits_of(data, table, {{4, 0}, Missing::own_branch}) == 0);
    CHECK(n_splits_of(data, table, {{1, 0}, Missing::majority}) == 0);
  }
}

void limits_that_no_split_holds_are_told_from_constant_features() {
  for (const auto& data : all_kinds(6)) {
    Table table(6);
    for (const auto kind : {Candidates::cut, Candidates::multiway, Candidates::subset})
      table.add({0, 0, 1, 1, 2, 2}, 3, kind);
    for (const Found& found : scan_root(data, table, {{4, 0}, Missing::none}))
      CHECK(found.gain == too_few_rows);
  }
}

// Without weights a row weighs 1.
void weight_limit_counts_rows_if_there_are_no_weights() {
  const auto data = classes_of({1, 0, 0, 0, 0, 0}, 2, Criterion::gini);
  Table table(6);
  table.add({0, 1, 2, 3, 4, 5}, 6, Candidates::cut);
  CHECK(scan_root(data, table, {{1, 0}, Missing::none})[0].position == 1);
  CHECK(scan_root(data, table, {{1, 2}, Missing::none})[0].position == 2);
  CHECK(scan_root(data, table, {{1, 4}, Missing::none})[0].gain == too_few_rows);
}

void features_that_are_not_allowed_are_not_written() {
  const auto data = classes_of({1, 0, 0, 0}, 2, Criterion::gini);
  Table table(4);
  for (int feature = 0; feature < 3; ++feature)
    table.add({0, 1, 2, 3}, 4, Candidates::cut);
  const auto found = scan_root(data, table, {}, {1, 0, 1}, {-123.0, -45});
  CHECK(found[0].position == 1 && found[2].position == 1);
  CHECK(found[1].gain == -123.0 && found[1].position == -45);
}

// Any number of open nodes may be split in a call, also none.
void empty_batches_are_fine() {
  const auto data = classes_of({1, 0, 0, 0}, 2, Criterion::gini);
  const Target target = data.view();
  Table table(4);
  table.add({0, 1, 2, 3}, 4, Candidates::cut);
  MemorySource source(table.columns(), target, {}, 4, 2);
  source.build_lists();
  std::vector<std::int64_t> statistic(source.width());
  open_root(source, statistic);
  source.scan({}, {}, {}, {}, {});
  CHECK(source.split({}, {}, {}, {}).n_rows.empty());
  CHECK(source.advance({}, {}, {}, {}, {}, {}) == 1);
}

// The lighter set is written down; on a tie the one with the first value.
void subset_splits_write_the_lighter_set() {
  const auto data = classes_of({1, 1, 1, 1, 0, 0}, 2, Criterion::gini);
  const Target target = data.view();
  Table table(6);
  table.add({0, 0, 2, 2, 1, 1}, 4, Candidates::subset);
  MemorySource source(table.columns(), target, {}, 6, 1);
  source.build_lists();
  std::vector<std::int64_t> statistic(source.width());
  open_root(source, statistic);
  const auto made =
      source.split(std::vector<std::int64_t>{0}, std::vector<std::int32_t>{0},
                   std::vector<std::int64_t>{0}, std::vector<double>{0});
  CHECK(made.set == std::vector<std::int32_t>{1});
  CHECK((made.n_rows == std::vector<std::int64_t>{2, 4}));
}

// 70 70 | 85 90 95: three cuts, and 25 / 15 gaps as wide as the chosen one.
void cut_in_a_wide_gap_counts_as_few() {
  const auto data = classes_of({0, 0, 1, 1, 1}, 2, Criterion::entropy);
  const Target target = data.view();
  Table table(5);
  table.add({0, 0, 1, 2, 3}, 4, Candidates::cut);
  const std::vector<double> values{70, 85, 90, 95};
  for (const bool by_range : {false, true}) {
    auto columns = table.columns();
    columns[0].values = values;
    Rule rule;
    rule.every_cut = true;
    rule.cuts_by_range = by_range;
    MemorySource source(columns, target, rule, 5, 1);
    source.build_lists();
    std::vector<std::int64_t> statistic(source.width());
    open_root(source, statistic);
    std::vector<Found> found(1);
    std::vector<Detail> details(1);
    source.scan(std::vector<std::int64_t>{0}, statistic, std::vector<double>{1e-9}, {},
                found, details);
    CHECK(found[0].position == 2);
    CHECK(details[0].n_cuts == (by_range ? 25.0 / 15.0 : 3.0));
  }
}

}  // namespace

Tests memory_edge_tests() {
  return {{"one_row_has_no_split", one_row_has_no_split},
          {"no_features_have_no_split", no_features_have_no_split},
          {"pure_root_is_known_to_be_pure", pure_root_is_known_to_be_pure},
          {"constant_features_have_no_split", constant_features_have_no_split},
          {"columns_without_any_value_have_no_split",
           columns_without_any_value_have_no_split},
          {"one_value_and_missing_ones_are_told_apart",
           one_value_and_missing_ones_are_told_apart},
          {"limits_that_no_split_holds_are_told_from_constant_features",
           limits_that_no_split_holds_are_told_from_constant_features},
          {"weight_limit_counts_rows_if_there_are_no_weights",
           weight_limit_counts_rows_if_there_are_no_weights},
          {"features_that_are_not_allowed_are_not_written",
           features_that_are_not_allowed_are_not_written},
          {"empty_batches_are_fine", empty_batches_are_fine},
          {"subset_splits_write_the_lighter_set", subset_splits_write_the_lighter_set},
          {"cut_in_a_wide_gap_counts_as_few", cut_in_a_wide_gap_counts_as_few}};
}

}  // namespace treewright::tests
