// The memory source with several threads: the same bits for any number of them.
#include <atomic>

#include "check.hpp"
#include "grow.hpp"

namespace treewright::tests {
namespace {

// Rows enough for several tasks at the upper levels.
constexpr std::int64_t n_rows = 15000;

Table large_table(Random& random) {
  Table table(n_rows);
  table.add_random(random, 50000, Candidates::cut);
  table.add_random(random, 60, Candidates::cut, 10);
  table.add_random(random, 4, Candidates::subset, 10);
  table.add_random(random, 400, Candidates::multiway);
  table.add_random(random, 12, Candidates::subset);
  return table;
}

void check_same_for_all(const TargetData& data, Missing missing, int most_batches) {
  Random random(71);
  const Table table = large_table(random);
  const Target target = data.view();
  const Rule rule{{5, 0}, missing};
  Growing growing{table, target, rule, 1, 20};
  growing.most_batches = most_batches;
  const History alone = grow(growing);
  CHECK(!alone.gains.empty());
  for (const int n_threads : {2, 3, 8}) {
    note(std::to_string(n_threads) + " threads");
    growing.n_threads = n_threads;
    CHECK(grow(growing) == alone);
  }
}

void same_tree_of_two_classes_for_any_number_of_threads() {
  Random random(72);
  check_same_for_all(random_classes(random, n_rows, {2}, Criterion::entropy, 0),
                     Missing::majority, 7);
}
void same_tree_of_weighted_classes_for_any_number_of_threads() {
  Random random(73);
  check_same_for_all(random_classes(random, n_rows, {3}, Criterion::gini, 9),
                     Missing::own_branch, 6);
}
void same_tree_of_numbers_for_any_number_of_threads() {
  Random random(74);
  check_same_for_all(random_numbers(random, n_rows, 1, Criterion::squared_error, 0),
                     Missing::own_branch, 7);
}
void same_tree_of_medians_for_any_number_of_threads() {
  Random random(75);
  check_same_for_all(random_numbers(random, n_rows, 1, Criterion::absolute_error, 0),
                     Missing::majority, 1);
}

void interrupted_scan_can_be_repeated() {
  Random random(76);
  const Table table = large_table(random);
  const auto data = random_classes(random, n_rows, {2}, Criterion::gini, 0);
  const Target target = data.view();
  for (const int n_threads : {1, 3}) {
    MemorySource source(table.columns(), target, {{1, 0}, Missing::majority}, n_rows,
                        n_threads);
    source.build_lists();
    std::vector<std::int64_t> statistic(source.width());
    open_root(source, statistic);
    std::vector<Found> found(table.n_features()), again(table.n_features());
    const std::vector<std::int64_t> nodes{0};
    const std::vector<double> tolerances{1e-9};
    const auto scan = [&](std::vector<Found>& out) {
      source.scan(nodes, statistic, tolerances, {}, out);
    };
    scan(found);
    // the calling thread asks after each of its tasks, if it gets one
    std::atomic<bool> asked = false;
    source.pool().on_poll([&] { return asked = true; });
    for (int round = 0; round < 100 && !asked; ++round) {
      try {
        scan(again);
        CHECK(!asked);
      } catch (const Interrupted&) {
        CHECK(asked);
      }
    }
    CHECK(asked);
    source.pool().on_poll(nullptr);
    scan(again);
    for (std::size_t feature = 0; feature < found.size(); ++feature)
      CHECK(found[feature].gain == again[feature].gain &&
            found[feature].position == again[feature].position);
  }
}

}  // namespace

Tests memory_threads_tests() {
  return {{"same_tree_of_two_classes_for_any_number_of_threads",
           same_tree_of_two_classes_for_any_number_of_threads},
          {"same_tree_of_weighted_classes_for_any_number_of_threads",
           same_tree_of_weighted_classes_for_any_number_of_threads},
          {"same_tree_of_numbers_for_any_number_of_threads",
           same_tree_of_numbers_for_any_number_of_threads},
          {"same_tree_of_medians_for_any_number_of_threads",
           same_tree_of_medians_for_any_number_of_threads},
          {"interrupted_scan_can_be_repeated", interrupted_scan_can_be_repeated}};
}

}  // namespace treewright::tests
