// Hoeffding trees: learned from one row after the other, each looked at once (Domingos
// and Hulten 2000). `learners/streams/hoeffding.py` says what the papers leave open.
//
// Glossary
//   cell     a feature's value in a row: a number, or the code of a category; NaN is
//            missing, and a code of -1 was never seen
//   block    what a leaf knows of one feature: sums, as plain doubles, so that a
//            checkpoint is a list of them
//   awake    a leaf that has blocks, and so may split; one that is asleep only counts
//   promise  what splitting a leaf could save: the weight of its wrong rows, or its
//            squared error
//
// The tree is a template over what is learned, a `Task`: `hoeffding_classes.hpp` or
// `hoeffding_numbers.hpp`. One row after the other, in one thread: how the rows are cut
// into batches changes nothing. Checkpoints are in `hoeffding_state.hpp`.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace treewright {

enum class LeafAnswer : std::uint8_t { plain, naive_bayes, adaptive };

struct HoeffdingRule {
  std::vector<std::uint8_t> is_nominal;  // a flag for each feature
  bool second_measure = false;           // gini for classes, deviation for numbers
  double delta = 1e-7;
  double tau = 0.05;
  double grace_period = 200;       // weight of the rows between two looks at a leaf
  double min_branch_share = 0.01;  // of the known weight; two branches need it
  std::int64_t n_cuts = 10;        // candidate cuts of a numeric feature, for classes
  std::int64_t max_depth = -1;     // -1: no limit
  std::int64_t max_bytes = -1;     // -1: no limit
  LeafAnswer answer = LeafAnswer::adaptive;
};

// Of a leaf that is awake.
struct Learning {
  double seen = 0;                          // weight of the rows since it is awake
  double looked = 0;                        // `seen` when a split was last looked for
  std::vector<std::vector<double>> blocks;  // one per feature
};

struct HoeffdingNode {
  std::int32_t parent = -1;
  std::int32_t depth = 0;
  std::int32_t feature = -1;  // -1 at leaves
  double threshold = 0;       // of a numeric feature
  double gain = 0;            // of the split
  std::int32_t missing = -1;  // the child that rows without a value go to
  // numeric: left and right; nominal: the child of each code, -1 for none
  std::vector<std::int32_t> children;
  std::vector<double> value;  // the task's sums: an estimate at first, then the rows
  std::int64_t n_rows = 0;
  double right_plain = 0, right_bayes = 0;  // weight of rows each way was right about
  std::optional<Learning> learning;

  bool is_leaf() const { return feature < 0; }
};

// A split of one feature.
struct SplitCandidate {
  double gain = 0;
  double threshold = 0;
  std::vector<std::vector<double>>
      values;  // of the branches; empty where there is none
};

// What counts in sums of squares; larger numbers are compared, but not summed.
inline bool is_summable(double x) { return std::abs(x) <= 1e140; }

template <class Task>
class HoeffdingTree {
 public:
  using Target = typename Task::Target;
  // Rows one after the other; `weights` may be empty (1 for each).
  struct Rows {
    std::span<const double> cells;
    std::span<const Target> target;
    std::span<const double> weights;
  };

  explicit HoeffdingTree(HoeffdingRule rule);

  // Learns from the rows; `out` has what was answered for each before it was learned.
  // class_rank: the place of each class in the order in which ties are decided.
  void learn(const Rows& rows, std::span<const std::int32_t> class_rank,
             std::span<Target> out);
  // The answer for each row, and, if `scores` is not empty, its shares of the classes.
  void answer(std::span<const double> cells, std::span<const std::int32_t> class_rank,
              std::span<Target> out, std::span<double> scores);
  // The node where each row ends.
  void place(std::span<const double> cells, std::span<std::int32_t> out) const;

  const HoeffdingRule& rule() const { return rule_; }
  std::vector<HoeffdingNode>& nodes() { return nodes_; }
  const std::vector<HoeffdingNode>& nodes() const { return nodes_; }
  std::int64_t n_rows() const { return nodes_[0].n_rows; }
  std::int64_t bytes() const { return bytes_; }
  std::int64_t n_awake() const { return n_awake_; }
  std::int64_t n_features() const { return std::ssize(rule_.is_nominal); }
  // Says of which kind features are that no row had a value for so far.
  void set_kinds(const std::vector<std::uint8_t>& is_nominal);
  // After `nodes` was filled from a checkpoint.
  void count_bytes();

 private:
  // Walks to a leaf, or to an inner node that has no branch for the row.
  std::int32_t walk(const double* row) const;
  void learn_row(const double* row, Target y, double weight, std::int32_t end);
  std::int32_t open_branch(std::int32_t node, std::int64_t code);
  void look_for_split(std::int32_t leaf);
  bool has_room_for(const SplitCandidate& candidate) const;
  void split(std::int32_t leaf, std::int32_t feature, const SplitCandidate& candidate);
  std::int32_t add_leaf(std::int32_t parent, std::vector<double> value);
  void wake(HoeffdingNode& leaf);
  void put_to_sleep(HoeffdingNode& leaf);
  bool wants_blocks(const HoeffdingNode& leaf) const;
  void keep_within_bytes();

  HoeffdingRule rule_;
  std::vector<HoeffdingNode> nodes_;
  std::int64_t bytes_ = 0;
  std::int64_t n_awake_ = 0;
  typename Task::Scratch scratch_;  // of the row at hand
};

// What a node, and the blocks of a leaf, take; by sizes, so that copies are alike.
std::int64_t bytes_of_node(const HoeffdingNode& node);
std::int64_t bytes_of(const std::optional<Learning>& learning);
inline std::int64_t bytes_of_block(const std::vector<double>& block) {
  return 40 + 8 * std::ssize(block);  // with the vector itself and its allocation
}

// sqrt(R^2 ln(1 / delta) / (2 n)), Hoeffding (1963), equation 2.3.
inline double hoeffding_bound(double range, double delta, double n) {
  return std::sqrt(range * range * std::log(1 / delta) / (2 * n));
}

}  // namespace treewright
