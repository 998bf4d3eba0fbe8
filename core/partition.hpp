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

// Where the entries of one of many branches go.
struct Outlet {
  Entry* next;
  std::uint32_t last_value;  // that has come to the branch
  std::uint32_t step;        // 0: it is closed, and its entries all go to one place

  void write(std::uint32_t row, std::uint32_t value) {
    *next = row | (last_value != value ? new_value : 0);
    last_value = value;
    next += step;
  }
};

// Working space that a thread keeps: small nodes are too many to allocate for each.
struct Spare {
  std::vector<Entry> entries;
  std::vector<Outlet> outlets;
  Entry unused = 0;  // where entries of closed branches go

  Entry* room_for(std::size_t n_entries) {
    if (entries.size() < n_entries) entries.resize(n_entries);
    return entries.data();
  }
};

// `stretch` is the node's list; `starts[branch]` the place in it (or `closed`) where
// the branch's entries go.
void partition(std::span<Entry> stretch, const BranchOfRow& branch_of_row,
               std::span<const std::int64_t> starts, Spare& spare);

// The same into another place, for nodes with rows that take several branches.
void spread(std::span<const Entry> stretch, const BranchOfRow& branch_of_row,
            std::span<const std::int64_t> starts, std::span<Entry> to, Spare& spare);

// Packed entries: a value's rank among those of a small node in the upper half, and the
// row's distance from the node's first row in the lower half. They need no marks, so
// that dividing them is only moving them.
using Packed = std::uint32_t;
inline constexpr std::int64_t most_packed = 1 << 16;

// Packs the list of a node whose rows have consecutive numbers from `first_row` on.
void pack(std::span<Entry> stretch, std::uint32_t first_row);
// The entries with their marks.
void unpack(std::span<const Packed> stretch, std::uint32_t first_row,
            std::span<Entry> out);
// As `partition`, for few branches; branch_of: from the node's first row on.
void partition_packed(std::span<Packed> stretch, const std::uint8_t* branch_of,
                      std::span<const std::int64_t> starts, Spare& spare);

}  // namespace treewright
