#include "hoeffding_classes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace treewright {
namespace {

constexpr double two_pi = 6.283185307179586;
constexpr double equal_weights = 1 - 1e-11;  // as `class_labels` of grow/finish.py
// A standard deviation is at least this share of the range of the values at the leaf.
constexpr double least_deviation = 1e-3;
constexpr double rounding = 1e-12;  // a smaller gain is none

// ---- the blocks ----

constexpr std::size_t n_facts = 5;
constexpr std::size_t n_head = 2;  // least and largest value of all classes
struct NormalOfClass {
  double weight, mean, squares, least, most;

  double variance() const { return weight > 1 ? squares / (weight - 1) : 0; }
  // The weight of the values up to `cut`.
  double up_to(double cut) const {
    if (weight == 0 || cut < least) return 0;
    if (cut >= most) return weight;
    const double deviation = std::sqrt(variance());
    if (!(deviation > 0)) return mean <= cut ? weight : 0;
    return weight * 0.5 * std::erfc((mean - cut) / (deviation * std::sqrt(2.0)));
  }
};
static_assert(sizeof(NormalOfClass) == n_facts * sizeof(double));

std::size_t n_normals(const std::vector<double>& block) {
  return block.empty() ? 0 : (block.size() - n_head) / n_facts;
}
NormalOfClass normal_of(const std::vector<double>& block, std::size_t of_class) {
  const double* facts = block.data() + n_head + of_class * n_facts;
  return {facts[0], facts[1], facts[2], facts[3], facts[4]};
}

void observe_number(std::vector<double>& block, double x, std::int32_t y,
                    double weight) {
  const std::size_t needed = n_head + (static_cast<std::size_t>(y) + 1) * n_facts;
  if (block.empty()) block.assign(n_head, x);
  if (block.size() < needed) {
    block.reserve(needed);
    block.resize(needed);
  }
  block[0] = std::min(block[0], x);
  block[1] = std::max(block[1], x);
  double* facts = block.data() + needed - n_facts;
  if (facts[0] == 0) facts[3] = facts[4] = x;
  facts[0] += weight;
  const double before = x - facts[1];
  facts[1] += weight * before / facts[0];
  // rounding may take the mean past x
  facts[2] += std::max(0.0, weight * before * (x - facts[1]));
  facts[3] = std::min(facts[3], x);
  facts[4] = std::max(facts[4], x);
}

struct Categories {
  std::size_t n_classes;
  double n_different;
  const double* known;   // weight of each class
  const double* counts;  // of each category
  std::size_t n_codes;
};

Categories categories_of(const std::vector<double>& block) {
  const auto n_classes = static_cast<std::size_t>(block[0]);
  return {n_classes, block[1], block.data() + 2, block.data() + 2 + n_classes,
          (block.size() - 2 - n_classes) / n_classes};
}

// The block with room for more classes.
std::vector<double> with_classes(const std::vector<double>& block,
                                 std::size_t n_classes) {
  const Categories old = categories_of(block);
  std::vector<double> wider(2 + n_classes * (1 + old.n_codes));
  wider[0] = static_cast<double>(n_classes);
  wider[1] = old.n_different;
  for (std::size_t line = 0; line <= old.n_codes; ++line)
    std::copy_n(old.known + line * old.n_classes, old.n_classes,
                wider.data() + 2 + line * n_classes);
  return wider;
}

void observe_category(std::vector<double>& block, std::size_t code, std::size_t y,
                      double weight) {
  if (block.empty()) {
    block.assign(2 + y + 1, 0);
    block[0] = static_cast<double>(y + 1);
  } else if (block[0] <= static_cast<double>(y)) {
    block = with_classes(block, y + 1);
  }
  const auto n_classes = static_cast<std::size_t>(block[0]);
  const std::size_t line = 2 + n_classes * (1 + code);
  if (block.size() < line + n_classes) {
    block.reserve(line + n_classes);
    block.resize(line + n_classes);
  }
  double* counts = block.data() + line;
  if (std::all_of(counts, counts + n_classes, [](double w) { return w == 0; }))
    ++block[1];
  block[2 + y] += weight;
  counts[y] += weight;
}

// ---- the splits ----

double impurity(std::span<const double> weights, double total, bool by_gini) {
  if (!(total > 0)) return 0;
  double sum = 0;
  for (const double weight : weights)
    if (weight > 0) {
      const double share = weight / total;
      sum += by_gini ? share * share : -share * std::log2(share);
    }
  return by_gini ? 1 - sum : sum;
}

double sum_of(std::span<const double> weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

// What branches gain; 0 if fewer than two of them are large enough.
double gain_of(std::span<const double> all,
               const std::vector<std::vector<double>>& branches,
               const HoeffdingRule& rule) {
  const double total = sum_of(all);
  double left = 0;
  int n_large = 0;
  for (const auto& branch : branches) {
    const double weight = sum_of(branch);
    n_large += weight >= rule.min_branch_share * total && weight > 0;
    left += weight * impurity(branch, weight, rule.second_measure);
  }
  const double gain = impurity(all, total, rule.second_measure) - left / total;
  return n_large < 2 || gain < rounding ? 0 : gain;
}

// A number near `x` that is short to write: a multiple of a power of 10, the largest
// that is at most a tenth of `distance`.
double short_number(double x, double distance) {
  const double power = std::floor(std::log10(distance / 10));
  if (!(std::abs(power) <= 15)) return x;
  // a power of 10 below 1 is no double, but its reciprocal is
  const double unit = std::pow(10.0, std::abs(power));
  return power < 0 ? std::round(x * unit) / unit : std::round(x / unit) * unit;
}

SplitCandidate best_cut(const std::vector<double>& block, const HoeffdingRule& rule) {
  SplitCandidate best;
  const std::size_t n_classes = n_normals(block);
  if (n_classes == 0 || !(block[0] < block[1])) return best;
  const double low = block[0], high = block[1];
  std::vector<double> all(n_classes);
  for (std::size_t one = 0; one < n_classes; ++one)
    all[one] = normal_of(block, one).weight;
  std::vector<std::vector<double>> sides(2, std::vector<double>(n_classes));
  for (std::int64_t k = 1; k <= rule.n_cuts; ++k) {
    const double n_parts = static_cast<double>(rule.n_cuts + 1);
    const double exact = low + (high - low) * static_cast<double>(k) / n_parts;
    const double cut = short_number(exact, (high - low) / n_parts);
    if (!(low <= cut && cut < high)) continue;
    for (std::size_t one = 0; one < n_classes; ++one) {
      sides[0][one] = normal_of(block, one).up_to(cut);
      sides[1][one] = all[one] - sides[0][one];
    }
    const double gain = gain_of(all, sides, rule);
    if (gain > best.gain * (1 + rounding)) best = {gain, cut, sides};
  }
  return best;
}

SplitCandidate one_branch_each(const std::vector<double>& block,
                               const HoeffdingRule& rule) {
  SplitCandidate found;
  if (block.empty()) return found;
  const Categories categories = categories_of(block);
  for (std::size_t code = 0; code < categories.n_codes; ++code) {
    const double* counts = categories.counts + code * categories.n_classes;
    const std::span weights(counts, categories.n_classes);
    if (sum_of(weights) > 0)
      found.values.emplace_back(weights.begin(), weights.end());
    else
      found.values.emplace_back();
  }
  found.gain = gain_of({categories.known, categories.n_classes}, found.values, rule);
  return found;
}

// ---- naive Bayes ----

void weigh_category(const std::vector<double>& block, double cell,
                    std::span<LongProduct> over, std::span<LongProduct> under) {
  const auto n_classes = static_cast<std::size_t>(block[0]);
  const double n_different = block[1];
  const double* known = block.data() + 2;
  // no division: there are many rows
  const std::size_t line =
      cell < 0 ? block.size() : 2 + n_classes * (1 + static_cast<std::size_t>(cell));
  const double* counts = line < block.size() ? block.data() + line : nullptr;
  for (std::size_t one = 0; one < over.size(); ++one) {
    const bool has = one < n_classes;
    const double all = (has ? known[one] : 0) + n_different;
    over[one].multiply_by_weight((has && counts ? counts[one] : 0) + 1);
    under[one].multiply_by_weight(all * all);
  }
}

void weigh_number(const std::vector<double>& block, double x,
                  std::span<LongProduct> under, std::span<double> exponents) {
  const double width = block[1] - block[0];
  if (!(width > 0)) return;
  const double floor = least_deviation * least_deviation * width * width;
  const double* facts = block.data() + n_head;
  const double* end = block.data() + block.size();
  for (std::size_t one = 0; one < under.size(); ++one, facts += n_facts) {
    if (facts < end && facts[0] > 1) {
      const double variance = std::max(facts[2] / (facts[0] - 1), floor);
      const double away = x - facts[1];
      under[one].multiply(two_pi * variance);
      exponents[one] -= away * away / (2 * variance);
    } else {
      under[one].multiply(width * width);  // anywhere in the range
    }
  }
}

}  // namespace

void ClassTask::observe(std::vector<double>& block, bool is_nominal, double cell,
                        std::int32_t y, double weight) {
  if (is_nominal)
    observe_category(block, static_cast<std::size_t>(cell), static_cast<std::size_t>(y),
                     weight);
  else
    observe_number(block, cell, y, weight);
}

double ClassTask::weight(std::span<const double> value) { return sum_of(value); }

double ClassTask::promise(std::span<const double> value) {
  return value.empty() ? 0 : sum_of(value) - *std::ranges::max_element(value);
}

bool ClassTask::may_gain(std::span<const double> value) {
  return std::ranges::count_if(value, [](double weight) { return weight > 0; }) > 1;
}

SplitCandidate ClassTask::best_split(const std::vector<double>& block, bool is_nominal,
                                     const HoeffdingRule& rule) {
  return is_nominal ? one_branch_each(block, rule) : best_cut(block, rule);
}

bool ClassTask::is_decided(const HoeffdingRule& rule, double best, double second,
                           double seen, std::span<const double> value) {
  const auto n_classes = static_cast<double>(
      std::ranges::count_if(value, [](double weight) { return weight > 0; }));
  const double range = rule.second_measure ? 1 : std::log2(std::max(n_classes, 2.0));
  const double bound = hoeffding_bound(range, rule.delta, seen);
  return best - second > bound || bound < rule.tau;
}

// Equal weights: what is heavier in the nearest ancestor that decides, then the first.
std::int32_t ClassTask::majority(const Nodes& nodes, std::int32_t node,
                                 std::span<const std::int32_t> class_rank,
                                 Scratch& scratch) {
  const auto& value = nodes[node].value;
  if (value.empty()) return -1;
  const double most = *std::ranges::max_element(value) * equal_weights;
  auto& tied = scratch.tied;
  tied.clear();
  for (std::size_t one = 0; one < value.size(); ++one)
    if (value[one] >= most) tied.push_back(static_cast<std::int32_t>(one));
  for (std::int32_t at = nodes[node].parent; tied.size() > 1 && at >= 0;
       at = nodes[at].parent) {
    const auto& above = nodes[at].value;
    const auto weight_of = [&](std::int32_t one) {
      return one < std::ssize(above) ? above[one] : 0.0;
    };
    double heaviest = 0;
    for (const std::int32_t one : tied) heaviest = std::max(heaviest, weight_of(one));
    std::erase_if(tied, [&](std::int32_t one) { return weight_of(one) < heaviest; });
  }
  return *std::ranges::min_element(tied, {},
                                   [&](std::int32_t one) { return class_rank[one]; });
}

// Fills `scratch.scores` with logarithms, up to a constant; the class with the largest.
std::int32_t ClassTask::bayes(const HoeffdingNode& leaf, const double* row,
                              const HoeffdingRule& rule,
                              std::span<const std::int32_t> class_rank,
                              Scratch& scratch) {
  const std::size_t n_classes = leaf.value.size();
  scratch.over.assign(n_classes, {});
  scratch.under.assign(n_classes, {});
  scratch.exponents.assign(n_classes, 0);
  scratch.scores.assign(n_classes, -std::numeric_limits<double>::infinity());
  const auto& blocks = leaf.learning->blocks;
  for (std::size_t feature = 0; feature < blocks.size(); ++feature) {
    if (blocks[feature].empty() || !is_summable(row[feature])) continue;
    if (rule.is_nominal[feature])
      weigh_category(blocks[feature], row[feature], scratch.over, scratch.under);
    else
      weigh_number(blocks[feature], row[feature], scratch.under, scratch.exponents);
  }
  std::int32_t best = -1;
  for (std::size_t one = 0; one < n_classes; ++one) {
    if (!(leaf.value[one] > 0)) continue;
    scratch.over[one].multiply(leaf.value[one]);
    const double score = scratch.over[one].log() - 0.5 * scratch.under[one].log() +
                         scratch.exponents[one];
    // numbers so close together that their variance is 0 tell nothing
    if (std::isnan(score)) continue;
    scratch.scores[one] = score;
    const auto number = static_cast<std::int32_t>(one);
    if (best < 0 || score > scratch.scores[best] ||
        (score == scratch.scores[best] && class_rank[one] < class_rank[best]))
      best = number;
  }
  return best;
}

bool ClassTask::answers_by_bayes(const HoeffdingNode& node, const HoeffdingRule& rule) {
  if (!node.learning || rule.answer == LeafAnswer::plain) return false;
  return rule.answer == LeafAnswer::naive_bayes || node.right_bayes >= node.right_plain;
}

std::int32_t ClassTask::answer(const Nodes& nodes, std::int32_t node, const double* row,
                               const HoeffdingRule& rule,
                               std::span<const std::int32_t> class_rank,
                               Scratch& scratch) {
  std::int32_t found = -1;
  if (answers_by_bayes(nodes[node], rule))
    found = bayes(nodes[node], row, rule, class_rank, scratch);
  return found >= 0 ? found : majority(nodes, node, class_rank, scratch);
}

void ClassTask::answer_shares(const Nodes& nodes, std::int32_t node, const double* row,
                              const HoeffdingRule& rule,
                              std::span<const std::int32_t> class_rank,
                              Scratch& scratch, std::int32_t& out,
                              std::span<double> shares) {
  out = answer(nodes, node, row, rule, class_rank, scratch);
  const auto& value = nodes[node].value;
  std::ranges::fill(shares, 0.0);
  const bool by_bayes = answers_by_bayes(nodes[node], rule) &&
                        bayes(nodes[node], row, rule, class_rank, scratch) >= 0;
  const double most = by_bayes ? *std::ranges::max_element(scratch.scores) : 0;
  if (by_bayes && std::isfinite(most)) {
    for (std::size_t one = 0; one < value.size(); ++one)
      shares[one] = std::exp(scratch.scores[one] - most);
  } else {
    std::ranges::copy(value, shares.begin());
  }
  const double total = sum_of(shares);
  if (total > 0)
    for (double& share : shares) share /= total;
}

std::int32_t ClassTask::test(Nodes& nodes, std::int32_t node, const double* row,
                             std::int32_t y, double weight, const HoeffdingRule& rule,
                             std::span<const std::int32_t> class_rank,
                             Scratch& scratch) {
  HoeffdingNode& end = nodes[node];
  if (rule.answer != LeafAnswer::adaptive || !end.learning)
    return answer(nodes, node, row, rule, class_rank, scratch);
  const bool by_bayes = answers_by_bayes(end, rule);
  const std::int32_t plain = majority(nodes, node, class_rank, scratch);
  std::int32_t other = bayes(end, row, rule, class_rank, scratch);
  if (other < 0) other = plain;
  if (plain == y) end.right_plain += weight;
  if (other == y) end.right_bayes += weight;
  return by_bayes ? other : plain;
}

}  // namespace treewright
