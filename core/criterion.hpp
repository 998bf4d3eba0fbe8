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

// x log2 x for integers: a table for the counts that occur often, the formula beyond.
class XLog2X {
 public:
  explicit XLog2X(std::int64_t largest) {
    table_.resize(std::min<std::int64_t>(largest + 1, 1 << 22));
    for (std::size_t x = 2; x < table_.size(); ++x) table_[x] = formula(x);
  }
  double operator()(std::int64_t x) const {
    return static_cast<std::size_t>(x) < table_.size() ? table_[x] : formula(x);
  }

 private:
  static double formula(std::int64_t x) {
    const auto value = static_cast<double>(x);
    return x > 0 ? value * std::log2(value) : 0.0;
  }
  std::vector<double> table_;
};

// Functions of counts that the scans look up: made once per fit, shared by the threads.
struct Tables {
  XLog2X x_log2_x;                  // entropy of counts
  std::vector<double> reciprocals;  // squared error without weights: 1 / n
};

// Each criterion is fed the class weights of one branch, then asked for the score.
struct EntropyScore {
  const XLog2X& f;
  double sum = 0;
  void add(std::int64_t c) { sum += f(c); }
  double score(std::int64_t w) const { return sum - f(w); }
};

struct GiniScore {
  explicit GiniScore(const XLog2X&) {}
  double sum = 0;
  void add(std::int64_t c) { sum += static_cast<double>(c) * static_cast<double>(c); }
  double score(std::int64_t w) const {
    return w > 0 ? sum / static_cast<double>(w) - static_cast<double>(w) : 0.0;
  }
};

struct ErrorScore {
  explicit ErrorScore(const XLog2X&) {}
  std::int64_t largest = 0;
  void add(std::int64_t c) { largest = std::max(largest, c); }
  double score(std::int64_t w) const { return static_cast<double>(largest - w); }
};

}  // namespace treewright
