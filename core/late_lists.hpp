// Lists that are made when they are asked for.
//
// A tree that looks at a few features per node has no use for a list per feature that
// is kept in order all the way down. It keeps the rows of each node once, and sorts
// them by the codes of a feature when that is looked at. Codes are small integers, so
// the sort is by counting: over all codes where they are few, else over their bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "memory_types.hpp"

namespace treewright {

class LateLists {
 public:
  // The rows in the order of the column's codes, equal ones in any order, with marks
  // where a new value starts. Valid until the next call. `table_row` translates a row
  // to its place in the column.
  std::span<const Entry> sorted(const Column& column, std::span<const Entry> rows,
                                std::span<const std::uint32_t> table_row);

 private:
  template <class Code>
  void sort(const Code* codes, std::span<const Entry> rows,
            std::span<const std::uint32_t> table_row);
  void into_drawers(std::uint32_t low, std::uint32_t high);
  void write_entries();

  // a code and a row in one number, which sorts as the code does
  std::vector<std::uint64_t> keys_, spare_;
  std::vector<std::uint32_t> starts_;  // of the drawers
  std::vector<Entry> entries_;
};

}  // namespace treewright
