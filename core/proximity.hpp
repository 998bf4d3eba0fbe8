// Proximities: the share of a forest's trees in which two rows end at the same node.
//
// The rows of each end stand side by side, tree by tree. A row's proximities to all
// others are then counted by going through the rows that it ends with; no pair that
// never meets is looked at.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "threads.hpp"

namespace treewright {

class Proximities {
 public:
  // ends: n_rows nodes for each tree. asked: a flag for each of these, whether the row
  // counts in the tree; empty: all do.
  Proximities(std::span<const std::int32_t> ends, std::span<const std::uint8_t> asked,
              std::int64_t n_trees, std::int64_t n_rows, ThreadPool& pool);

  std::int64_t n_rows() const { return n_rows_; }

  // out: n_rows x n_rows; NaN for two rows that no tree counts both of.
  void matrix(ThreadPool& pool, std::span<double> out) const;

  // The `n_nearest` other rows of each row, the nearest first, of equal ones the first;
  // -1 and 0 where fewer rows end with it.
  void nearest(std::int64_t n_nearest, ThreadPool& pool, std::span<std::int64_t> rows,
               std::span<double> out) const;

  // For each row the sum of the squared numbers of trees in which it ends with another
  // row of its group, and with itself.
  void squares_within(std::span<const std::int32_t> groups, ThreadPool& pool,
                      std::span<std::int64_t> out) const;

 private:
  // How often a row ended with each other one, and which these are.
  struct Counts {
    std::vector<std::uint32_t> of_row;
    std::vector<std::uint32_t> met;
  };

  void arrange(std::int64_t tree, std::span<const std::int32_t> ends,
               std::span<const std::uint8_t> asked);
  void count(std::int64_t row, Counts& counts) const;
  double share(std::int64_t row, std::int64_t other, std::uint32_t count) const;
  std::int64_t n_common(std::int64_t row, std::int64_t other) const;
  // Calls work(row, counts) for all rows.
  template <class Work>
  void for_each_row(ThreadPool& pool, const Work& work) const;

  std::int64_t n_trees_, n_rows_, n_words_;
  std::vector<std::uint32_t> order_;         // tree by tree the rows, by their ends
  std::vector<std::uint32_t> first_, stop_;  // for a row in a tree: those of its end
  std::vector<std::uint64_t> asked_;         // a bit per tree for each row; empty: all
};

}  // namespace treewright
