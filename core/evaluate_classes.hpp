// Evaluators for classes: two classes without weights, or with small ones, have a short
// cut of their own, everything else (more classes, other weights, several outputs)
// shares one implementation. Both score two classes by one formula (`score_of_two`).
#pragma once

#include <numeric>
#include <type_traits>

#include "summed_groups.hpp"

namespace treewright {

// Weight of rows of two classes, and of those of the second class.
struct TwoSums {
  std::int64_t both = 0, second = 0;

  void add(const Target& target, std::uint32_t row) {
    const std::int64_t weight = target.weight(row);
    both += weight;
    second += weight & -static_cast<std::int64_t>(target.classes[row]);
  }
};

// Groups are class weights.
template <class Score>
class ClassWeights : public SummedGroups {
 public:
  ClassWeights(const Target& target, const typename Score::Table& f)
      : SummedGroups(target, target.n_classes()), f_(f) {}

  // More classes than two: the share of each of the first 32 classes gives an order.
  int n_orders() const override {
    return prefixes_suffice() ? 1 : std::min(target_.n_classes(), 32);
  }
  double order_key(int group, int order) const override {
    const auto weights = sums_of(group);
    const std::int64_t all = weight(weights);
    return all > 0 ? static_cast<double>(weights[order]) / static_cast<double>(all)
                   : 0.0;
  }
  bool prefixes_suffice() const override {
    return target_.n_outputs == 1 && target_.n_classes() <= 2;
  }
  bool has_two_classes() const { return target_.n_outputs == 1 && width_ == 2; }

  double class_score(std::span<const std::int64_t> weights) const override {
    return score(weights);
  }
  // Two classes have one formula, however their weights are kept: crews of a forest
  // keep them as it suits their heaviest row.
  double score_of_sides(std::span<const std::int64_t> left,
                        std::span<const std::int64_t> right) const override {
    if (!has_two_classes()) return join(score(left), score(right));
    return join(score_of_two<Score>(f_, left[0], left[1]),
                score_of_two<Score>(f_, right[0], right[1]));
  }

  double begun_score_in_full() const override {
    double sum = 0;
    for (const std::int64_t weight : this->total_) sum += f_(weight);
    return f_.unit() * (sum - f_(weight(this->total_)));
  }

  bool summarise(PiecesView branch, std::span<std::int64_t> out) override {
    std::ranges::fill(out, 0);
    for (const auto& piece : branch) add(piece, out);
    return is_pure(out);
  }

  bool summarise_with(PiecesView branch, std::span<const Entry> divided,
                      const Share& share, std::span<std::int64_t> out) override {
    summarise(branch, out);
    const std::size_t n_outputs = target_.n_outputs;
    for (const Entry entry : divided) {
      const std::size_t row = row_of(entry);
      for (std::size_t output = 0; output < n_outputs; ++output)
        out[target_.classes[row * n_outputs + output]] += share.of(target_.weight(row));
    }
    return is_pure(out);
  }

 protected:
  double join(double one, double other) const override {
    return Score::join(one, other);
  }
  void add(std::span<const Entry> entries, std::span<std::int64_t> out) const override {
    const std::size_t n_outputs = target_.n_outputs;
    if (has_two_classes()) return add_two_classes(entries, out);
    for (const Entry entry : entries) {
      const std::size_t row = row_of(entry);
      for (std::size_t output = 0; output < n_outputs; ++output)
        out[target_.classes[row * n_outputs + output]] += target_.weight(row);
    }
  }
  // Sums in registers, and no branch that depends on the classes.
  void add_two_classes(std::span<const Entry> entries,
                       std::span<std::int64_t> out) const {
    TwoSums sums;
    for (const Entry entry : entries) sums.add(target_, row_of(entry));
    out[0] += sums.both - sums.second;
    out[1] += sums.second;
  }
  std::int64_t weight(std::span<const std::int64_t> weights) const override {
    return std::reduce(weights.begin(), weights.begin() + target_.class_start[1]);
  }
  double score(std::span<const std::int64_t> weights) const override {
    double sum = 0;
    for (int output = 0; output < target_.n_outputs; ++output) {
      Score branch{f_};
      std::int64_t weight = 0;
      for (int slot = target_.class_start[output];
           slot < target_.class_start[output + 1]; ++slot) {
        branch.add(weights[slot]);
        weight += weights[slot];
      }
      sum += branch.score(weight);
    }
    return sum / target_.n_outputs;
  }

  bool is_pure(std::span<const std::int64_t> weights) const {
    for (int output = 0; output < target_.n_outputs; ++output) {
      const auto first = weights.begin() + target_.class_start[output];
      const auto last = weights.begin() + target_.class_start[output + 1];
      if (std::count_if(first, last, [](auto weight) { return weight > 0; }) > 1)
        return false;
    }
    return true;
  }

  const typename Score::Table& f_;
};

// Any number of classes and outputs, with or without weights.
template <class Score>
class ManyClasses : public ClassWeights<Score> {
 public:
  using ClassWeights<Score>::ClassWeights;

  Cut best_cut(std::span<const Entry> known, const Limits& limits,
               double tolerance) override {
    this->right_ = this->total_;
    if (this->n_begun_ != known.size()) {  // rows without a value may be in total_
      std::ranges::fill(this->right_, 0);
      this->add(known, this->right_);
    }
    this->left_.assign(this->width_, 0);
    if (this->has_two_classes()) {
      const TwoSums all{this->right_[0] + this->right_[1], this->right_[1]};
      TwoCounts counts{this->target_, this->f_, all};
      return scan(counts, known, limits, tolerance);
    }
    if (squares_are_exact()) {
      SquaredCounts counts{this->target_, this->left_, this->right_};
      return scan(counts, known, limits, tolerance);
    }
    Counts counts{*this, this->left_, this->right_, 0, this->weight(this->right_)};
    return scan(counts, known, limits, tolerance);
  }
  Cut best_cut_around(const AroundRun& list, const Limits& limits,
                      double tolerance) override;  // around_classes.hpp

 private:
  template <class AnyCounts>
  Cut scan(AnyCounts& counts, std::span<const Entry> known, const Limits& limits,
           double tolerance) const {
    // runs of one class: only with one output, and where no weight limit can fall
    // inside a run
    if (this->target_.n_outputs == 1 && limits.min_weight == 0 && !limits.every_cut)
      return scan_class_boundaries(counts, known, limits, tolerance);
    return scan_all_cuts(counts, known, limits, tolerance);
  }

  // Whether Gini's sums of squares are integers that a double holds exactly: then they
  // can be kept up to date row by row, and come out the same as added up anew.
  bool squares_are_exact() const {
    return std::is_same_v<Score, GiniScore> && this->target_.n_outputs == 1 &&
           !this->has_two_classes() &&
           this->weight(this->right_) < std::int64_t{1} << 26;
  }

  // Gini of whole weights: a cut is scored in the same time for any number of classes.
  struct SquaredCounts {
    const Target& target;
    std::vector<std::int64_t>& left;
    std::vector<std::int64_t>& right;
    std::int64_t n_left = 0, n_right = 0;
    std::int64_t left_squares = 0, right_squares = 0;

    SquaredCounts(const Target& of_rows, std::vector<std::int64_t>& on_left,
                  std::vector<std::int64_t>& on_right)
        : target(of_rows), left(on_left), right(on_right) {
      for (const std::int64_t count : right) {
        n_right += count;
        right_squares += count * count;
      }
    }
    std::uint32_t class_of(std::uint32_t row) const { return target.classes[row]; }
    void add(std::uint32_t row) { move(target.classes[row], target.weight(row)); }
    void move(std::uint32_t slot, std::int64_t weight) {
      left_squares += weight * (2 * left[slot] + weight);    // (c + w)^2 - c^2
      right_squares -= weight * (2 * right[slot] - weight);  // c^2 - (c - w)^2
      left[slot] += weight;
      right[slot] -= weight;
      n_left += weight;
      n_right -= weight;
    }
    bool admits(const Limits& limits) const {
      return n_left >= limits.min_weight && n_right >= limits.min_weight;
    }
    double score(std::int64_t) const {
      return score_of(left_squares, n_left) + score_of(right_squares, n_right);
    }
    static double score_of(std::int64_t squares, std::int64_t n_rows) {
      const auto n = static_cast<double>(n_rows);
      return n_rows > 0 ? static_cast<double>(squares) / n - n : 0.0;
    }
  };

  // Two classes and weights, which heavy rows and divided ones have.
  struct TwoCounts {
    const Target& target;
    const typename Score::Table& f;
    TwoSums all, left{};

    std::uint32_t class_of(std::uint32_t row) const { return target.classes[row]; }
    void add(std::uint32_t row) { left.add(target, row); }
    bool admits(const Limits& limits) const {
      return left.both >= limits.min_weight &&
             all.both - left.both >= limits.min_weight;
    }
    double score(std::int64_t) const {
      return Score::join(score_of(left),
                         score_of({all.both - left.both, all.second - left.second}));
    }
    double score_of(const TwoSums& branch) const {
      return score_of_two<Score>(f, branch.both - branch.second, branch.second);
    }
  };

  struct Counts {
    const ManyClasses& self;
    std::vector<std::int64_t>& left;
    std::vector<std::int64_t>& right;
    std::int64_t left_weight = 0, right_weight = 0;

    std::uint32_t class_of(std::uint32_t row) const {
      return self.target_.classes[row];
    }
    void add(std::uint32_t row) {
      const Target& target = self.target_;
      const std::int64_t weight = target.weight(row);
      for (int output = 0; output < target.n_outputs; ++output)
        move(target.classes[std::size_t{row} * target.n_outputs + output], weight);
      left_weight += weight;
      right_weight -= weight;
    }
    bool admits(const Limits& limits) const {
      return left_weight >= limits.min_weight && right_weight >= limits.min_weight;
    }
    double score(std::int64_t) const {
      return self.ClassWeights<Score>::score_of_sides(left, right);
    }
    void move(std::uint32_t slot, std::int64_t weight) {
      left[slot] += weight;
      right[slot] -= weight;
    }
  };
};

// Two classes, one output, and no weights or small whole ones: what lies to the left is
// two counts, kept in registers. The scan has two passes, one that only counts and
// notes the places worth a look, and one that only scores; neither has a branch that
// depends on the classes.
template <class Score, bool weighted>
class TwoClasses final : public ManyClasses<Score> {
 public:
  using ManyClasses<Score>::ManyClasses;

  Cut best_cut(std::span<const Entry> known, const Limits& limits,
               double tolerance) override {
    if (limits.min_weight > 0)
      return ManyClasses<Score>::best_cut(known, limits, tolerance);
    Cut best{limits.floor};
    double best_worth = limits.worth(best.score);
    const std::int64_t last = last_cut(known, limits);
    if (last == 0) return best;
    const std::size_t n_places = note_places(known, limits, last);
    best.n_cuts = static_cast<std::int64_t>(n_places);
    const Counted all = total_of(known);
    for (std::size_t index = 0; index < n_places; ++index) {
      const auto [place, left] = places_[index];
      const Counted right{all.first - left.first, all.second - left.second};
      const double score =
          Score::join(score_of_two<Score>(this->f_, left.first, left.second),
                      score_of_two<Score>(this->f_, right.first, right.second));
      if (const double worth = limits.worth(score); worth > best_worth + tolerance) {
        best_worth = worth;
        best.score = score;
        best.position = place;
      }
    }
    return best;
  }
  Cut best_cut_around(const AroundRun& list, const Limits& limits,
                      double tolerance) override;  // around_classes.hpp

 protected:
  void add(std::span<const Entry> entries, std::span<std::int64_t> out) const override {
    Counted sums;
    for (const Entry entry : entries) sums.add(this->target_.bytes[row_of(entry)]);
    out[0] += sums.first;
    out[1] += sums.second;
  }

 private:
  // Weight of the rows of each class.
  struct Counted {
    std::uint32_t first = 0, second = 0;

    void add(std::uint8_t byte) {
      const std::uint32_t weight = weighted ? byte >> 1 : 1;
      const std::uint32_t of_second = weight & (0u - class_in(byte));
      first += weight - of_second;
      second += of_second;
    }
  };
  struct Place {
    std::uint32_t place;
    Counted left;
  };
  static std::uint32_t class_in(std::uint8_t byte) { return byte & 1; }

  // Of `known`: rows with a missing value may be in total_, but are not in the cut.
  Counted total_of(std::span<const Entry> known) const {
    if (known.size() == this->n_begun_)
      return {static_cast<std::uint32_t>(this->total_[0]),
              static_cast<std::uint32_t>(this->total_[1])};
    Counted all;
    for (const Entry entry : known) all.add(this->target_.bytes[row_of(entry)]);
    return all;
  }

  // The places where a cut may be best, and what lies to the left of each. The loop is
  // over stretches, because no two rows share a value in most of them.
  std::size_t note_places(std::span<const Entry> known, const Limits& limits,
                          std::int64_t last) {
    constexpr std::int64_t stretch = 256;
    if (places_.size() < known.size()) places_.resize(known.size());
    const std::uint8_t* bytes = this->target_.bytes.data();
    Counted count;
    std::int64_t place = 0;
    for (; place < limits.min_rows; ++place) count.add(bytes[row_of(known[place])]);
    while (!starts_value(known[place])) count.add(bytes[row_of(known[place++])]);
    places_[0] = {static_cast<std::uint32_t>(place), count};
    std::size_t n_places = 1;
    std::uint8_t left = bytes[row_of(known[place])];
    count.add(left);
    ++place;
    const auto note = [&](std::int64_t stop, const auto& is_worth_a_look) {
      for (; place < stop; ++place) {
        const std::uint8_t right = bytes[row_of(known[place])];
        places_[n_places] = {static_cast<std::uint32_t>(place), count};
        n_places += is_worth_a_look(class_in(left), class_in(right));
        count.add(right);
        left = right;
      }
    };
    while (place < last) {
      const std::int64_t stop = std::min(place + stretch, last);
      // `last` is a place, so there is an entry at `stop`
      if (limits.every_cut)
        note(stop, [&](auto, auto) { return starts_value(known[place]); });
      else if (all_start_values(known.subspan(place - 1, stop + 2 - place)))
        note(stop, [](auto one, auto other) { return one ^ other; });
      else
        note(stop, [&](auto one, auto other) {
          return is_class_boundary(known, place, one, other);
        });
    }
    if (place == last) places_[n_places++] = {static_cast<std::uint32_t>(place), count};
    return n_places;
  }

  std::vector<Place> places_;
};

}  // namespace treewright
