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
  // Entries that all have their mark were sent, the last one to `branch`.
  void carried_marked(std::uint32_t branch) {
    pending_0 = branch == 0 ? 0 : new_value;
    pending_1 = branch == 0 ? new_value : 0;
  }
};

// Calls send(entry as its branch gets it, branch) for each entry, in order. The loop is
// over blocks that stay in the cache: where no two rows share a value every entry has
// its mark already, and most nodes of a deep tree over real numbers are like that.
template <class Send>
void send_to_two(std::span<const Entry> stretch, const std::uint8_t* branch_of,
                 const Send& send) {
  constexpr std::size_t block = 1024;
  TwoMarks marks;
  for (std::size_t start = 0; start < stretch.size(); start += block) {
    const auto part = stretch.subspan(start, std::min(block, stretch.size() - start));
    if (all_start_values(part)) {
      std::uint32_t branch = 0;
      for (const Entry entry : part) {
        branch = branch_of[row_of(entry)];
        send(entry, branch);
      }
      marks.carried_marked(branch);
    } else {
      for (const Entry entry : part) {
        const std::uint32_t branch = branch_of[row_of(entry)];
        send(marks.carry(entry, branch), branch);
      }
    }
  }
}

// Both branches are kept: the left one in place, the right one by way of `spare`.
void keep_both(std::span<Entry> stretch, const std::uint8_t* branch_of,
               std::int64_t right_start, Spare& space) {
  Entry* const spare = space.room_for(stretch.size());
  std::size_t n_left = 0, n_right = 0;
  send_to_two(stretch, branch_of, [&](Entry entry, std::uint32_t branch) {
    stretch[n_left] = entry;  // n_left never overtakes the reading place
    spare[n_right] = entry;
    n_left += 1 - branch;
    n_right += branch;
  });
  std::copy_n(spare, n_right, stretch.begin() + right_start);
}

void keep_one(std::span<Entry> stretch, const std::uint8_t* branch_of,
              std::uint32_t kept) {
  std::size_t n_kept = 0;
  send_to_two(stretch, branch_of, [&](Entry entry, std::uint32_t branch) {
    stretch[n_kept] = entry;
    n_kept += branch == kept;
  });
}

void keep_two(std::span<Entry> stretch, const std::uint8_t* branch_of,
              std::span<const std::int64_t> starts, Spare& spare) {
  if (starts[0] != closed && starts[1] != closed)
    keep_both(stretch, branch_of, starts[1], spare);
  else
    keep_one(stretch, branch_of, starts[0] != closed ? 0 : 1);
}

std::span<Outlet> outlets_of(std::span<const std::int64_t> starts, Entry* to,
                             Spare& spare) {
  spare.outlets.clear();
  for (const std::int64_t start : starts)
    spare.outlets.push_back(start == closed ? Outlet{&spare.unused, ~0u, 0}
                                            : Outlet{to + start, ~0u, 1});
  return spare.outlets;
}

// Open branches stand one behind the other: the last one ends where all end.
Entry* end_of(std::span<const Outlet> outlets, Entry* end) {
  for (const Outlet& outlet : outlets)
    if (outlet.step > 0) end = outlet.next;
  return end;
}

// Any number of branches, by way of `spare`.
template <class Branch>
void keep_many(std::span<Entry> stretch, const Branch* branch_of,
               std::span<const std::int64_t> starts, Spare& spare) {
  Entry* const kept = spare.room_for(stretch.size());
  const auto outlets = outlets_of(starts, kept, spare);
  std::uint32_t value = 0;
  for (const Entry entry : stretch) {
    value += starts_value(entry);
    outlets[branch_of[row_of(entry)]].write(row_of(entry), value);
  }
  std::copy(kept, end_of(outlets, kept), stretch.begin());
}

template <class Branch>
void spread_to(std::span<const Entry> stretch, const Branch* branch_of, Branch many,
               const std::vector<BranchOfRow::Copies>& copies,
               std::span<const std::int64_t> starts, std::span<Entry> to,
               Spare& spare) {
  const auto outlets = outlets_of(starts, to.data(), spare);
  std::uint32_t value = 0;
  for (const Entry entry : stretch) {
    const std::uint32_t row = row_of(entry);
    value += starts_value(entry);
    if (branch_of[row] == many)
      for (std::uint32_t copy = copies[row].first; copy < copies[row].stop; ++copy)
        outlets[branch_of[copy]].write(copy, value);
    else
      outlets[branch_of[row]].write(row, value);
  }
}

}  // namespace

void spread(std::span<const Entry> stretch, const BranchOfRow& branch_of_row,
            std::span<const std::int64_t> starts, std::span<Entry> to, Spare& spare) {
  if (std::ssize(starts) <= most_narrow_branches)
    spread_to(stretch, branch_of_row.narrow.data(), several, branch_of_row.copies,
              starts, to, spare);
  else
    spread_to(stretch, branch_of_row.wide.data(), several_wide, branch_of_row.copies,
              starts, to, spare);
}

void partition(std::span<Entry> stretch, const BranchOfRow& branch_of_row,
               std::span<const std::int64_t> starts, Spare& spare) {
  const std::uint8_t* narrow = branch_of_row.narrow.data();
  if (starts.size() == 2) {
    keep_two(stretch, narrow, starts, spare);
  } else if (std::ssize(starts) <= most_narrow_branches) {
    keep_many(stretch, narrow, starts, spare);
  } else {
    keep_many(stretch, branch_of_row.wide.data(), starts, spare);
  }
}

void pack(std::span<Entry> stretch, std::uint32_t first_row) {
  std::uint32_t next_rank = 0;  // the first entry starts a value
  for (Entry& entry : stretch) {
    next_rank += starts_value(entry);
    entry = (next_rank - 1) << 16 | (row_of(entry) - first_row);
  }
}

void unpack(std::span<const Packed> stretch, std::uint32_t first_row,
            std::span<Entry> out) {
  if (stretch.empty()) return;
  const auto row_in = [&](Packed entry) { return (entry & 0xFFFF) + first_row; };
  out[0] = row_in(stretch[0]) | new_value;
  for (std::size_t place = 1; place < stretch.size(); ++place) {
    const bool starts = stretch[place] >> 16 != stretch[place - 1] >> 16;
    out[place] = row_in(stretch[place]) | (starts ? new_value : 0);
  }
}

void partition_packed(std::span<Packed> stretch, const std::uint8_t* branch_of,
                      std::span<const std::int64_t> starts, Spare& space) {
  const std::size_t n_entries = stretch.size();
  Packed* const to = stretch.data();
  if (starts.size() != 2) {
    Packed* const kept = space.room_for(n_entries);
    const auto outlets = outlets_of(starts, kept, space);
    for (const Packed entry : stretch) {
      Outlet& outlet = outlets[branch_of[entry & 0xFFFF]];
      *outlet.next = entry;
      outlet.next += outlet.step;
    }
    std::copy(kept, end_of(outlets, kept), to);
    return;
  }
  if (starts[0] == closed || starts[1] == closed) {
    const std::uint32_t kept = starts[0] == closed;
    std::size_t n_kept = 0;
    for (std::size_t place = 0; place < n_entries; ++place) {
      const Packed entry = to[place];
      to[n_kept] = entry;
      n_kept += branch_of[entry & 0xFFFF] == kept;
    }
    return;
  }
  Packed* const spare = space.room_for(n_entries);
  std::size_t n_left = 0, n_right = 0;
  for (std::size_t place = 0; place < n_entries; ++place) {
    const Packed entry = to[place];
    const std::uint32_t branch = branch_of[entry & 0xFFFF];
    to[n_left] = entry;  // never overtakes the reading place
    spare[n_right] = entry;
    n_left += 1 - branch;
    n_right += branch;
  }
  std::copy_n(spare, n_right, to + n_left);
}

}  // namespace treewright
