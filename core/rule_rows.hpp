// Which rows meet the conditions of rules, as sets of bits.
//
// Every different condition has a bit per row, made once; a rule's rows are the AND of
// its conditions'. A cell without a value (NaN) meets no condition. Weights are
// integers (fixed point), so that sums do not depend on their order; without them rows
// are counted by population counts. Read `rule_subset.hpp` next.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "threads.hpp"

namespace treewright {

struct LabelledCells {
  std::span<const double> cells;  // feature by feature, one for each row
  std::int64_t n_features;
  std::span<const std::int32_t> classes;
  std::int64_t n_classes;
  std::span<const std::int64_t> weights;  // empty: each row is 1
};

// An interval, low < cell <= high, or the set of codes in its stretch, if that is not
// empty.
struct Conditions {
  std::span<const std::int32_t> feature;
  std::span<const double> low, high;
  std::span<const std::int64_t> set_start;
  std::span<const std::int32_t> set_codes;

  std::span<const std::int32_t> codes(std::int64_t which) const {
    return set_codes.subspan(set_start[which], set_start[which + 1] - set_start[which]);
  }
};

// Rule after rule the numbers of its conditions; a rule without any covers all rows.
struct Rules {
  std::span<const std::int64_t> start;  // one more than there are rules
  std::span<const std::int32_t> condition;

  std::int64_t size() const { return std::ssize(start) - 1; }
  std::span<const std::int32_t> of(std::int64_t rule) const {
    return condition.subspan(start[rule], start[rule + 1] - start[rule]);
  }
};

// The weight that rules cover and that of it which is of another class; the same when
// one of the conditions is left out.
struct Dropped {
  std::vector<std::int64_t> covered, wrong;                  // by rule
  std::vector<std::int64_t> covered_without, wrong_without;  // by condition of a rule
};

class RuleRows {
 public:
  using Word = std::uint64_t;
  static constexpr std::int64_t word_bits = 64;

  RuleRows(const LabelledCells& rows, int n_threads);

  // Conditions get numbers in the order in which they come.
  void add(const Conditions& conditions);

  std::int64_t n_rows() const { return n_rows_; }
  std::int64_t n_words() const { return n_words_; }
  std::int64_t n_conditions() const {
    return n_words_ ? std::ssize(bits_) / n_words_ : n_empty_;
  }
  const LabelledCells& rows() const { return rows_; }
  std::int64_t weight(std::int64_t row) const {
    return rows_.weights.empty() ? 1 : rows_.weights[row];
  }

  // classes: what each rule says.
  Dropped without_each(const Rules& rules, std::span<const std::int32_t> classes);

  // What stands in the rows that each rule covers: weights (n_rules x n_classes), and
  // how many rows these are.
  void count_classes(const Rules& rules, std::span<std::int64_t> weights,
                     std::span<std::int64_t> n_rows);

  // For each row the first rule that covers it, and the next one; -1: none.
  void first_two(const Rules& rules, std::span<std::int32_t> first,
                 std::span<std::int32_t> second);

  // The rows that a rule covers, ascending.
  std::vector<std::uint32_t> covered(std::span<const std::int32_t> conditions) const;

  ThreadPool& pool() { return pool_; }

 private:
  const Word* bits_of(std::int32_t condition) const {
    return bits_.data() + condition * n_words_;
  }
  const Word* class_bits(std::int32_t of) const {
    return class_bits_.data() + of * n_words_;
  }
  // The bits of a word that stand for rows.
  Word all_in(std::int64_t word) const {
    const std::int64_t n_left = n_rows_ - word * word_bits;
    return n_left >= word_bits ? ~Word{0} : (Word{1} << n_left) - 1;
  }
  void meet(const Conditions& conditions, std::int64_t which, Word* out) const;
  struct Dropping;
  struct Desk {  // what a thread works with
    std::vector<Word> words;
    std::vector<const Word*> bits;
  };
  void drop_each(std::span<const std::int32_t> conditions, std::int32_t of_class,
                 Desk& desk, std::int64_t* out) const;
  template <class Weigh>
  void drop_in_block(const Dropping& of, std::int64_t first, const Weigh& weigh) const;
  // The same with the instructions of newer processors; it counts, so no bit differs.
  void drop_counted_fast(const Dropping& of) const;
  void drop_counted(const Dropping& of) const;
  void drop_weighed(const Dropping& of) const;

  LabelledCells rows_;
  std::int64_t n_rows_, n_words_;
  std::int64_t n_empty_ = 0;  // conditions on a table without rows
  ThreadPool pool_;
  std::vector<Word> bits_;        // n_words for each condition
  std::vector<Word> class_bits_;  // and for each class
};

}  // namespace treewright
