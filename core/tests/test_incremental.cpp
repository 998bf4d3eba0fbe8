// Incremental trees against trees that are grown from the same rows at once, and the
// bounds that leave features out against all splits.
#include <new>

#include "check.hpp"
#include "failing_memory.hpp"
#include "incremental.hpp"
#include "random_data.hpp"

namespace treewright::tests {
namespace {

constexpr std::int64_t n_features = 3;
constexpr int n_classes = 3;

struct Rows {
  std::vector<Key> keys;
  std::vector<std::uint32_t> classes;

  void add(const Rows& more) {
    keys.insert(keys.end(), more.keys.begin(), more.keys.end());
    classes.insert(classes.end(), more.classes.begin(), more.classes.end());
  }
  // Takes a row away and returns it.
  Rows take(std::int64_t row) {
    const auto first = keys.begin() + row * n_features;
    Rows taken{{first, first + n_features}, {classes[row]}};
    keys.erase(first, first + n_features);
    classes.erase(classes.begin() + row);
    return taken;
  }
};

// Few values, so that ties abound; the first feature tells something.
Rows random_rows(Random& random, std::int64_t n_rows) {
  Rows rows;
  for (std::int64_t row = 0; row < n_rows; ++row) {
    for (std::int64_t feature = 0; feature < n_features; ++feature)
      rows.keys.push_back(random.one_in(12) ? no_value
                                            : static_cast<Key>(random.below(9)));
    const Key told = rows.keys[rows.keys.size() - n_features] % n_classes;
    rows.classes.push_back(static_cast<std::uint32_t>(
        random.one_in(2) ? told : static_cast<Key>(random.below(n_classes))));
  }
  return rows;
}

// The second feature is nominal for CART; all are for ID3.
std::unique_ptr<IncrementalTree> empty_tree(Criterion criterion) {
  auto tree = std::make_unique<IncrementalTree>(criterion, n_features);
  const bool multiway = criterion == Criterion::entropy;
  for (std::int64_t feature = 0; feature < n_features; ++feature) {
    if (!multiway && feature != 1) continue;
    tree->set_candidates(feature, multiway ? Candidates::multiway : Candidates::subset);
    tree->set_ranks(feature, {4, 2, 8, 0, 1, 3, 5, 7, 6});
  }
  tree->set_classes(n_classes, {});
  return tree;
}

FlatTree flat(const IncrementalTree& tree) {
  std::vector<std::vector<std::int32_t>> codes(n_features);
  for (std::int64_t feature = 0; feature < n_features; ++feature)
    if (!tree.key_counts(feature).empty()) codes[feature] = {4, 2, 8, 0, 1, 3, 5, 7, 6};
  return tree.flatten(codes);
}

bool are_equal(const FlatTree& one, const FlatTree& other) {
  return one.feature == other.feature && one.first_child == other.first_child &&
         one.n_children == other.n_children &&
         one.missing_branch == other.missing_branch && one.low == other.low &&
         one.high == other.high && one.set_codes == other.set_codes &&
         one.statistics == other.statistics && one.n_rows == other.n_rows &&
         one.gain == other.gain && one.reason == other.reason;
}

void stays_what_is_grown_at_once(Criterion criterion, std::uint64_t seed) {
  Random random(seed);
  auto tree = empty_tree(criterion);
  Rows rows = random_rows(random, 150);
  tree->add(rows.keys, rows.classes);
  for (int step = 0; step < 60; ++step) {
    if (random.one_in(2) && rows.classes.size() > 5) {
      for (std::int64_t n = random.one_in(8) ? 30 : 1; n > 0; --n) {
        if (rows.classes.size() < 5) break;
        const Rows gone = rows.take(random.below(std::ssize(rows.classes)));
        const auto slots = tree->find(gone.keys, gone.classes);
        CHECK(slots.size() == 1);
        tree->remove(slots);
      }
    } else {
      const Rows more = random_rows(random, random.one_in(8) ? 60 : 1);
      tree->add(more.keys, more.classes);
      rows.add(more);
    }
    auto fresh = empty_tree(criterion);
    fresh->add(rows.keys, rows.classes);
    CHECK(are_equal(flat(*tree), flat(*fresh)));
  }
}

void a_tree_is_the_one_that_is_grown_at_once() {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    note("seed " + std::to_string(seed));
    stays_what_is_grown_at_once(Criterion::gini, seed);
    stays_what_is_grown_at_once(Criterion::entropy, seed);
  }
}

void rows_are_found_once_for_each_time_that_they_were_added() {
  auto tree = empty_tree(Criterion::gini);
  const Rows twice{{1, 2, 3, 1, 2, 3}, {0, 0}};
  tree->add(twice.keys, twice.classes);
  CHECK(tree->find(twice.keys, twice.classes).size() == 2);
  CHECK(tree->find(twice.keys, std::vector<std::uint32_t>{0, 1}).size() == 1);
  tree->remove(
      tree->find(std::span(twice.keys).first(3), std::span(twice.classes).first(1)));
  CHECK(tree->find(twice.keys, twice.classes).size() == 1);
  CHECK(tree->n_rows() == 1);
}

// Memory runs out at the n-th request of a step, for every n: nothing is changed, and
// the next step gives the right tree.
void a_step_without_memory_changes_nothing() {
  Random random(5);
  auto tree = empty_tree(Criterion::gini);
  Rows rows = random_rows(random, 80);
  tree->add(rows.keys, rows.classes);
  for (std::int64_t n_granted = 0; n_granted < 400; n_granted += 7) {
    const Rows more = random_rows(random, 1);
    bool added = false;
    try {
      const Failing failing(n_granted);
      tree->add(more.keys, more.classes);
      added = true;
    } catch (const std::bad_alloc&) {
    }
    if (!added) {
      auto before = empty_tree(Criterion::gini);
      before->add(rows.keys, rows.classes);
      tree->mend();
      CHECK(are_equal(flat(*tree), flat(*before)));
      tree->add(more.keys, more.classes);
    }
    rows.add(more);
    const Rows gone = rows.take(random.below(std::ssize(rows.classes)));
    const auto slots = tree->find(gone.keys, gone.classes);
    bool removed = false;
    try {
      const Failing failing(n_granted);
      tree->remove(slots);
      removed = true;
    } catch (const std::bad_alloc&) {
    }
    if (!removed) tree->remove(slots);
    auto fresh = empty_tree(Criterion::gini);
    fresh->add(rows.keys, rows.classes);
    CHECK(are_equal(flat(*tree), flat(*fresh)));
  }
}

double branch_score(Criterion criterion, const std::vector<std::int64_t>& counts) {
  double sum = 0, all = 0;
  for (const std::int64_t count : counts) all += static_cast<double>(count);
  if (all == 0) return 0;
  for (const std::int64_t count : counts) {
    const auto c = static_cast<double>(count);
    sum += criterion == Criterion::entropy ? x_log2_x(c) : c * c / all;
  }
  return sum - (criterion == Criterion::entropy ? x_log2_x(all) : all);
}

// One more row never raises the score of a branch, and one less raises it by no more
// than `most_rise` says: all branches of up to 12 rows of three classes.
void bounds_hold_for_every_branch() {
  for (const Criterion criterion : {Criterion::gini, Criterion::entropy}) {
    const SplitSearch search(criterion, false, n_classes);
    for (std::int64_t a = 0; a <= 12; ++a)
      for (std::int64_t b = 0; a + b <= 12; ++b)
        for (std::int64_t c = 0; a + b + c <= 12; ++c) {
          const double before = branch_score(criterion, {a, b, c});
          const double after = branch_score(criterion, {a + 1, b, c});
          CHECK(after <= before + 1e-12);
          CHECK(before - after <= search.most_rise(a + b + c + 1));
        }
  }
}

// The ceiling of a feature stays above its best gain while rows are added and removed.
void no_feature_gains_more_than_its_ceiling_says() {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    note("seed " + std::to_string(seed));
    const Candidates candidates =
        random.one_in(2) ? Candidates::cut : Candidates::subset;
    SplitSearch search(Criterion::gini, false, n_classes);
    ValueTable table;
    const KeyOrder order;
    table.clear(n_classes);
    std::vector<std::int64_t> totals(n_classes, 0);
    std::vector<std::pair<Key, std::uint32_t>> rows;
    for (int step = 0; step < 60; ++step) {
      const bool removes = rows.size() > 4 && random.one_in(3);
      if (removes) {
        const auto place = rows.begin() + random.below(std::ssize(rows));
        table.ceiling += search.most_rise(std::ssize(rows));
        table.remove(place->first, place->second, order);
        --totals[place->second];
        rows.erase(place);
      } else {
        const auto of_class = static_cast<std::uint32_t>(random.below(n_classes));
        const Key key = random.one_in(6) ? no_value : static_cast<Key>(random.below(8));
        rows.emplace_back(key, of_class);
        table.add(key, of_class, order);
        ++totals[of_class];
      }
      search.begin(totals);
      ValueTable looked = table;
      const double gain = search.best(looked, candidates).gain;
      if (step > 3) CHECK(gain <= search.largest_gain(table));
      if (step <= 3 || random.one_in(10)) table.ceiling = looked.ceiling;
    }
  }
}

}  // namespace

Tests incremental_tests() {
  return {
      {"a_tree_is_the_one_that_is_grown_at_once",
       a_tree_is_the_one_that_is_grown_at_once},
      {"rows_are_found_once_for_each_time_that_they_were_added",
       rows_are_found_once_for_each_time_that_they_were_added},
      {"a_step_without_memory_changes_nothing", a_step_without_memory_changes_nothing},
      {"bounds_hold_for_every_branch", bounds_hold_for_every_branch},
      {"no_feature_gains_more_than_its_ceiling_says",
       no_feature_gains_more_than_its_ceiling_says},
  };
}

}  // namespace treewright::tests
