// Groups of values against a slow search that computes every worth from the rows.
#include "grouping.hpp"

#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "check.hpp"
#include "grow.hpp"

namespace treewright::tests {
namespace {

double bits(const std::vector<std::int64_t>& weights) {
  double whole = 0, sum = 0;
  for (const std::int64_t weight : weights) whole += static_cast<double>(weight);
  for (const std::int64_t weight : weights)
    if (weight > 0)
      sum -=
          static_cast<double>(weight) * std::log2(static_cast<double>(weight) / whole);
  return sum;  // weight x entropy
}

double score_of(std::span<const std::int64_t> classes) {
  return -bits({classes.begin(), classes.end()});
}

Block block(std::vector<std::int64_t> classes) {
  const auto weight = std::reduce(classes.begin(), classes.end());
  return {weight, weight, std::move(classes)};
}

Block sum_of(const std::vector<Block>& blocks) {
  Block all = blocks[0];
  for (std::size_t one = 1; one < blocks.size(); ++one) {
    all.n_rows += blocks[one].n_rows;
    all.weight += blocks[one].weight;
    for (std::size_t slot = 0; slot < all.classes.size(); ++slot)
      all.classes[slot] += blocks[one].classes[slot];
  }
  return all;
}

Grouping group(const std::vector<Block>& values, GroupingRule rule) {
  rule.base = score_of(sum_of(values).classes);
  rule.tolerance = 1e-9;
  return best_grouping(values, score_of, rule);
}

using Numbers = std::vector<std::int32_t>;

// Outlook in the weather table: overcast, rain, sunny with 4, 5, 5 days, of which 0, 2,
// 3 are bad. Gain 14 x 0.2467; rain and sunny together gain 14 x 0.2260 with 0.8631
// bits.
void outlook_becomes_overcast_and_the_rest() {
  const auto found = group({block({0, 4}), block({2, 3}), block({3, 2})}, {});
  CHECK((found.block_of == Numbers{0, 1, 1}));
  CHECK(found.n_blocks == 2 && found.is_admissible);
  CHECK(std::abs(found.split_information - 0.8631) < 1e-4);
  CHECK(std::abs(found.worth - 14 * 0.2260 / 0.8631) < 1e-2);
}

// C5.0 takes log2 S(3, 2) = log2 3 bits of 14 x 0.2260 = 3.164: 1.579 / 0.8631 = 1.83
// is less than 14 x 0.2467 / 1.5774 = 2.19.
void outlook_stays_apart_if_groups_have_to_be_named() {
  GroupingRule rule;
  rule.charge_unit = 1;
  const auto found = group({block({0, 4}), block({2, 3}), block({3, 2})}, rule);
  CHECK((found.block_of == Numbers{0, 1, 2}));
  CHECK(found.charge == 0);
  CHECK(std::abs(found.worth - 2.19) < 1e-2);
}

void values_with_the_same_shares_are_joined_first() {
  // pure ones of a class, and 1 : 2 twice; then nothing is left to decide
  const auto found =
      group({block({3, 0}), block({1, 2}), block({5, 0}), block({2, 4})}, {});
  CHECK((found.block_of == Numbers{0, 1, 0, 1}));
}

void values_that_all_have_the_same_shares_are_one_block() {
  const auto found = group({block({1, 2}), block({2, 4}), block({4, 8})}, {});
  CHECK(found.n_blocks == 1);
  CHECK(!found.is_admissible);
}

void an_admissible_grouping_is_not_left_for_another() {
  // without limits {0}, {1, 2}; two branches of 5 rows need the values 1 and 2 apart
  const std::vector<Block> values{block({0, 4}), block({2, 3}), block({3, 2})};
  GroupingRule rule;
  rule.limits.min_rows = 5;
  rule.two_branches = true;
  const auto found = group(values, rule);
  CHECK(found.is_admissible);
  CHECK(found.block_of[1] != found.block_of[2]);
}

void rows_without_a_value_are_one_more_outcome() {
  const std::vector<Block> values{block({0, 4}), block({2, 3}), block({3, 2})};
  GroupingRule rule;
  rule.beside = block({1, 1});
  const auto found = group(values, rule);
  CHECK(std::abs(found.split_information - bits({4, 10, 2}) / 16) < 1e-12);
}

void numbers_of_groupings() {
  // S(5, k): 0, 1, 15, 25, 10, 1
  const auto five = log2_groupings(5);
  const double expected[] = {0, 1, 15, 25, 10, 1};
  CHECK(five.size() == 6 && std::isinf(five[0]));
  for (int k = 1; k <= 5; ++k) CHECK(std::abs(std::exp2(five[k]) - expected[k]) < 1e-9);
  // 2^(n - 1) - 1 ways to make two groups, too many for an integer
  CHECK(std::abs(log2_groupings(2000)[2] - 1999) < 1e-6);
}

// The slow search: blocks are lists of values, every worth is computed anew.
struct Slow {
  const std::vector<Block>& values;
  const GroupingRule& rule;
  using Blocks = std::vector<std::vector<std::size_t>>;

  Block whole(const std::vector<std::size_t>& block_values) const {
    std::vector<Block> parts;
    for (const std::size_t value : block_values) parts.push_back(values[value]);
    return sum_of(parts);
  }
  double worth(const Blocks& blocks) const {
    double gain = -score_of(sum_of(values).classes);
    std::vector<std::int64_t> weights{rule.beside.weight};
    for (const auto& one : blocks) {
      gain += score_of(whole(one).classes);
      weights.push_back(whole(one).weight);
    }
    if (rule.charge_unit > 0)
      gain -= rule.charge_unit * log2_groupings(values.size())[blocks.size()];
    const auto all = std::reduce(weights.begin(), weights.end());
    return gain / (bits(weights) / static_cast<double>(all));
  }
  bool admits(const Blocks& blocks) const {
    std::size_t n_large = 0;
    for (const auto& one : blocks) n_large += whole(one).n_rows >= rule.limits.min_rows;
    return n_large >= (rule.two_branches ? 2 : blocks.size());
  }
  // Nothing if two of the numbers that decide are too close to call.
  std::optional<Blocks> search(Blocks blocks) const {
    while (blocks.size() > 2) {
      std::vector<std::pair<double, Blocks>> unions;
      for (std::size_t a = 0; a < blocks.size(); ++a)
        for (std::size_t b = a + 1; b < blocks.size(); ++b) {
          Blocks joined = blocks;
          joined[a].insert(joined[a].end(), blocks[b].begin(), blocks[b].end());
          joined.erase(joined.begin() + static_cast<std::ptrdiff_t>(b));
          if (admits(blocks) && !admits(joined)) continue;
          unions.emplace_back(worth(joined), joined);
        }
      if (unions.empty()) return blocks;
      std::ranges::stable_sort(unions, std::greater<>{},
                               [](auto& u) { return u.first; });
      const double best = unions[0].first, now = worth(blocks);
      if (unions.size() > 1 && best - unions[1].first < 1e-6) return {};
      if (std::abs(best - now) < 1e-6) return {};
      if (best < now) return blocks;
      blocks = unions[0].second;
    }
    return blocks;
  }
};

void groups_are_those_of_a_slow_search() {
  Random random(91);
  int n_compared = 0;
  for (int round = 0; round < 400; ++round) {
    note("round " + std::to_string(round));
    const std::int64_t n_classes = 2 + random.below(3);
    std::vector<Block> values;
    for (std::int64_t value = 3 + random.below(6); value > 0; --value) {
      std::vector<std::int64_t> classes;
      for (std::int64_t slot = 0; slot < n_classes; ++slot)
        classes.push_back(1 + random.below(97));
      values.push_back(block(classes));
    }
    GroupingRule rule;
    rule.limits.min_rows = 1 + random.below(200);
    rule.two_branches = random.one_in(2);
    if (random.one_in(2)) rule.beside = block({random.below(50), 0});
    if (random.one_in(2)) rule.charge_unit = 1 + static_cast<double>(random.below(3));
    Slow::Blocks start;
    for (std::size_t value = 0; value < values.size(); ++value)
      start.push_back({value});
    const Slow slow{values, rule};
    const auto expected = slow.search(start);
    if (!expected) continue;
    ++n_compared;
    const auto found = group(values, rule);
    CHECK(found.n_blocks == std::ssize(*expected));
    CHECK(found.is_admissible == slow.admits(*expected));
    CHECK(std::abs(found.worth - slow.worth(*expected)) < 1e-6);
    for (const auto& one : *expected)
      for (const std::size_t value : one)
        CHECK(found.block_of[value] == found.block_of[one[0]]);
  }
  CHECK(n_compared > 300);
}

Rule informed(Missing missing) {
  Rule rule;
  rule.missing = missing;
  rule.wants_information = true;
  return rule;
}

// A source with one column of groups; its root is split.
Branches split_root(const Table& table, const Target& target, const Rule& rule) {
  MemorySource source(table.columns(), target, rule, table.n_rows(), 1);
  source.build_lists();
  std::vector<std::int64_t> statistic(source.width());
  open_root(source, statistic);
  std::vector<Found> found(1);
  std::vector<Detail> details(1);
  const std::int64_t root = 0;
  const double tolerance = 1e-9;
  source.scan({&root, 1}, statistic, {&tolerance, 1}, {}, found, details);
  const std::int32_t feature = 0;
  return source.split({&root, 1}, {&feature, 1}, {&found[0].position, 1},
                      {&tolerance, 1});
}

const std::vector<std::uint32_t> codes_of_rows{3, 0, 0, 4, 4, 1, 1, 5, 0, 4};
const std::vector<std::uint32_t> classes_of_rows{0, 0, 0, 1, 1, 1, 1, 0, 0, 1};

void branches_are_in_order_and_values_without_rows_are_last() {
  const auto data = classes_of(classes_of_rows, 2, Criterion::entropy);
  Table table(10);  // 0, 3, 5: the first class; 1, 4: the second; 2: no rows
  table.add(codes_of_rows, 6, Candidates::groups);
  const auto branches = split_root(table, data.view(), informed(Missing::none));
  CHECK((branches.n_branches == std::vector<std::int64_t>{3}));
  CHECK((branches.n_rows == std::vector<std::int64_t>{5, 5, 0}));
  CHECK((branches.n_set == std::vector<std::int64_t>{6}));
  CHECK((branches.set == Numbers{0, 1, 2, 0, 1, 0}));
}

void missing_values_have_a_branch_behind_the_groups() {
  const auto data = classes_of(classes_of_rows, 2, Criterion::entropy);
  Table table(10);  // 5 is missing
  table.add(codes_of_rows, 5, Candidates::groups);
  const auto branches = split_root(table, data.view(), informed(Missing::own_branch));
  CHECK((branches.n_rows == std::vector<std::int64_t>{4, 5, 0, 1}));
  CHECK((branches.missing_branch == Numbers{3}));
  CHECK((branches.set == Numbers{0, 1, 2, 0, 1}));
  const auto heaviest = split_root(table, data.view(), informed(Missing::majority));
  CHECK((heaviest.n_rows == std::vector<std::int64_t>{4, 6, 0}));
}

}  // namespace

Tests grouping_tests() {
  return {
      {"outlook_becomes_overcast_and_the_rest", outlook_becomes_overcast_and_the_rest},
      {"outlook_stays_apart_if_groups_have_to_be_named",
       outlook_stays_apart_if_groups_have_to_be_named},
      {"values_with_the_same_shares_are_joined_first",
       values_with_the_same_shares_are_joined_first},
      {"values_that_all_have_the_same_shares_are_one_block",
       values_that_all_have_the_same_shares_are_one_block},
      {"an_admissible_grouping_is_not_left_for_another",
       an_admissible_grouping_is_not_left_for_another},
      {"rows_without_a_value_are_one_more_outcome",
       rows_without_a_value_are_one_more_outcome},
      {"numbers_of_groupings", numbers_of_groupings},
      {"groups_are_those_of_a_slow_search", groups_are_those_of_a_slow_search},
      {"branches_are_in_order_and_values_without_rows_are_last",
       branches_are_in_order_and_values_without_rows_are_last},
      {"missing_values_have_a_branch_behind_the_groups",
       missing_values_have_a_branch_behind_the_groups}};
}

}  // namespace treewright::tests
