#include "evaluate_deviations.hpp"

#include <algorithm>
#include <bit>

namespace treewright {

void SortedWeights::reset(std::span<const Item> items) {
  items_ = items;
  weights_.assign(items.size() + 1, 0);
  sums_.assign(items.size() + 1, 0);
  weight_ = 0;
  sum_ = 0;
}

void SortedWeights::change(std::size_t rank, int sign) {
  const std::int64_t weight = sign * items_[rank].weight;
  const Wide sum = Wide{weight} * items_[rank].value;
  weight_ += weight;
  sum_ += sum;
  for (std::size_t place = rank + 1; place < weights_.size(); place += place & -place) {
    weights_[place] += weight;
    sums_[place] += sum;
  }
}

// The first rank at which the cumulated weight exceeds `weight`; what lies below it.
std::size_t SortedWeights::rank_at(std::int64_t weight, std::int64_t& below,
                                   Wide& sum_below) const {
  std::size_t place = 0;
  below = 0;
  sum_below = 0;
  for (std::size_t step = std::bit_floor(items_.size()); step > 0; step >>= 1) {
    if (place + step >= weights_.size() || below + weights_[place + step] > weight)
      continue;
    place += step;
    below += weights_[place];
    sum_below += sums_[place];
  }
  return place;
}

SortedWeights::Middle SortedWeights::middle() const {
  if (weight_ == 0) return {};
  std::int64_t below = 0;
  Wide sum_below = 0;
  // with an even weight the median lies between two values; both give one deviation
  const std::int64_t high = items_[rank_at(weight_ / 2, below, sum_below)].value;
  const std::int64_t low =
      weight_ % 2 ? high : items_[rank_at(weight_ / 2 - 1, below, sum_below)].value;
  rank_at(weight_ / 2, below, sum_below);
  const Wide under = Wide{high} * below - sum_below;
  const Wide over = (sum_ - sum_below) - Wide{high} * (weight_ - below);
  return {low + high, under + over};
}

namespace {

// What lies on both sides of a cut, for one output.
struct TwoSides {
  std::vector<SortedWeights::Item> items;
  std::vector<std::uint32_t> rank_at;  // rank of the value at each place of the list
  SortedWeights left, right;
};

struct Sums {
  const Target& target;
  std::span<const Entry> known;
  std::vector<TwoSides> outputs;
  std::size_t n_added = 0;
  std::int64_t left_weight = 0, right_weight = 0;

  void add(std::uint32_t row) {
    for (auto& side : outputs) {
      side.left.add(side.rank_at[n_added]);
      side.right.remove(side.rank_at[n_added]);
    }
    ++n_added;
    left_weight += target.weight(row);
    right_weight -= target.weight(row);
  }
  bool admits(const Limits& limits) const {
    return left_weight >= limits.min_weight && right_weight >= limits.min_weight;
  }
  double score(std::int64_t) const {
    double sum = 0;
    for (int output = 0; output < target.n_outputs; ++output) {
      const TwoSides& side = outputs[output];
      sum -= target.factor(output) * static_cast<double>(side.left.middle().deviation +
                                                         side.right.middle().deviation);
    }
    return sum / target.n_outputs;
  }
};

void load(TwoSides& side, const Target& target, std::span<const Entry> known,
          int output, const Limits& limits) {
  struct Place {
    std::int64_t value;
    std::uint32_t place;
    auto operator<=>(const Place&) const = default;  // of equals the first place first
  };
  std::vector<Place> places;
  places.reserve(known.size());
  for (std::uint32_t place = 0; place < known.size(); ++place)
    places.push_back(
        {target.values[std::size_t{row_of(known[place])} * target.n_outputs + output],
         place});
  std::ranges::sort(places);
  side.rank_at.resize(known.size());
  for (std::uint32_t rank = 0; rank < places.size(); ++rank) {
    const auto [value, place] = places[rank];
    side.rank_at[place] = rank;
    side.items.push_back({value, target.weight(row_of(known[place]))});
  }
  side.left.reset(side.items);
  side.right.reset(side.items);
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    limits.pause(static_cast<std::int64_t>(rank));
    side.right.add(rank);
  }
}

}  // namespace

Cut Deviations::best_cut(std::span<const Entry> known, const Limits& limits,
                         double tolerance) {
  Sums sums{target_, known, std::vector<TwoSides>(target_.n_outputs)};
  for (int output = 0; output < target_.n_outputs; ++output)
    load(sums.outputs[output], target_, known, output, limits);
  for (const Entry entry : known) sums.right_weight += target_.weight(row_of(entry));
  return scan_all_cuts(sums, known, limits, tolerance);
}

std::vector<SortedWeights::Item> Deviations::sorted_items(PiecesView branch,
                                                          int output) const {
  std::vector<SortedWeights::Item> items;
  for (const auto& piece : branch)
    for (const Entry entry : piece) {
      const std::size_t row = row_of(entry);
      items.push_back(
          {target_.values[row * target_.n_outputs + output], target_.weight(row)});
    }
  std::ranges::stable_sort(items, {}, &SortedWeights::Item::value);
  return items;
}

namespace {

SortedWeights::Middle middle_of(const std::vector<SortedWeights::Item>& items) {
  SortedWeights sorted;
  sorted.reset(items);
  for (std::size_t rank = 0; rank < items.size(); ++rank) sorted.add(rank);
  return sorted.middle();
}

}  // namespace

double Deviations::score_of(PiecesView branch) const {
  double sum = 0;
  for (int output = 0; output < target_.n_outputs; ++output)
    sum -= target_.factor(output) *
           static_cast<double>(middle_of(sorted_items(branch, output)).deviation);
  return sum / target_.n_outputs;
}

double Deviations::multiway_score() {
  double sum = 0;
  for (const auto& group : groups_) sum += score_of(Pieces{group});
  return sum;
}

double Deviations::two_way_score() {
  Pieces left, right;
  for (std::size_t group = 0; group < groups_.size(); ++group)
    (on_left_[group] ? left : right).push_back(groups_[group]);
  return score_of(left) + score_of(right);
}

double Deviations::order_key(int group, int order) const {
  return static_cast<double>(
      middle_of(sorted_items(Pieces{groups_[group]}, order)).twice_median);
}

bool Deviations::summarise(PiecesView branch, std::span<std::int64_t> out) {
  std::ranges::fill(out, 0);
  for (const auto& piece : branch)
    for (const Entry entry : piece) out[0] += target_.weight(row_of(entry));
  bool pure = true;
  for (int output = 0; output < target_.n_outputs; ++output) {
    const auto items = sorted_items(branch, output);
    if (items.empty()) continue;
    const auto middle = middle_of(items);
    out[1 + output] = middle.twice_median;
    // may need more than 64 bits, so it travels as the bits of a double
    out[1 + target_.n_outputs + output] =
        std::bit_cast<std::int64_t>(static_cast<double>(middle.deviation));
    pure = pure && items.front().value == items.back().value;
  }
  return pure;
}

}  // namespace treewright
