#include "sorted_keys.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "score_places.hpp"

namespace treewright {
namespace {

// So many are quicker compared with each other, a block at a time, than sorted: no step
// depends on how a comparison came out.
constexpr std::size_t few_rows = 64;
constexpr std::size_t block = 16;
using FewCodes = std::array<std::int16_t, few_rows>;

// How many codes are smaller than each; both in whole blocks.
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

}  // namespace

// Each key goes behind all whose code is smaller, and those of its own that came
// before.
void SortedKeys::rank() {
  FewCodes codes, smaller;
  // signed numbers are compared in one step
  for (std::size_t place = 0; place < n_rows_; ++place)
    codes[place] = static_cast<std::int16_t>(code_in(keys_[place]) ^ 1u << 15);
  const std::size_t n_codes = (n_rows_ + block - 1) / block * block;
  std::fill(codes.begin() + n_rows_, codes.begin() + n_codes,
            std::numeric_limits<std::int16_t>::max());
  count_smaller(codes, n_codes, smaller);
  std::array<std::uint8_t, few_rows> n_equal{};
  for (std::size_t place = 0; place < n_rows_; ++place)
    spare_[smaller[place] + n_equal[smaller[place]]++] = keys_[place];
  keys_.swap(spare_);
}

// By some bits of the codes, those of equal bits in the order in which they came.
void SortedKeys::into_drawers(Key low, int shift, int n_bits) {
  const std::uint32_t mask = (1u << n_bits) - 1;
  const auto drawer = [&](Key key) { return (key - low) >> (16 + shift) & mask; };
  starts_.assign(mask + 1, 0);
  const auto keys = std::span(keys_).first(n_rows_);
  for (const Key key : keys) ++starts_[drawer(key)];
  std::uint32_t start = 0;
  for (std::uint32_t& at : starts_) start += std::exchange(at, start);
  for (const Key key : keys) spare_[starts_[drawer(key)]++] = key;
  keys_.swap(spare_);
}

std::span<const Key> SortedKeys::sorted(std::uint32_t low, std::uint32_t high) {
  if (spare_.size() < keys_.size()) spare_.resize(keys_.size());
  const int n_bits = std::bit_width(high - low);
  const Key lowest = key_of(low, 0);
  constexpr int few_bits = 8, most_bits = 11;
  if (n_rows_ <= few_rows) {
    rank();
  } else if (n_bits <= few_bits ||
             (n_bits <= most_bits && high - low < 2 * n_rows_)) {
    into_drawers(lowest, 0, n_bits);
  } else {
    into_drawers(lowest, 0, n_bits / 2);
    into_drawers(lowest, n_bits / 2, n_bits - n_bits / 2);
  }
  return unsorted();
}

}  // namespace treewright
