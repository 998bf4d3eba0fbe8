// Columns in which most rows have one value: the run.
//
// Only the other rows have entries, in code order, those below the run first. What the
// rows of the run add to a sum is the node's total without the entries, so that a scan
// takes as long as there are entries. Scores come from the same sums in the same way as
// in the scan of all rows (scan.hpp), and are the same to the last bit.
#pragma once

#include <cstdint>
#include <span>

#include "scan.hpp"

namespace treewright {

struct Coded {
  std::uint32_t row, code;
};

// A column's rows at one node.
struct AroundRun {
  std::span<const Coded> entries;
  std::int64_t n_below = 0;  // entries with codes below that of the run
  std::int64_t n_rows = 0;

  std::int64_t n_in_run() const { return n_rows - std::ssize(entries); }
  bool has_one_value() const {
    if (entries.empty()) return true;
    return n_in_run() == 0 && entries.front().code == entries.back().code;
  }
};

// Calls visit(entries, number of rows) for each value from low to high; the run comes
// without entries.
template <class Visit>
void for_each_value(const AroundRun& list, const Visit& visit) {
  const auto visit_entries = [&](std::int64_t place, std::int64_t stop) {
    while (place < stop) {
      const std::int64_t start = place;
      while (++place < stop && list.entries[place].code == list.entries[start].code) {
      }
      visit(list.entries.subspan(start, place - start), place - start);
    }
  };
  visit_entries(0, list.n_below);
  if (list.n_in_run() > 0) visit(std::span<const Coded>(), list.n_in_run());
  visit_entries(list.n_below, std::ssize(list.entries));
}

// The last admissible cut, or 0.
inline std::int64_t last_cut(const AroundRun& list, const Limits& limits) {
  std::int64_t place = 0, last = 0;
  for_each_value(list, [&](std::span<const Coded>, std::int64_t n_rows) {
    if (place >= limits.min_rows && list.n_rows - place >= limits.min_rows)
      last = place;
    place += n_rows;
  });
  return last;
}

// The best cut; of equal ones the lowest. `Sums` holds what lies to the left:
//   add(row), add_run(), admits(limits), score(n_left) of both sides together,
// and, if cuts between two single rows of one class are left out as in
// scan_class_boundaries: class_of(row), class_of_run().
template <class Sums>
Cut scan_around(Sums& sums, const AroundRun& list, const Limits& limits,
                double tolerance, bool only_class_boundaries) {
  constexpr std::uint32_t several = ~0u;
  Cut best;
  const std::int64_t last = last_cut(list, limits);
  if (last == 0) return best;
  std::int64_t place = 0;
  std::uint32_t left = several;
  bool first = true;
  for_each_value(list, [&](std::span<const Coded> rows, std::int64_t n_rows) {
    const std::uint32_t right = !only_class_boundaries || n_rows > 1 ? several
                                : rows.empty() ? sums.class_of_run()
                                               : sums.class_of(rows[0].row);
    const bool is_boundary = left != right || left == several;
    if (place >= limits.min_rows && place <= last &&
        (first || place == last || is_boundary) && sums.admits(limits)) {
      const double score = sums.score(place);
      if (score > best.score + tolerance) best = {score, place};
      first = false;
    }
    if (rows.empty()) sums.add_run();
    for (const Coded entry : rows) sums.add(entry.row);
    place += n_rows;
    left = right;
  });
  return best;
}

// Sums that rows are added to one by one, and the run as a whole.
template <class Sums, class AddRun>
struct WithRun {
  Sums& sums;
  const AddRun& run;
  std::uint32_t run_class = 0;  // if it has one row

  std::uint32_t class_of(std::uint32_t row) const { return sums.class_of(row); }
  std::uint32_t class_of_run() const { return run_class; }
  void add(std::uint32_t row) { sums.add(row); }
  void add_run() { run(); }
  bool admits(const Limits& limits) const { return sums.admits(limits); }
  double score(std::int64_t n_left) const { return sums.score(n_left); }
};

}  // namespace treewright
