#include "grouping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace treewright {
namespace {

constexpr double never = -std::numeric_limits<double>::infinity();

// Shares of rows are rounded: what they make equal is equal.
constexpr double same_share = 1e-9;

void join(Block& into, const Block& other) {
  into.n_rows += other.n_rows;
  into.weight += other.weight;
  std::ranges::transform(into.classes, other.classes, into.classes.begin(),
                         std::plus<>{});
}

// Blocks of one and the same class have these shares too.
bool have_same_shares(const Block& one, const Block& other) {
  if (one.weight == 0 || other.weight == 0) return true;
  const auto share = [](const Block& block, std::size_t slot) {
    return static_cast<double>(block.classes[slot]) / static_cast<double>(block.weight);
  };
  for (std::size_t slot = 0; slot < one.classes.size(); ++slot)
    if (std::abs(share(one, slot) - share(other, slot)) > same_share) return false;
  return true;
}

// What a branch adds to the sums that a worth is made of; or, of a pair of blocks, what
// joining them changes.
struct Part {
  double score = 0;
  double bits = 0;  // of the split information
  int n_large = 0;
};

class Joining {
 public:
  Joining(const std::vector<Block>& values, const ScoreOfClasses& score_of,
          const GroupingRule& rule)
      : rule_(rule), score_of_(score_of), whole_(rule.beside.weight) {
    for (const Block& value : values) whole_ += value.weight;
    if (rule.charge_unit > 0) charges_ = log2_groupings(values.size());
    beside_ = {0, bits_of(rule.beside.weight), is_large(rule.beside) ? 1 : 0};
    for (const Block& value : values) add_value(value);
    for (const Block& block : blocks_) parts_.push_back(part_of(block));
    pairs_.resize(blocks_.size() * (blocks_.size() - 1) / 2);
    for (std::size_t block = 0; block < blocks_.size(); ++block)
      for (std::size_t later = block + 1; later < blocks_.size(); ++later)
        note_pair(block, later);
    left_.resize(blocks_.size());
    std::iota(left_.begin(), left_.end(), std::size_t{0});
  }

  Grouping run() {
    Part all = sum_of_parts();
    while (left_.size() > 2 && join_best_pair(all)) {
      all = sum_of_parts();
      if (rule_.pause) rule_.pause();
    }
    Grouping found;
    found.n_blocks = static_cast<std::int32_t>(left_.size());
    for (const std::size_t block : block_of_)
      found.block_of.push_back(static_cast<std::int32_t>(
          std::ranges::lower_bound(left_, block) - left_.begin()));
    found.is_admissible = left_.size() > 1 && admits(all.n_large, left_.size());
    found.score = all.score;
    found.charge = charge(left_.size());
    found.worth = worth(all);
    found.split_information = all.bits;
    return found;
  }

 private:
  void add_value(const Block& value) {
    const auto same = std::ranges::find_if(
        blocks_, [&](const Block& block) { return have_same_shares(block, value); });
    block_of_.push_back(same - blocks_.begin());
    if (same == blocks_.end())
      blocks_.push_back(value);
    else
      join(*same, value);
  }

  // An outcome's part of the split information.
  double bits_of(std::int64_t weight) const {
    const double share = static_cast<double>(weight) / static_cast<double>(whole_);
    return weight > 0 ? -share * std::log2(share) : 0.0;
  }
  bool is_large(const Block& block) const {
    return block.n_rows >= rule_.limits.min_rows &&
           block.weight >= rule_.limits.min_weight;
  }
  Part part_of(const Block& block) const {
    return {score_of_(block.classes), bits_of(block.weight), is_large(block) ? 1 : 0};
  }
  // The pairs of a block with those after it stand next to each other.
  std::size_t first_pair(std::size_t block) const {
    return block * blocks_.size() - block * (block + 1) / 2;
  }
  void note_pair(std::size_t block, std::size_t later) {
    Block both = blocks_[block];
    join(both, blocks_[later]);
    const Part joined = part_of(both), &one = parts_[block], &other = parts_[later];
    pairs_[first_pair(block) + later - block - 1] = {
        joined.score - one.score - other.score, joined.bits - one.bits - other.bits,
        joined.n_large - one.n_large - other.n_large};
  }

  double charge(std::size_t n_blocks) const {
    return charges_.empty() ? 0.0 : charges_[n_blocks];
  }
  // What is left of the gain after the charge.
  double reduced(double score, std::size_t n_blocks) const {
    return score - rule_.base - charge(n_blocks) * rule_.charge_unit;
  }
  double worth(const Part& all) const {
    return all.bits > 0 ? reduced(all.score, left_.size()) / all.bits : 0.0;
  }
  bool admits(int n_large, std::size_t n_blocks) const {
    if (rule_.beside_is_branch) {
      n_large += beside_.n_large;
      ++n_blocks;
    }
    return n_large >= (rule_.two_branches ? 2 : static_cast<int>(n_blocks));
  }

  // Added up anew each time: differences would gather rounding.
  Part sum_of_parts() const {
    Part all{0, beside_.bits};
    for (const std::size_t block : left_) {
      all.score += parts_[block].score;
      all.bits += parts_[block].bits;
      all.n_large += parts_[block].n_large;
    }
    return all;
  }

  // False if every union is worth less than what there is.
  bool join_best_pair(const Part& all) {
    const std::size_t n_after = left_.size() - 1;
    const double gain = reduced(all.score, n_after);
    const bool is_admissible = admits(all.n_large, left_.size());
    double best = never;
    std::size_t best_first = 0, best_second = 0;
    for (std::size_t first = 0; first < n_after; ++first) {
      const std::size_t block = left_[first];
      const Part* pairs = pairs_.data() + first_pair(block);
      for (std::size_t second = first + 1; second <= n_after; ++second) {
        const Part& change = pairs[left_[second] - block - 1];
        const double found = gain + change.score, bits = all.bits + change.bits;
        // most are worth less: nothing is divided for them
        if (!(found > (best + rule_.tolerance) * bits)) continue;
        if (is_admissible && !admits(all.n_large + change.n_large, n_after)) continue;
        best = found / bits;
        best_first = first;
        best_second = second;
      }
    }
    if (best == never || best < worth(all) - rule_.tolerance) return false;
    join_blocks(best_first, best_second);
    return true;
  }

  // The places are those in `left_`.
  void join_blocks(std::size_t first, std::size_t second) {
    const std::size_t block = left_[first], later = left_[second];
    join(blocks_[block], blocks_[later]);
    parts_[block] = part_of(blocks_[block]);
    std::ranges::replace(block_of_, later, block);
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(second));
    for (const std::size_t other : left_)
      if (other != block) note_pair(std::min(block, other), std::max(block, other));
  }

  const GroupingRule& rule_;
  const ScoreOfClasses& score_of_;
  std::int64_t whole_;           // weight of all rows
  std::vector<double> charges_;  // by number of blocks; empty: none
  Part beside_;
  std::vector<Block> blocks_;          // those joined to others stay, out of use
  std::vector<std::size_t> block_of_;  // by value
  std::vector<Part> parts_;            // by block
  std::vector<Part> pairs_;            // of two blocks, see first_pair
  std::vector<std::size_t> left_;      // blocks in use, in order of their first value
};

}  // namespace

Grouping best_grouping(const std::vector<Block>& values, const ScoreOfClasses& score_of,
                       const GroupingRule& rule) {
  return Joining(values, score_of, rule).run();
}

// S(n, k) = k S(n - 1, k) + S(n - 1, k - 1), in logarithms: the numbers are large.
std::vector<double> log2_groupings(std::size_t n) {
  std::vector<double> row{0.0};
  for (std::size_t things = 1; things <= n; ++things) {
    row.push_back(0.0);  // as many groups as things: one way
    for (std::size_t k = things - 1; k > 0; --k) {
      const double joins = row[k] + std::log2(static_cast<double>(k));
      const double starts = row[k - 1];
      const double larger = std::max(joins, starts), smaller = std::min(joins, starts);
      row[k] = larger + std::log2(1.0 + std::exp2(smaller - larger));
    }
    row[0] = never;  // something cannot be in no group
  }
  return row;
}

}  // namespace treewright
