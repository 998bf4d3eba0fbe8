// What a Hoeffding tree for classes sums up, how it splits, and how its leaves answer.
//
// Blocks
//   numeric  minimum and maximum; then for each class weight, mean, sum of squared
//            differences, minimum, maximum (a normal distribution each; Pfahringer,
//            Holmes and Kirkby 2008)
//   nominal  number of classes, number of different categories; the weight of each
//            class; then for each category the weight of each class
#pragma once

#include "hoeffding.hpp"

namespace treewright {

// A product that may leave the range of doubles.
struct LongProduct {
  double mantissa = 1;
  std::int64_t exponent = 0;

  void multiply(double factor) {
    if (!(factor < 1e120 && factor > 1e-120)) factor = shift(factor);
    multiply_by_weight(factor);
  }
  // By a factor that is neither large nor small.
  void multiply_by_weight(double factor) {
    mantissa *= factor;
    if (!(mantissa < 1e120 && mantissa > 1e-120)) mantissa = shift(mantissa);
  }
  double log() const {
    return std::log(mantissa) + static_cast<double>(exponent) * 0.6931471805599453;
  }

 private:
  double shift(double x) {
    int power = 0;
    const double rest = std::frexp(x, &power);
    exponent += power;
    return rest;
  }
};

struct ClassTask {
  using Target = std::int32_t;
  struct Scratch {
    std::vector<LongProduct> over, under;  // under: squares
    std::vector<double> exponents;
    std::vector<double> scores;
    std::vector<std::int32_t> tied;
  };
  using Nodes = std::vector<HoeffdingNode>;

  static void add(std::vector<double>& value, std::int32_t y, double weight) {
    if (std::ssize(value) <= y) value.resize(static_cast<std::size_t>(y) + 1);
    value[y] += weight;
  }
  static void observe(std::vector<double>& block, bool is_nominal, double cell,
                      std::int32_t y, double weight);
  static double weight(std::span<const double> value);
  static double promise(std::span<const double> value);
  // Whether a split could gain anything.
  static bool may_gain(std::span<const double> value);
  static SplitCandidate best_split(const std::vector<double>& block, bool is_nominal,
                                   const HoeffdingRule& rule);
  // Whether the best split is better than the second best, or no split, for sure.
  static bool is_decided(const HoeffdingRule& rule, double best, double second,
                         double seen, std::span<const double> value);

  // The class that a node answers for a row.
  static std::int32_t answer(const Nodes& nodes, std::int32_t node, const double* row,
                             const HoeffdingRule& rule,
                             std::span<const std::int32_t> class_rank,
                             Scratch& scratch);
  // The same, and the shares of the classes.
  static void answer_shares(const Nodes& nodes, std::int32_t node, const double* row,
                            const HoeffdingRule& rule,
                            std::span<const std::int32_t> class_rank, Scratch& scratch,
                            std::int32_t& out, std::span<double> shares);
  // Notes which way of answering is right about a row that is going to be learned;
  // returns the answer.
  static std::int32_t test(Nodes& nodes, std::int32_t node, const double* row,
                           std::int32_t y, double weight, const HoeffdingRule& rule,
                           std::span<const std::int32_t> class_rank, Scratch& scratch);

 private:
  static std::int32_t majority(const Nodes& nodes, std::int32_t node,
                               std::span<const std::int32_t> class_rank,
                               Scratch& scratch);
  static std::int32_t bayes(const HoeffdingNode& leaf, const double* row,
                            const HoeffdingRule& rule,
                            std::span<const std::int32_t> class_rank, Scratch& scratch);
  static bool answers_by_bayes(const HoeffdingNode& node, const HoeffdingRule& rule);
};

}  // namespace treewright
