// The memory source: all columns in memory, every open node as one stretch per column.
//
// Each column has a list of entries (see scan.hpp) in code order; an open node owns the
// same stretch [start, start + n_rows) of every list. A batch of nodes goes through
//   scan      for each node and feature the best split and its gain
//   split     for the chosen ones: the branches, their statistics, who goes where
//   advance   the lists are partitioned; open branches become open nodes
// Each (node, feature) is one piece of work with an output of its own, so the answer
// does not depend on the number of threads.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "evaluator.hpp"
#include "partition.hpp"
#include "threads.hpp"

namespace treewright {

enum class Candidates : std::uint8_t { cut, multiway, subset };
enum class Missing : std::uint8_t { none, own_branch, majority };

// Codes of one feature; `n_codes` itself means missing.
struct Column {
  const void* codes = nullptr;
  int bytes = 4;  // per code: 1, 2 or 4
  std::uint32_t n_codes = 0;
  bool has_missing = false;
  Candidates candidates = Candidates::cut;

  std::uint32_t code(std::uint32_t row) const {
    if (bytes == 1) return static_cast<const std::uint8_t*>(codes)[row];
    if (bytes == 2) return static_cast<const std::uint16_t*>(codes)[row];
    return static_cast<const std::uint32_t*>(codes)[row];
  }
};

struct Rule {
  Limits limits;
  Missing missing = Missing::none;
};

// Why a feature has no gain at a node.
inline constexpr double one_value = -std::numeric_limits<double>::infinity();
inline constexpr double too_few_rows = -std::numeric_limits<double>::max();

// The best split of one feature at one node. `gain` is in units of the score: divide by
// the node's weight for the gain per row; or one of the two constants above.
struct Found {
  double gain = one_value;
  std::int64_t position = 0;  // cut: known rows on the left; all of them: known/missing
};

// The branches of chosen splits, node after node.
struct Branches {
  // per branch
  std::vector<std::int64_t> n_rows;
  std::vector<std::int64_t> statistics;  // width numbers each
  std::vector<std::uint8_t> pure;
  // per node
  std::vector<std::int64_t> n_branches;
  std::vector<std::int64_t> n_set;  // subset: how many of `set`, the codes of branch 0
  std::vector<std::int64_t> low, high;  // cut: the codes on both sides of it
  std::vector<std::int32_t> missing_branch;
  std::vector<std::int32_t> set;

  void append(const Branches& more);
};

// Which stretches of a list make up each branch of a split, in branch order. Each
// thread keeps one: small nodes are too many to allocate memory for each.
struct Division {
  Pieces pieces;
  std::vector<std::int64_t> ends;  // branch b has the pieces before ends[b]

  std::int64_t n_branches() const { return std::ssize(ends); }
  PiecesView branch(std::int64_t index) const {
    const std::int64_t start = index > 0 ? ends[index - 1] : 0;
    return PiecesView(pieces).subspan(start, ends[index] - start);
  }
  void clear() {
    pieces.clear();
    ends.clear();
  }
  void end_branch() { ends.push_back(std::ssize(pieces)); }
  void add_branch(std::span<const Entry> piece) {
    pieces.push_back(piece);
    end_branch();
  }
  void add_to(std::int64_t branch, std::span<const Entry> piece) {
    pieces.insert(pieces.begin() + ends[branch], piece);
    for (std::int64_t later = branch; later < n_branches(); ++later) ++ends[later];
  }
};

class MemorySource {
 public:
  MemorySource(std::vector<Column> columns, Target target, Rule rule,
               std::int64_t n_rows, int n_threads);

  // Sorts every column; to be called once, before anything else.
  void build_lists();

  ThreadPool& pool() { return pool_; }
  int width() const { return target_.width(); }
  std::int64_t n_features() const { return static_cast<std::int64_t>(columns_.size()); }

  // Opens the root, node 0: its statistic goes to `out`; true if all rows agree.
  bool open_root(std::span<std::int64_t> out);

  // statistics: width numbers per node. allowed: n_features flags per node, or empty.
  // out: n_features answers per node.
  void scan(std::span<const std::int64_t> nodes,
            std::span<const std::int64_t> statistics,
            std::span<const double> tolerances, std::span<const std::uint8_t> allowed,
            std::span<Found> out);

  // One chosen feature and position per node.
  Branches split(std::span<const std::int64_t> nodes,
                 std::span<const std::int32_t> features,
                 std::span<const std::int64_t> positions,
                 std::span<const double> tolerances);

  // open: for each branch of each node, one after the other, whether it stays open;
  // n_branches: how many each node has. Returns the number of the first new open node;
  // the others follow in order. Nodes that were split are gone.
  std::int64_t advance(std::span<const std::int64_t> nodes,
                       std::span<const std::int64_t> n_branches,
                       std::span<const std::int64_t> branch_rows,
                       std::span<const std::uint8_t> open);

 private:
  struct Stretch {
    std::int64_t start, n_rows;
  };

  std::span<const Entry> entries(std::int64_t feature, const Stretch& stretch) const {
    return std::span(lists_[feature]).subspan(stretch.start, stretch.n_rows);
  }
  std::uint32_t code_of(std::int64_t feature, Entry entry) const {
    const std::uint32_t row = row_of(entry);
    return columns_[feature].code(table_rows_.empty() ? row : table_rows_[row]);
  }
  std::size_t n_known(std::int64_t feature, std::span<const Entry> all) const;

  // Rows of one node lie scattered in the arrays of the target, and looking them up is
  // what scans and partitions wait for. From time to time, when nodes have become much
  // smaller, the open rows are numbered anew, node after node.
  bool renumbering_pays() const;
  void renumber();
  static Pieces groups_of(std::span<const Entry> list);
  Found scan_cut(Evaluator& evaluator, std::span<const Entry> all, std::size_t known,
                 double tolerance) const;
  Found scan_nominal(Evaluator& evaluator, Candidates candidates,
                     std::span<const Entry> all, std::size_t known,
                     double tolerance) const;
  void split_one(Evaluator& evaluator, Division& division, std::int64_t feature,
                 std::span<const Entry> all, std::int64_t position, double tolerance,
                 Branches& out);
  void divide(Evaluator& evaluator, Division& division, std::int64_t feature,
              std::span<const Entry> all, std::size_t known, std::int64_t position,
              double tolerance, Branches& out) const;
  void divide_by_subset(Evaluator& evaluator, Division& division, std::int64_t feature,
                        std::span<const Entry> all, std::size_t known, double tolerance,
                        Branches& out) const;
  std::int32_t missing_branch_of(const Division& division, bool any_missing) const;
  void build_list(std::int64_t feature);
  // Calls work(index of the node in the batch, feature, thread) for every pair.
  template <class Work>
  void for_each_pair(std::span<const std::int64_t> nodes, const Work& work) {
    const auto starts = chunk_starts(nodes, n_features());
    pool_.run(std::ssize(starts) - 1, [&](std::int64_t task, int thread) {
      std::int64_t index = starts[task] / n_features();
      std::int64_t feature = starts[task] % n_features();
      for (std::int64_t pair = starts[task]; pair < starts[task + 1]; ++pair) {
        // small nodes wait for memory: ask for the list after the next one
        if (feature + 2 < n_features())
          __builtin_prefetch(lists_[feature + 2].data() +
                             stretches_[nodes[index]].start);
        work(index, feature, thread);
        if (++feature < n_features()) continue;
        feature = 0;
        ++index;
      }
    });
  }
  std::vector<std::int64_t> chunk_starts(std::span<const std::int64_t> nodes,
                                         std::int64_t n_lists) const;
  std::int64_t weight_of(std::span<const Entry> entries) const;
  bool admits(std::span<const Entry> entries) const;
  std::vector<std::int64_t> weights_of(const Pieces& groups) const;

  std::vector<Column> columns_;
  Target target_;
  Rule rule_;
  std::int64_t n_rows_;
  ThreadPool pool_;
  Tables tables_;
  std::vector<std::unique_ptr<Evaluator>> evaluators_;  // one per thread
  std::vector<std::vector<Entry>> lists_;               // one per feature
  std::vector<std::vector<Entry>> spares_;              // one per thread
  std::vector<Division> divisions_;                     // likewise
  std::vector<Stretch> stretches_;                      // one per node ever opened
  std::vector<std::uint8_t> is_open_;                   // likewise
  std::int64_t n_open_nodes_ = 0, n_open_rows_ = 0;
  std::int64_t rows_per_node_ = 0;         // when rows were last numbered
  std::vector<std::uint32_t> table_rows_;  // by row; empty: the table's own numbers
  TargetStorage storage_;
  BranchOfRow branch_of_row_;
};

}  // namespace treewright
