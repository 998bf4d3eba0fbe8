// Tables behind splits and the scores of all cuts, beside what the scan finds.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "check.hpp"
#include "grow.hpp"
#include "memory.hpp"

namespace treewright::tests {
namespace {

constexpr Missing policies[] = {
    Missing::none,       Missing::own_branch,  Missing::majority, Missing::fractional,
    Missing::node_value, Missing::class_value, Missing::learned,  Missing::surrogates};

struct Root {
  std::vector<std::int64_t> statistic;
  std::vector<Found> found;
  double tolerance = 0;
};

Root look_at_root(MemorySource& source, const Target& target) {
  Root root;
  source.build_lists();
  root.statistic.resize(source.width());
  open_root(source, root.statistic);
  root.tolerance = tolerance_of(target, root.statistic);
  root.found.resize(source.n_features());
  source.scan(std::vector<std::int64_t>{0}, root.statistic,
              std::vector<double>{root.tolerance}, {}, root.found);
  return root;
}

// The branches and the rows left out hold every row once, with all its weight.
void check_tables(MemorySource& source, const Root& root, std::int64_t n_rows) {
  std::vector<std::int64_t> nodes, positions;
  std::vector<std::int32_t> features;
  std::vector<double> tolerances;
  for (int times = 0; times < 2; ++times)  // a node may be asked about often
    for (std::size_t feature = 0; feature < root.found.size(); ++feature) {
      if (!(root.found[feature].gain > too_few_rows)) continue;
      nodes.push_back(0);
      features.push_back(static_cast<std::int32_t>(feature));
      positions.push_back(root.found[feature].position);
      tolerances.push_back(root.tolerance);
    }
  const Tabulated tables = source.tabulate(nodes, features, positions, tolerances);
  CHECK(tables.n_missing.size() == nodes.size());
  const std::int64_t width = source.width();
  std::int64_t branch = 0;
  for (std::size_t item = 0; item < nodes.size(); ++item) {
    std::int64_t rows = tables.n_missing[item];
    std::int64_t weight = tables.missing_statistics[item * width];
    for (std::int64_t k = 0; k < tables.branches.n_branches[item]; ++k, ++branch) {
      rows += tables.branches.n_rows[branch];
      weight += tables.branches.statistics[branch * width];
    }
    CHECK(rows == n_rows);
    CHECK(weight == root.statistic[0]);  // of the first class, or of all rows
    CHECK(weight - tables.missing_statistics[item * width] ==
          tables.known_statistics[item * width]);
  }
}

// The best of all cuts gains what the scan says.
void check_cuts(MemorySource& source, const Root& root, const Table& table) {
  for (std::int64_t feature = 0; feature < table.n_features(); ++feature) {
    if (table.columns()[feature].candidates != Candidates::cut) continue;
    const ScoredCuts cuts = source.score_cuts(0, feature, root.tolerance);
    CHECK(cuts.position.size() == cuts.gain.size());
    for (std::size_t k = 0; k < cuts.position.size(); ++k) {
      CHECK(cuts.low[k] < cuts.high[k]);
      CHECK(k == 0 || cuts.position[k - 1] < cuts.position[k]);
    }
    const Found& found = root.found[feature];
    if (!(found.gain > too_few_rows) || cuts.gain.empty()) continue;
    const double best = std::ranges::max(cuts.gain);
    CHECK(best <= found.gain + 1e-6 * std::abs(found.gain) + 1e-9);
    const bool is_cut =
        std::ranges::find(cuts.position, found.position) != cuts.position.end();
    if (is_cut) CHECK(std::abs(best - found.gain) <= 1e-6 * std::abs(best) + 1e-9);
  }
}

void check_all(const TargetData& data, std::int64_t n_rows, bool numbers) {
  for (const Missing missing : policies)
    for (const std::int64_t min_rows : {1, 5}) {
      if (numbers && missing == Missing::class_value) continue;
      if (data.criterion == Criterion::absolute_error && missing == Missing::fractional)
        continue;
      note("policy " + std::to_string(static_cast<int>(missing)) + ", min_rows " +
           std::to_string(min_rows));
      Random random(71);
      const std::int64_t one_missing_in = missing == Missing::none ? 0 : 4;
      Table table(n_rows);
      table.add_random(random, 12, Candidates::cut, one_missing_in);
      table.add_random(random, 300, Candidates::cut, one_missing_in);
      if (missing != Missing::surrogates)
        table.add_random(random, 4, Candidates::multiway, one_missing_in);
      table.add_random(random, 5, Candidates::subset, one_missing_in);
      const Target target = data.view();
      const Rule rule{{min_rows, 0}, missing};
      MemorySource source(table.columns(), target, rule, n_rows, 2);
      const Root root = look_at_root(source, target);
      check_tables(source, root, n_rows);
      check_cuts(source, root, table);
    }
}

void tables_and_cuts_of_classes() {
  Random random(72);
  check_all(random_classes(random, 80, {2}, Criterion::entropy, 0), 80, false);
  check_all(random_classes(random, 80, {3}, Criterion::gini, 4), 80, false);
}

void tables_and_cuts_of_numbers() {
  Random random(73);
  check_all(random_numbers(random, 80, 1, Criterion::squared_error, 0), 80, true);
  check_all(random_numbers(random, 80, 1, Criterion::absolute_error, 3), 80, true);
}

}  // namespace

Tests memory_tables_tests() {
  return {{"tables_and_cuts_of_classes", tables_and_cuts_of_classes},
          {"tables_and_cuts_of_numbers", tables_and_cuts_of_numbers}};
}

}  // namespace treewright::tests
