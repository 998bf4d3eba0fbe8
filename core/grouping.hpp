// The values of a nominal column in groups, as C4.5 and C5.0 form them (their -s).
//
// At first each value that occurs is a block. Blocks with the same shares of the
// classes become one. Then the two blocks whose union is worth most are joined, as long
// as that does not lower the worth and more than two are left (Quinlan 1993,
// section 7.2).
//
// Glossary
//   block     values that share a branch
//   worth     (gain - charge) / split information of the blocks as branches, in units
//             of the score per bit
//   charge    what it costs to name the blocks (C5.0): log2 of the number of ways to
//             make so many of the values, a Stirling number of the second kind
#pragma once

#include <functional>
#include <vector>

#include "scan.hpp"

namespace treewright {

struct Block {
  std::int64_t n_rows = 0, weight = 0;
  std::vector<std::int64_t> classes;  // weight of each class
};

// Score of a branch with these class weights.
using ScoreOfClasses = std::function<double(std::span<const std::int64_t>)>;

struct GroupingRule {
  Limits limits;
  bool two_branches = false;  // two must reach the limits, not all
  // Rows without a value: one more outcome of the split, and maybe one more branch.
  Block beside{};
  bool beside_is_branch = false;
  double base = 0;         // score of the blocks as one branch
  double charge_unit = 0;  // score that one bit of the charge takes away; 0: no charge
  double tolerance = 0;
  // Called between joins, which may be many; it may throw to end the search.
  std::function<void()> pause{};
};

struct Grouping {
  std::vector<std::int32_t> block_of;  // by value; numbered by their first values
  std::int32_t n_blocks = 0;
  bool is_admissible = false;
  double score = 0;   // of the blocks as branches
  double charge = 0;  // in bits
  double worth = 0;
  double split_information = 0;
};

// `values`: a block for each value that occurs. An admissible grouping is never left
// for one that is not. Of equal pairs the first is joined.
Grouping best_grouping(const std::vector<Block>& values, const ScoreOfClasses& score_of,
                       const GroupingRule& rule);

// log2 of the number of ways to make k groups of n things, for k = 0 .. n.
std::vector<double> log2_groupings(std::size_t n);

}  // namespace treewright
