// How narrow a cut is: C5.0 charges less for naming one that lies in a wide gap.
#include <limits>

#include "memory.hpp"

namespace treewright {

// How many gaps as wide as that at the cut fill the range of the values. Infinite where
// that cannot be said: no values are given, the gap is 0 as a double, or no row has a
// value on one side.
double MemorySource::gaps_in_range(std::int64_t feature, std::span<const Entry> values,
                                   std::int64_t position) const {
  const auto value_of_code = columns_[feature].values;
  constexpr double unknown = std::numeric_limits<double>::infinity();
  if (value_of_code.empty()) return unknown;
  // entries are in the order of their values, but those without one may stand anywhere
  const auto first_value = [&](auto begin, auto end) {
    for (auto entry = begin; entry != end; ++entry)
      if (const auto code = code_of(feature, *entry); code < value_of_code.size())
        return value_of_code[code];
    return std::numeric_limits<double>::quiet_NaN();
  };
  const auto low = values.first(position), high = values.subspan(position);
  const double range =
      first_value(high.rbegin(), high.rend()) - first_value(low.begin(), low.end());
  const double gap =
      first_value(high.begin(), high.end()) - first_value(low.rbegin(), low.rend());
  const double gaps = range / gap;
  return gaps >= 1 ? gaps : unknown;  // also if it is NaN
}

}  // namespace treewright
