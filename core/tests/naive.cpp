#include "naive.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "check.hpp"
#include "random_data.hpp"

namespace treewright::tests {
namespace {

long double class_score(const Target& target, const Rows& branch, int output) {
  std::vector<std::int64_t> weights(target.n_classes());
  for (const std::uint32_t row : branch)
    weights[target.classes[std::size_t{row} * target.n_outputs + output]] +=
        target.weight(row);
  const long double weight = std::reduce(weights.begin(), weights.end());
  long double sum = 0, largest = 0;
  for (const long double c : weights) {
    if (c == 0) continue;
    if (target.criterion == Criterion::entropy) sum += c * std::log2(c / weight);
    if (target.criterion == Criterion::gini) sum += c * (c / weight);
    largest = std::max(largest, c);
  }
  if (target.criterion == Criterion::entropy) return sum;
  if (target.criterion == Criterion::gini) return sum - weight;
  return largest - weight;
}

std::int64_t value_of(const Target& target, std::uint32_t row, int output) {
  return target.values[std::size_t{row} * target.n_outputs + output];
}

long double squares_score(const Target& target, const Rows& branch, const Rows& node,
                          int output) {
  // numbers near the first one, so that a large offset takes no digits
  const std::int64_t near = value_of(target, node[0], output);
  long double sum = 0, weight = 0, branch_sum = 0, branch_weight = 0;
  for (const std::uint32_t row : node) {
    sum += static_cast<long double>(target.weight(row)) *
           static_cast<long double>(value_of(target, row, output) - near);
    weight += target.weight(row);
  }
  for (const std::uint32_t row : branch) {
    const auto value = static_cast<long double>(value_of(target, row, output) - near);
    branch_sum += target.weight(row) * (value - sum / weight);
    branch_weight += target.weight(row);
  }
  return branch_weight == 0 ? 0 : branch_sum * branch_sum / branch_weight;
}

// From the mean, both near the first row's number.
long double squared_deviation(const Target& target, const Rows& rows, int output) {
  long double sum = 0, weight = 0, squares = 0;
  const auto number = [&](std::uint32_t row) {
    return static_cast<long double>(value_of(target, row, output) -
                                    value_of(target, rows[0], output));
  };
  for (const std::uint32_t row : rows) {
    sum += target.weight(row) * number(row);
    weight += target.weight(row);
  }
  for (const std::uint32_t row : rows) {
    const long double apart = number(row) - sum / weight;
    squares += target.weight(row) * apart * apart;
  }
  return weight == 0 ? 0 : squares;
}

// The median of the rows, each taken as often as its weight says, times two.
std::int64_t twice_median(const Target& target, const Rows& rows, int output) {
  std::vector<std::int64_t> values;
  for (const std::uint32_t row : rows)
    values.insert(values.end(), target.weight(row), value_of(target, row, output));
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[(values.size() - 1) / 2] + values[values.size() / 2];
}

std::int64_t deviation(const Target& target, const Rows& rows, int output) {
  const std::int64_t middle = twice_median(target, rows, output);
  std::int64_t twice = 0;
  for (const std::uint32_t row : rows)
    twice += target.weight(row) * std::abs(2 * value_of(target, row, output) - middle);
  return twice / 2;
}

Rows joined(const Pieces& groups, std::uint32_t set, bool inside) {
  Rows rows;
  for (std::size_t group = 0; group < groups.size(); ++group)
    if (((set >> group & 1) == 1) == inside)
      for (const Entry entry : groups[group]) rows.push_back(row_of(entry));
  return rows;
}

}  // namespace

long double naive_score(const Target& target, const Rows& branch, const Rows& node) {
  if (branch.empty()) return 0;
  long double sum = 0;
  for (int output = 0; output < target.n_outputs; ++output) {
    if (target.is_classes())
      sum += class_score(target, branch, output);
    else if (target.criterion == Criterion::squared_error)
      sum += squares_score(target, branch, node, output);
    else
      sum -= static_cast<long double>(deviation(target, branch, output));
  }
  return sum / target.n_outputs;
}

std::int64_t naive_weight(const Target& target, const Rows& rows) {
  std::int64_t weight = 0;
  for (const std::uint32_t row : rows) weight += target.weight(row);
  return weight;
}

bool same_statistic(const Target& target, std::span<const std::int64_t> a,
                    std::span<const std::int64_t> b) {
  if (target.criterion != Criterion::squared_error) return std::ranges::equal(a, b);
  const std::size_t n_exact = 1 + target.n_outputs;
  for (std::size_t slot = n_exact; slot < a.size(); ++slot) {
    const auto first = std::bit_cast<double>(a[slot]);
    const auto second = std::bit_cast<double>(b[slot]);
    if (std::abs(first - second) > 1e-12 * std::abs(first)) return false;
  }
  return std::ranges::equal(a.first(n_exact), b.first(n_exact));
}

std::vector<std::int64_t> naive_statistic(const Target& target, const Rows& rows) {
  std::vector<std::int64_t> numbers(target.width());
  const int n_outputs = target.n_outputs;
  for (const std::uint32_t row : rows) {
    if (!target.is_classes()) numbers[0] += target.weight(row);
    for (int output = 0; output < n_outputs; ++output) {
      const std::size_t cell = std::size_t{row} * n_outputs + output;
      if (target.is_classes()) {
        numbers[target.classes[cell]] += target.weight(row);
      } else if (target.criterion == Criterion::squared_error) {
        numbers[1 + output] += target.weighted[cell];
      }
    }
  }
  if (target.criterion == Criterion::squared_error)
    for (int output = 0; output < n_outputs; ++output)
      numbers[1 + n_outputs + output] = std::bit_cast<std::int64_t>(
          static_cast<double>(squared_deviation(target, rows, output)));
  if (target.criterion == Criterion::absolute_error)
    for (int output = 0; output < n_outputs; ++output) {
      numbers[1 + output] = twice_median(target, rows, output);
      // sums of deviations travel as the bits of doubles; none stay zero
      numbers[1 + n_outputs + output] = std::bit_cast<std::int64_t>(
          static_cast<double>(deviation(target, rows, output)));
    }
  return numbers;
}

bool naive_pure(const Target& target, const Rows& rows) {
  const auto cells = [&](std::uint32_t row, int output) -> std::int64_t {
    const std::size_t cell = std::size_t{row} * target.n_outputs + output;
    return target.is_classes() ? target.classes[cell] : target.values[cell];
  };
  for (const std::uint32_t row : rows)
    for (int output = 0; output < target.n_outputs; ++output)
      if (cells(row, output) != cells(rows[0], output)) return false;
  return true;
}

bool admits(const Target& target, const Limits& limits, const Rows& branch) {
  return std::ssize(branch) >= limits.min_rows &&
         (limits.min_weight == 0 || naive_weight(target, branch) >= limits.min_weight);
}

std::vector<Candidate> naive_cuts(const Target& target, std::span<const Entry> known,
                                  const Limits& limits, const Rows& node) {
  std::vector<Candidate> cuts;
  for (std::size_t place = 1; place < known.size(); ++place) {
    if (!starts_value(known[place])) continue;
    const Rows left = rows_of(known.first(place));
    const Rows right = rows_of(known.subspan(place));
    if (admits(target, limits, left) && admits(target, limits, right))
      cuts.push_back(
          {static_cast<std::int64_t>(place),
           naive_score(target, left, node) + naive_score(target, right, node)});
  }
  return cuts;
}

std::vector<Candidate> naive_subsets(const Target& target, const Pieces& groups,
                                     const Limits& limits, const Rows& node) {
  std::vector<Candidate> sets;
  for (std::uint32_t set = 1; set < 1u << (groups.size() - 1); ++set) {
    const Rows left = joined(groups, set, true), right = joined(groups, set, false);
    if (admits(target, limits, left) && admits(target, limits, right))
      sets.push_back(
          {set, naive_score(target, left, node) + naive_score(target, right, node)});
  }
  return sets;
}

void check_best(double score, std::int64_t position,
                const std::vector<Candidate>& candidates, double tolerance,
                double scale) {
  if (candidates.empty()) return;
  const long double rounding = 1e-13L * scale;
  const auto best = std::ranges::max_element(candidates, {}, &Candidate::score)->score;
  const auto chosen = std::ranges::find(candidates, position, &Candidate::position);
  CHECK(chosen != candidates.end());
  if (chosen == candidates.end()) return;
  CHECK(std::abs(score - chosen->score) <= rounding);
  CHECK(chosen->score >= best - tolerance - rounding);
  const bool is_first =
      std::none_of(candidates.begin(), chosen, [&](const auto& other) {
        return other.score >= best - rounding && tolerance > 2 * rounding;
      });
  CHECK(is_first);
}

double scale_of(const Target& target, const Rows& node) {
  if (target.is_classes())
    return static_cast<double>(naive_weight(target, node)) *
           (1 + std::log2(1.0 + static_cast<double>(naive_weight(target, node))));
  double scale = 1;
  for (int output = 0; output < target.n_outputs && !node.empty(); ++output) {
    const auto value = [&](auto row) { return value_of(target, row, output); };
    const auto [low, high] = std::ranges::minmax_element(node, {}, value);
    const auto range = static_cast<double>(value(*high) - value(*low) + 1);
    const double power =
        target.criterion == Criterion::squared_error ? range * range : range;
    scale += power * static_cast<double>(naive_weight(target, node));
  }
  return scale;
}

}  // namespace treewright::tests
