// Many rows through a tree of cuts.
//
// A step waits for memory, so rows take steps side by side; and some arrive long before
// others, so every few steps those that have not arrived close ranks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace treewright {

// How many rows take a step side by side.
inline constexpr std::size_t rows_side_by_side = 16;

// Some steps of up to 16 rows; those that have arrived mark time, because an end leads
// to itself. Writes the rows that are still on their way to `left`, and says how many.
template <class Steps, class Cell>
std::size_t take_steps(const Steps& steps, int n_steps, const Cell* cells,
                       std::int64_t n_features, std::span<const std::int32_t> rows,
                       std::int32_t* nodes, std::int32_t* left) {
  std::array<const Cell*, rows_side_by_side> own;
  std::array<std::int32_t, rows_side_by_side> node, row;
  if (rows.size() == rows_side_by_side) {
    std::copy_n(rows.begin(), rows_side_by_side, row.begin());
  } else {  // the last one stands in for those that are not there
    row.fill(rows.back());
    std::ranges::copy(rows, row.begin());
  }
  for (std::size_t which = 0; which < rows_side_by_side; ++which) {
    own[which] = cells + row[which] * n_features;
    node[which] = nodes[row[which]];
  }
  for (int step = 0; step < n_steps; ++step)
    for (std::size_t which = 0; which < rows_side_by_side; ++which)
      node[which] = steps.next(node[which], own[which]);
  std::size_t n_left = 0;
  for (std::size_t which = 0; which < rows.size(); ++which) {
    nodes[row[which]] = node[which];
    left[n_left] = row[which];
    n_left += !steps.is_end(node[which]);
  }
  return n_left;
}

// Some steps of all rows; returns those of `rows` that are still on their way.
template <class Steps, class Cell>
std::span<std::int32_t> take_round(const Steps& steps, int n_steps, const Cell* cells,
                                   std::int64_t n_features,
                                   std::span<std::int32_t> rows, std::int32_t* nodes) {
  std::size_t n_left = 0;
  for (std::size_t first = 0; first < rows.size(); first += rows_side_by_side) {
    const std::size_t n = std::min(rows_side_by_side, rows.size() - first);
    n_left += take_steps(steps, n_steps, cells, n_features, rows.subspan(first, n),
                         nodes, &rows[n_left]);
  }
  return rows.first(n_left);
}

// nodes: where each of the rows is; in the end, where it arrives. Uses up `rows`.
// n_first: the steps of the first round, after which many have arrived.
template <class Steps, class Cell>
void walk_together(const Steps& steps, int n_first, const Cell* cells,
                   std::int64_t n_features, std::span<std::int32_t> rows,
                   std::int32_t* nodes) {
  rows = take_round(steps, n_first, cells, n_features, rows, nodes);
  while (!rows.empty()) rows = take_round(steps, 4, cells, n_features, rows, nodes);
}

}  // namespace treewright
