// Criteria for classes, as scores that add up over the branches of a split.
//
// The score of a branch is minus (weight x impurity), up to a term that is the same for
// every split of a node; the best split has the largest sum. With f(x) = x log2 x:
//   entropy   sum f(c) - f(w)      gini   sum c^2 / w - w      error   max c - w
// where c are the class weights of the branch and w their sum.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace treewright {

inline double x_log2_x(double x) { return x > 0 ? x * std::log2(x) : 0.0; }

// x log2 x for counts: a table for those that occur often, the formula beyond.
class XLog2X {
 public:
  explicit XLog2X(std::int64_t largest) {
    table_.resize(std::min<std::int64_t>(largest + 1, 1 << 22));
    for (std::size_t x = 2; x < table_.size(); ++x) table_[x] = x_log2_x(x);
  }
  static double unit() { return 1; }
  double operator()(std::int64_t x) const {
    return static_cast<std::size_t>(x) < table_.size() ? table_[x] : x_log2_x(x);
  }

 private:
  std::vector<double> table_;
};

// The same for weights in fixed point, which stand for x / unit. A row that is not
// divided weighs 2^shift, and sums of those are looked up.
class XLog2XOfWeights {
 public:
  explicit XLog2XOfWeights(std::int64_t n_rows, double unit = 1, int shift = 0)
      : unit_(unit), shift_(shift) {
    table_.resize(std::min<std::int64_t>(n_rows + 1, 1 << 22));
    for (std::size_t rows = 1; rows < table_.size(); ++rows)
      table_[rows] = formula(static_cast<std::int64_t>(rows) << shift);
  }
  double unit() const { return unit_; }
  double operator()(std::int64_t x) const {
    const std::int64_t rows = x >> shift_;
    const bool whole = rows << shift_ == x && rows < std::ssize(table_);
    return whole ? table_[rows] : formula(x);
  }

 private:
  double formula(std::int64_t x) const {
    return x_log2_x(static_cast<double>(x) / unit_);
  }
  double unit_;
  int shift_;
  std::vector<double> table_;
};

// A number as a 32-bit float holds it.
inline double to_single(double x) { return static_cast<float>(x); }

// What a split gains per row, as C4.5 Release 8 has it: 32 bits after every step, so
// that splits with different scores may gain the same. `known` is the weight of the
// rows with a value (0: gains are not rounded), `whole` that of all rows, `share` the
// one divided by the other, `before` the bits per row that are needed before the split.
struct SingleGain {
  double known = 0, whole = 0, share = 1, before = 0;

  double operator()(double score) const {
    return to_single(share * to_single(before + to_single(score / known)));
  }
  double of_all(double score) const { return whole * (*this)(score); }
};

// Functions of counts that the scans look up: made once per fit, shared by the threads.
struct Tables {
  XLog2X of_counts;                 // entropy without weights
  XLog2XOfWeights of_weights;       // entropy with them
  std::vector<double> reciprocals;  // squared error without weights: 1 / n
};

// Each criterion is fed the class weights of one branch, then asked for the score.
// `join` adds the scores of two branches up.
struct ExactJoin {
  static double join(double one, double other) { return one + other; }
};

// The score of a branch with two classes.
template <class Score>
double score_of_two(const typename Score::Table& f, std::int64_t first,
                    std::int64_t second) {
  if constexpr (requires { Score::of_two(first, second); }) {
    return Score::of_two(first, second);
  } else {
    Score branch{f};
    branch.add(first);
    branch.add(second);
    return branch.score(first + second);
  }
}

template <class XLog2XTable>
struct EntropyOf : ExactJoin {
  using Table = XLog2XTable;
  explicit EntropyOf(const Table& x_log2_x) : f(x_log2_x) {}
  const Table& f;
  double sum = 0;
  void add(std::int64_t c) { sum += f(c); }
  double score(std::int64_t w) const { return sum - f(w); }
};
using EntropyScore = EntropyOf<XLog2X>;
using WeightedEntropyScore = EntropyOf<XLog2XOfWeights>;

// Entropy whose sums are 32-bit floats, class by class and branch by branch, as C4.5
// Release 8 keeps them: which of two equal splits comes out larger is then the same.
struct SingleEntropyScore {
  using Table = XLog2XOfWeights;
  explicit SingleEntropyScore(const Table& x_log2_x) : f(x_log2_x) {}
  const Table& f;
  double sum = 0;
  void add(std::int64_t c) { sum = to_single(sum + f(c)); }
  // the unit is a power of two, so this rounds once
  double score(std::int64_t w) const { return f.unit() * to_single(sum - f(w)); }
  static double join(double one, double other) { return to_single(one + other); }
};

struct GiniScore : ExactJoin {
  using Table = XLog2X;
  explicit GiniScore(const XLog2X&) {}
  double sum = 0;
  void add(std::int64_t c) { sum += static_cast<double>(c) * static_cast<double>(c); }
  double score(std::int64_t w) const {
    return w > 0 ? sum / static_cast<double>(w) - static_cast<double>(w) : 0.0;
  }
  // (a^2 + b^2) / (a + b) - (a + b), in fewer steps
  static double of_two(std::int64_t first, std::int64_t second) {
    const auto a = static_cast<double>(first), b = static_cast<double>(second);
    return a + b > 0 ? -2 * a * b / (a + b) : 0.0;
  }
};

struct ErrorScore : ExactJoin {
  using Table = XLog2X;
  explicit ErrorScore(const XLog2X&) {}
  std::int64_t largest = 0;
  void add(std::int64_t c) { largest = std::max(largest, c); }
  double score(std::int64_t w) const { return static_cast<double>(largest - w); }
};

}  // namespace treewright
