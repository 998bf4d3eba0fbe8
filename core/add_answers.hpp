// What some trees answer, added to the sums of many rows.
//
// Sums do not fit into the fastest memory if there are many rows, so a few trees are
// added at a time, in their order.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace treewright {

struct TreeEnds {
  const std::int32_t* ends;  // by row
  const double* answers;     // of each end, `width` numbers
};

template <class Sums>
void add_to_row(std::span<const TreeEnds> trees, std::int32_t row, std::size_t width,
                Sums& sums) {
  for (const auto& [ends, answers] : trees) {
    const double* answer = answers + ends[row] * static_cast<std::int64_t>(width);
    for (std::size_t slot = 0; slot < width; ++slot) sums[slot] += answer[slot];
  }
}

// The sums of a row are in registers if their number is known here.
template <std::size_t width>
void add_few(std::span<const TreeEnds> trees, std::span<const std::int32_t> rows,
             double* out) {
  for (const std::int32_t row : rows) {
    std::array<double, width> sums;
    double* own = out + row * static_cast<std::int64_t>(width);
    std::copy_n(own, width, sums.begin());
    add_to_row(trees, row, width, sums);
    std::ranges::copy(sums, own);
  }
}

// out: `width` sums for each row.
inline void add_answers(std::span<const TreeEnds> trees,
                        std::span<const std::int32_t> rows, std::int64_t width,
                        double* out) {
  constexpr std::array few{add_few<1>, add_few<2>, add_few<3>, add_few<4>,
                           add_few<5>, add_few<6>, add_few<7>, add_few<8>};
  if (width <= std::ssize(few)) return few[width - 1](trees, rows, out);
  for (const std::int32_t row : rows) {
    double* own = out + row * width;
    add_to_row(trees, row, width, own);
  }
}

}  // namespace treewright
