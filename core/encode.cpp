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

// Sorts by key; rows of equal keys stay in row order.
template <class Key>
void radix_sort(std::vector<Item<Key>>& items) {
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

// Ranks the known rows by their keys; returns the first row of each rank.
template <class Key, class Value, class IsKnown>
std::vector<std::uint32_t> rank_by(std::span<const Value> values,
                                   const IsKnown& is_known, Key (*key)(Value),
                                   std::span<std::uint32_t> codes) {
  std::vector<Item<Key>> items;
  items.reserve(values.size());
  for (std::size_t row = 0; row < values.size(); ++row)
    if (is_known(row))
      items.push_back({key(values[row]), static_cast<std::uint32_t>(row)});
  if (!items.empty()) radix_sort(items);
  std::vector<std::uint32_t> first_row;
  for (std::size_t place = 0; place < items.size(); ++place) {
    if (place == 0 || items[place].key != items[place - 1].key)
      first_row.push_back(items[place].row);
    codes[items[place].row] = static_cast<std::uint32_t>(first_row.size() - 1);
  }
  if (items.size() < values.size())
    for (std::size_t row = 0; row < values.size(); ++row)
      if (!is_known(row)) codes[row] = static_cast<std::uint32_t>(first_row.size());
  return first_row;
}

template <std::floating_point Value>
std::uint32_t short_key_of(Value value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value) + 0.0f);
  return bits & (1u << 31) ? ~bits : bits | (1u << 31);
}

}  // namespace

template <class Value>
std::vector<std::uint32_t> rank(std::span<const Value> values,
                                std::span<const std::uint8_t> missing,
                                std::span<std::uint32_t> codes) {
  const auto is_known = [&](std::size_t row) {
    if constexpr (std::floating_point<Value>)
      return !std::isnan(values[row]) && (missing.empty() || !missing[row]);
    else
      return missing.empty() || !missing[row];
  };
  if constexpr (std::same_as<Value, float>) {
    return rank_by<std::uint32_t>(values, is_known, short_key_of<float>, codes);
  } else {
    if constexpr (std::same_as<Value, double>) {
      // doubles that are floats sort by half as many digits
      const bool are_floats = std::ranges::all_of(values, [](double value) {
        return std::isnan(value) ||
               (std::abs(value) <= std::numeric_limits<float>::max() &&
                static_cast<double>(static_cast<float>(value)) == value);
      });
      if (are_floats)
        return rank_by<std::uint32_t>(values, is_known, short_key_of<double>, codes);
    }
    return rank_by<std::uint64_t>(values, is_known, key_of, codes);
  }
}

template std::vector<std::uint32_t> rank<float>(std::span<const float>,
                                                std::span<const std::uint8_t>,
                                                std::span<std::uint32_t>);
template std::vector<std::uint32_t> rank<double>(std::span<const double>,
                                                 std::span<const std::uint8_t>,
                                                 std::span<std::uint32_t>);
template std::vector<std::uint32_t> rank<std::int64_t>(std::span<const std::int64_t>,
                                                       std::span<const std::uint8_t>,
                                                       std::span<std::uint32_t>);
template std::vector<std::uint32_t> rank<std::uint64_t>(std::span<const std::uint64_t>,
                                                        std::span<const std::uint8_t>,
                                                        std::span<std::uint32_t>);

}  // namespace treewright
