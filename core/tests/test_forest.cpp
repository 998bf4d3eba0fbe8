// What trees that are grown side by side need: lists made when they are asked for,
// draws that depend on a key, and several roots.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "check.hpp"
#include "combinations.hpp"
#include "draw.hpp"
#include "drawn_sides.hpp"
#include "grow.hpp"
#include "late_lists.hpp"
#include "walk.hpp"

namespace treewright::tests {
namespace {

// Rows in code order, with marks: what a list that is kept has, but for the order of
// rows with equal codes.
void late_lists_are_in_code_order() {
  Random random(5);
  LateLists lists;
  for (const std::int64_t n_rows : {1, 2, 23, 24, 25, 300, 5000})
    for (const std::int64_t n_codes : {1, 2, 200, 40'000, 3'000'000}) {
      note(std::to_string(n_rows) + " rows, " + std::to_string(n_codes) + " codes");
      Table table(n_rows);
      auto codes = random_codes(random, n_rows, n_codes);
      if (n_codes > 200 && random.one_in(2))  // most rows in one drawer
        for (auto& code : codes) code = code % 7 == 0 ? code : code % 50;
      table.add(codes, static_cast<std::uint32_t>(n_codes), Candidates::cut,
                n_codes < 256     ? 1
                : n_codes < 65536 ? 2
                                  : 4);
      std::vector<std::uint32_t> table_row(n_rows);
      std::iota(table_row.rbegin(), table_row.rend(), 0u);
      std::vector<Entry> rows;
      for (std::int64_t row = 0; row < n_rows; ++row)
        if (!random.one_in(3)) rows.push_back(static_cast<Entry>(row));
      const auto sorted = lists.sorted(table.columns()[0], rows, table_row);
      CHECK(sorted.size() == rows.size());
      const auto code_at = [&](std::size_t place) {
        return codes[table_row[row_of(sorted[place])]];
      };
      for (std::size_t place = 0; place < sorted.size(); ++place) {
        const bool is_new = place == 0 || code_at(place) != code_at(place - 1);
        CHECK(place == 0 || code_at(place - 1) <= code_at(place));
        CHECK(starts_value(sorted[place]) == is_new);
      }
      auto found = rows_of(sorted);
      std::ranges::sort(found);
      CHECK(found == rows_of(rows));
    }
}

// Also if an earlier key's order was left half way.
void a_key_has_one_order_of_all_features() {
  FeatureOrder order(7), other(7);
  for (std::uint64_t key = 0; key < 50; ++key) {
    order.start(key);
    std::vector<std::uint32_t> drawn;
    for (int place = 0; place < 7; ++place) drawn.push_back(order.next());
    other.start(key);
    for (std::uint64_t place = 0; place < key % 8; ++place)
      CHECK(other.next() == drawn[place]);
    std::ranges::sort(drawn);
    for (std::uint32_t feature = 0; feature < 7; ++feature)
      CHECK(drawn[feature] == feature);
  }
}

double chi_square_of(const auto& counts, double expected) {
  double sum = 0;
  for (const auto& [what, count] : counts)
    sum += (count - expected) * (count - expected) / expected;
  return sum;
}

// Each of the 10 pairs of 5 features is drawn as often as any other: chi-square with 9
// degrees of freedom, 27.9 at a level of 0.001.
void draws_are_uniform() {
  std::map<std::uint32_t, int> counts;
  FeatureOrder order(5);
  std::uint64_t key = 17;
  constexpr int n_draws = 20'000;
  for (int draw = 0; draw < n_draws; ++draw) {
    key = branch_key(key, draw % 3);
    order.start(key);
    std::uint32_t pair = 1u << order.next();
    pair |= 1u << order.next();
    ++counts[pair];
  }
  CHECK(counts.size() == 10);
  CHECK(chi_square_of(counts, n_draws / 10.0) < 27.9);
}

// 20 equal parts of the way from 0 to 1, for the features of a chain of nodes: 19
// degrees of freedom, 43.8 at a level of 0.001.
void draws_of_cuts_are_uniform() {
  std::map<int, int> counts;
  std::uint64_t key = 3;
  constexpr int n_nodes = 10'000;
  for (int node = 0; node < n_nodes; ++node) {
    key = branch_key(key, node % 2);
    for (const std::uint64_t feature : {0, 1, 1999})
      ++counts[static_cast<int>(20 * share_of_draw(draw_of_feature(key, feature)))];
  }
  CHECK(counts.size() == 20);
  CHECK(chi_square_of(counts, 3 * n_nodes / 20.0) < 43.8);
}

void branches_have_keys_of_their_own() {
  std::vector<std::uint64_t> keys{1};
  for (int level = 0; level < 12; ++level) {
    const std::size_t n_before = keys.size();
    for (std::size_t node = n_before / 2; node < n_before; ++node)
      for (const std::uint64_t branch : {0, 1})
        keys.push_back(branch_key(keys[node], branch));
  }
  std::ranges::sort(keys);
  CHECK(std::ranges::adjacent_find(keys) == keys.end());
}

// Trees with rows of their own find what one tree finds that has these rows, as often
// as they were drawn, for a table.
void roots_find_what_a_table_of_their_rows_finds() {
  Random random(11);
  for (int round = 0; round < 120; ++round) {
    note("round " + std::to_string(round));
    const std::int64_t n_rows = 1 + random.below(80);
    const auto criterion = class_criteria[round % 3];
    const int n_classes = 2 + static_cast<int>(random.below(3)) * (round % 2);
    auto data =
        random_classes(random, n_rows, {n_classes}, criterion, round % 4 == 0 ? 5 : 0);
    if (round % 5 == 0)
      data = random_numbers(random, n_rows, 1, Criterion::squared_error,
                            round % 2 ? 4 : 0);
    Table table(n_rows);
    table.add_random(random, 1 + static_cast<std::uint32_t>(random.below(90)),
                     Candidates::cut);
    table.add_random(random, 4, Candidates::multiway);
    table.add_random(random, 5, Candidates::subset);
    std::vector<std::uint32_t> rows, counts;
    std::vector<std::int64_t> starts{0};
    for (int tree = 0; tree < 3; ++tree) {
      const std::size_t before = rows.size();
      for (std::int64_t row = 0; row < n_rows; ++row)
        if (const auto count = random.below(3); count > 0) {
          rows.push_back(static_cast<std::uint32_t>(row));
          counts.push_back(static_cast<std::uint32_t>(count));
        }
      if (rows.size() == before) {
        rows.push_back(0);
        counts.push_back(1);
      }
      starts.push_back(std::ssize(rows));
    }
    MemorySource source(table.columns(), data.view(), Rule{}, n_rows, 2,
                        {rows, counts, starts});
    source.build_lists();
    const int width = source.width();
    std::vector<std::int64_t> statistics(3 * width);
    std::vector<std::uint8_t> pure(3);
    source.open_roots(statistics, pure);
    const std::vector<std::int64_t> nodes{0, 1, 2};
    const std::vector<double> tolerances(3, 1e-9);
    std::vector<Found> found(9);
    source.scan(nodes, statistics, tolerances, {}, found);
    for (int tree = 0; tree < 3; ++tree) {
      TargetData own = data;
      own.classes.clear();
      own.values.clear();
      own.weighted.clear();
      own.weights.clear();
      Table part(starts[tree + 1] - starts[tree]);
      std::vector<std::vector<std::uint32_t>> codes(3);
      for (auto place = starts[tree]; place < starts[tree + 1]; ++place) {
        const std::uint32_t row = rows[place];
        const std::int64_t count = counts[place];
        for (int feature = 0; feature < 3; ++feature)
          codes[feature].push_back(table.code(feature, row));
        if (!data.classes.empty()) own.classes.push_back(data.classes[row]);
        if (!data.values.empty()) {
          own.values.push_back(data.values[row]);
          const auto weighted =
              data.weights.empty() ? data.values[row] : data.weighted[row];
          own.weighted.push_back(weighted * count);
        }
        own.weights.push_back((data.weights.empty() ? 1 : data.weights[row]) * count);
      }
      for (int feature = 0; feature < 3; ++feature)
        part.add(codes[feature], table.columns()[feature].n_codes,
                 table.columns()[feature].candidates);
      MemorySource alone(part.columns(), own.view(), Rule{}, part.n_rows(), 1);
      alone.build_lists();
      std::vector<std::int64_t> statistic(width);
      CHECK(open_root(alone, statistic) == (pure[tree] != 0));
      const auto before = statistics.begin() + tree * width;
      CHECK(std::equal(statistic.begin(), statistic.end(), before));
      std::vector<Found> wanted(3);
      alone.scan(std::vector<std::int64_t>{0}, statistic, std::vector<double>{1e-9}, {},
                 wanted);
      for (int feature = 0; feature < 3; ++feature) {
        CHECK(found[tree * 3 + feature].gain == wanted[feature].gain);
        CHECK(found[tree * 3 + feature].position == wanted[feature].position);
      }
    }
  }
}

// All features drawn: the same splits as of a scan, and a bit for each with one value.
void drawn_features_have_the_splits_of_a_scan() {
  Random random(23);
  for (int round = 0; round < 60; ++round) {
    note("round " + std::to_string(round));
    const std::int64_t n_rows = 1 + random.below(30);
    auto data = random_classes(random, n_rows, {3}, class_criteria[round % 3], 0);
    Table table(n_rows);
    for (int feature = 0; feature < 70; ++feature)
      table.add_random(random, 1 + static_cast<std::uint32_t>(random.below(4)),
                       feature % 2 ? Candidates::cut : Candidates::subset);
    std::vector<std::uint32_t> rows(n_rows);
    std::iota(rows.begin(), rows.end(), 0u);
    const std::vector<std::int64_t> starts{0, n_rows}, nodes{0};
    MemorySource source(table.columns(), data.view(), Rule{}, n_rows, 1,
                        {rows, {}, starts});
    source.build_lists();
    std::vector<std::int64_t> statistic(source.width());
    open_root(source, statistic);
    const std::vector<double> tolerances{1e-9};
    std::vector<Found> wanted(70);
    source.scan(nodes, statistic, tolerances, {}, wanted);
    std::vector<DrawnFound> found(70);
    std::vector<std::uint64_t> constant(source.words_of_features());
    const std::vector<std::uint64_t> keys{static_cast<std::uint64_t>(round)};
    source.scan_drawn(nodes, statistic, tolerances, {}, {keys, 70, true}, constant,
                      found);
    std::size_t next = 0;
    for (std::size_t feature = 0; feature < 70; ++feature) {
      const bool one = wanted[feature].gain == one_value;
      CHECK(one == ((constant[feature / 64] >> feature % 64 & 1) != 0));
      if (one) continue;
      CHECK(found[next].feature == static_cast<std::int64_t>(feature));
      CHECK(found[next].gain == wanted[feature].gain);
      CHECK(found[next++].position == wanted[feature].position);
    }
    CHECK(next == 70 || found[next].feature == -1);
  }
}

// Rows up to the threshold, or of the set, then the others, then those without a value.
void drawn_sides_part_the_rows() {
  Random random(29);
  DrawnSides sides;
  for (int round = 0; round < 400; ++round) {
    note("round " + std::to_string(round));
    const std::int64_t n_rows = 1 + random.below(40);
    std::vector<double> cells;
    std::vector<std::uint32_t> table_row(n_rows);
    std::vector<Entry> rows;
    for (std::int64_t row = 0; row < n_rows; ++row) {
      const bool known = round % 2 == 0 || !random.one_in(4);
      cells.push_back(known ? static_cast<double>(random.below(5))
                            : std::numeric_limits<double>::quiet_NaN());
      rows.push_back(static_cast<Entry>(row));
    }
    std::iota(table_row.rbegin(), table_row.rend(), 0u);
    Column column;
    column.n_codes = 5;
    column.has_missing = round % 2 == 1;
    column.candidates = round % 3 == 0 ? Candidates::drawn_set : Candidates::cut;
    column.cells = cells.data();
    column.stride = 1;
    sides.draw(column, rows, table_row, random.below(1 << 30) << 32);
    const auto list = sides.list(rows);
    CHECK(list.size() == rows.size());
    const auto codes = sides.set_codes();
    const auto is_left = [&](double cell) {
      if (column.candidates == Candidates::cut) return cell <= sides.threshold();
      return std::ranges::find(codes, static_cast<std::int32_t>(cell)) != codes.end();
    };
    std::int64_t n_known = 0;
    for (std::int64_t place = 0; place < n_rows; ++place) {
      const double cell = cells[table_row[row_of(list[place])]];
      n_known += cell == cell;
      CHECK((place < sides.n_known()) == (cell == cell));
      if (cell == cell) CHECK((place < sides.n_left()) == is_left(cell));
      const bool starts =
          place == 0 || place == sides.n_left() || place == sides.n_known();
      CHECK(starts_value(list[place]) == starts);
    }
    CHECK(n_known == sides.n_known());
  }
}

// Rows stand in the order of the sum that a walk would compute, with a mark at each
// other sum; features that have one value are not in it.
void sums_put_rows_in_order() {
  Random random(29);
  Combinations combined;
  constexpr std::int64_t n_features = 5;
  for (int round = 0; round < 300; ++round) {
    note("round " + std::to_string(round));
    const std::int64_t n_rows = 2 + random.below(40);
    std::vector<double> cells;
    for (std::int64_t n = 0; n < n_rows * n_features; ++n)
      cells.push_back(n % n_features == 3 ? 7.0 : static_cast<double>(random.below(4)));
    std::vector<Column> columns(n_features);
    for (std::int64_t feature = 0; feature < n_features; ++feature) {
      columns[feature].cells = cells.data() + feature;
      columns[feature].stride = n_features;
      columns[feature].scale = 0.5 + static_cast<double>(feature);
    }
    std::vector<std::uint32_t> table_row(n_rows);
    std::iota(table_row.rbegin(), table_row.rend(), 0u);
    std::vector<Entry> rows(n_rows);
    std::iota(rows.begin(), rows.end(), Entry{0});
    const std::int64_t n_combined = 1 + random.below(6);
    if (!combined.draw(columns, rows, table_row, random.below(1 << 30), n_combined))
      continue;
    std::vector<std::int32_t> codes;
    combined.write(codes);
    const TermsView terms{codes};
    CHECK(terms.size() >= 1 && std::ssize(codes) <= 3 * n_combined);
    CHECK(terms.feature(0) == combined.first_feature());
    const auto sum = [&](Entry entry) {
      double total = 0;
      for (std::size_t term = 0; term < terms.size(); ++term) {
        CHECK(terms.feature(term) != 3);
        CHECK(std::abs(terms.weight(term)) <= columns[terms.feature(term)].scale);
        total += terms.weight(term) *
                 columns[terms.feature(term)].cell(table_row[row_of(entry)]);
      }
      return total;
    };
    const auto list = combined.list(columns, rows, table_row);
    CHECK(list.size() == rows.size());
    CHECK(starts_value(list[0]));
    for (std::int64_t place = 1; place < n_rows; ++place) {
      const double low = sum(list[place - 1]), high = sum(list[place]);
      CHECK(low <= high);
      CHECK(starts_value(list[place]) == (low < high));
      if (low == high) continue;
      CHECK(combined.threshold(place) >= low && combined.threshold(place) < high);
    }
  }
}

}  // namespace

Tests forest_tests() {
  return {{"late_lists_are_in_code_order", late_lists_are_in_code_order},
          {"a_key_has_one_order_of_all_features", a_key_has_one_order_of_all_features},
          {"draws_are_uniform", draws_are_uniform},
          {"draws_of_cuts_are_uniform", draws_of_cuts_are_uniform},
          {"branches_have_keys_of_their_own", branches_have_keys_of_their_own},
          {"drawn_features_have_the_splits_of_a_scan",
           drawn_features_have_the_splits_of_a_scan},
          {"drawn_sides_part_the_rows", drawn_sides_part_the_rows},
          {"sums_put_rows_in_order", sums_put_rows_in_order},
          {"roots_find_what_a_table_of_their_rows_finds",
           roots_find_what_a_table_of_their_rows_finds}};
}

}  // namespace treewright::tests
