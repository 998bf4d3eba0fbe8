// Rows of cells from the codes of columns: what each code stands for is looked up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "threads.hpp"

namespace treewright {

struct CodedColumn {
  std::variant<std::span<const std::uint8_t>, std::span<const std::uint16_t>,
               std::span<const std::uint32_t>>
      codes;
  std::span<const double> cells;  // by code

  std::size_t n_rows() const {
    return std::visit([](const auto& own) { return own.size(); }, codes);
  }
  bool has_every_cell() const {
    std::uint32_t last = 0;
    std::visit(
        [&](const auto& own) {
          for (const auto code : own) last = std::max<std::uint32_t>(last, code);
        },
        codes);
    return n_rows() == 0 || last < cells.size();
  }
};

// One cell of each column for a row, row after row. All columns are as long.
inline std::vector<double> cells_of(std::span<const CodedColumn> columns,
                                    std::size_t n_rows, ThreadPool& pool) {
  constexpr std::size_t block = 256;  // rows that stay in the cache for all columns
  const std::size_t n_columns = columns.size(), n_blocks = (n_rows + block - 1) / block;
  std::vector<double> out(n_rows * n_columns);
  pool.run(static_cast<std::int64_t>(n_blocks), [&](std::int64_t task, int) {
    const std::size_t start = task * block, stop = std::min(start + block, n_rows);
    for (std::size_t column = 0; column < n_columns; ++column) {
      const double* const cells = columns[column].cells.data();
      std::visit(
          [&](const auto& codes) {
            for (std::size_t row = start; row < stop; ++row)
              out[row * n_columns + column] = cells[codes[row]];
          },
          columns[column].codes);
    }
  });
  return out;
}

}  // namespace treewright
