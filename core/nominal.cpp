#include "nominal.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace treewright {
namespace {

// Keeps track of what lies on the left while groups move between the two sides.
struct Search {
  Evaluator& evaluator;
  const Pieces& groups;
  const std::vector<std::int64_t>& weights;
  const Limits& limits;
  double tolerance;
  std::int64_t n_rows = 0, weight = 0;
  std::int64_t left_rows = 0, left_weight = 0;
  std::vector<std::uint8_t> on_left{};
  Subset best{};

  void start() {
    evaluator.set_groups(groups);
    on_left.assign(groups.size(), 0);
    left_rows = left_weight = 0;
  }
  void toggle(int group) {
    const int sign = on_left[group] ? -1 : 1;
    on_left[group] ^= 1;
    evaluator.toggle(group);
    left_rows += sign * static_cast<std::int64_t>(groups[group].size());
    left_weight += sign * weights[group];
  }
  bool admits() const {
    return std::min(left_rows, n_rows - left_rows) >= limits.min_rows &&
           std::min(left_weight, weight - left_weight) >= limits.min_weight;
  }
  // Whether what is on the left now beats all that was considered before.
  bool is_better() {
    if (!admits()) return false;
    const double score = evaluator.two_way_score();
    if (!(score > best.score + tolerance)) return false;
    best.score = score;
    return true;
  }
};

void try_all_sets(Search& search) {
  const int n_groups = static_cast<int>(search.groups.size());
  search.start();
  std::uint32_t set = 0;
  for (std::uint32_t next = 1; next < 1u << (n_groups - 1); ++next) {
    // few bits change from one number to the next
    for (std::uint32_t changed = set ^ next; changed; changed &= changed - 1)
      search.toggle(std::countr_zero(changed));
    set = next;
    if (search.is_better()) search.best.on_left = search.on_left;
  }
}

void try_prefixes(Search& search, int order) {
  const int n_groups = static_cast<int>(search.groups.size());
  search.start();
  std::vector<double> keys(n_groups);
  for (int group = 0; group < n_groups; ++group)
    keys[group] = search.evaluator.order_key(group, order);
  std::vector<int> sequence(n_groups);
  std::iota(sequence.begin(), sequence.end(), 0);
  std::stable_sort(sequence.begin(), sequence.end(),
                   [&](int a, int b) { return keys[a] < keys[b]; });
  int n_left = 0;  // of the best prefix; its set is written once, there may be many
  for (int place = 0; place + 1 < n_groups; ++place) {
    search.toggle(sequence[place]);
    if (search.is_better()) n_left = place + 1;
  }
  if (n_left == 0) return;
  search.best.on_left.assign(n_groups, 0);
  for (int place = 0; place < n_left; ++place) search.best.on_left[sequence[place]] = 1;
}

}  // namespace

Subset best_subset(Evaluator& evaluator, const Pieces& groups,
                   const std::vector<std::int64_t>& group_weights, const Limits& limits,
                   double tolerance) {
  Search search{evaluator, groups, group_weights, limits, tolerance};
  for (const auto& group : groups) search.n_rows += std::ssize(group);
  search.weight =
      std::reduce(group_weights.begin(), group_weights.end(), std::int64_t{0});
  if (groups.size() < 2) return search.best;
  // limits can forbid every prefix and still allow another set
  const bool limited = limits.min_rows > 1 || limits.min_weight > 0;
  const bool one_order = evaluator.prefixes_suffice() && !limited;
  if (groups.size() <= most_values_enumerated && !one_order) {
    try_all_sets(search);
  } else {
    for (int order = 0; order < evaluator.n_orders(); ++order)
      try_prefixes(search, order);
  }
  return search.best;
}

}  // namespace treewright
