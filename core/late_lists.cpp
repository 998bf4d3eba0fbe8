#include "late_lists.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace treewright {
namespace {

std::uint64_t key_of(std::uint64_t code, Entry row) { return code << 32 | row; }
std::uint32_t code_of(std::uint64_t key) {
  return static_cast<std::uint32_t>(key >> 32);
}

// Below this many rows, drawers take longer than they save.
constexpr std::size_t few_rows = 24;

// Quick where there is little to do.
void insertion_sort(std::span<std::uint64_t> keys) {
  for (std::size_t next = 1; next < keys.size(); ++next) {
    const std::uint64_t key = keys[next];
    std::size_t place = next;
    for (; place > 0 && keys[place - 1] > key; --place) keys[place] = keys[place - 1];
    keys[place] = key;
  }
}

}  // namespace

void LateLists::into_drawers(std::uint32_t low, std::uint32_t high) {
  const auto n_rows = static_cast<std::uint32_t>(keys_.size());
  // the smallest shift that leaves no more drawers than rows
  int shift = 0;
  while ((high - low) >> shift >= n_rows) ++shift;
  const auto drawer = [&](std::uint64_t key) { return (code_of(key) - low) >> shift; };
  starts_.assign(((high - low) >> shift) + 2, 0);
  for (const std::uint64_t key : keys_) ++starts_[drawer(key) + 1];
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  spare_.resize(keys_.size());
  for (const std::uint64_t key : keys_) spare_[starts_[drawer(key)]++] = key;
  keys_.swap(spare_);
  if (shift == 0) return;  // a drawer for every code
  std::uint32_t start = 0;
  for (const std::uint32_t stop : starts_) {  // where each drawer ends now
    const auto inside = std::span(keys_).subspan(start, stop - start);
    if (inside.size() < few_rows)
      insertion_sort(inside);
    else
      std::ranges::sort(inside);
    start = stop;
  }
}

void LateLists::write_entries() {
  entries_.resize(keys_.size());
  std::uint32_t before = ~0u;  // no code is that large
  for (std::size_t place = 0; place < keys_.size(); ++place) {
    const std::uint32_t code = code_of(keys_[place]);
    const auto row = static_cast<Entry>(keys_[place]);
    entries_[place] = row | (code != before ? new_value : 0);
    before = code;
  }
}

template <class Code>
void LateLists::sort(const Code* codes, std::span<const Entry> rows,
                     std::span<const std::uint32_t> table_row) {
  keys_.resize(rows.size());
  std::uint32_t low = ~0u, high = 0;
  for (std::size_t place = 0; place < rows.size(); ++place) {
    const std::uint32_t row = row_of(rows[place]);
    const std::uint32_t code = codes[table_row[row]];
    low = std::min(low, code);
    high = std::max(high, code);
    keys_[place] = key_of(code, row);
  }
  if (rows.size() < few_rows)
    insertion_sort(keys_);
  else if (low < high)
    into_drawers(low, high);
  write_entries();
}

std::span<const Entry> LateLists::sorted(const Column& column,
                                         std::span<const Entry> rows,
                                         std::span<const std::uint32_t> table_row) {
  if (column.bytes == 1)
    sort(static_cast<const std::uint8_t*>(column.codes), rows, table_row);
  else if (column.bytes == 2)
    sort(static_cast<const std::uint16_t*>(column.codes), rows, table_row);
  else
    sort(static_cast<const std::uint32_t*>(column.codes), rows, table_row);
  return entries_;
}

}  // namespace treewright
