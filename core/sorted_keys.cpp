#include "sorted_keys.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

namespace treewright {
namespace {

// So many are quicker compared with each other, eight at a time, than sorted: no step
// depends on how a comparison came out.
constexpr std::size_t few_rows = 32;
constexpr std::size_t block = 8;
constexpr int most_bits = 8;  // of a drawer's number, where there are fewer rows

}  // namespace

// Each key goes to the place that as many smaller ones leave to it. Equal keys go to
// one place, and the places behind it are filled up.
void SortedKeys::rank() {
  std::array<std::int32_t, few_rows + block> own, ranks{};
  const std::size_t n_blocks = (n_rows_ + block - 1) / block;
  // signed numbers are compared in one step
  for (std::size_t place = 0; place < n_rows_; ++place)
    own[place] = static_cast<std::int32_t>(keys_[place] ^ 1u << 31);
  for (std::size_t place = n_rows_; place < n_blocks * block; ++place)
    own[place] = std::numeric_limits<std::int32_t>::max();
  for (std::size_t other = 0; other < n_rows_; ++other) {
    const std::int32_t key = own[other];
    for (std::size_t at = 0; at < n_blocks * block; at += block)
      for (std::size_t lane = at; lane < at + block; ++lane)
        ranks[lane] += key < own[lane];
  }
  std::fill_n(spare_.begin(), n_rows_, Key{0});
  for (std::size_t place = 0; place < n_rows_; ++place)
    spare_[ranks[place]] = keys_[place];
  for (std::size_t place = 1; place < n_rows_; ++place)
    spare_[place] = std::max(spare_[place], spare_[place - 1]);
  keys_.swap(spare_);
}

// By some bits of the codes, those of equal bits in the order in which they came.
void SortedKeys::into_drawers(int shift, int n_bits) {
  const std::uint32_t mask = (1u << n_bits) - 1;
  starts_.assign(mask + 1, 0);
  const auto keys = std::span(keys_).first(n_rows_);
  for (const Key key : keys) ++starts_[key >> (16 + shift) & mask];
  std::uint32_t start = 0;
  for (std::uint32_t& at : starts_) start += std::exchange(at, start);
  for (const Key key : keys) spare_[starts_[key >> (16 + shift) & mask]++] = key;
  keys_.swap(spare_);
}

std::span<const Key> SortedKeys::sorted(std::uint32_t high) {
  if (spare_.size() < keys_.size()) spare_.resize(keys_.size());
  const int n_bits = std::bit_width(high);
  if (n_rows_ <= few_rows) {
    rank();
  } else if (n_bits <= most_bits || std::size_t{high} < 2 * n_rows_) {
    into_drawers(0, n_bits);
  } else {
    into_drawers(0, n_bits / 2);
    into_drawers(n_bits / 2, n_bits - n_bits / 2);
  }
  return std::span(keys_).first(n_rows_);
}

}  // namespace treewright
