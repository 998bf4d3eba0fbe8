// Columns of two values as bits beside the rows of a node.
//
// Where there are such columns there are many: yes or no, one of these categories. A
// list of each would be divided at every split, though most are not asked about before
// they have one value left. A row's word holds them all, and is moved once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "memory_types.hpp"
#include "partition.hpp"
#include "target.hpp"

namespace treewright {

struct BitRow {
  std::uint64_t bits;
  std::uint32_t weight;  // small: their sums stay in 32 bits
  std::uint16_t row;     // from the first row of all on
  std::uint16_t slot;    // the class
};

class BitRows {
 public:
  // With fewer such columns, lists are as fast.
  static constexpr std::size_t fewest = 4, most = 64;

  // The cuts of two codes without missing values, up to 64; none if they are few.
  explicit BitRows(std::span<const Column> columns);
  bool empty() const { return features_.empty(); }
  bool has(std::int64_t feature) const {
    return !features_.empty() && place_[feature] >= 0;
  }

  // Rows first_row .. first_row + n_rows - 1, of one class each.
  void start(std::span<const Column> columns, const Target& target,
             std::span<const std::uint32_t> table_rows, std::uint32_t first_row,
             std::int64_t n_rows);
  // What follows is about the node whose rows are `n_rows` of them from `first` on.
  void look_at(std::int64_t first, std::int64_t n_rows);
  bool has_one_value(std::int64_t feature) const {
    return (differing_ >> place_[feature] & 1) == 0;
  }
  // Adds the class weights of the rows with the larger value to `sums`; how many rows
  // these are.
  std::int64_t count(std::int64_t feature, std::span<std::int64_t> sums);
  // The node's rows as a list.
  void write_list(std::int64_t feature, std::span<Entry> out) const;
  // As `partition_packed`.
  void divide(const std::uint8_t* branch_of, std::span<const std::int64_t> starts);

 private:
  std::vector<std::int64_t> features_;  // of each bit
  std::vector<int> place_;              // of each feature, or -1
  std::uint32_t first_row_ = 0;
  std::vector<BitRow> rows_, spare_;
  std::span<BitRow> node_;       // the rows that are looked at
  std::uint64_t differing_ = 0;  // bits that are not the same in all of them
  std::vector<std::uint32_t> sums_;
};

}  // namespace treewright
