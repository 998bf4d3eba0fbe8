// The memory source where nodes draw weighted sums of features: one list per node, and
// the order of each sum is made when it is looked at.
#include <limits>

#include "memory.hpp"

namespace treewright {

void MemorySource::scan_combined(std::span<const std::int64_t> nodes,
                                 std::span<const std::int64_t> statistics,
                                 std::span<const double> tolerances, const Draws& draws,
                                 std::span<DrawnFound> out, std::span<Detail> details) {
  std::vector<Looking> lookings(pool_.n_threads());
  for_each_pair(nodes, 1, [&](std::int64_t index, std::int64_t, int thread) {
    Combinations& combined = combinations_[thread];
    const auto rows = rows_of_node(stretches_[nodes[index]]);
    const auto statistic = statistics.subspan(index * width(), width());
    for (std::int64_t n = 0; n < draws.n_features; ++n) {
      const std::uint64_t draw = draw_of_feature(draws.keys[index], n);
      if (!combined.draw(columns_, rows, table_rows_, draw, rule_.n_combined)) return;
      const std::int32_t feature = combined.first_feature();
      const Candidate found = look(*evaluators_[thread], lookings[thread], index,
                                   feature, combined.list(columns_, rows, table_rows_),
                                   statistic, tolerances[index]);
      const std::int64_t pair = index * draws.n_features + n;
      out[pair] = {found.gain, -1 - static_cast<std::int64_t>(draw), feature};
      if (!details.empty())
        details[pair] = {found.n_cuts, found.split_information, found.charge};
    }
  });
}

// The list of a sum that was chosen, which is drawn again, and the best cut's position.
std::span<const Entry> MemorySource::entries_of_combination(const Stretch& stretch,
                                                            int thread,
                                                            double tolerance,
                                                            std::int64_t& position) {
  Combinations& combined = combinations_[thread];
  Evaluator& evaluator = *evaluators_[thread];
  const auto rows = rows_of_node(stretch);
  combined.draw(columns_, rows, table_rows_, static_cast<std::uint64_t>(-1 - position),
                rule_.n_combined);
  const auto all = combined.list(columns_, rows, table_rows_);
  const double base = evaluator.begin(all);
  position =
      scan_cut(evaluator, combined.first_feature(), all, all.size(), base, tolerance)
          .position;
  return all;
}

// Writes down the sum of the last split, and where it is cut.
void MemorySource::note_combination(std::int64_t position, int thread,
                                    Branches& out) const {
  const Combinations& combined = combinations_[thread];
  const std::size_t before = out.set.size();
  combined.write(out.set);
  out.n_set.back() = static_cast<std::int64_t>(out.set.size() - before);
  out.threshold.push_back(combined.threshold(position));
  out.low.back() = out.high.back() = -1;  // not the cut of a feature
}

}  // namespace treewright
