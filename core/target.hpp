// The target: what each row carries into the sums, as integers.
//
// Class weights are counts or fixed-point weights; numbers are fixed-point too (one
// power-of-two scale per fit, chosen by the caller). Integer sums do not depend on
// their order, so every number of threads gives the same bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace treewright {

using Wide = __int128;  // products of two sums

enum class Criterion : std::uint8_t {
  entropy,
  gini,
  classification_error,
  squared_error,
  absolute_error
};

struct Target {
  Criterion criterion = Criterion::entropy;
  int n_outputs = 1;
  // Classes: class_start[k] .. class_start[k + 1] are the slots of output k, and
  // classes[row * n_outputs + k] is a slot. Empty for numbers.
  std::vector<std::int32_t> class_start;
  std::span<const std::uint32_t> classes;
  // The same in one byte a row, where there are two classes, one output and no weights
  // (or whole ones below 128: 2 x weight + class): the hot loop gathers from it, so its
  // size decides what stays in the cache.
  std::vector<std::uint8_t> bytes;
  // Gini of more classes, up to 256, and whole weights below 256: 256 x weight + class.
  std::vector<std::uint16_t> pairs;
  // Numbers, n_rows x n_outputs: the value, and weight x value in a scale of its own
  // (only for squared error).
  std::span<const std::int64_t> values;
  std::span<const std::int64_t> weighted;
  // Numbers, several outputs: how much a unit of each counts in a score. Empty: 1 each.
  std::vector<double> factors;
  // One per row; empty means 1 for each row.
  std::span<const std::int64_t> weights;
  // Entropy: above 0, sums of information are 32-bit floats, and this is the weight of
  // a row that weighs 1 (C4.5).
  double single_unit = 0;

  // Numbers: score of a deviation of 1 in the units of a statistic's last part.
  double tie_unit = 1;

  bool is_classes() const { return criterion <= Criterion::classification_error; }
  int n_classes() const { return class_start.empty() ? 0 : class_start.back(); }
  std::int64_t weight(std::uint32_t row) const {
    return weights.empty() ? 1 : weights[row];
  }

  double factor(int output) const { return factors.empty() ? 1.0 : factors[output]; }

  // Length of a node's statistic. Classes: one weight per slot. Squared error: weight,
  // sums, sums of squared deviations from the means. Absolute error: weight, twice the
  // medians (so that the middle of two values is an integer), sums of deviations from
  // them. Sums of deviations are the bits of doubles.
  int width() const { return is_classes() ? n_classes() : 1 + 2 * n_outputs; }
};

// Holds the arrays of a target whose rows were given another order.
struct TargetStorage {
  std::vector<std::uint32_t> classes;
  std::vector<std::int64_t> values, weighted, weights;
};

// Row k becomes what was row order[k]; rows that `order` lacks are gone.
void reorder(Target& target, std::span<const std::uint32_t> order,
             TargetStorage& storage);

// Rows without a value may stand in several branches, each with a share of their
// weight: the part of the branch's known weight in that of all branches.
struct Share {
  std::int64_t before, part, total;  // the branches before, this one, all

  // Shares of all branches add up to the whole amount.
  std::int64_t of(std::int64_t amount) const {
    if (part == 0) return 0;
    return portion(amount, before + part) - portion(amount, before);
  }

 private:
  // amount * upto / total, rounded towards zero. The quotient of doubles is nearly
  // right, and what it leaves is put right without a division of 128 bits.
  std::int64_t portion(std::int64_t amount, std::int64_t upto) const {
    const double per_unit = static_cast<double>(upto) / static_cast<double>(total);
    auto whole = static_cast<std::int64_t>(static_cast<double>(amount) * per_unit);
    Wide rest = Wide{amount} * upto - Wide{whole} * total;
    const auto more = static_cast<std::int64_t>(static_cast<double>(rest) /
                                                static_cast<double>(total));
    whole += more;
    rest -= Wide{more} * total;
    if (rest < 0) --whole;
    if (rest >= total) ++whole;
    return whole;
  }
};

// Adds a copy of a row with a share of its weight, behind the last row of `storage`,
// which must hold the target's arrays; `refresh` afterwards.
void add_share(const Target& target, std::uint32_t row, const Share& share,
               TargetStorage& storage);
// Lets the target see what was added to its storage.
void refresh(Target& target, const TargetStorage& storage);

}  // namespace treewright
