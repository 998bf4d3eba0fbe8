#include "value_table.hpp"

#include <algorithm>
#include <numeric>

namespace treewright {

std::int64_t sum_of(std::span<const std::uint32_t> counts) {
  return std::reduce(counts.begin(), counts.end(), std::int64_t{0});
}

void ValueTable::clear(int n_classes) {
  keys.clear();
  counts.clear();
  missing.assign(n_classes, 0);
}

std::size_t ValueTable::find(Key key, const KeyOrder& order) const {
  const auto found = std::ranges::lower_bound(
      keys, order.place(key), {}, [&](Key other) { return order.place(other); });
  return found - keys.begin();
}

void ValueTable::add(Key key, std::uint32_t of_class, const KeyOrder& order) {
  if (key == no_value) {
    ++missing[of_class];
    return;
  }
  const std::size_t place = find(key, order);
  if (place == keys.size() || keys[place] != key) {
    keys.insert(keys.begin() + place, key);
    counts.insert(counts.begin() + place * missing.size(), missing.size(), 0);
  }
  ++counts[place * missing.size() + of_class];
}

void ValueTable::remove(Key key, std::uint32_t of_class, const KeyOrder& order) {
  if (key == no_value) {
    --missing[of_class];
    return;
  }
  const std::size_t place = find(key, order);
  --counts[place * missing.size() + of_class];
  if (std::ranges::any_of(counts_of(place), [](auto count) { return count > 0; }))
    return;
  const auto first = counts.begin() + place * missing.size();
  counts.erase(first, first + missing.size());
  keys.erase(keys.begin() + place);
}

}  // namespace treewright
