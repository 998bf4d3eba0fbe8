// Which of a class's rules to keep: the subset of least description length.
//
//   bits(subset) = 0.5 (bits of its rules - log2(k!))  + bits of the exceptions
//
// for k rules. Exceptions are the false positives among the rows that the subset covers
// and the false negatives among the others (Quinlan 1995; `Exceptions`).
//
// A step adds or leaves out one rule. What it would change is kept for each rule: the
// weight of its rows that no rule of the subset covers, or that it alone covers. A step
// then costs the rows whose number of rules passes 0, 1 or 2.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "rule_rows.hpp"

namespace treewright {

// The bits to name the errors of a set of rules for one class.
class Exceptions {
 public:
  // total: the weight of all rows; unit: what 1 stands for.
  Exceptions(std::int64_t total, double unit);

  // In the larger group, of the rows covered and the others, the errors are coded with
  // the rate (all errors / 2) / size, in the other one with its own.
  double bits(std::int64_t covered, std::int64_t false_positives,
              std::int64_t false_negatives) const {
    const std::int64_t rest = total_ - covered;
    const std::int64_t wrong = false_positives + false_negatives;
    const double bits = 2 * covered > total_
                            ? cost(covered, false_positives, wrong, 2 * covered) +
                                  cost(rest, false_negatives, false_negatives, rest)
                            : cost(covered, false_positives, false_positives, covered) +
                                  cost(rest, false_negatives, wrong, 2 * rest);
    return log_total_ + unit_ * bits;
  }

 private:
  double log_of(std::int64_t x) const {
    return logs_.empty() ? std::log2(static_cast<double>(x)) : logs_[x];
  }
  // Of `wrong` among `size`, coded with the rate part / whole.
  double cost(std::int64_t size, std::int64_t wrong, std::int64_t part,
              std::int64_t whole) const {
    if (size == 0) return 0;
    const double of_whole = log_of(whole);
    double bits = 0;
    if (wrong > 0) bits += static_cast<double>(wrong) * (of_whole - log_of(part));
    if (size > wrong)
      bits += static_cast<double>(size - wrong) * (of_whole - log_of(whole - part));
    return bits;
  }

  std::int64_t total_;
  double unit_, log_total_;
  std::vector<double> logs_;  // of 0 .. 2 total, if these are few enough
};

// The rules of a class with the rows that they cover, and the rules that cover a row.
struct RuleCover {
  RuleCover(const RuleRows& rows, const Rules& rules, std::int32_t of_class,
            ThreadPool& pool);

  std::vector<std::vector<std::uint32_t>> rows;  // of each rule
  std::vector<std::int64_t> start;               // of each row's stretch
  std::vector<std::uint32_t> rules;              // of each row
  std::vector<std::uint8_t> is_right;            // whether a row is of the class
  std::vector<std::int64_t> right, wrong;        // weight that each rule covers
  std::int64_t n_of_class = 0;                   // weight of the class
};

struct SubsetTask {
  const RuleRows& rows;
  const RuleCover& cover;
  std::span<const double> rule_bits;
  const Exceptions& exceptions;
  std::span<const double> log_factorial;  // log2 of 0! .. n_rules!
};

struct Subset {
  std::vector<std::uint8_t> inside;  // a flag for each rule
  double bits = 0;
  std::int64_t n_steps = 0;
};

// Adds or leaves out the rule that saves most, as long as one saves anything.
Subset climb(const SubsetTask& task, std::span<const std::uint8_t> start,
             const ThreadPool& pool);

// The best of all subsets, for few rules; of equal ones the smallest, then the first.
Subset best_of_all(const SubsetTask& task, const ThreadPool& pool);

}  // namespace treewright
