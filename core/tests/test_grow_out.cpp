// All that is below open nodes in one call: rows and sums add up, threads and packing
// cannot be seen. That it is what the growing loop gives is tested from Python.
#include <algorithm>
#include <numeric>

#include "bit_rows.hpp"
#include "check.hpp"
#include "choosing.hpp"
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
  return source.grow_out(nodes, root.statistic, depths, constant, {},
                         {keys, n_drawn, true}, limits, Choosing{});
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
         one.why == other.why;
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

// Bits beside the rows of a node: counted, listed and divided as one by one.
void bits_are_the_columns() {
  Random random(74);
  for (int round = 0; round < 200; ++round) {
    const std::int64_t n_rows = 1 + random.below(50), first_row = 5;
    std::vector<std::vector<std::uint8_t>> codes(6);
    std::vector<Column> columns;
    for (auto& column : codes) {
      for (std::int64_t row = 0; row < first_row + n_rows; ++row)
        column.push_back(static_cast<std::uint8_t>(random.below(2)));
      columns.push_back({.codes = column.data(), .bytes = 1, .n_codes = 2});
    }
    columns[2].n_codes = 3;  // not one of them
    const TargetData data =
        random_classes(random, first_row + n_rows, {3}, Criterion::gini, 4);
    const Target target = data.view();
    BitRows bits(columns);
    CHECK(!bits.empty() && !bits.has(2) && bits.has(5));
    bits.start(columns, target, {}, first_row, n_rows);
    bits.look_at(0, n_rows);
    std::vector<std::int64_t> sums(3), naive(3);
    std::int64_t n_ones = 0;
    for (std::int64_t row = first_row; row < first_row + n_rows; ++row)
      if (codes[5][row]) {
        ++n_ones;
        naive[target.classes[row]] += target.weight(static_cast<std::uint32_t>(row));
      }
    CHECK(bits.count(5, sums) == n_ones && sums == naive);
    CHECK(bits.has_one_value(5) == (n_ones == 0 || n_ones == n_rows));
    std::vector<Entry> list(n_rows);
    bits.write_list(5, list);
    for (std::int64_t place = 0; place < n_rows; ++place) {
      CHECK(codes[5][row_of(list[place])] == (place >= n_rows - n_ones));
      CHECK(starts_value(list[place]) == (place == 0 || place == n_rows - n_ones));
    }
    // divided by another column, each side or both are kept
    const std::uint8_t* branches = codes[0].data() + first_row;
    const std::int64_t n_right = std::accumulate(branches, branches + n_rows, 0);
    const std::int64_t kept = random.below(3);
    std::vector<std::int64_t> starts{0, n_rows - n_right};
    if (kept == 1) starts = {closed, 0};
    if (kept == 2) starts[1] = closed;
    bits.divide(branches, starts);
    for (int side = 0; side < 2; ++side) {
      const std::int64_t n_side = side ? n_right : n_rows - n_right;
      if (starts[side] == closed || n_side == 0) continue;
      bits.look_at(starts[side], n_side);
      list.resize(n_side);
      bits.write_list(5, list);
      CHECK(std::ranges::all_of(
          list, [&](Entry entry) { return codes[0][row_of(entry)] == side; }));
    }
  }
}

}  // namespace

Tests grow_out_tests() {
  return {{"sums_add_up_for_classes", sums_add_up_for_classes},
          {"sums_add_up_for_numbers", sums_add_up_for_numbers},
          {"counted_classes_have_the_cuts_of_others",
           counted_classes_have_the_cuts_of_others},
          {"bits_are_the_columns", bits_are_the_columns}};
}

}  // namespace treewright::tests
