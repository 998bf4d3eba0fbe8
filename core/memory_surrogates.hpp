// Surrogates: other questions that send rows much the same way as a split.
//
// Glossary
//   side       the branch, 0 or 1, that a row takes by its own value; unknown_side for
//   a
//              row without one
//   agreed     weight of the rows that a surrogate sends to their side, among those for
//              which both are known
//   majority   weight of the heavier side: what sending all rows there agrees with; a
//              surrogate must agree more
//
// A surrogate must send two rows with a side each way. Each value of a nominal feature
// goes to the side that its rows favour; a value that no row with a side has says
// nothing, and the next surrogate is asked.
#pragma once

#include <cstdint>
#include <vector>

namespace treewright {

inline constexpr std::uint8_t unknown_side = 2;

// The best surrogate of one feature at one node.
struct Surrogate {
  std::int64_t agreed = 0;  // 0: there is none
  std::uint32_t n_low = 0;  // cut: how many entries lie below it
  std::int32_t branch = 0;  // cut: where these go; the others take the other branch
};

// The surrogates of the splits of a batch, node after node, the best first.
struct Surrogates {
  std::vector<std::int64_t> n_surrogates;  // per node
  // per surrogate
  std::vector<std::int32_t> feature;
  std::vector<std::int64_t> low, high;       // cut: the codes on both sides of it
  std::vector<std::int32_t> branch;          // cut: that of the low codes
  std::vector<double> agreement, adjusted;   // share agreed; of what majority leaves
  std::vector<std::int64_t> n_codes;         // nominal: how many of `codes`
  std::vector<std::int32_t> codes;           // ascending
  std::vector<std::int32_t> branch_of_code;  // likewise

  void append(const Surrogates& more);
};

}  // namespace treewright
