// Whole growing loops over the memory source, each answer checked by the naive twin.
#include "memory.hpp"

#include "check.hpp"
#include "twin.hpp"

namespace treewright::tests {
namespace {

// Features of every kind and every width of codes.
Table mixed_table(Random& random, std::int64_t n_rows, std::int64_t one_missing_in) {
  Table table(n_rows);
  table.add_random(random, 3, Candidates::cut, one_missing_in);
  table.add_random(random, 300, Candidates::cut, one_missing_in);
  table.add_random(random, 70000, Candidates::cut);
  table.add_random(random, 4, Candidates::multiway, one_missing_in);
  table.add_random(random, 6, Candidates::subset, one_missing_in);
  table.add_random(random, 2, Candidates::subset);
  return table;
}

void check_growth(const TargetData& data, const Table& table, const Rule& rule) {
  const Target target = data.view();
  const Growing growing{table, target, rule, 2, 6};
  Twin twin(growing);
  grow(growing, twin);
}

constexpr Missing policies[] = {Missing::none, Missing::own_branch, Missing::majority};

void check_all_policies(const TargetData& data, Random& random, std::int64_t n_rows,
                        const std::string& words) {
  for (const Missing missing : policies)
    for (const std::int64_t min_rows : {1, 4}) {
      note(words + ", policy " + std::to_string(static_cast<int>(missing)) +
           ", min_rows " + std::to_string(min_rows));
      const auto table = mixed_table(random, n_rows, missing == Missing::none ? 0 : 5);
      check_growth(data, table, {{min_rows, 0}, missing});
    }
}

void check_classes(const std::vector<int>& n_classes, std::int64_t largest_weight) {
  for (const Criterion criterion : class_criteria) {
    Random random(51);
    const auto data = random_classes(random, 60, n_classes, criterion, largest_weight);
    check_all_policies(data, random, 60, name_of(criterion));
  }
}

void check_numbers(Criterion criterion, int n_outputs, std::int64_t largest_weight) {
  Random random(52);
  const auto data =
      random_numbers(random, 50, n_outputs, criterion, largest_weight, 30, -5);
  check_all_policies(data, random, 50, name_of(criterion));
}

void growth_for_two_classes() { check_classes({2}, 0); }
void growth_for_classes_with_weights() { check_classes({2}, 4); }
void growth_for_many_classes() { check_classes({4}, 0); }
void growth_for_several_outputs() { check_classes({2, 3}, 3); }
void growth_for_numbers() {
  check_numbers(Criterion::squared_error, 1, 0);
  check_numbers(Criterion::squared_error, 1, 4);
  check_numbers(Criterion::squared_error, 2, 0);
}
void growth_for_medians() {
  check_numbers(Criterion::absolute_error, 1, 0);
  check_numbers(Criterion::absolute_error, 2, 4);
}

// Limits of weight; the policies differ only for missing values.
void growth_under_a_weight_limit() {
  Random random(53);
  const auto classes = random_classes(random, 60, {3}, Criterion::gini, 5);
  const auto numbers = random_numbers(random, 60, 1, Criterion::squared_error, 5, 30);
  const auto medians = random_numbers(random, 60, 1, Criterion::absolute_error, 5, 30);
  for (const auto* data : {&classes, &numbers, &medians})
    for (const Missing missing : {Missing::none, Missing::majority}) {
      Table table(60);
      table.add_random(random, 20, Candidates::cut, missing == Missing::none ? 0 : 5);
      table.add_random(random, 3, Candidates::multiway,
                       missing == Missing::none ? 0 : 5);
      check_growth(*data, table, {{2, 9}, missing});
    }
}

// Ten rows of weight 1 and two missing ones of weight 1: with a limit of weight 3 the
// missing ones cannot have a branch, so the feature has no split.
void own_branch_of_missing_values_obeys_the_weight_limit() {
  TargetData data =
      classes_of({0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 1}, 2, Criterion::gini);
  data.weights.assign(12, 1);
  const Target target = data.view();
  for (const auto kind : {Candidates::cut, Candidates::subset, Candidates::multiway}) {
    note("candidates " + std::to_string(static_cast<int>(kind)));
    Table table(12);
    table.add({0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2}, 2, kind);
    const Growing growing{table, target, {{1, 3}, Missing::own_branch}};
    Twin twin(growing);
    grow(growing, twin);
    CHECK(twin.n_splits() == 0);
  }
}

// One known row of weight 1 against eleven missing ones, with a limit of weight 3.
void known_values_beside_missing_ones_obey_the_weight_limit() {
  TargetData data =
      classes_of({1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 2, Criterion::gini);
  data.weights.assign(12, 1);
  const Target target = data.view();
  for (const auto kind : {Candidates::cut, Candidates::subset, Candidates::multiway}) {
    note("candidates " + std::to_string(static_cast<int>(kind)));
    Table table(12);
    table.add({0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 1, kind);
    const Growing growing{table, target, {{1, 3}, Missing::own_branch}};
    Twin twin(growing);
    grow(growing, twin);
    CHECK(twin.n_splits() == 0);
  }
}

// A multiway split with more branches than a byte can number, some of them empty.
void growth_with_many_branches() {
  Random random(54);
  for (const std::uint32_t n_codes : {252u, 253u, 254u, 255u, 300u})
    for (const Missing missing : {Missing::own_branch, Missing::majority}) {
      note(std::to_string(n_codes) + " codes");
      const auto data = random_classes(random, 500, {3}, Criterion::entropy, 0);
      Table table(500);
      table.add_random(random, n_codes, Candidates::multiway, 50);
      table.add_random(random, 3, Candidates::cut);
      table.add_random(random, 2, Candidates::multiway, 9);
      check_growth(data, table, {{1, 0}, missing});
    }
}

// Where the wide split comes second, the nodes of one batch have branches of both
// widths.
void growth_with_many_branches_below_the_root() {
  Random random(55);
  std::vector<std::uint32_t> classes(400), first(400), second(400);
  for (std::uint32_t row = 0; row < 400; ++row) {
    second[row] = row % 280;
    first[row] = row % 2;
    // the left half has a class by the wide feature, the right half a narrow one
    classes[row] = first[row] ? 2 + row / 2 % 2 : (second[row] / 2) % 2;
  }
  Table table(400);
  table.add(first, 2, Candidates::cut, 1);
  table.add(second, 280, Candidates::multiway, 2);
  table.add_random(random, 3, Candidates::multiway);
  table.add_random(random, 40, Candidates::cut);
  const auto data = classes_of(classes, 4, Criterion::gini);
  check_growth(data, table, {{1, 0}, Missing::none});
  check_growth(data, table, {{3, 0}, Missing::none});
}

// So many rows that the source numbers them anew when the nodes have become small.
// Few codes keep the twin fast.
void check_many_rows(const Target& target, std::int64_t n_rows, Missing missing,
                     std::size_t most_nodes) {
  Random random(56);
  Table table(n_rows);
  table.add_random(random, 25, Candidates::cut, 9);
  table.add_random(random, 3, Candidates::multiway, 9);
  table.add_random(random, 4, Candidates::subset, 9);
  table.add_random(random, 9, Candidates::cut);
  Growing growing{table, target, {{3, 0}, missing}, 2, 6};
  growing.most_nodes = most_nodes;
  Twin twin(growing);
  grow(growing, twin);
  CHECK(twin.n_splits() > n_rows / 100);
}

void growth_of_many_rows_of_classes() {
  Random random(57);
  const auto two = random_classes(random, 1500, {2}, Criterion::gini, 0);
  for (const std::size_t most_nodes : {1u, 7u, 10000u})
    check_many_rows(two.view(), 1500, Missing::majority, most_nodes);
  const auto several = random_classes(random, 1500, {3, 2}, Criterion::gini, 4);
  check_many_rows(several.view(), 1500, Missing::own_branch, 100);
}

void growth_of_many_rows_of_numbers() {
  Random random(58);
  const auto one = random_numbers(random, 1500, 1, Criterion::squared_error, 0, 30);
  const auto two = random_numbers(random, 1500, 2, Criterion::squared_error, 4, 30);
  Target shared = one.view();
  shared.weighted = shared.values;  // without weights they are the same
  check_many_rows(shared, 1500, Missing::majority, 20);
  check_many_rows(one.view(), 1500, Missing::own_branch, 10000);
  check_many_rows(two.view(), 1500, Missing::own_branch, 10000);
}

void growth_of_many_rows_of_medians() {
  Random random(59);
  const auto data = random_numbers(random, 1200, 1, Criterion::absolute_error, 3, 30);
  check_many_rows(data.view(), 1200, Missing::majority, 10000);
}

// Numbered anew twice on the way down, which one node at a time makes gradual.
void growth_of_very_many_rows() {
  constexpr std::int64_t n_rows = 18000;
  Random random(60);
  const auto data = random_classes(random, n_rows, {2}, Criterion::gini, 0);
  const Target target = data.view();
  Table table(n_rows);
  table.add_random(random, 8, Candidates::cut, 9);
  table.add_random(random, 3, Candidates::multiway, 9);
  table.add_random(random, 8, Candidates::multiway);
  Growing growing{table, target, {{3, 0}, Missing::own_branch}, 2, 6};
  growing.most_nodes = 1;
  Twin twin(growing);
  grow(growing, twin);
  CHECK(twin.n_splits() > 100);
}

}  // namespace

Tests memory_tests() {
  return {{"growth_for_two_classes", growth_for_two_classes},
          {"growth_for_classes_with_weights", growth_for_classes_with_weights},
          {"growth_for_many_classes", growth_for_many_classes},
          {"growth_for_several_outputs", growth_for_several_outputs},
          {"growth_for_numbers", growth_for_numbers},
          {"growth_for_medians", growth_for_medians},
          {"growth_under_a_weight_limit", growth_under_a_weight_limit},
          {"own_branch_of_missing_values_obeys_the_weight_limit",
           own_branch_of_missing_values_obeys_the_weight_limit},
          {"known_values_beside_missing_ones_obey_the_weight_limit",
           known_values_beside_missing_ones_obey_the_weight_limit},
          {"growth_with_many_branches", growth_with_many_branches},
          {"growth_with_many_branches_below_the_root",
           growth_with_many_branches_below_the_root},
          {"growth_of_many_rows_of_classes", growth_of_many_rows_of_classes},
          {"growth_of_many_rows_of_numbers", growth_of_many_rows_of_numbers},
          {"growth_of_many_rows_of_medians", growth_of_many_rows_of_medians},
          {"growth_of_very_many_rows", growth_of_very_many_rows}};
}

}  // namespace treewright::tests
