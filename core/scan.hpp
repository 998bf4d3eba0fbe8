// The scan: the best cut of one ordered column at one open node.
//
// Glossary
//   entry      one row of an open node in one column's list: its number in the working
//              set (not in the table: see MemorySource::renumber), and in the top bit
//              whether a new value starts here. Lists are in code order, so the scan
//              needs no codes: cuts lie where a new value starts.
//   known      the entries with a value; missing ones stand behind them.
//   position   a cut: the number of known entries to its left.
//   score      what `criterion.hpp` says: adds up over branches, the largest is best.
//   tolerance  scores that differ by no more are equal, and the lowest cut wins.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "criterion.hpp"
#include "threads.hpp"

namespace treewright {

using Entry = std::uint32_t;
inline constexpr Entry new_value = 1u << 31;
inline std::uint32_t row_of(Entry entry) { return entry & ~new_value; }
inline bool starts_value(Entry entry) { return (entry & new_value) != 0; }

inline bool all_start_values(std::span<const Entry> stretch) {
  Entry common = new_value;
  for (const Entry entry : stretch) common &= entry;
  return common != 0;
}

// What every branch must hold at least, and how cuts are compared.
struct Limits {
  std::int64_t min_rows = 1;
  std::int64_t min_weight = 0;
  // Score every admissible cut, one after the other; one replaces the best so far if it
  // beats it by more than the tolerance, and the first must beat `floor`. Otherwise
  // cuts that cannot be best are left out.
  bool every_cut = false;
  double floor = -std::numeric_limits<double>::infinity();
  SingleGain single_gain;
  // Asked now and then whether to stop: a scan of many rows may take seconds.
  const ThreadPool* pool = nullptr;

  // What is compared of a cut.
  double worth(double score) const {
    return single_gain.known > 0 ? single_gain.of_all(score) : score;
  }
  void pause(std::int64_t place) const {
    constexpr std::int64_t places_between = 4096;
    if (place % places_between == 0 && pool) pool->pause();
  }
};

struct Cut {
  double score = -std::numeric_limits<double>::infinity();
  std::int64_t position = 0;  // 0: no admissible cut
  std::int64_t n_cuts = 0;    // how many were scored
};

// Tries every cut. `Sums` holds what lies to the left:
//   add(row), admits(limits), score(n_left) of both sides together.
template <class Sums>
Cut scan_all_cuts(Sums& sums, std::span<const Entry> known, const Limits& limits,
                  double tolerance) {
  Cut best{limits.floor};
  double best_worth = limits.worth(best.score);
  const auto n_known = static_cast<std::int64_t>(known.size());
  const std::int64_t last = n_known - limits.min_rows;
  if (last < limits.min_rows) return best;
  std::int64_t place = 0;
  for (; place < limits.min_rows; ++place) sums.add(row_of(known[place]));
  for (; place <= last; ++place) {
    limits.pause(place);
    if (starts_value(known[place]) && sums.admits(limits)) {
      const double score = sums.score(place);
      ++best.n_cuts;
      if (const double worth = limits.worth(score); worth > best_worth + tolerance) {
        best_worth = worth;
        best.score = score;
        best.position = place;
      }
    }
    sums.add(row_of(known[place]));
  }
  return best;
}

// Whether a cut before known[place] can be best for entropy, gini and error. Inside a
// run of one class the score is convex, so its largest value is at an end of the run
// (Fayyad and Irani 1992): a cut between two single rows of one class is not needed.
// Values that several rows share are taken without looking at their classes.
template <class Class>
[[gnu::always_inline]] inline bool is_class_boundary(std::span<const Entry> known,
                                                     std::int64_t place, Class left,
                                                     Class right) {
  const bool next_starts =
      place + 1 == std::ssize(known) || starts_value(known[place + 1]);
  return starts_value(known[place]) &
         ((left != right) | !starts_value(known[place - 1]) | !next_starts);
}

// The last admissible cut, or 0. It and the first one are ends of runs too.
inline std::int64_t last_cut(std::span<const Entry> known, const Limits& limits) {
  std::int64_t last = std::ssize(known) - limits.min_rows;
  while (last >= limits.min_rows && !starts_value(known[last])) --last;
  return last >= limits.min_rows ? last : 0;
}

// Tries the cuts that can be best for classes. `Counts` holds the class weights to the
// left: class_of(row), add(row), score(n_left).
template <class Counts>
Cut scan_class_boundaries(Counts& counts, std::span<const Entry> known,
                          const Limits& limits, double tolerance) {
  Cut best;
  const std::int64_t last = last_cut(known, limits);
  if (last == 0) return best;
  bool first = true;
  auto left = counts.class_of(row_of(known[0]));
  counts.add(row_of(known[0]));
  for (std::int64_t place = 1; place <= last; ++place) {
    limits.pause(place);
    const std::uint32_t row = row_of(known[place]);
    const auto right = counts.class_of(row);
    if (place >= limits.min_rows && starts_value(known[place]) &&
        (first || place == last || is_class_boundary(known, place, left, right))) {
      const double score = counts.score(place);
      if (score > best.score + tolerance) best = {score, place};
      first = false;
    }
    counts.add(row);
    left = right;
  }
  return best;
}

}  // namespace treewright
