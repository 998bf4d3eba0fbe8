#include "incremental_search.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "evaluate_classes.hpp"
#include "nominal.hpp"
#include "tolerance.hpp"

namespace treewright {
namespace {

// The ceiling of a feature lies this many tolerances above the score that was found,
// and must be that many below the best one before the feature is left out: the best
// split may be one tolerance better than the one that is taken, and scores are rounded.
constexpr double slack = 4;

bool is_pure(std::span<const std::int64_t> counts) {
  return std::ranges::count_if(counts, [](auto count) { return count > 0; }) < 2;
}

// What is to the left and right of a cut, by Gini, with two classes.
struct TwoClassSides {
  std::int64_t first = 0, second = 0, left_first = 0, left_second = 0;

  explicit TwoClassSides(std::span<const std::int64_t> all)
      : first(all[0]), second(all[1]) {}
  void move(std::span<const std::uint32_t> counts) {
    left_first += counts[0];
    left_second += counts[1];
  }
  double score() const {
    return GiniScore::of_two(left_first, left_second) +
           GiniScore::of_two(first - left_first, second - left_second);
  }
};

// The same with any number of classes; sums of squares are exact.
struct ManyClassSides {
  std::vector<std::int64_t> left, right;
  std::int64_t n_left = 0, n_right = 0, left_squares = 0, right_squares = 0;

  explicit ManyClassSides(std::span<const std::int64_t> all)
      : left(all.size()), right(all.begin(), all.end()) {
    for (const std::int64_t count : right) {
      n_right += count;
      right_squares += count * count;
    }
  }
  void move(std::span<const std::uint32_t> counts) {
    for (std::size_t slot = 0; slot < counts.size(); ++slot) {
      const std::int64_t count = counts[slot];
      left_squares += count * (2 * left[slot] + count);
      right_squares -= count * (2 * right[slot] - count);
      left[slot] += count;
      right[slot] -= count;
      n_left += count;
      n_right -= count;
    }
  }
  double score() const {
    return score_of(left_squares, n_left) + score_of(right_squares, n_right);
  }
  static double score_of(std::int64_t squares, std::int64_t n_rows) {
    const auto n = static_cast<double>(n_rows);
    return static_cast<double>(squares) / n - n;
  }
};

// Whether both are one row, and of one class: such cuts are not scored (scan.hpp).
bool are_single_and_equal(std::span<const std::uint32_t> left,
                          std::span<const std::uint32_t> right) {
  return sum_of(left) == 1 && sum_of(right) == 1 && std::ranges::equal(left, right);
}

}  // namespace

// An evaluator to which a row is all rows with one value.
class SplitSearch::Values {
 public:
  virtual ~Values() = default;
  virtual Evaluator& evaluator() = 0;

  std::span<const std::uint32_t> counts;   // of the values
  std::span<const std::uint32_t> missing;  // one more value, if it is not empty
  Pieces groups;
  std::vector<Entry> entries;

  template <class Score>
  class Of;
};

template <class Score>
class SplitSearch::Values::Of final : public Values, public ClassWeights<Score> {
 public:
  using ClassWeights<Score>::ClassWeights;
  Evaluator& evaluator() override { return *this; }
  // cuts are looked for in the table itself
  Cut best_cut(std::span<const Entry>, const Limits&, double) override { return {}; }

 protected:
  void add(std::span<const Entry> values, std::span<std::int64_t> out) const override {
    for (const Entry value : values) {
      const std::size_t start = std::size_t{value} * out.size();
      const auto own =
          start < counts.size() ? counts.subspan(start, out.size()) : missing;
      for (std::size_t slot = 0; slot < out.size(); ++slot) out[slot] += own[slot];
    }
  }
};

SplitSearch::SplitSearch(Criterion criterion, bool own_branch, int n_classes)
    : own_branch_(own_branch) {
  target_.criterion = criterion;
  target_.class_start = {0, n_classes};
  if (criterion == Criterion::entropy)
    values_ = std::make_unique<Values::Of<EntropyScore>>(target_, x_log2_x_);
  else
    values_ = std::make_unique<Values::Of<GiniScore>>(target_, x_log2_x_);
}

SplitSearch::~SplitSearch() = default;

void SplitSearch::begin(std::span<const std::int64_t> totals) {
  const std::int64_t n_rows = std::reduce(totals.begin(), totals.end());
  if (target_.criterion == Criterion::entropy && n_rows > n_in_table_) {
    n_in_table_ = 2 * n_rows;
    x_log2_x_ = XLog2X(n_in_table_);
  }
  totals_.assign(totals.begin(), totals.end());
  base_ = values_->evaluator().class_score(totals);
  tolerance_ = tolerance_of_ties(target_, totals);
}

double SplitSearch::most_rise(std::int64_t n_rows) const {
  if (target_.criterion == Criterion::gini) return 2;
  return std::log2(static_cast<double>(n_rows)) + 1 / std::log(2.0);
}

double SplitSearch::base_of(const ValueTable& table) const {
  if (own_branch_ || sum_of(table.missing) == 0) return base_;
  return values_->evaluator().class_score(known_of(table));
}

// The class counts of the rows with a value.
std::span<const std::int64_t> SplitSearch::known_of(const ValueTable& table) const {
  known_.assign(totals_.begin(), totals_.end());
  for (std::size_t slot = 0; slot < known_.size(); ++slot)
    known_[slot] -= table.missing[slot];
  return known_;
}

double SplitSearch::largest_gain(const ValueTable& table) const {
  return table.ceiling - base_of(table) + slack * tolerance_;
}

void SplitSearch::set_groups(const ValueTable& table, bool with_missing) {
  const std::size_t n_groups = table.keys.size() + with_missing;
  values_->counts = table.counts;
  values_->missing = table.missing;
  while (values_->entries.size() < n_groups)
    values_->entries.push_back(static_cast<Entry>(values_->entries.size()));
  values_->groups.clear();
  for (std::size_t group = 0; group < n_groups; ++group)
    values_->groups.push_back(std::span(values_->entries).subspan(group, 1));
}

FoundSplit SplitSearch::best(ValueTable& table, Candidates candidates) {
  const bool has_missing = sum_of(table.missing) > 0;
  const bool own = own_branch_ && has_missing;
  const double base = base_of(table);
  table.ceiling = base;
  if (table.keys.size() + own < 2) return {};
  const auto known = has_missing ? known_of(table) : std::span(std::as_const(totals_));
  // rows that agree are not told apart, even where those without a value differ
  if (!own && has_missing && is_pure(known)) return {};
  FoundSplit found;
  bool exact = true;
  if (candidates == Candidates::multiway)
    found = all_values(table);
  else if (candidates == Candidates::subset)
    found = best_sets(table, exact);
  else if (known.size() == 2)
    found = best_cut(table, TwoClassSides(known));
  else
    found = best_cut(table, ManyClassSides(known));
  // no score is above 0
  table.ceiling = exact ? found.gain + slack * tolerance_ : 0;
  found.gain -= base;
  return found;
}

FoundSplit SplitSearch::all_values(const ValueTable& table) {
  set_groups(table, sum_of(table.missing) > 0);
  Evaluator& evaluator = values_->evaluator();
  evaluator.set_groups(values_->groups);
  return {evaluator.multiway_score(), 0, {}};
}

FoundSplit SplitSearch::best_sets(const ValueTable& table, bool& exact) {
  set_groups(table, false);
  Evaluator& evaluator = values_->evaluator();
  weights_.clear();
  for (std::size_t place = 0; place < table.keys.size(); ++place)
    weights_.push_back(sum_of(table.counts_of(place)));
  Subset subset =
      best_subset(evaluator, values_->groups, weights_, Limits{}, tolerance_);
  exact = evaluator.prefixes_suffice() ||
          table.keys.size() <= std::size_t{most_values_enumerated};
  return {subset.score, 0, std::move(subset.on_left)};
}

template <class Sides>
FoundSplit SplitSearch::best_cut(const ValueTable& table, Sides sides) const {
  FoundSplit best;
  const std::size_t n_keys = table.keys.size();
  for (std::size_t place = 1; place < n_keys; ++place) {
    const auto left = table.counts_of(place - 1), right = table.counts_of(place);
    sides.move(left);
    // the first and the last cut are always scored
    if (place > 1 && place + 1 < n_keys && are_single_and_equal(left, right)) continue;
    if (const double score = sides.score(); score > best.gain + tolerance_) {
      best.gain = score;
      best.n_left = place;
    }
  }
  return best;
}

}  // namespace treewright
