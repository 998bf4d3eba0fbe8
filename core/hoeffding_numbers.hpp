// What a Hoeffding tree for numbers sums up, and how it splits (after Ikonomovska, Gama
// and Dzeroski 2011).
//
// Sums are moments: weight, mean, sum of squared differences.
//
// Blocks
//   nominal  the moments of each category
//   numeric  the width of the bins, then for each bin, ascending, its key and moments.
//            Width 0: the key is the value itself. Else bin k has the values above
//            (k - 1) width, up to k width. When there are too many bins, neighbours are
//            joined: widths are powers of 2, so all of it is exact.
#pragma once

#include "hoeffding.hpp"

namespace treewright {

struct NumberTask {
  using Target = double;
  struct Scratch {};
  using Nodes = std::vector<HoeffdingNode>;

  static void add(std::vector<double>& value, double y, double weight);
  static void observe(std::vector<double>& block, bool is_nominal, double cell,
                      double y, double weight);
  static double weight(std::span<const double> value) {
    return value.empty() ? 0 : value[0];
  }
  static double promise(std::span<const double> value) {
    return value.empty() ? 0 : value[2];
  }
  static bool may_gain(std::span<const double> value) { return promise(value) > 0; }
  static SplitCandidate best_split(const std::vector<double>& block, bool is_nominal,
                                   const HoeffdingRule& rule);
  // The ratio of the gains is compared, whose range is 1.
  static bool is_decided(const HoeffdingRule& rule, double best, double second,
                         double seen, std::span<const double> value);

  static double answer(const Nodes& nodes, std::int32_t node, const double*,
                       const HoeffdingRule&, std::span<const std::int32_t>, Scratch&) {
    const auto& value = nodes[node].value;
    return value.empty() ? 0 : value[1];
  }
  static void answer_shares(const Nodes& nodes, std::int32_t node, const double* row,
                            const HoeffdingRule& rule,
                            std::span<const std::int32_t> class_rank, Scratch& scratch,
                            double& out, std::span<double>) {
    out = answer(nodes, node, row, rule, class_rank, scratch);
  }
  static double test(Nodes& nodes, std::int32_t node, const double* row, double, double,
                     const HoeffdingRule& rule,
                     std::span<const std::int32_t> class_rank, Scratch& scratch) {
    return answer(nodes, node, row, rule, class_rank, scratch);
  }

  static constexpr std::int64_t most_bins = 64;
};

}  // namespace treewright
