#include "tolerance.hpp"

#include "impurity.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace treewright {
namespace {

constexpr double close = 1e-12;

double tolerance_of_classes(const Target& target,
                            std::span<const std::int64_t> statistic) {
  if (target.single_unit > 0) return 0;  // 32 bits decide between equals
  const auto first = statistic.first(target.class_start[1]);
  const auto weight =
      static_cast<double>(std::reduce(first.begin(), first.end(), std::int64_t{0}));
  double rounding = target.criterion == Criterion::classification_error ? 2e-16 : 2e-15;
  if (target.criterion == Criterion::entropy)
    rounding += 2e-15 * std::log2(std::max(weight, 1.0));
  double impurity = 0;
  for (int output = 0; output < target.n_outputs; ++output) {
    const std::int32_t start = target.class_start[output];
    impurity += class_impurity<std::int64_t>(
        target.criterion,
        statistic.subspan(start, target.class_start[output + 1] - start));
  }
  impurity /= target.n_outputs;
  return weight * std::max(close * std::min(impurity, 1.0), rounding);
}

}  // namespace

double tolerance_of_ties(const Target& target,
                         std::span<const std::int64_t> statistic) {
  if (target.is_classes()) return tolerance_of_classes(target, statistic);
  double deviations = 0;
  for (int output = 0; output < target.n_outputs; ++output)
    deviations += std::bit_cast<double>(statistic[1 + target.n_outputs + output]) *
                  target.factor(output);
  return close * deviations / target.n_outputs * target.tie_unit;
}

}  // namespace treewright
