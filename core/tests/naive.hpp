// The naive twins: what the kernels must answer, from the definitions, in long double.
#pragma once

#include <cstdint>
#include <vector>

#include "evaluator.hpp"

namespace treewright::tests {

using Rows = std::vector<std::uint32_t>;

// Minus (weight x impurity) of a branch; for squared error what the branch takes off
// the sum of squares of `node`, the rows that all scores are relative to.
long double naive_score(const Target& target, const Rows& branch, const Rows& node);

// What a node's statistic must be, and whether all its rows agree.
std::vector<std::int64_t> naive_statistic(const Target& target, const Rows& rows);
// Equal, but for the last digits of what is not a sum of integers.
bool same_statistic(const Target& target, std::span<const std::int64_t> a,
                    std::span<const std::int64_t> b);
bool naive_pure(const Target& target, const Rows& rows);
std::int64_t naive_weight(const Target& target, const Rows& rows);

bool admits(const Target& target, const Limits& limits, const Rows& branch);

struct Candidate {
  std::int64_t position;
  long double score;
};

// Every admissible cut of `known`, lowest first.
std::vector<Candidate> naive_cuts(const Target& target, std::span<const Entry> known,
                                  const Limits& limits, const Rows& node);

// Every admissible set of groups, as binary numbers with the first group lowest; sets
// that hold the last group are left out, because their complements are in.
std::vector<Candidate> naive_subsets(const Target& target, const Pieces& groups,
                                     const Limits& limits, const Rows& node);

// Checks that the answer is admissible, that its score is right and within `tolerance`
// of the best, and that nothing before it is as good as the best. `scale` is the size
// of the numbers that went into the scores: rounding is relative to it.
void check_best(double score, std::int64_t position,
                const std::vector<Candidate>& candidates, double tolerance,
                double scale);

// A size for `scale`: the score that a target like this can have at most.
double scale_of(const Target& target, const Rows& node);

}  // namespace treewright::tests
