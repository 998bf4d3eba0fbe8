// The partition: a node's list in one column becomes the lists of its open branches.
//
// Stable: each branch keeps the code order. Branches that are closed (leaves) are not
// written. Open branches stand one behind the other from the start of the node's
// stretch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scan.hpp"

namespace treewright {

// Which branch each row takes. Two widths, because most splits have few branches and
// the partition reads this at random: a byte a row stays in the cache longest.
struct BranchOfRow {
  // Copies of a row that takes several branches: the rows first .. stop - 1.
  struct Copies {
    std::uint32_t first = 0, stop = 0;
  };

  std::vector<std::uint8_t> narrow;
  std::vector<std::uint32_t> wide;  // used instead for splits with more branches
  std::vector<Copies> copies;
};
inline constexpr std::int64_t most_narrow_branches = 254;
inline constexpr std::uint8_t several = 255;  // the row's copies take the branches
inline constexpr std::uint32_t several_wide = ~0u;

// Where a branch's rows go: the place of its first entry, or closed.
inline constexpr std::int64_t closed = -1;

// `stretch` is the node's list; `starts[branch]` the place in it (or `closed`) where
// the branch's entries go. `spare` is working space.
void partition(std::span<Entry> stretch, const BranchOfRow& branch_of_row,
               std::span<const std::int64_t> starts, std::vector<Entry>& spare);

// The same into another place, for nodes with rows that take several branches.
void spread(std::span<const Entry> stretch, const BranchOfRow& branch_of_row,
            std::span<const std::int64_t> starts, std::span<Entry> to);

}  // namespace treewright
