// The best cut of a column whose rows come as keys in order (sorted_keys.hpp), or as
// class weights of each code. What is scored, in which order and by which formula is as
// in scan.hpp, so that the cut and its score have the same bits.
//
// Two passes: one adds up what lies to the left and notes the places worth a look, one
// scores them. `Sums` is what lies to the left, and what was noted of it:
//   add(slot, weight)   a row
//   add_all(weights)    rows of any classes, by slot
//   note(n)             as the n-th place
//   score(n, out)       of the first n places, both sides together
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "criterion.hpp"
#include "scan.hpp"
#include "score_places.hpp"
#include "sorted_keys.hpp"

namespace treewright {

template <class Vector>
void make_room(std::size_t n, Vector& vector) {
  if (vector.size() < n) vector.resize(n);
}

// Two classes: counts in registers.
template <class Score>
class TwoSlots {
 public:
  static constexpr bool notes_slowly = false;
  using Table = typename Score::Table;

  explicit TwoSlots(const Table& table) : f_(&table) {}
  void start(std::span<const std::int64_t> total, std::size_t most_places) {
    all_ = {static_cast<std::int32_t>(total[0]), static_cast<std::int32_t>(total[1])};
    left_ = {};
    make_room(most_places, noted_);
  }
  void add(std::uint32_t slot, std::uint32_t weight) {
    const std::uint32_t to_second = weight & (0u - slot);
    left_.first += static_cast<std::int32_t>(weight - to_second);
    left_.second += static_cast<std::int32_t>(to_second);
  }
  template <std::size_t n_slots>
  void add_all(std::span<const std::uint32_t, n_slots> weights) {
    left_.first += static_cast<std::int32_t>(weights[0]);
    left_.second += static_cast<std::int32_t>(weights[1]);
  }
  void note(std::size_t n) { noted_[n] = left_; }
  void score(std::size_t n, double* out) const {
    if constexpr (std::is_same_v<Score, GiniScore>) {
      score_gini_of_two(std::span(noted_).first(n), all_, out);
    } else {
      for (std::size_t place = 0; place < n; ++place) {
        const auto [first, second] = noted_[place];
        out[place] = Score::join(
            score_of_two<Score>(*f_, first, second),
            score_of_two<Score>(*f_, all_.first - first, all_.second - second));
      }
    }
  }

 private:
  const Table* f_;
  TwoWeights all_, left_;
  std::vector<TwoWeights> noted_;
};

// Gini of more classes: sums of squares are integers that a double holds exactly.
class SquaredSlots {
 public:
  static constexpr bool notes_slowly = false;
  using Table = GiniScore::Table;

  explicit SquaredSlots(const Table&) {}
  void start(std::span<const std::int64_t> total, std::size_t most_places) {
    const std::size_t n_slots = std::bit_ceil(total.size());
    counts_.assign(2 * n_slots, 0);
    total_ = counts_.data() + n_slots;
    n_rows_ = 0;
    left_ = {};
    for (std::size_t slot = 0; slot < total.size(); ++slot) {
      total_[slot] = static_cast<std::uint32_t>(total[slot]);
      n_rows_ += static_cast<std::int32_t>(total[slot]);
      left_.right_squares += static_cast<std::uint64_t>(total[slot] * total[slot]);
    }
    make_room(most_places, noted_);
  }
  void add(std::uint32_t slot, std::uint32_t weight) {
    const std::uint64_t on_left = counts_[slot], on_right = total_[slot] - on_left;
    left_.left_squares += weight * (2 * on_left + weight);    // (c + w)^2 - c^2
    left_.right_squares -= weight * (2 * on_right - weight);  // c^2 - (c - w)^2
    left_.weight += weight;
    counts_[slot] = static_cast<std::uint32_t>(on_left + weight);
  }
  template <std::size_t n_slots>
  void add_all(std::span<const std::uint32_t, n_slots> weights) {
    std::uint64_t left_squares = 0, right_squares = 0;
    std::uint32_t weight = 0;
    for (std::size_t slot = 0; slot < weights.size(); ++slot) {
      weight += weights[slot];
      counts_[slot] += weights[slot];
      const std::uint64_t on_left = counts_[slot],
                          on_right = total_[slot] - counts_[slot];
      left_squares += on_left * on_left;
      right_squares += on_right * on_right;
    }
    left_ = {left_squares, right_squares, left_.weight + weight};
  }
  void note(std::size_t n) { noted_[n] = left_; }
  void score(std::size_t n, double* out) const {
    score_squares(std::span(noted_).first(n), n_rows_, out);
  }

 private:
  std::vector<std::uint32_t> counts_;  // to the left, and in all
  std::uint32_t* total_ = nullptr;
  std::int32_t n_rows_ = 0;
  TwoSquares left_;
  std::vector<TwoSquares> noted_;
};

// The same of a light node, all in one number (score_places.hpp): adding a row takes
// one product, noting a place one step.
class LightSquaredSlots {
 public:
  static constexpr bool notes_slowly = false;
  using Table = GiniScore::Table;

  explicit LightSquaredSlots(const Table&) {}
  void start(std::span<const std::int64_t> total, std::size_t most_places) {
    make_room(most_in_mark + 1, steps_);
    left_ = 0;
    std::int64_t weight = 0, squares = 0;
    for (std::size_t slot = 0; slot < total.size(); ++slot) {
      weight += total[slot];
      squares += total[slot] * total[slot];
      // what weight w of this class adds is w times this and w: to the squares
      // (c + w)^2 - c^2, to the products w t, to the weight w
      steps_[slot] = std::uint64_t{1} << PackedSquares::weight |
                     static_cast<std::uint64_t>(total[slot]) << PackedSquares::products;
    }
    all_weight_ = weight;
    all_squares_ = squares;
    make_room(most_places, noted_);
  }
  void add(std::uint32_t slot, std::uint32_t weight) {
    const std::uint64_t step = steps_[slot];
    left_ += weight * (step + weight);
    steps_[slot] = step + 2 * weight;
  }
  template <std::size_t n_slots>
  void add_all(std::span<const std::uint32_t, n_slots> weights) {
    for (std::uint32_t slot = 0; slot < weights.size(); ++slot)
      add(slot, weights[slot]);
  }
  void note(std::size_t n) { noted_[n] = left_; }
  void score(std::size_t n, double* out) const {
    score_packed(std::span(noted_).first(n), all_weight_, all_squares_, out);
  }

 private:
  std::vector<std::uint64_t> steps_;
  std::int64_t all_weight_ = 0, all_squares_ = 0;
  std::uint64_t left_ = 0;
  std::vector<std::uint64_t> noted_;
};

// Entropy of more classes: what each class adds is kept up to date, and added up in
// the order of the classes where it is asked for, because that decides its last bits.
template <class Score>
class InformationSlots {
 public:
  static constexpr bool notes_slowly = true;
  using Table = typename Score::Table;

  explicit InformationSlots(const Table& table) : f_(&table) {}
  void start(std::span<const std::int64_t> total, std::size_t most_places) {
    sides_.resize(total.size());
    n_left_ = n_rows_ = 0;
    for (std::size_t slot = 0; slot < total.size(); ++slot) {
      const auto weight = static_cast<std::uint32_t>(total[slot]);
      sides_[slot] = {0, weight, 0.0, (*f_)(weight)};
      n_rows_ += weight;
    }
    make_room(most_places, noted_);
  }
  void add(std::uint32_t slot, std::uint32_t weight) {
    Side& side = sides_[slot];
    side.left += weight;
    side.right -= weight;
    side.left_term = (*f_)(side.left);
    side.right_term = (*f_)(side.right);
    n_left_ += weight;
  }
  template <std::size_t n_slots>
  void add_all(std::span<const std::uint32_t, n_slots> weights) {
    for (std::uint32_t slot = 0; slot < weights.size(); ++slot)
      if (weights[slot] > 0) add(slot, weights[slot]);
  }
  void note(std::size_t n) {
    double left = 0, right = 0;
    for (const Side& side : sides_) {
      left += side.left_term;
      right += side.right_term;
    }
    noted_[n] = {left, right, n_left_};
  }
  void score(std::size_t n, double* out) const {
    for (std::size_t place = 0; place < n; ++place) {
      const auto& [left, right, n_left] = noted_[place];
      out[place] = Score::join(left - (*f_)(n_left), right - (*f_)(n_rows_ - n_left));
    }
  }

 private:
  struct Side {
    std::uint32_t left, right;
    double left_term, right_term;
  };
  struct Noted {
    double left, right;
    std::uint32_t n_left;
  };
  const Table* f_;
  std::vector<Side> sides_;
  std::uint32_t n_left_ = 0, n_rows_ = 0;
  std::vector<Noted> noted_;
};

// Class weights of each code: cells of rows and weight, `n_slots` of them for a code, a
// power of two. Half a cell holds either, so that a row is added in one step.
template <class Cell>
struct CodeCounts {
  static constexpr int half = 4 * sizeof(Cell);
  std::span<const Cell> cells;
  std::size_t n_slots;

  static Cell cell_of(Key key) { return (Cell{1} << half) + weight_in(key); }
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
  explicit KeyScan(const typename Sums::Table& table) : sums_(table) {}

  // keys: in order; total: their class weights. Position 0: no cut leaves enough rows
  // on both sides.
  CutOfCodes of_keys(std::span<const Key> keys, std::span<const std::int64_t> total,
                     std::int64_t min_rows, double tolerance) {
    const auto starts = [&](std::int64_t place) {
      return code_in(keys[place]) != code_in(keys[place - 1]);
    };
    std::int64_t last = std::ssize(keys) - min_rows;
    while (last >= min_rows && !starts(last)) --last;
    if (last < min_rows) return {};
    start(total, keys.size());
    // in registers: a number in memory makes a row wait for the one before
    Sums sums = std::move(sums_);
    std::size_t n_places = 0;
    std::uint32_t* const positions = positions_.data();
    const auto add = [&](Key key) { sums.add(slot_in(key), weight_in(key)); };
    const auto note = [&](std::int64_t place, bool is_worth_it) {
      if (Sums::notes_slowly && !is_worth_it) return;
      sums.note(n_places);
      positions[n_places] = static_cast<std::uint32_t>(place);
      n_places += is_worth_it;
    };
    std::int64_t place = 0;
    while (place < min_rows || !starts(place)) add(keys[place++]);
    note(place, true);  // the first admissible cut is the end of a run too
    if (place < last) {
      bool was_start = true, is_start = starts(place + 1);
      add(keys[place++]);
      for (; place < last; ++place) {
        const Key left = keys[place - 1], right = keys[place];
        const bool next_starts = code_in(right) != code_in(keys[place + 1]);
        note(place, is_start & ((slot_in(left) != slot_in(right)) | !was_start |
                                !next_starts));
        add(right);
        was_start = is_start;
        is_start = next_starts;
      }
      note(last, true);
    }
    sums_ = std::move(sums);
    n_places_ = n_places;
    const Cut cut = best(tolerance);
    return {cut, code_in(keys[cut.position - 1]), code_in(keys[cut.position])};
  }

  // The same of counts, of `n_rows` rows.
  template <class Cell>
  CutOfCodes of_counts(const CodeCounts<Cell>& counts, std::int64_t n_rows,
                       std::span<const std::int64_t> total, std::int64_t min_rows,
                       double tolerance) {
    const std::size_t most_places = counts.cells.size() / counts.n_slots + 1;
    start(total, most_places);
    make_room(most_places, codes_);
    const std::int64_t last = n_rows - min_rows;
    switch (counts.n_slots) {  // the loops over slots are short: they are unrolled
      case 2:
        return of_slots<2>(counts, min_rows, last, tolerance);
      case 4:
        return of_slots<4>(counts, min_rows, last, tolerance);
      case 8:
        return of_slots<8>(counts, min_rows, last, tolerance);
      default:
        return of_slots<std::dynamic_extent>(counts, min_rows, last, tolerance);
    }
  }

 private:
  template <std::size_t n_slots, class Cell>
  CutOfCodes of_slots(const CodeCounts<Cell>& counts, std::int64_t min_rows,
                      std::int64_t last, double tolerance) {
    using Counts = CodeCounts<Cell>;
    make_room(counts.n_slots, weights_);
    const std::span<std::uint32_t, n_slots> weights(weights_.data(), counts.n_slots);
    std::size_t n_places = 0;
    std::int64_t position = 0;
    std::uint32_t slot_before = 0, code_before = 0;
    bool was_alone = false, is_noted = false;
    for (std::uint32_t code = 0; position <= last; ++code) {
      const std::span<const Cell, n_slots> cell(
          counts.cells.data() + code * counts.n_slots, counts.n_slots);
      std::uint32_t n_here = 0, slot_here = 0;
      for (std::size_t slot = 0; slot < cell.size(); ++slot) {
        n_here += Counts::rows_in(cell[slot]);
        weights[slot] = Counts::weight_of(cell[slot]);
      }
      if (n_here == 0) continue;
      const bool is_alone = n_here == 1;
      if (is_alone)
        while (cell[slot_here] == 0) ++slot_here;
      if (position >= min_rows) {
        is_noted = n_places == 0 || !was_alone || !is_alone || slot_before != slot_here;
        codes_[n_places] = {code_before, code};
        positions_[n_places] = static_cast<std::uint32_t>(position);
        sums_.note(n_places);
        n_places += is_noted;
      }
      sums_.template add_all<n_slots>(weights);
      position += n_here;
      was_alone = is_alone;
      slot_before = slot_here;
      code_before = code;
    }
    if (n_places == 0) return {};
    n_places_ =
        n_places + !is_noted;  // the last admissible cut is the end of a run too
    const Cut cut = best(tolerance);
    const auto [low, high] = codes_[best_];
    return {cut, low, high};
  }

  void start(std::span<const std::int64_t> total, std::size_t most_places) {
    sums_.start(total, most_places);
    make_room(most_places, positions_);
    n_places_ = 0;
  }
  Cut best(double tolerance) {
    make_room(n_places_, scores_);
    sums_.score(n_places_, scores_.data());
    best_ = place_of_best(std::span(scores_).first(n_places_), tolerance);
    return {scores_[best_], positions_[best_]};
  }

  Sums sums_;
  std::vector<std::uint32_t> positions_;             // of the places that were noted
  std::vector<std::array<std::uint32_t, 2>> codes_;  // on both sides of them
  std::vector<std::uint32_t> weights_;               // of a code's rows, by slot
  std::vector<double> scores_;
  std::size_t n_places_ = 0, best_ = 0;
};

}  // namespace treewright
