#include "hoeffding_numbers.hpp"

#include <algorithm>

namespace treewright {
namespace {

constexpr double rounding = 1e-12;  // a gain of a smaller share is none

struct Moments {
  double weight = 0, mean = 0, squares = 0;

  void add(double y, double of_weight) {
    weight += of_weight;
    const double before = y - mean;
    mean += of_weight * before / weight;
    squares += std::max(0.0, of_weight * before * (y - mean));  // but for rounding
  }
  void add(const Moments& other) {
    if (other.weight == 0) return;
    const double total = weight + other.weight;
    const double away = other.mean - mean;
    squares += other.squares + away * away * weight * other.weight / total;
    mean += away * other.weight / total;
    weight = total;
  }
  double spread(bool as_deviation) const {
    if (!(weight > 0)) return 0;
    const double variance = std::max(0.0, squares / weight);
    return as_deviation ? std::sqrt(variance) : variance;
  }
  std::vector<double> value() const { return {weight, mean, squares}; }
};

Moments moments_at(const double* at) { return {at[0], at[1], at[2]}; }
void put(const Moments& moments, double* at) {
  at[0] = moments.weight;
  at[1] = moments.mean;
  at[2] = moments.squares;
}

// ---- bins ----

constexpr std::size_t per_bin = 4;
std::size_t n_bins(const std::vector<double>& block) {
  return (block.size() - 1) / per_bin;
}
double* bin(std::vector<double>& block, std::size_t k) {
  return block.data() + 1 + k * per_bin;
}
const double* bin(const std::vector<double>& block, std::size_t k) {
  return block.data() + 1 + k * per_bin;
}

// Bins of a new width, a larger one; `key` gives the new key of each old one.
template <class Key>
void join_bins(std::vector<double>& block, double width, const Key& key) {
  std::size_t n_kept = 0;
  for (std::size_t k = 0; k < n_bins(block); ++k) {
    const double* old = bin(block, k);
    const double next = key(old[0]);
    const Moments moments = moments_at(old + 1);
    if (n_kept > 0 && bin(block, n_kept - 1)[0] == next) {
      double* last = bin(block, n_kept - 1);
      Moments both = moments_at(last + 1);
      both.add(moments);
      put(both, last + 1);
    } else {
      double* own = bin(block, n_kept++);
      own[0] = next;
      put(moments, own + 1);
    }
  }
  block[0] = width;
  block.resize(1 + n_kept * per_bin);
}

// Wider bins: twice as wide, or, from values, so that there are about half as many.
void widen(std::vector<double>& block) {
  if (block[0] > 0) {
    join_bins(block, 2 * block[0], [](double key) { return std::ceil(key / 2); });
    return;
  }
  const double low = bin(block, 0)[0], high = bin(block, n_bins(block) - 1)[0];
  int power = 0;
  std::frexp((high - low) / (NumberTask::most_bins / 2), &power);
  const double width = std::ldexp(1.0, power);
  join_bins(block, width, [&](double value) { return std::ceil(value / width); });
}

void observe_number(std::vector<double>& block, double x, double y, double weight) {
  if (block.empty()) block.push_back(0);
  // keys stay whole numbers that are exact
  while (block[0] > 0 && std::abs(x) / block[0] > 0x1p52) widen(block);
  const double key = block[0] > 0 ? std::ceil(x / block[0]) : x;
  std::size_t place = 0;
  for (std::size_t after = n_bins(block); place < after;) {
    const std::size_t middle = (place + after) / 2;
    if (bin(block, middle)[0] < key)
      place = middle + 1;
    else
      after = middle;
  }
  if (place == n_bins(block) || bin(block, place)[0] != key) {
    const double fresh[per_bin] = {key, 0, 0, 0};
    block.reserve(block.size() + per_bin);
    block.insert(block.begin() + 1 + static_cast<std::ptrdiff_t>(place * per_bin),
                 fresh, fresh + per_bin);
  }
  Moments moments = moments_at(bin(block, place) + 1);
  moments.add(y, weight);
  put(moments, bin(block, place) + 1);
  while (n_bins(block) > NumberTask::most_bins) widen(block);
}

void observe_category(std::vector<double>& block, std::size_t code, double y,
                      double weight) {
  if (block.size() < 3 * (code + 1)) {
    block.reserve(3 * (code + 1));
    block.resize(3 * (code + 1));
  }
  Moments moments = moments_at(block.data() + 3 * code);
  moments.add(y, weight);
  put(moments, block.data() + 3 * code);
}

// ---- splits ----

double gain_of(const Moments& all, std::span<const Moments> branches,
               const HoeffdingRule& rule) {
  double left = 0;
  int n_large = 0;
  for (const Moments& branch : branches) {
    n_large += branch.weight >= rule.min_branch_share * all.weight && branch.weight > 0;
    left += branch.weight * branch.spread(rule.second_measure);
  }
  const double whole = all.spread(rule.second_measure);
  const double gain = whole - left / all.weight;
  return n_large < 2 || gain < rounding * whole ? 0 : gain;
}

SplitCandidate best_cut(const std::vector<double>& block, const HoeffdingRule& rule) {
  SplitCandidate best;
  if (block.empty()) return best;
  const std::size_t n = n_bins(block);
  std::vector<Moments> after(n + 1);  // of the bins from here on
  for (std::size_t k = n; k-- > 0;) {
    after[k] = moments_at(bin(block, k) + 1);
    after[k].add(after[k + 1]);
  }
  Moments sides[2];
  for (std::size_t k = 0; k + 1 < n; ++k) {
    sides[0].add(moments_at(bin(block, k) + 1));
    sides[1] = after[k + 1];
    const double gain = gain_of(after[0], sides, rule);
    if (gain > best.gain * (1 + rounding)) {
      const double key = bin(block, k)[0];
      const double between = key / 2 + bin(block, k + 1)[0] / 2;
      // neighbouring doubles have nothing between them
      const double cut = block[0] > 0 ? key * block[0] : std::max(key, between);
      best = {gain,
              cut < bin(block, k + 1)[0] || block[0] > 0 ? cut : key,
              {sides[0].value(), sides[1].value()}};
    }
  }
  return best;
}

SplitCandidate one_branch_each(const std::vector<double>& block,
                               const HoeffdingRule& rule) {
  SplitCandidate found;
  std::vector<Moments> branches;
  Moments all;
  for (std::size_t at = 0; at < block.size(); at += 3) {
    branches.push_back(moments_at(block.data() + at));
    all.add(branches.back());
    found.values.push_back(branches.back().weight > 0 ? branches.back().value()
                                                      : std::vector<double>{});
  }
  found.gain = gain_of(all, branches, rule);
  return found;
}

}  // namespace

void NumberTask::add(std::vector<double>& value, double y, double weight) {
  if (value.empty()) value.resize(3);
  Moments moments = moments_at(value.data());
  moments.add(y, weight);
  put(moments, value.data());
}

void NumberTask::observe(std::vector<double>& block, bool is_nominal, double cell,
                         double y, double weight) {
  if (is_nominal)
    observe_category(block, static_cast<std::size_t>(cell), y, weight);
  else
    observe_number(block, cell, y, weight);
}

SplitCandidate NumberTask::best_split(const std::vector<double>& block, bool is_nominal,
                                      const HoeffdingRule& rule) {
  return is_nominal ? one_branch_each(block, rule) : best_cut(block, rule);
}

bool NumberTask::is_decided(const HoeffdingRule& rule, double best, double second,
                            double seen, std::span<const double>) {
  const double bound = hoeffding_bound(1, rule.delta, seen);
  return second / best < 1 - bound || bound < rule.tau;
}

}  // namespace treewright
