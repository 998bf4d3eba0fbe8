// Weighted sums of a few features, drawn at random (Breiman 2001, section 5:
// Forest-RC). The rows of a node are put in the order of such a sum, and the best cut
// of it is searched for as that of a feature.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "draw.hpp"
#include "memory_types.hpp"

namespace treewright {

class Combinations {
 public:
  // Draws features among those that have two values in the rows of a node, and their
  // weights: uniform between -1 and 1, times the column's scale. False: there is none.
  bool draw(std::span<const Column> columns, std::span<const Entry> rows,
            std::span<const std::uint32_t> table_row, std::uint64_t draw,
            std::int64_t n_combined);

  std::int32_t first_feature() const { return features_[0]; }

  // The rows in the order of their sums, as the list of a feature. Valid until the next
  // call.
  std::span<const Entry> list(std::span<const Column> columns,
                              std::span<const Entry> rows,
                              std::span<const std::uint32_t> table_row);

  // Half way between the sums on both sides of a place in the list; at least the lower.
  double threshold(std::int64_t position) const;

  // As a tree has it: for each feature its number and the two halves of its weight.
  void write(std::vector<std::int32_t>& codes) const;

 private:
  struct Placed {
    double sum;
    Entry row;
  };
  std::vector<FeatureOrder> order_;  // one, when it is needed
  std::vector<std::int32_t> features_;
  std::vector<double> weights_;
  std::vector<Placed> placed_;
  std::vector<Entry> entries_;
};

}  // namespace treewright
