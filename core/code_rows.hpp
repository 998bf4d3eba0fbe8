// The rows of small nodes beside copies of their codes: a cut is found by counting or
// sorting the codes when a node looks at a feature.
//
// A list of every feature that is kept in order must be divided at every split. Where a
// node looks at some of the features only, it takes less to divide one list, of the
// rows, and to put the codes of these features in order each time: many rows with few
// codes are counted by code and class, others are sorted as small numbers.
//
// Glossary
//   block   rows that are numbered from 0, with their keys (sorted_keys.hpp) of each
//           feature that was asked for. The far block has all rows that are grown out
//           together; the near block those below a node that is small enough for its
//           keys to stay in the cache.
//   place   where a row stands in the list of the far block. A node has a stretch of
//           places.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "key_scan.hpp"
#include "memory_types.hpp"
#include "sorted_keys.hpp"
#include "target.hpp"

namespace treewright {

class CodeRows {
 public:
  static constexpr std::int64_t most_rows = 1 << 16;

  CodeRows(std::span<const Column> columns, const Target& target, const Tables& tables)
      : columns_(columns),
        target_(target),
        two_gini_(tables.of_counts),
        two_entropy_(tables.of_counts),
        two_weighted_(tables.of_weights),
        many_gini_(tables.of_counts),
        light_gini_(tables.of_counts),
        many_entropy_(tables.of_counts),
        many_weighted_(tables.of_weights) {}

  // All rows: first_row .. first_row + n_rows - 1 of the source.
  void start(std::span<const std::uint32_t> table_rows, std::uint32_t first_row,
             std::int64_t n_rows);

  // What follows is about the node with `n_rows` places from `first` on. Nodes come
  // depth first.
  void look_at(std::int64_t first, std::int64_t n_rows);

  // Whether the cuts of a feature can be found here: no row may be without a value.
  bool prepare(std::int64_t feature);
  // The best cut of the feature that was prepared; its gain is the score.
  Candidate best_cut(std::span<const std::int64_t> statistic, const Limits& limits,
                     double tolerance);

  // Whether the node's best cut of the feature was found here.
  bool has_cut(std::int64_t feature) const { return looked_[feature] == n_looked_; }
  struct Sides {
    std::int64_t n_left, n_right;
    std::uint32_t low, high;  // codes
  };
  // Divides the rows by that cut; adds the class weights of the left side to `left`.
  Sides divide(std::int64_t feature, std::span<std::int64_t> left);
  // Divides the rows by what is said of each row of the source.
  void divide(std::span<const std::uint8_t> branch_of, std::int64_t n_branches);

  // The node's rows, as a list in no order.
  std::span<const Entry> entries();

 private:
  struct Block {
    std::vector<std::uint32_t> rows;     // in the far block; there: of the source
    std::vector<std::vector<Key>> keys;  // by feature
    std::vector<std::uint8_t> has_keys;  // likewise

    void start(std::size_t n_features, std::size_t n_rows);
  };

  void start_near();
  const Key* keys_of(std::int64_t feature);
  void copy_from_table(std::int64_t feature);
  void copy_as_ranks(std::int64_t feature);
  std::uint32_t table_code(std::int64_t feature, std::uint32_t code) const {
    return ranked_[feature].empty() ? code : ranked_[feature][code];
  }

  template <class Sums>
  Candidate scan(KeyScan<Sums>& scan, std::span<const std::int64_t> statistic,
                 const Limits& limits, double tolerance);
  template <class Cell, class Sums>
  CutOfCodes scan_counts(KeyScan<Sums>& scan, std::span<const std::int64_t> statistic,
                         std::int64_t min_rows, double tolerance);
  template <class Cell>
  std::vector<Cell>& cells();

  std::span<const Column> columns_;
  const Target& target_;
  std::span<const std::uint32_t> table_rows_;
  std::vector<Mark> marks_;  // of the rows of the far block
  Block far_, near_;
  std::vector<std::vector<std::uint32_t>> ranked_;  // code of each rank, if it is one
  std::vector<std::uint16_t> far_list_, near_list_, spare_;
  std::int64_t near_first_ = 0, near_rows_ = 0;  // the places of the near block

  // the node
  bool is_near_ = false;
  std::span<std::uint16_t> node_;
  std::int64_t n_looked_ = 0;
  std::vector<std::int64_t> looked_;  // by feature: the last node
  std::vector<CutOfCodes> cuts_;      // by feature
  std::vector<Entry> entries_;

  // the feature that was prepared
  std::int64_t feature_ = 0;
  std::uint32_t low_ = 0, high_ = 0;

  SortedKeys keys_;
  std::vector<std::uint32_t> narrow_cells_;
  std::vector<std::uint64_t> wide_cells_;
  KeyScan<TwoSlots<GiniScore>> two_gini_;
  KeyScan<TwoSlots<EntropyScore>> two_entropy_;
  KeyScan<TwoSlots<WeightedEntropyScore>> two_weighted_;
  KeyScan<SquaredSlots> many_gini_;
  KeyScan<LightSquaredSlots> light_gini_;
  KeyScan<InformationSlots<EntropyScore>> many_entropy_;
  KeyScan<InformationSlots<WeightedEntropyScore>> many_weighted_;
};

}  // namespace treewright
