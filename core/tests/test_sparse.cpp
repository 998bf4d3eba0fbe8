// Columns in which most rows have one value: the cuts are those of a scan of all rows.
// That whole trees are the same is tested from Python.
#include <algorithm>
#include <numeric>

#include "around.hpp"
#include "check.hpp"
#include "random_data.hpp"
#include "sparse.hpp"

namespace treewright::tests {
namespace {

// Codes of which most are `run_code`.
std::vector<std::uint32_t> mostly(Random& random, std::int64_t n_rows,
                                  std::uint32_t run_code, std::int64_t n_codes) {
  std::vector<std::uint32_t> codes(n_rows, run_code);
  const std::int64_t others = 1 + random.below(8);
  for (std::uint32_t& code : codes)
    if (random.one_in(others)) code = static_cast<std::uint32_t>(random.below(n_codes));
  return codes;
}

// The rows with another code, in code order.
std::vector<Coded> entries_of(const std::vector<std::uint32_t>& codes,
                              std::uint32_t run_code) {
  std::vector<Coded> entries;
  for (std::size_t row = 0; row < codes.size(); ++row)
    if (codes[row] != run_code)
      entries.push_back({static_cast<std::uint32_t>(row), codes[row]});
  std::ranges::stable_sort(entries, {}, &Coded::code);
  return entries;
}

std::int64_t n_below(const std::vector<Coded>& entries, std::uint32_t run_code) {
  return std::ranges::lower_bound(entries, run_code, {}, &Coded::code) -
         entries.begin();
}

void compare_cuts(const TargetData& data, Random& random) {
  const std::int64_t n_rows = data.view().is_classes()
                                  ? std::ssize(data.classes) / data.n_outputs
                                  : std::ssize(data.values) / data.n_outputs;
  Evaluating evaluating(data);
  const auto n_codes = 1 + random.below(6);
  const auto run_code = static_cast<std::uint32_t>(random.below(n_codes));
  const auto codes = mostly(random, n_rows, run_code, n_codes);
  const auto list = list_of(codes);
  const auto entries = entries_of(codes, run_code);
  const AroundRun around{entries, n_below(entries, run_code), n_rows};
  Limits limits;
  limits.min_rows = 1 + random.below(4);
  limits.min_weight = random.one_in(3) && !data.weights.empty() ? 3 : 0;
  evaluating.evaluator->begin(list);
  for (const double tolerance : {0.0, 1e-9}) {
    const Cut all = evaluating.evaluator->best_cut(list, limits, tolerance);
    const Cut few = evaluating.evaluator->best_cut_around(around, limits, tolerance);
    CHECK(all.position == few.position);
    CHECK(all.position == 0 || all.score == few.score);
  }
  CHECK(
      around.has_one_value() ==
      (std::ranges::adjacent_find(codes, std::ranges::not_equal_to{}) == codes.end()));
}

void cuts_around_a_run_are_those_of_all_rows() {
  Random random(17);
  for (int trial = 0; trial < 400; ++trial) {
    const std::int64_t n_rows = 1 + random.below(40), heaviest = random.below(3);
    for (const Criterion criterion : class_criteria)
      for (const std::vector<int>& n_classes :
           {std::vector<int>{2}, std::vector<int>{4}, std::vector<int>{2, 3}}) {
        note(name_of(criterion) + ", trial " + std::to_string(trial));
        compare_cuts(random_classes(random, n_rows, n_classes, criterion, heaviest),
                     random);
      }
    note("squared error, trial " + std::to_string(trial));
    for (const int n_outputs : {1, 2})
      compare_cuts(
          random_numbers(random, n_rows, n_outputs, Criterion::squared_error, heaviest),
          random);
  }
}

// Splits every node on its best feature; the rows of all leaves.
std::vector<std::int64_t> leaves_of(SparseSource& source) {
  const auto width = static_cast<std::size_t>(source.width());
  std::vector<std::int64_t> statistics(width), leaves, nodes{0};
  std::vector<std::uint8_t> pure(1);
  source.open_roots(statistics, pure);
  while (!nodes.empty()) {
    std::vector<DrawnFound> found(nodes.size());
    const std::vector<double> tolerances(nodes.size(), 1e-9);
    source.scan(nodes, statistics, tolerances, found);
    std::vector<std::int64_t> split, positions;
    std::vector<std::int32_t> features;
    for (std::size_t index = 0; index < nodes.size(); ++index) {
      if (!(found[index].gain > too_few_rows)) continue;
      split.push_back(nodes[index]);
      features.push_back(static_cast<std::int32_t>(found[index].feature));
      positions.push_back(found[index].position);
    }
    if (split.empty()) break;
    const Branches branches = source.split(split, features, positions);
    std::vector<std::uint8_t> open;
    statistics.clear();
    for (std::size_t branch = 0; branch < branches.n_rows.size(); ++branch) {
      open.push_back(!branches.pure[branch]);
      if (branches.pure[branch]) leaves.push_back(branches.n_rows[branch]);
      const auto own = std::span(branches.statistics).subspan(branch * width, width);
      if (open.back()) statistics.insert(statistics.end(), own.begin(), own.end());
    }
    const std::int64_t first = source.advance(split, branches.n_rows, open);
    nodes.resize(std::ranges::count(open, 1));
    std::iota(nodes.begin(), nodes.end(), first);
  }
  return leaves;
}

void threads_cannot_be_seen() {
  Random random(5);
  const std::int64_t n_rows = 3000, n_features = 40;
  const TargetData data = random_classes(random, n_rows, {3}, Criterion::gini, 0);
  std::vector<std::int64_t> starts{0};
  std::vector<std::uint32_t> rows, codes, below;
  const std::vector<std::uint32_t> runs(n_features, 1);
  for (std::int64_t feature = 0; feature < n_features; ++feature) {
    const auto entries = entries_of(mostly(random, n_rows, 1, 5), 1);
    below.push_back(static_cast<std::uint32_t>(n_below(entries, 1)));
    for (const Coded entry : entries) {
      rows.push_back(entry.row);
      codes.push_back(entry.code);
    }
    starts.push_back(std::ssize(rows));
  }
  std::vector<std::vector<std::int64_t>> found;
  for (const int n_threads : {1, 4}) {
    SparseSource source({starts, rows, codes, below, runs}, data.view(), Rule{}, n_rows,
                        n_threads);
    found.push_back(leaves_of(source));
  }
  CHECK(found[0] == found[1]);
  CHECK(found[0].size() > 10);
  CHECK(std::reduce(found[0].begin(), found[0].end()) <= n_rows);
}

}  // namespace

Tests sparse_tests() {
  return {{"cuts around a run are those of all rows",
           cuts_around_a_run_are_those_of_all_rows},
          {"sparse source: threads cannot be seen", threads_cannot_be_seen}};
}

}  // namespace treewright::tests
