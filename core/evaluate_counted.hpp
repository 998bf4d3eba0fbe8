// Gini of more than two classes whose weights are small whole numbers.
#pragma once

#include "evaluate_classes.hpp"

namespace treewright {

// As `TwoClasses`: one pass notes the places worth a look, with the sums of squares to
// the left and right of each, one pass scores them. All sums are integers that a double
// holds exactly, so a score does not depend on how they came about.
class CountedClasses final : public ManyClasses<GiniScore> {
 public:
  using ManyClasses<GiniScore>::ManyClasses;

  Cut best_cut(std::span<const Entry> known, const Limits& limits,
               double tolerance) override {
    if (limits.min_weight > 0 || limits.every_cut || n_begun_ != known.size())
      return ManyClasses<GiniScore>::best_cut(known, limits, tolerance);
    Cut best;
    const std::int64_t last = last_cut(known, limits);
    if (last == 0) return best;
    const auto n_rows = static_cast<std::uint32_t>(weight(total_));
    for (const Place& at : note_places(known, limits, last)) {
      const double score = score_of(at.left_squares, at.n_left) +
                           score_of(at.right_squares, n_rows - at.n_left);
      if (score > best.score + tolerance) best = {score, at.place};
    }
    return best;
  }

 protected:
  void add(std::span<const Entry> entries, std::span<std::int64_t> out) const override {
    for (const Entry entry : entries) {
      const std::uint16_t pair = target_.pairs[row_of(entry)];
      out[class_in(pair)] += weight_in(pair);
    }
  }

 private:
  struct Place {
    std::uint32_t place, n_left;
    std::uint64_t left_squares, right_squares;
  };
  static std::uint32_t class_in(std::uint16_t pair) { return pair & 0xFF; }
  static std::uint32_t weight_in(std::uint16_t pair) { return pair >> 8; }
  static double score_of(std::uint64_t squares, std::uint32_t n_rows) {
    const auto n = static_cast<double>(n_rows);
    return static_cast<double>(static_cast<std::int64_t>(squares)) / n - n;
  }

  // What lies to the left of a place, row by row.
  struct Sums {
    const std::uint16_t* pairs;
    std::uint32_t* left;
    const std::uint32_t* total;
    Place at;

    std::uint16_t add(Entry entry) {
      const std::uint16_t pair = pairs[row_of(entry)];
      const std::uint64_t weight = weight_in(pair);
      const std::uint64_t before = left[class_in(pair)];
      const std::uint64_t right = total[class_in(pair)] - before;
      at.left_squares += weight * (2 * before + weight);  // (c + w)^2 - c^2
      at.right_squares -= weight * (2 * right - weight);  // c^2 - (c - w)^2
      at.n_left += static_cast<std::uint32_t>(weight);
      left[class_in(pair)] = static_cast<std::uint32_t>(before + weight);
      ++at.place;
      return pair;
    }
  };

  std::span<const Place> note_places(std::span<const Entry> known, const Limits& limits,
                                     std::int64_t last) {
    constexpr std::int64_t stretch = 256;
    if (places_.size() < known.size()) places_.resize(known.size());
    counts_.assign(2 * total_.size(), 0);
    std::uint32_t* const total = counts_.data() + total_.size();
    std::uint64_t squares = 0;
    for (std::size_t slot = 0; slot < total_.size(); ++slot) {
      total[slot] = static_cast<std::uint32_t>(total_[slot]);
      squares += static_cast<std::uint64_t>(total_[slot] * total_[slot]);
    }
    Sums sums{target_.pairs.data(), counts_.data(), total, {0, 0, 0, squares}};
    // the first admissible cut is the end of a run too
    while (sums.at.place < limits.min_rows || !starts_value(known[sums.at.place]))
      sums.add(known[sums.at.place]);
    places_[0] = sums.at;
    std::size_t n_places = 1;
    std::int64_t place = sums.at.place;
    if (place == last) return std::span(places_).first(1);
    std::uint16_t left = sums.add(known[place++]);
    const auto note = [&](std::int64_t stop, const auto& is_worth_a_look) {
      for (; place < stop; ++place) {
        places_[n_places] = sums.at;
        const std::uint16_t right = sums.add(known[place]);
        n_places += is_worth_a_look(class_in(left), class_in(right));
        left = right;
      }
    };
    while (place < last) {
      limits.pause(0);
      const std::int64_t stop = std::min(place + stretch, last);
      // `last` is a place, so there is an entry at `stop`
      if (all_start_values(known.subspan(place - 1, stop + 2 - place)))
        note(stop, [](auto one, auto other) { return one != other; });
      else
        note(stop, [&](auto one, auto other) {
          return is_class_boundary(known, place, one, other);
        });
    }
    places_[n_places++] = sums.at;
    return std::span(places_).first(n_places);
  }

  std::vector<Place> places_;
  std::vector<std::uint32_t> counts_;  // to the left, and in all
};

}  // namespace treewright
