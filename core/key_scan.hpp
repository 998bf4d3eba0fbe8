// The best cut of a column whose rows come as keys in order (sorted_keys.hpp), or as
// class weights of each code. What is scored, in which order and by which formula is as
// in scan.hpp, so that the cut and its score have the same bits.
//
// Two passes: one adds up what lies to the left and notes the places worth a look, one
// scores them. `Sums` is what lies to the left:
//   Place               what must be known of a place to score it
//   add(slot, weight)   a row, or rows of one class
//   at(position)        the place before the next row
//   score(place)        of both sides together
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "criterion.hpp"
#include "scan.hpp"
#include "sorted_keys.hpp"

namespace treewright {

// Two classes: counts in registers.
template <class Score>
struct TwoSlots {
  static constexpr bool notes_slowly = false;
  struct Place {
    std::uint32_t position, first, second;
  };
  const typename Score::Table& f;
  std::uint32_t of_first, of_second;  // in all
  std::uint32_t first = 0, second = 0;

  TwoSlots(const typename Score::Table& table, std::span<const std::int64_t> total,
           std::vector<std::uint32_t>&)
      : f(table),
        of_first(static_cast<std::uint32_t>(total[0])),
        of_second(static_cast<std::uint32_t>(total[1])) {}
  void add(std::uint32_t slot, std::uint32_t weight) {
    const std::uint32_t to_second = weight & (0u - slot);
    first += weight - to_second;
    second += to_second;
  }
  Place at(std::uint32_t position) const { return {position, first, second}; }
  double score(const Place& at) const {
    return Score::join(
        score_of_two<Score>(f, at.first, at.second),
        score_of_two<Score>(f, of_first - at.first, of_second - at.second));
  }
};

// Gini of more classes: sums of squares are integers that a double holds exactly.
struct SquaredSlots {
  static constexpr bool notes_slowly = false;
  struct Place {
    std::uint32_t position, n_left;
    std::uint64_t left_squares, right_squares;
  };
  std::uint32_t *left, *right;
  std::uint32_t n_left = 0, n_rows = 0;
  std::uint64_t left_squares = 0, right_squares = 0;

  SquaredSlots(const GiniScore::Table&, std::span<const std::int64_t> total,
               std::vector<std::uint32_t>& counts) {
    counts.assign(2 * total.size(), 0);
    left = counts.data();
    right = left + total.size();
    for (std::size_t slot = 0; slot < total.size(); ++slot) {
      right[slot] = static_cast<std::uint32_t>(total[slot]);
      n_rows += right[slot];
      right_squares += std::uint64_t{right[slot]} * right[slot];
    }
  }
  void add(std::uint32_t slot, std::uint32_t weight) {
    const std::uint64_t on_left = left[slot], on_right = right[slot];
    left_squares += weight * (2 * on_left + weight);    // (c + w)^2 - c^2
    right_squares -= weight * (2 * on_right - weight);  // c^2 - (c - w)^2
    n_left += weight;
    left[slot] += weight;
    right[slot] -= weight;
  }
  Place at(std::uint32_t position) const {
    return {position, n_left, left_squares, right_squares};
  }
  double score(const Place& at) const {
    return score_of(at.left_squares, at.n_left) +
           score_of(at.right_squares, n_rows - at.n_left);
  }
  static double score_of(std::uint64_t squares, std::uint32_t weight) {
    const auto n = static_cast<double>(weight);
    return static_cast<double>(static_cast<std::int64_t>(squares)) / n - n;
  }
};

// Entropy of more classes: what each class adds is kept up to date, and added up in
// the order of the classes where it is asked for, because that decides its last bits.
template <class Score>
struct InformationSlots {
  static constexpr bool notes_slowly = true;
  struct Place {
    std::uint32_t position, n_left;
    double left, right;
  };
  const typename Score::Table& f;
  struct Side {
    std::uint32_t left, right;
    double left_term, right_term;
  };
  std::vector<Side> sides;
  std::uint32_t n_left = 0, n_rows = 0;

  InformationSlots(const typename Score::Table& table,
                   std::span<const std::int64_t> total, std::vector<std::uint32_t>&)
      : f(table), sides(total.size()) {
    for (std::size_t slot = 0; slot < total.size(); ++slot) {
      sides[slot] = {0, static_cast<std::uint32_t>(total[slot]), f(0), f(total[slot])};
      n_rows += sides[slot].right;
    }
  }
  void add(std::uint32_t slot, std::uint32_t weight) {
    Side& side = sides[slot];
    side.left += weight;
    side.right -= weight;
    side.left_term = f(side.left);
    side.right_term = f(side.right);
    n_left += weight;
  }
  Place at(std::uint32_t position) const {
    double left = 0, right = 0;
    for (const Side& side : sides) {
      left += side.left_term;
      right += side.right_term;
    }
    return {position, n_left, left, right};
  }
  double score(const Place& at) const {
    return Score::join(at.left - f(at.n_left), at.right - f(n_rows - at.n_left));
  }
};

// Class weights of each code: cells of rows and weight, `stride` of them for a code.
// Half a cell holds either, so that a row is added in one step.
template <class Cell>
struct CodeCounts {
  static constexpr int half = 4 * sizeof(Cell);
  std::span<const Cell> cells;
  std::size_t stride, n_slots;

  static Cell cell_of(Mark mark) { return (Cell{1} << half) + weight_in(mark); }
  static std::uint32_t rows_in(Cell cell) {
    return static_cast<std::uint32_t>(cell >> half);
  }
  static std::uint32_t weight_of(Cell cell) {
    return static_cast<std::uint32_t>(cell & ((Cell{1} << half) - 1));
  }
};

// A cut, and the codes on both sides of it.
struct CutOfCodes {
  Cut cut;
  std::uint32_t low = 0, high = 0;
};

// What a scan works in, for one kind of sums.
template <class Sums>
class KeyScan {
 public:
  // keys: in order. Position 0: no cut leaves enough rows on both sides.
  CutOfCodes of_keys(Sums& sums, std::span<const Key> keys, std::int64_t min_rows,
              double tolerance) {
    const auto starts = [&](std::int64_t place) {
      return code_in(keys[place]) != code_in(keys[place - 1]);
    };
    const auto add = [&](Key key) { sums.add(slot_in(key), weight_in(key)); };
    std::int64_t last = std::ssize(keys) - min_rows;
    while (last >= min_rows && !starts(last)) --last;
    if (last < min_rows) return {};
    begin(keys.size());
    std::int64_t place = 0;
    while (place < min_rows || !starts(place)) add(keys[place++]);
    note(sums, place, true);  // the first admissible cut is the end of a run too
    if (place < last) {
      bool was_start = true, is_start = starts(place + 1);
      add(keys[place++]);
      for (; place < last; ++place) {
        const Key left = keys[place - 1], right = keys[place];
        const bool next_starts = code_in(right) != code_in(keys[place + 1]);
        note(sums, place,
             is_start &
                 ((slot_in(left) != slot_in(right)) | !was_start | !next_starts));
        add(right);
        was_start = is_start;
        is_start = next_starts;
      }
      note(sums, last, true);
    }
    const Cut cut = best(sums, tolerance);
    return {cut, code_in(keys[cut.position - 1]), code_in(keys[cut.position])};
  }

  // counts: of `n_rows` rows.
  template <class Cell>
  CutOfCodes of_counts(Sums& sums, const CodeCounts<Cell>& counts, std::int64_t n_rows,
                       std::int64_t min_rows, double tolerance) {
    using Counts = CodeCounts<Cell>;
    const std::int64_t last = n_rows - min_rows;
    begin(counts.cells.size() / counts.stride + 1);
    std::int64_t position = 0;
    std::uint32_t slot_before = 0, code_before = 0;
    bool was_alone = false, is_noted = false;
    for (std::uint32_t code = 0; position <= last; ++code) {
      const auto cell = counts.cells.subspan(code * counts.stride, counts.n_slots);
      std::uint32_t n_here = 0, slot_here = 0;
      for (std::size_t slot = 0; slot < counts.n_slots; ++slot) {
        n_here += Counts::rows_in(cell[slot]);
        slot_here = cell[slot] ? static_cast<std::uint32_t>(slot) : slot_here;
      }
      if (n_here == 0) continue;
      const bool is_alone = n_here == 1;
      if (position >= min_rows) {
        is_noted = n_places_ == 0 || !was_alone || !is_alone || slot_before != slot_here;
        codes_[n_places_] = {code_before, code};
        note(sums, position, true);
        n_places_ -= !is_noted;
      }
      for (std::size_t slot = 0; slot < counts.n_slots; ++slot)
        sums.add(static_cast<std::uint32_t>(slot), Counts::weight_of(cell[slot]));
      position += n_here;
      was_alone = is_alone;
      slot_before = slot_here;
      code_before = code;
    }
    if (n_places_ == 0) return {};
    n_places_ += !is_noted;  // the last admissible cut is the end of a run too
    const Cut cut = best(sums, tolerance);
    const auto [low, high] = codes_[best_];
    return {cut, low, high};
  }

 private:
  using Place = typename Sums::Place;

  void begin(std::size_t n_places) {
    if (places_.size() < n_places) places_.resize(n_places);
    if (codes_.size() < n_places) codes_.resize(n_places);
    n_places_ = 0;
  }
  [[gnu::always_inline]] void note(const Sums& sums, std::int64_t place, bool is_worth_it) {
    if (Sums::notes_slowly && !is_worth_it) return;
    places_[n_places_] = sums.at(static_cast<std::uint32_t>(place));
    n_places_ += is_worth_it;
  }
  Cut best(const Sums& sums, double tolerance) {
    double most = Cut{}.score;
    for (std::size_t index = 0; index < n_places_; ++index) {
      const double score = sums.score(places_[index]);
      if (!(score > most + tolerance)) continue;
      most = score;
      best_ = index;
    }
    return {most, places_[best_].position};
  }

  std::vector<Place> places_;
  std::vector<std::array<std::uint32_t, 2>> codes_;  // on both sides of each place
  std::size_t n_places_ = 0, best_ = 0;
};

}  // namespace treewright
