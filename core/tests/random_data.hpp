// Random targets and columns for the tests, from fixed seeds.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "evaluator.hpp"

namespace treewright::tests {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t bits() { return engine_(); }
  // 0 .. n - 1
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(n));
  }
  bool one_in(std::int64_t n) { return below(n) == 0; }

 private:
  std::mt19937_64 engine_;  // the same numbers on every machine
};

inline constexpr Criterion class_criteria[] = {Criterion::entropy, Criterion::gini,
                                               Criterion::classification_error};
std::string name_of(Criterion criterion);

// A target together with the arrays it looks at; must not be moved after `view`.
struct TargetData {
  Criterion criterion = Criterion::entropy;
  int n_outputs = 1;
  std::vector<std::int32_t> class_start;
  std::vector<std::uint32_t> classes;
  std::vector<std::int64_t> values, weighted, weights;

  Target view() const;
};

// Weights are 1 .. largest_weight; 0 means a target without weights.
TargetData random_classes(Random& random, std::int64_t n_rows,
                          const std::vector<int>& n_classes, Criterion criterion,
                          std::int64_t largest_weight);
// Values are offset + 0 .. spread - 1.
TargetData random_numbers(Random& random, std::int64_t n_rows, int n_outputs,
                          Criterion criterion, std::int64_t largest_weight,
                          std::int64_t spread = 1000, std::int64_t offset = -300);
// One output without weights.
TargetData numbers_of(std::vector<std::int64_t> values, Criterion criterion);
TargetData classes_of(std::vector<std::uint32_t> classes, int n_classes,
                      Criterion criterion);

// The list of a column with these codes: rows in code order, first ones marked.
std::vector<Entry> list_of(const std::vector<std::uint32_t>& codes);
std::vector<std::uint32_t> random_codes(Random& random, std::int64_t n_rows,
                                        std::int64_t n_codes);
std::vector<std::uint32_t> rows_of(std::span<const Entry> entries);

// An evaluator with everything that it refers to.
struct Evaluating {
  explicit Evaluating(const TargetData& data);
  Evaluating(const Evaluating&) = delete;

  Target target;
  Tables tables;
  std::unique_ptr<Evaluator> evaluator;
};

}  // namespace treewright::tests
