#include "sorted_keys.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "score_places.hpp"

namespace treewright {
namespace {

// So many are quicker compared with each other, a block at a time, than sorted: no step
// depends on how a comparison came out.
constexpr std::size_t few_rows = 64;
constexpr std::size_t block = 16;
using FewCodes = std::array<std::int16_t, few_rows>;

// How many codes are smaller than each, in whole blocks: `codes` has some behind its
// end.
TREEWRIGHT_WIDE
void count_smaller(const FewCodes& codes, std::size_t n_codes, FewCodes& out) {
  for (std::size_t first = 0; first < n_codes; first += block) {
    std::int16_t smaller[block] = {};
    for (std::size_t other = 0; other < n_codes; ++other) {
      const std::int16_t code = codes[other];
      for (std::size_t lane = 0; lane < block; ++lane)
        smaller[lane] = static_cast<std::int16_t>(
            smaller[lane] - (codes[first + lane] > code ? -1 : 0));
    }
    for (std::size_t lane = 0; lane < block; ++lane) out[first + lane] = smaller[lane];
  }
}

TREEWRIGHT_WIDE
std::array<Key, 2> range_of(const Key* keys, std::size_t n_keys) {
  Key low = keys[0], high = keys[0];
  for (std::size_t place = 1; place < n_keys; ++place) {
    low = std::min(low, keys[place]);
    high = std::max(high, keys[place]);
  }
  return {low, high};
}

// From numbers of keys to the place of the first.
void give_starts(std::span<std::uint32_t> drawers) {
  std::uint32_t start = 0;
  for (std::uint32_t& at : drawers) start += std::exchange(at, start);
}

}  // namespace

std::array<Key, 2> SortedKeys::range() const { return range_of(keys_.data(), n_rows_); }

// Each key goes behind all whose code is smaller, and those of its own that came
// before.
void SortedKeys::rank() {
  FewCodes codes, smaller;
  // signed numbers are compared in one step
  for (std::size_t place = 0; place < n_rows_; ++place)
    codes[place] = static_cast<std::int16_t>(code_in(keys_[place]) ^ 1u << 15);
  const std::size_t n_codes = (n_rows_ + block - 1) / block * block;
  std::fill(codes.begin() + n_rows_, codes.begin() + n_codes, std::int16_t{0});
  count_smaller(codes, n_rows_, smaller);
  std::array<std::uint8_t, few_rows> n_equal{};
  for (std::size_t place = 0; place < n_rows_; ++place)
    spare_[smaller[place] + n_equal[smaller[place]]++] = keys_[place];
  keys_.swap(spare_);
}

// A drawer for every code.
void SortedKeys::into_drawers(std::uint32_t low, std::uint32_t high) {
  starts_.assign(high - low + 1, 0);
  const auto keys = unsorted();
  for (const Key key : keys) ++starts_[code_in(key) - low];
  give_starts(starts_);
  for (const Key key : keys) spare_[starts_[code_in(key) - low]++] = key;
  keys_.swap(spare_);
}

// By the lower half of the codes' bits, then by the upper half; what is equal keeps its
// order.
void SortedKeys::into_drawers_twice(std::uint32_t low, std::uint32_t high) {
  const int n_bits = std::bit_width(high - low), n_lower = n_bits / 2;
  const std::uint32_t mask = (1u << n_lower) - 1;
  const auto lower = [=](Key key) { return (code_in(key) - low) & mask; };
  const auto upper = [=](Key key) { return (code_in(key) - low) >> n_lower; };
  starts_.assign(mask + 1 + (std::size_t{1} << (n_bits - n_lower)), 0);
  const auto of_lower = std::span(starts_).first(mask + 1);
  const auto of_upper = std::span(starts_).subspan(mask + 1);
  const auto keys = std::span(keys_).first(n_rows_);
  for (const Key key : keys) {
    ++of_lower[lower(key)];
    ++of_upper[upper(key)];
  }
  give_starts(of_lower);
  give_starts(of_upper);
  for (const Key key : keys) spare_[of_lower[lower(key)]++] = key;
  for (const Key key : std::span(spare_).first(n_rows_))
    keys[of_upper[upper(key)]++] = key;
}

std::span<const Key> SortedKeys::sorted(std::uint32_t low, std::uint32_t high) {
  if (spare_.size() < keys_.size()) spare_.resize(keys_.size());
  // more drawers than these are slow to fill
  const std::size_t most_drawers = std::clamp<std::size_t>(2 * n_rows_, 256, 2048);
  if (n_rows_ <= few_rows)
    rank();
  else if (high - low < most_drawers)
    into_drawers(low, high);
  else
    into_drawers_twice(low, high);
  return unsorted();
}

}  // namespace treewright
