// Rules against row-by-row counting, and the search for a subset against sums anew.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "random_data.hpp"
#include "rule_subset.hpp"

namespace treewright::tests {
namespace {

constexpr std::int64_t n_features = 3, n_classes = 3;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

// A table, conditions on it and rules made of them.
struct Small {
  std::int64_t n_rows;
  std::vector<double> cells;
  std::vector<std::int32_t> classes, feature, set_codes, condition, rule_class;
  std::vector<std::int64_t> weights, set_start{0}, start{0};
  std::vector<double> low, high;

  Small(Random& random, std::int64_t n, bool weighted, std::int64_t n_rules)
      : n_rows(n) {
    for (std::int64_t cell = 0; cell < n_rows * n_features; ++cell)
      cells.push_back(random.one_in(9) ? nan
                                       : static_cast<double>(random.below(6)) - 1);
    for (std::int64_t row = 0; row < n_rows; ++row) {
      classes.push_back(static_cast<std::int32_t>(random.below(n_classes)));
      if (weighted) weights.push_back(1 + random.below(5));
    }
    for (int one = 0; one < 14; ++one) {
      feature.push_back(static_cast<std::int32_t>(random.below(n_features)));
      const double edge = static_cast<double>(random.below(5));
      low.push_back(random.one_in(2) ? -inf : edge - 2);
      high.push_back(random.one_in(2) ? inf : edge);
      if (random.one_in(2)) {
        set_codes.push_back(static_cast<std::int32_t>(random.below(3)));
        if (random.one_in(2)) set_codes.push_back(set_codes.back() + 1);
      }
      set_start.push_back(std::ssize(set_codes));
    }
    for (std::int64_t rule = 0; rule < n_rules; ++rule) {
      const std::int64_t n_own = random.below(5);
      for (std::int64_t one = 0; one < n_own; ++one)
        condition.push_back(static_cast<std::int32_t>(random.below(14)));
      start.push_back(std::ssize(condition));
      rule_class.push_back(static_cast<std::int32_t>(random.below(n_classes)));
    }
  }
  LabelledCells labelled() const {
    return {cells, n_features, classes, n_classes, weights};
  }
  Conditions conditions() const { return {feature, low, high, set_start, set_codes}; }
  Rules rules() const { return {start, condition}; }

  std::int64_t weight(std::int64_t row) const {
    return weights.empty() ? 1 : weights[row];
  }
  bool meets(std::int64_t row, std::int32_t which) const {
    const double x = cells[feature[which] * n_rows + row];
    if (set_start[which] == set_start[which + 1])
      return x > low[which] && x <= high[which];
    for (auto at = set_start[which]; at < set_start[which + 1]; ++at)
      if (x == set_codes[at]) return true;
    return false;
  }
  // Without the condition at one place; -1: with all.
  bool covers(std::int64_t rule, std::int64_t row, std::int64_t without = -1) const {
    for (auto at = start[rule]; at < start[rule + 1]; ++at)
      if (at != without && !meets(row, condition[at])) return false;
    return true;
  }
};

std::int64_t some_rows(Random& random) {
  return random.one_in(3) ? 1 + random.below(4) * 64 : 1 + random.below(5000);
}

void counts_are_those_of_going_through_the_rows() {
  Random random(11);
  for (int turn = 0; turn < 40; ++turn) {
    const Small small(random, some_rows(random), random.one_in(2), 30);
    RuleRows rows(small.labelled(), 1 + turn % 3);
    rows.add(small.conditions());
    CHECK(rows.n_conditions() == 14);
    const Dropped found = rows.without_each(small.rules(), small.rule_class);
    for (std::int64_t rule = 0; rule < 30; ++rule) {
      const auto count = [&](std::int64_t without, std::int64_t n, std::int64_t wrong) {
        for (std::int64_t row = 0; row < small.n_rows; ++row)
          if (small.covers(rule, row, without)) {
            n -= small.weight(row);
            if (small.classes[row] != small.rule_class[rule])
              wrong -= small.weight(row);
          }
        CHECK(n == 0 && wrong == 0);
      };
      count(-1, found.covered[rule], found.wrong[rule]);
      for (auto at = small.start[rule]; at < small.start[rule + 1]; ++at)
        count(at, found.covered_without[at], found.wrong_without[at]);
    }
  }
}

void classes_and_first_rules_are_those_of_going_through_the_rows() {
  Random random(12);
  for (int turn = 0; turn < 30; ++turn) {
    const Small small(random, some_rows(random), random.one_in(2), 12);
    RuleRows rows(small.labelled(), 1 + turn % 3);
    rows.add(small.conditions());
    std::vector<std::int64_t> weights(12 * n_classes, 7), n_rows(12, 7);
    rows.count_classes(small.rules(), weights, n_rows);
    std::vector<std::int32_t> first(small.n_rows), second(small.n_rows);
    rows.first_two(small.rules(), first, second);
    for (std::int64_t row = 0; row < small.n_rows; ++row) {
      std::vector<std::int32_t> met;
      for (std::int32_t rule = 0; rule < 12; ++rule)
        if (small.covers(rule, row)) {
          met.push_back(rule);
          weights[rule * n_classes + small.classes[row]] -= small.weight(row);
          --n_rows[rule];
        }
      CHECK(first[row] == (met.empty() ? -1 : met[0]));
      CHECK(second[row] == (met.size() < 2 ? -1 : met[1]));
    }
    CHECK(std::ranges::count(weights, 0) == std::ssize(weights));
    CHECK(std::ranges::count(n_rows, 0) == std::ssize(n_rows));
  }
}

// A class's rules and what describes them, for the search.
struct Search {
  const Small& small;
  RuleRows rows;
  RuleCover cover;
  std::vector<double> bits, factorial{0};
  Exceptions exceptions;

  Search(Random& random, const Small& of, int n_threads)
      : small(of),
        rows(of.labelled(), n_threads),
        cover((rows.add(of.conditions()), rows), of.rules(), 0, rows.pool()),
        exceptions(total(of), 0.5) {
    for (std::size_t rule = 0; rule < of.rule_class.size(); ++rule) {
      bits.push_back(0.1 * static_cast<double>(random.below(300)));
      factorial.push_back(factorial.back() + std::log2(rule + 1.0));
    }
  }
  static std::int64_t total(const Small& of) {
    std::int64_t sum = 0;
    for (std::int64_t row = 0; row < of.n_rows; ++row) sum += of.weight(row);
    return sum;
  }
  SubsetTask task() const { return {rows, cover, bits, exceptions, factorial}; }

  // The bits of a subset, counted anew.
  double length(const std::vector<std::uint8_t>& inside) const {
    double sum = 0;
    std::int64_t n = 0, covered = 0, wrong = 0, missed = 0;
    for (std::size_t rule = 0; rule < inside.size(); ++rule)
      if (inside[rule]) sum += bits[rule], ++n;
    for (std::int64_t row = 0; row < small.n_rows; ++row) {
      bool any = false;
      for (std::size_t rule = 0; rule < inside.size(); ++rule)
        any |= inside[rule] && small.covers(static_cast<std::int64_t>(rule), row);
      const bool right = small.classes[row] == 0;
      covered += any ? small.weight(row) : 0;
      wrong += any && !right ? small.weight(row) : 0;
      missed += !any && right ? small.weight(row) : 0;
    }
    return 0.5 * (sum - factorial[n]) + exceptions.bits(covered, wrong, missed);
  }
};

void all_subsets_are_looked_at() {
  Random random(13);
  for (int turn = 0; turn < 25; ++turn) {
    const Small small(random, 1 + random.below(90), random.one_in(2), random.below(8));
    const Search search(random, small, 1);
    const auto n_rules = small.rule_class.size();
    const Subset found =
        best_of_all(search.task(), const_cast<Search&>(search).rows.pool());
    CHECK(found.bits == search.length(found.inside));
    for (std::size_t mask = 0; mask < std::size_t{1} << n_rules; ++mask) {
      std::vector<std::uint8_t> inside(n_rules);
      for (std::size_t rule = 0; rule < n_rules; ++rule)
        inside[rule] = mask >> rule & 1;
      CHECK(search.length(inside) >= found.bits - 1e-6);
    }
  }
}

void a_climb_ends_where_no_single_rule_saves_anything() {
  Random random(14);
  for (int turn = 0; turn < 25; ++turn) {
    const Small small(random, 1 + random.below(200), random.one_in(2), 20);
    const Search search(random, small, 1);
    std::vector<std::uint8_t> start(20);
    for (auto& flag : start) flag = static_cast<std::uint8_t>(random.below(2));
    const Subset found =
        climb(search.task(), start, const_cast<Search&>(search).rows.pool());
    CHECK(found.bits == search.length(found.inside));
    CHECK(found.bits <= search.length(start));
    for (std::size_t rule = 0; rule < 20; ++rule) {
      auto turned = found.inside;
      turned[rule] ^= 1;
      CHECK(search.length(turned) >= found.bits - 1e-6);
    }
  }
}

// -e log2 p - (n - e) log2 (1 - p), with p as the description says.
void exceptions_cost_what_the_formula_says() {
  const auto coded = [](double size, double wrong, double rate) {
    double bits = 0;
    if (wrong > 0) bits -= wrong * std::log2(rate);
    if (size > wrong) bits -= (size - wrong) * std::log2(1 - rate);
    return bits;
  };
  for (const std::int64_t total : {1, 9, 20}) {
    const Exceptions exceptions(total, 1), large(total << 40, std::ldexp(1, -40));
    for (std::int64_t covered = 0; covered <= total; ++covered)
      for (std::int64_t wrong = 0; wrong <= covered; ++wrong)
        for (std::int64_t missed = 0; missed <= total - covered; ++missed) {
          const double rest = static_cast<double>(total - covered), c = covered;
          double of_covered = covered ? wrong / c : 0,
                 of_rest = rest ? missed / rest : 0;
          (2 * covered > total ? of_covered : of_rest) =
              0.5 * (wrong + missed) / (2 * covered > total ? c : rest);
          const double wanted = std::log2(total) + coded(c, wrong, of_covered) +
                                coded(rest, missed, of_rest);
          CHECK(std::abs(exceptions.bits(covered, wrong, missed) - wanted) < 1e-9);
          CHECK(std::abs(large.bits(covered << 40, wrong << 40, missed << 40) -
                         wanted) < 1e-9);
        }
  }
}

}  // namespace

Tests rule_tests() {
  return {
      {"rules: counts are those of going through the rows",
       counts_are_those_of_going_through_the_rows},
      {"rules: classes and first rules are those of going through the rows",
       classes_and_first_rules_are_those_of_going_through_the_rows},
      {"rules: all subsets are looked at", all_subsets_are_looked_at},
      {"rules: a climb ends where no single rule saves anything",
       a_climb_ends_where_no_single_rule_saves_anything},
      {"rules: exceptions cost what the formula says",
       exceptions_cost_what_the_formula_says},
  };
}

}  // namespace treewright::tests
