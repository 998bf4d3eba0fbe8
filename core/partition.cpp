#include "partition.hpp"

#include <algorithm>

namespace treewright {
namespace {

// Carries the mark "a new value starts here" over to each branch: the first entry of a
// branch after a new value started in the parent gets the mark. One word per branch and
// no shifts, because each entry waits for the one before it.
struct TwoMarks {
  Entry pending_0 = 0, pending_1 = 0;  // new_value: not seen by that branch yet

  Entry carry(Entry entry, std::uint32_t branch) {
    const Entry takes_1 = 0u - branch;  // all ones for branch 1
    pending_0 |= entry & new_value;
    pending_1 |= entry & new_value;
    const Entry mark = (pending_0 & ~takes_1) | (pending_1 & takes_1);
    pending_0 &= takes_1;
    pending_1 &= ~takes_1;
    return row_of(entry) | mark;
  }
};

// Where no two rows share a value every entry has its mark already. Most nodes of a
// deep tree over real numbers are like that.
struct AllMarked {
  static Entry carry(Entry entry, std::uint32_t) { return entry; }
};

bool all_marked(std::span<const Entry> stretch) {
  Entry common = new_value;
  for (const Entry entry : stretch) common &= entry;
  return common != 0;
}

// Both branches are kept: the left one in place, the right one by way of `spare`.
template <class Marks>
void keep_both(std::span<Entry> stretch, const std::uint8_t* branch_of,
               std::int64_t right_start, std::vector<Entry>& spare_space) {
  if (spare_space.size() < stretch.size()) spare_space.resize(stretch.size());
  Entry* const spare = spare_space.data();
  Marks marks;
  std::size_t n_left = 0, n_right = 0;
  for (const Entry entry : stretch) {
    const std::uint32_t branch = branch_of[row_of(entry)];
    const Entry out = marks.carry(entry, branch);
    stretch[n_left] = out;  // n_left never overtakes the reading place
    spare[n_right] = out;
    n_left += 1 - branch;
    n_right += branch;
  }
  std::copy_n(spare, n_right, stretch.begin() + right_start);
}

template <class Marks>
void keep_one(std::span<Entry> stretch, const std::uint8_t* branch_of,
              std::uint32_t kept) {
  Marks marks;
  std::size_t n_kept = 0;
  for (const Entry entry : stretch) {
    const std::uint32_t branch = branch_of[row_of(entry)];
    stretch[n_kept] = marks.carry(entry, branch);
    n_kept += branch == kept;
  }
}

template <class Marks>
void keep_two(std::span<Entry> stretch, const std::uint8_t* branch_of,
              std::span<const std::int64_t> starts, std::vector<Entry>& spare) {
  if (starts[0] != closed && starts[1] != closed)
    keep_both<Marks>(stretch, branch_of, starts[1], spare);
  else
    keep_one<Marks>(stretch, branch_of, starts[0] != closed ? 0 : 1);
}

// Any number of branches, by way of `spare`.
template <class Branch>
void keep_many(std::span<Entry> stretch, const Branch* branch_of,
               std::span<const std::int64_t> starts, std::vector<Entry>& spare) {
  if (spare.size() < stretch.size()) spare.resize(stretch.size());
  std::vector<std::int64_t> next(starts.begin(), starts.end());
  std::vector<std::uint32_t> last_value(starts.size(), ~0u);
  std::uint32_t value = 0;
  std::int64_t n_kept = 0;
  for (const Entry entry : stretch) {
    const std::uint32_t row = row_of(entry);
    value += starts_value(entry);
    const auto branch = branch_of[row];
    if (next[branch] == closed) continue;
    const Entry mark = last_value[branch] != value ? new_value : 0;
    last_value[branch] = value;
    spare[next[branch]++] = row | mark;
    ++n_kept;
  }
  std::copy_n(spare.begin(), n_kept, stretch.begin());
}

template <class Branch>
void spread_to(std::span<const Entry> stretch, const Branch* branch_of, Branch many,
               const std::vector<BranchOfRow::Copies>& copies,
               std::span<const std::int64_t> starts, std::span<Entry> to) {
  std::vector<std::int64_t> next(starts.begin(), starts.end());
  std::vector<std::uint32_t> last_value(starts.size(), ~0u);
  std::uint32_t value = 0;
  const auto write = [&](std::uint32_t row) {
    const auto branch = branch_of[row];
    if (next[branch] == closed) return;
    const Entry mark = last_value[branch] != value ? new_value : 0;
    last_value[branch] = value;
    to[next[branch]++] = row | mark;
  };
  for (const Entry entry : stretch) {
    const std::uint32_t row = row_of(entry);
    value += starts_value(entry);
    if (branch_of[row] == many)
      for (std::uint32_t copy = copies[row].first; copy < copies[row].stop; ++copy)
        write(copy);
    else
      write(row);
  }
}

}  // namespace

void spread(std::span<const Entry> stretch, const BranchOfRow& branch_of_row,
            std::span<const std::int64_t> starts, std::span<Entry> to) {
  if (std::ssize(starts) <= most_narrow_branches)
    spread_to(stretch, branch_of_row.narrow.data(), several, branch_of_row.copies,
              starts, to);
  else
    spread_to(stretch, branch_of_row.wide.data(), several_wide, branch_of_row.copies,
              starts, to);
}

void partition(std::span<Entry> stretch, const BranchOfRow& branch_of_row,
               std::span<const std::int64_t> starts, std::vector<Entry>& spare) {
  const std::uint8_t* narrow = branch_of_row.narrow.data();
  if (starts.size() == 2 && all_marked(stretch)) {
    keep_two<AllMarked>(stretch, narrow, starts, spare);
  } else if (starts.size() == 2) {
    keep_two<TwoMarks>(stretch, narrow, starts, spare);
  } else if (std::ssize(starts) <= most_narrow_branches) {
    keep_many(stretch, narrow, starts, spare);
  } else {
    keep_many(stretch, branch_of_row.wide.data(), starts, spare);
  }
}

}  // namespace treewright
