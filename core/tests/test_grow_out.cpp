// All that is below open nodes in one call: rows and sums add up, threads and packing
// cannot be seen. That it is what the growing loop gives is tested from Python.
#include <algorithm>
#include <numeric>

#include "check.hpp"
#include "evaluate_counted.hpp"
#include "grow.hpp"
#include "ranked_steps.hpp"

namespace treewright::tests {
namespace {

struct Root {
  std::int64_t n_rows;
  std::vector<std::int64_t> statistic;
};

GrownOut grow_out(MemorySource& source, const LeafLimits& limits, std::int64_t n_drawn,
                  Root& root) {
  source.build_lists();
  root.statistic.resize(source.width());
  open_root(source, root.statistic);
  const std::vector<std::int64_t> nodes{0};
  const std::vector<std::int32_t> depths{0};
  const std::vector<std::uint64_t> keys{12345};
  const std::vector<std::uint64_t> constant(source.words_of_features());
  return source.grow_out(nodes, root.statistic, depths, constant, {keys, n_drawn, true},
                         limits);
}

// Each split's branches hold its rows, and class weights add up.
void check_sums(const GrownOut& grown, const Root& root, std::int64_t width,
                bool is_classes, const LeafLimits& limits) {
  const auto n_rows_of = [&](std::int64_t node) {
    return node < 0 ? root.n_rows : grown.branches.n_rows[node];
  };
  std::int64_t branch = 0;
  for (std::size_t split = 0; split < grown.node.size(); ++split) {
    const std::int64_t node = grown.node[split];
    CHECK(node < branch);  // after its parent
    std::int64_t n_rows = 0;
    std::vector<std::int64_t> sums(width);
    for (std::int64_t n = 0; n < grown.branches.n_branches[split]; ++n, ++branch) {
      n_rows += grown.branches.n_rows[branch];
      CHECK(grown.branches.n_rows[branch] >= limits.min_rows_in_leaf);
      CHECK(grown.depth[branch] == (node < 0 ? 1 : grown.depth[node] + 1));
      for (std::int64_t slot = 0; is_classes && slot < width; ++slot)
        sums[slot] += grown.branches.statistics[branch * width + slot];
    }
    CHECK(n_rows == n_rows_of(node));
    for (std::int64_t slot = 0; is_classes && slot < width; ++slot)
      CHECK(sums[slot] == (node < 0 ? root.statistic[slot]
                                    : grown.branches.statistics[node * width + slot]));
  }
  CHECK(branch == std::ssize(grown.branches.n_rows));
}

bool same(const GrownOut& one, const GrownOut& other) {
  return one.node == other.node && one.feature == other.feature &&
         one.position == other.position && one.gain == other.gain &&
         one.branches.statistics == other.branches.statistics &&
         one.branches.low == other.branches.low &&
         one.branches.high == other.branches.high &&
         one.branches.set == other.branches.set && one.unsplit == other.unsplit &&
         one.too_small == other.too_small;
}

void check_target(Random& random, const TargetData& data, std::int64_t one_missing_in) {
  const auto n_rows = static_cast<std::int64_t>(
      data.classes.empty() ? data.values.size() : data.classes.size());
  Table table(n_rows);
  table.add_random(random, 3, Candidates::cut, one_missing_in);
  table.add_random(random, 4, Candidates::subset, one_missing_in);
  table.add_random(random, 300, Candidates::cut, 0);
  table.add_random(random, 70'000, Candidates::cut, 0);
  for (const std::int64_t n_drawn : {0, 2})
    for (const LeafLimits& limits :
         {LeafLimits{}, LeafLimits{3, 2, 1000}, LeafLimits{1, 10, 4}}) {
      Rule rule;
      rule.limits.min_rows = limits.min_rows_in_leaf;
      if (one_missing_in > 0) rule.missing = Missing::majority;
      Root root{n_rows, {}};
      MemorySource source(table.columns(), data.view(), rule, n_rows, 1);
      const GrownOut grown = grow_out(source, limits, n_drawn, root);
      CHECK(!grown.node.empty());
      check_sums(grown, root, source.width(), data.view().is_classes(), limits);
      MemorySource other(table.columns(), data.view(), rule, n_rows, 3);
      CHECK(same(grown, grow_out(other, limits, n_drawn, root)));
    }
}

void sums_add_up_for_classes() {
  Random random(71);
  for (const Criterion criterion : class_criteria)
    for (const int n_classes : {2, 3, 300})
      for (const std::int64_t heaviest : {0, 5, 300}) {
        note(name_of(criterion) + ", " + std::to_string(n_classes) + " classes");
        check_target(random,
                     random_classes(random, 200, {n_classes}, criterion, heaviest), 0);
        check_target(random,
                     random_classes(random, 200, {n_classes}, criterion, heaviest), 5);
      }
}

void sums_add_up_for_numbers() {
  Random random(72);
  for (const Criterion criterion :
       {Criterion::squared_error, Criterion::absolute_error})
    check_target(random, random_numbers(random, 150, 1, criterion, 3), 4);
}

// Counted classes give the cut of the evaluator for any weights.
void counted_classes_have_the_cuts_of_others() {
  Random random(73);
  for (int round = 0; round < 200; ++round) {
    const std::int64_t n_rows = 2 + random.below(60);
    const TargetData data =
        random_classes(random, n_rows, {4}, Criterion::gini, random.below(4));
    Evaluating other(data);
    Target target = data.view();
    target.pairs.resize(n_rows);
    for (std::int64_t row = 0; row < n_rows; ++row)
      target.pairs[row] =
          static_cast<std::uint16_t>(256 * target.weight(row) + target.classes[row]);
    CountedClasses counted(target, other.tables.of_counts);
    const auto list = list_of(random_codes(random, n_rows, 1 + random.below(20)));
    Limits limits;
    limits.min_rows = 1 + random.below(3);
    counted.begin(list);
    other.evaluator->begin(list);
    const Cut one = counted.best_cut(list, limits, 1e-12);
    const Cut two = other.evaluator->best_cut(list, limits, 1e-12);
    CHECK(one.position == two.position);
    CHECK(one.position == 0 || one.score == two.score);
  }
}

}  // namespace

Tests grow_out_tests() {
  return {{"sums_add_up_for_classes", sums_add_up_for_classes},
          {"sums_add_up_for_numbers", sums_add_up_for_numbers},
          {"counted_classes_have_the_cuts_of_others",
           counted_classes_have_the_cuts_of_others}};
}

}  // namespace treewright::tests
