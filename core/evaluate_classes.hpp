// Evaluators for classes: two classes without weights have a short cut of their own,
// everything else (more classes, weights, several outputs) shares one implementation.
#pragma once

#include <array>
#include <numeric>
#include <type_traits>

#include "summed_groups.hpp"

namespace treewright {

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

  double class_score(std::span<const std::int64_t> weights) const override {
    return score(weights);
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
    for (const Entry entry : entries) {
      const std::size_t row = row_of(entry);
      for (std::size_t output = 0; output < n_outputs; ++output)
        out[target_.classes[row * n_outputs + output]] += target_.weight(row);
    }
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

// Two classes, one output, no weights: what lies to the left is one count. The scan has
// two passes, one that only counts and notes the places worth a look, and one that only
// scores; neither has a branch that depends on the classes.
template <class Score>
class TwoClasses final : public ClassWeights<Score> {
 public:
  using ClassWeights<Score>::ClassWeights;

  Cut best_cut(std::span<const Entry> known, const Limits& limits,
               double tolerance) override {
    Cut best{limits.floor};
    const std::int64_t last = last_cut(known, limits);
    if (last == 0) return best;
    const std::size_t n_places = note_places(known, limits, last);
    best.n_cuts = static_cast<std::int64_t>(n_places);
    const auto n_known = static_cast<std::int64_t>(known.size());
    std::int64_t seconds = this->total_[1];
    // rows with a missing value may be in total_, but are not in the cut
    if (n_known != this->total_[0] + seconds) {
      seconds = 0;
      for (const Entry entry : known) seconds += this->target_.bytes[row_of(entry)];
    }
    for (std::size_t index = 0; index < n_places; ++index) {
      const auto [place, left] = places_[index];
      const std::int64_t n_right = n_known - place, right = seconds - left;
      Score on_left{this->f_}, on_right{this->f_};
      on_left.add(place - left);
      on_left.add(left);
      on_right.add(n_right - right);
      on_right.add(right);
      const double score = Score::join(on_left.score(place), on_right.score(n_right));
      if (score > best.score + tolerance) {
        best.score = score;
        best.position = place;
      }
    }
    return best;
  }

 private:
  struct Place {
    std::uint32_t place;
    std::uint32_t left;  // rows of the second class to the left of it
  };

  std::size_t note_places(std::span<const Entry> known, const Limits& limits,
                          std::int64_t last) {
    if (places_.size() < known.size()) places_.resize(known.size());
    const std::uint8_t* second = this->target_.bytes.data();
    std::uint32_t count = 0;
    std::int64_t place = 0;
    for (; place < limits.min_rows; ++place) count += second[row_of(known[place])];
    while (!starts_value(known[place])) count += second[row_of(known[place++])];
    places_[0] = {static_cast<std::uint32_t>(place), count};
    std::size_t n_places = 1;
    std::uint8_t left = second[row_of(known[place])];
    count += left;
    for (++place; place < last; ++place) {
      const std::uint8_t right = second[row_of(known[place])];
      places_[n_places] = {static_cast<std::uint32_t>(place), count};
      n_places += limits.every_cut ? starts_value(known[place])
                                   : is_class_boundary(known, place, left, right);
      count += right;
      left = right;
    }
    if (place == last) places_[n_places++] = {static_cast<std::uint32_t>(place), count};
    return n_places;
  }

  std::vector<Place> places_;
};

// Any number of classes and outputs, with or without weights.
template <class Score>
class ManyClasses final : public ClassWeights<Score> {
 public:
  using ClassWeights<Score>::ClassWeights;

  Cut best_cut(std::span<const Entry> known, const Limits& limits,
               double tolerance) override {
    this->right_ = this->total_;
    if (this->n_begun_ != known.size()) {  // rows without a value may be in total_
      std::ranges::fill(this->right_, 0);
      this->add(known, this->right_);
    }
    if (this->target_.n_outputs == 1 && this->width_ == 2 &&
        !this->target_.weights.empty()) {
      TwoCounts counts{this->target_, this->f_, {}, {this->right_[0], this->right_[1]}};
      return scan(counts, known, limits, tolerance);
    }
    this->left_.assign(this->width_, 0);
    if (squares_are_exact(known.size())) {
      SquaredCounts counts{this->target_.classes, this->left_, this->right_};
      return scan(counts, known, limits, tolerance);
    }
    Counts counts{*this, this->left_, this->right_, 0, this->weight(this->right_)};
    return scan(counts, known, limits, tolerance);
  }

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
  bool squares_are_exact(std::size_t n_rows) const {
    return std::is_same_v<Score, GiniScore> && this->target_.n_outputs == 1 &&
           this->target_.weights.empty() && n_rows < std::size_t{1} << 26;
  }

  // Gini without weights: a cut is scored in the same time for any number of classes.
  struct SquaredCounts {
    std::span<const std::uint32_t> classes;
    std::vector<std::int64_t>& left;
    std::vector<std::int64_t>& right;
    std::int64_t n_left = 0, n_right = 0;
    std::int64_t left_squares = 0, right_squares = 0;

    SquaredCounts(std::span<const std::uint32_t> of_row,
                  std::vector<std::int64_t>& on_left,
                  std::vector<std::int64_t>& on_right)
        : classes(of_row), left(on_left), right(on_right) {
      for (const std::int64_t count : right) {
        n_right += count;
        right_squares += count * count;
      }
    }
    std::uint32_t class_of(std::uint32_t row) const { return classes[row]; }
    void add(std::uint32_t row) {
      const std::uint32_t slot = classes[row];
      left_squares += 2 * left[slot]++ + 1;    // (c + 1)^2 - c^2
      right_squares -= 2 * right[slot]-- - 1;  // c^2 - (c - 1)^2
      ++n_left;
      --n_right;
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

  // Two classes and weights, which rows that are divided among branches have.
  struct TwoCounts {
    const Target& target;
    const typename Score::Table& f;
    std::array<std::int64_t, 2> left, right;

    std::uint32_t class_of(std::uint32_t row) const { return target.classes[row]; }
    void add(std::uint32_t row) {
      const std::int64_t weight = target.weights[row];
      left[target.classes[row]] += weight;
      right[target.classes[row]] -= weight;
    }
    bool admits(const Limits& limits) const {
      return left[0] + left[1] >= limits.min_weight &&
             right[0] + right[1] >= limits.min_weight;
    }
    double score(std::int64_t) const {
      return Score::join(score_of(left), score_of(right));
    }
    double score_of(const std::array<std::int64_t, 2>& weights) const {
      Score branch{f};
      for (const std::int64_t weight : weights) branch.add(weight);
      return branch.score(weights[0] + weights[1]);
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
      return Score::join(self.ClassWeights<Score>::score(left),
                         self.ClassWeights<Score>::score(right));
    }
    void move(std::uint32_t slot, std::int64_t weight) {
      left[slot] += weight;
      right[slot] -= weight;
    }
  };
};

}  // namespace treewright
