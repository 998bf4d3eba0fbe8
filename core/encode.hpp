// Ranks: a numeric column becomes the rank of each value among the distinct values.
//
// A least-significant-digit radix sort over order-preserving 64-bit keys: linear in the
// rows, and passes over digits that are equal everywhere are skipped.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

namespace treewright {

// Keys order as the values do. -0.0 and 0.0 give one key; NaN must not come here.
inline std::uint64_t key_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);  // -0.0 + 0.0 is 0.0
  return bits & (1ULL << 63) ? ~bits : bits | (1ULL << 63);
}
inline std::uint64_t key_of(std::int64_t value) {
  return static_cast<std::uint64_t>(value) ^ (1ULL << 63);
}
inline std::uint64_t key_of(std::uint64_t value) { return value; }

// The value that has a key.
template <class Value>
Value value_of(std::uint64_t key) {
  if constexpr (std::same_as<Value, double>)
    return std::bit_cast<double>(key & (1ULL << 63) ? key ^ (1ULL << 63) : ~key);
  else
    return static_cast<Value>(std::signed_integral<Value> ? key ^ (1ULL << 63) : key);
}

// Writes the rank of each row into `codes`; rows with missing[row] != 0 (or NaN) get
// the code after the last. Returns the value of each rank, 0.0 for -0.0. Each cell is
// read once: who changes the table meanwhile gets one of the two values.
template <class Value>
std::vector<Value> rank(std::span<const Value> values,
                        std::span<const std::uint8_t> missing,
                        std::span<std::uint32_t> codes);

}  // namespace treewright
