// A node's rows in the order of a column's codes, as numbers that a scan reads in
// order.
//
// Glossary
//   mark   what a row adds to the sums of a node: its class, and above it its weight,
//          both below 256.
//   key    a code in the upper half, and the row's mark in the lower half. Rows with
//   equal keys are alike to a scan, so that their
//          order does not matter, and who they are is not needed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace treewright {

using Mark = std::uint16_t;
inline constexpr std::int64_t most_in_mark = 255;  // classes but one, and weight
inline Mark mark_of(std::int64_t slot, std::int64_t weight) {
  return static_cast<Mark>(weight << 8 | slot);
}

using Key = std::uint32_t;
inline Key key_of(std::uint32_t code, Mark mark) { return code << 16 | mark; }
inline std::uint32_t code_in(Key key) { return key >> 16; }
inline std::uint32_t slot_in(std::uint32_t key) { return key & 0xFF; }
inline std::uint32_t weight_in(std::uint32_t key) { return key >> 8 & 0xFF; }

class SortedKeys {
 public:
  // Room for the keys of so many rows, to be written in any order.
  std::span<Key> room_for(std::size_t n_rows) {
    if (keys_.size() < n_rows) keys_.resize(n_rows);
    n_rows_ = n_rows;
    return std::span(keys_).first(n_rows);
  }
  std::span<const Key> unsorted() const { return std::span(keys_).first(n_rows_); }
  // The smallest and the largest of them.
  std::array<Key, 2> range() const;
  // What was written, in order. low, high: the smallest and the largest code. Valid
  // until the next call.
  std::span<const Key> sorted(std::uint32_t low, std::uint32_t high);

 private:
  void rank();
  void into_drawers(std::uint32_t low, std::uint32_t high);
  void into_drawers_twice(std::uint32_t low, std::uint32_t high);

  std::size_t n_rows_ = 0;
  std::vector<Key> keys_, spare_;
  std::vector<std::uint32_t> starts_;  // of the drawers
};

}  // namespace treewright
