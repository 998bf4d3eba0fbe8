#include "encode.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <limits>

namespace treewright {
namespace {

template <class Key>
struct Item {
  Key key;
  std::uint32_t row;
};

constexpr int digit_bits = 11;
constexpr std::uint64_t digit_mask = (1u << digit_bits) - 1;

// Fewer are compared sooner than the digits are counted.
constexpr std::size_t few_items = 1024;

// Sorts by key; rows of equal keys stay in row order.
template <class Key>
void sort_items(std::vector<Item<Key>>& items) {
  if (items.size() < few_items) {
    std::ranges::sort(items, [](const Item<Key>& one, const Item<Key>& other) {
      return one.key != other.key ? one.key < other.key : one.row < other.row;
    });
    return;
  }
  constexpr int n_digits = (8 * sizeof(Key) + digit_bits - 1) / digit_bits;
  std::vector<Item<Key>> spare(items.size());
  std::array<std::array<std::uint32_t, 1 << digit_bits>, n_digits> counts{};
  for (const auto& item : items)
    for (int digit = 0; digit < n_digits; ++digit)
      ++counts[digit][(item.key >> (digit * digit_bits)) & digit_mask];
  for (int digit = 0; digit < n_digits; ++digit) {
    auto& count = counts[digit];
    const int shift = digit * digit_bits;
    if (count[(items[0].key >> shift) & digit_mask] == items.size()) continue;
    std::uint32_t start = 0;
    for (auto& slot : count) {
      const std::uint32_t width = slot;
      slot = start;
      start += width;
    }
    for (const auto& item : items)
      spare[count[(item.key >> shift) & digit_mask]++] = item;
    items.swap(spare);
  }
}

// How values become keys, and keys values again.
template <class Value>
struct LongKeys {
  using Key = std::uint64_t;
  static Key of(Value value) { return key_of(value); }
  static Value value(Key key) { return value_of<Value>(key); }
};
template <std::floating_point Value>
struct ShortKeys {
  using Key = std::uint32_t;
  static constexpr Key sign = 1u << 31;
  static Key of(Value value) {
    const auto bits = std::bit_cast<Key>(static_cast<float>(value) + 0.0f);
    return bits & sign ? ~bits : bits | sign;
  }
  static Value value(Key key) {
    return std::bit_cast<float>(key & sign ? key ^ sign : ~key);
  }
};

// Ranks the known rows by their keys.
template <class Keys, class Value, class IsMissing>
std::vector<Value> rank_by(std::span<const Value> values, const IsMissing& is_missing,
                           std::span<std::uint32_t> codes) {
  constexpr std::uint32_t unknown = ~0u;
  std::vector<Item<typename Keys::Key>> items(values.size());
  std::size_t n_known = 0;
  for (std::size_t row = 0; row < values.size(); ++row) {
    const Value value = values[row];
    const bool missing = is_missing(value, row);
    items[n_known] = {missing ? 0 : Keys::of(value), static_cast<std::uint32_t>(row)};
    codes[row] = unknown;
    n_known += !missing;
  }
  items.resize(n_known);
  if (!items.empty()) sort_items(items);
  const auto is_new = [&](std::size_t place) {
    return place == 0 || items[place].key != items[place - 1].key;
  };
  std::uint32_t n_distinct = 0;
  for (std::size_t place = 0; place < items.size(); ++place) {
    n_distinct += is_new(place);
    codes[items[place].row] = n_distinct - 1;
  }
  if (n_known < values.size()) std::ranges::replace(codes, unknown, n_distinct);
  // counted first: a vector that grows leaves holes behind, which stay in the process
  std::vector<Value> distinct;
  distinct.reserve(n_distinct);
  for (std::size_t place = 0; place < items.size(); ++place)
    if (is_new(place)) distinct.push_back(Keys::value(items[place].key));
  return distinct;
}

bool is_nan(std::floating_point auto value) { return std::isnan(value); }
bool is_nan(std::integral auto) { return false; }

}  // namespace

template <class Value>
std::vector<Value> rank(std::span<const Value> values,
                        std::span<const std::uint8_t> missing,
                        std::span<std::uint32_t> codes) {
  const auto is_missing = [&](Value value, std::size_t row) {
    return is_nan(value) || (!missing.empty() && missing[row]);
  };
  if constexpr (std::same_as<Value, float>) {
    return rank_by<ShortKeys<float>>(values, is_missing, codes);
  } else {
    if constexpr (std::same_as<Value, double>) {
      // doubles that are floats sort by half as many digits
      const bool are_floats = std::ranges::all_of(values, [](double value) {
        return std::isnan(value) ||
               (std::abs(value) <= std::numeric_limits<float>::max() &&
                static_cast<double>(static_cast<float>(value)) == value);
      });
      if (are_floats) return rank_by<ShortKeys<double>>(values, is_missing, codes);
    }
    return rank_by<LongKeys<Value>>(values, is_missing, codes);
  }
}

template std::vector<float> rank<float>(std::span<const float>,
                                        std::span<const std::uint8_t>,
                                        std::span<std::uint32_t>);
template std::vector<double> rank<double>(std::span<const double>,
                                          std::span<const std::uint8_t>,
                                          std::span<std::uint32_t>);
template std::vector<std::int64_t> rank<std::int64_t>(std::span<const std::int64_t>,
                                                      std::span<const std::uint8_t>,
                                                      std::span<std::uint32_t>);
template std::vector<std::uint64_t> rank<std::uint64_t>(std::span<const std::uint64_t>,
                                                        std::span<const std::uint8_t>,
                                                        std::span<std::uint32_t>);

}  // namespace treewright
