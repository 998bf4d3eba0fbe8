// Two sides of a feature that are drawn and not searched for (Geurts, Ernst and
// Wehenkel 2006): a cut anywhere between the least and the largest value of a node's
// rows, or any set of values. One pass over the rows finds the range, one more parts
// them; nothing is sorted. Values are read as cells, row by row: the features that a
// small node looks at then lie beside each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "memory_types.hpp"

namespace treewright {

class DrawnSides {
 public:
  // Draws the sides of a feature for the rows of a node. `table_row` translates a row
  // to its place in the table.
  void draw(const Column& column, std::span<const Entry> rows,
            std::span<const std::uint32_t> table_row, std::uint64_t draw);

  // Whether all rows have one value, or none.
  bool one_value_only() const { return low_ == high_ && n_missing_ == 0; }
  // Whether the row at a place of `rows` is on side 0; missing values are on none.
  std::span<const std::uint8_t> on_left() const { return on_left_; }
  std::int64_t n_left() const { return n_left_; }
  std::int64_t n_known() const { return std::ssize(cells_) - n_missing_; }

  // The rows of side 0, of side 1, and those without a value, as a list with two
  // values. Valid until the next call.
  std::span<const Entry> list(std::span<const Entry> rows);

  double threshold() const { return threshold_; }  // of a cut
  std::vector<std::int32_t> set_codes() const;     // of a set: those of side 0

 private:
  void read(const Column& column, std::span<const Entry> rows,
            std::span<const std::uint32_t> table_row);
  void draw_set(const Column& column, std::uint64_t draw);

  std::vector<double> cells_;  // of each row
  double low_ = 0, high_ = 0;  // of the known ones
  std::int64_t n_missing_ = 0;
  double threshold_ = 0;
  std::vector<std::uint8_t> in_set_, is_here_;  // by code
  std::vector<std::uint8_t> on_left_;
  std::int64_t n_left_ = 0;
  std::vector<Entry> entries_, others_;
};

}  // namespace treewright
