// The sparse source: ordered columns without missing values in which most rows have one
// value (around.hpp), as the words of documents are. What it answers is what the memory
// source answers for the same columns; time and memory grow with the entries.
//
// Nodes keep a list of the features that have entries there; a feature without any has
// one value. The entries of a node and feature are one stretch, in code order; its
// branches stand one behind the other in the same place.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "around.hpp"
#include "memory.hpp"

namespace treewright {

// Entries feature after feature, each in code order.
struct SparseTable {
  std::span<const std::int64_t> starts;    // one per feature, and the end
  std::span<const std::uint32_t> rows;     // of the entries
  std::span<const std::uint32_t> codes;    // likewise
  std::span<const std::uint32_t> n_below;  // entries below the run, one per feature
  std::span<const std::uint32_t> run_codes;

  std::int64_t n_features() const { return std::ssize(run_codes); }
};

class SparseSource {
 public:
  SparseSource(const SparseTable& table, Target target, const Rule& rule,
               std::int64_t n_rows, int n_threads, const Roots& roots = {});

  ThreadPool& pool() { return rows_.pool(); }
  const Target& target() const { return rows_.target(); }
  int width() const { return rows_.width(); }
  std::int64_t n_features() const { return table_.n_features(); }
  std::int64_t n_roots() const { return rows_.n_roots(); }
  std::int64_t words_of_features() const { return (n_features() + 63) / 64; }

  void open_roots(std::span<std::int64_t> out, std::span<std::uint8_t> pure);

  // The split with the largest gain at each node, of equal ones that of the first
  // feature.
  void scan(std::span<const std::int64_t> nodes,
            std::span<const std::int64_t> statistics,
            std::span<const double> tolerances, std::span<DrawnFound> out);
  // As MemorySource::scan_drawn.
  void scan_drawn(std::span<const std::int64_t> nodes,
                  std::span<const std::int64_t> statistics,
                  std::span<const double> tolerances, const Draws& draws,
                  std::span<std::uint64_t> constant, std::span<DrawnFound> out);
  // Two branches per node.
  Branches split(std::span<const std::int64_t> nodes,
                 std::span<const std::int32_t> features,
                 std::span<const std::int64_t> positions);
  // The splits that `split` made last; the number of the first new open node.
  std::int64_t advance(std::span<const std::int64_t> nodes,
                       std::span<const std::int64_t> branch_rows,
                       std::span<const std::uint8_t> open);

 private:
  struct Listed {  // the entries of one feature at one node
    std::int64_t start;
    std::uint32_t n_entries, n_below, feature;
  };
  struct Node {
    std::int64_t start, n_rows;  // of its rows, in order_
    std::vector<Listed> listed;  // in column order
  };
  // Parts of one stretch that two branches have.
  struct Parts {
    std::uint32_t n_entries[2] = {0, 0}, n_below[2] = {0, 0};
  };
  struct Sides {
    std::vector<Entry> left, right;
  };

  AroundRun around(const Node& node, const Listed& listed) const {
    return {std::span(entries_).subspan(listed.start, listed.n_entries), listed.n_below,
            node.n_rows};
  }
  std::span<Entry> rows_of(const Node& node) {
    return std::span(order_).subspan(node.start, node.n_rows);
  }
  void list_entries(std::int64_t root, std::span<const std::uint32_t> number);
  Found look(Evaluator& evaluator, const AroundRun& list, double base,
             double tolerance) const;
  void look_at_drawn(const Node& node, std::uint64_t key, const Draws& draws,
                     std::span<std::uint64_t> constant,
                     std::span<const std::int64_t> statistic, double tolerance,
                     int thread, FeatureOrder& order,
                     std::vector<std::uint32_t>& place_of_feature,
                     std::vector<DrawnFound>& answers);
  void split_one(Node& node, const Listed& listed, std::int64_t position, int thread,
                 Branches& out);
  void note_codes(const AroundRun& list, std::int64_t position, std::uint32_t run_code,
                  Branches& out) const;
  Parts partition_entries(const Listed& listed, std::span<const std::uint8_t> open,
                          std::vector<Coded>& spare);
  void partition_rows(const Node& node, std::span<const std::uint8_t> open);
  // Calls work(index of the node, place in its list, thread) for every pair, in tasks
  // of about as many entries each.
  using Work = std::function<void(std::int64_t, std::int64_t, int)>;
  void for_each_listed(std::span<const std::int64_t> nodes, const Work& work);

  SparseTable table_;
  MemorySource rows_;  // of no columns: the target, its evaluators, the threads
  Rule rule_;
  std::vector<Coded> entries_;
  std::vector<Entry> order_;            // rows, node after node
  std::vector<std::uint8_t> on_right_;  // by row
  std::vector<Node> nodes_;             // ever opened
  std::vector<Sides> sides_;            // one per thread, to work in
};

}  // namespace treewright
