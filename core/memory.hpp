// The memory source: all columns in memory, every open node as one stretch per column.
//
// Each column has a list of entries (see scan.hpp) in code order; an open node owns the
// same stretch [start, start + n_rows) of every list. A batch of nodes goes through
//   scan      for each node and feature the best split and its gain
//   split     for the chosen ones: the branches, their statistics, who goes where
//   advance   the lists are partitioned; open branches become open nodes
// Each (node, feature) is one piece of work with an output of its own, so the answer
// does not depend on the number of threads.
//
// Several trees may grow side by side, each from rows of its own (`Roots`): their roots
// are the first open nodes. Where such trees look at few of the features per node there
// is one list, of the rows of each node; others are made when they are asked for.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "bit_rows.hpp"
#include "code_rows.hpp"
#include "combinations.hpp"
#include "draw.hpp"
#include "drawn_sides.hpp"
#include "evaluator.hpp"
#include "grouping.hpp"
#include "late_lists.hpp"
#include "memory_types.hpp"
#include "nominal.hpp"
#include "partition.hpp"
#include "threads.hpp"
#include "walk.hpp"

namespace treewright {

struct Choosing;

class MemorySource {
 public:
  MemorySource(std::vector<Column> columns, Target target, Rule rule,
               std::int64_t n_rows, int n_threads, const Roots& roots = {});

  // Sorts every column, or copies what another source of these columns has sorted; to
  // be called once, before anything else. `sorted` is of the whole table,
  // whatever rows the trees have.
  using Lists = std::vector<std::vector<Entry>>;
  void build_lists(const Lists* sorted = nullptr);
  const Lists& lists() const { return lists_; }

  ThreadPool& pool() { return pool_; }
  const Target& target() const { return target_; }
  int width() const { return target_.width(); }
  std::int64_t n_features() const { return static_cast<std::int64_t>(columns_.size()); }

  std::int64_t n_roots() const { return std::ssize(root_starts_) - 1; }

  // What the sparse source shares.
  Evaluator& evaluator(int thread) { return *evaluators_[thread]; }
  const Rule& rule() const { return rule_; }
  std::int64_t n_rows() const { return n_rows_; }
  std::array<std::int64_t, 2> rows_of_root(std::int64_t root) const {
    return {root_starts_[root], root_starts_[root + 1]};
  }
  std::int64_t weight_of(std::span<const Entry> entries) const;

  // Opens the roots, nodes 0, 1, ...: width numbers each go to `out`, and to `pure`
  // whether all rows agree.
  void open_roots(std::span<std::int64_t> out, std::span<std::uint8_t> pure);

  // statistics: width numbers per node. allowed: n_features flags per node, or empty.
  // out, details: n_features answers per node; details may be empty.
  void scan(std::span<const std::int64_t> nodes,
            std::span<const std::int64_t> statistics,
            std::span<const double> tolerances, std::span<const std::uint8_t> allowed,
            std::span<Found> out, std::span<Detail> details = {});

  // The same for features that each node draws (memory_draws.cpp): draws.n_features
  // answers per node, in column order. constant: bits of the features that are known to
  // have a single value, `words_of_features()` per node; those found here are added.
  void scan_drawn(std::span<const std::int64_t> nodes,
                  std::span<const std::int64_t> statistics,
                  std::span<const double> tolerances,
                  std::span<const std::uint8_t> allowed, const Draws& draws,
                  std::span<std::uint64_t> constant, std::span<DrawnFound> out,
                  std::span<Detail> details = {});
  std::int64_t words_of_features() const { return (n_features() + 63) / 64; }

  // One chosen feature and position per node.
  Branches split(std::span<const std::int64_t> nodes,
                 std::span<const std::int32_t> features,
                 std::span<const std::int64_t> positions,
                 std::span<const double> tolerances);

  // The splits that `split` made last. open: for each branch of each node, one after
  // the other, whether it stays open; n_branches: how many each node has; branch_rows,
  // known: as `split` gave them. Returns the number of the first new open node; the
  // others follow in order. Nodes that were split are gone.
  std::int64_t advance(std::span<const std::int64_t> nodes,
                       std::span<const std::int32_t> features,
                       std::span<const std::int64_t> n_branches,
                       std::span<const std::int64_t> branch_rows,
                       std::span<const std::int64_t> known,
                       std::span<const std::uint8_t> open);

  // The three steps for all that is below open nodes, and the choice between the first
  // two: for small nodes, which are many (memory_grow_out.cpp). Only where rows
  // are neither divided nor follow surrogates, and no feature makes groups or very many
  // branches. statistics, depths, draws.keys, constant, allowed: of the nodes; draws
  // without features look at all, and so do flags of no feature.
  GrownOut grow_out(std::span<const std::int64_t> nodes,
                    std::span<const std::int64_t> statistics,
                    std::span<const std::int32_t> depths,
                    std::span<const std::uint64_t> constant,
                    std::span<const std::uint8_t> allowed, const Draws& draws,
                    const LeafLimits& limits, const Choosing& choosing);
  bool can_grow_out() const;

  // To show how a choice was made (memory_tables.cpp): the branches of splits that need
  // not be chosen, without the rows that have no value unless the gain counts them; and
  // every admissible cut of a feature with its gain. A node may be asked about often.
  Tabulated tabulate(std::span<const std::int64_t> nodes,
                     std::span<const std::int32_t> features,
                     std::span<const std::int64_t> positions,
                     std::span<const double> tolerances) const;
  ScoredCuts score_cuts(std::int64_t node, std::int64_t feature,
                        double tolerance) const;

 private:
  struct Stretch {
    std::int64_t start, n_rows;
  };
  struct Listed {
    std::vector<Entry> own;
    std::span<const Entry> all;
    std::size_t known = 0;
  };
  Listed listed(Evaluator& evaluator, std::int64_t node, std::int64_t feature,
                double tolerance) const;

  Candidate look(Evaluator& evaluator, Looking& looking, std::int64_t index,
                 std::int64_t feature, std::span<const Entry> all,
                 std::span<const std::int64_t> statistic, double tolerance) const;
  // As `entries`, of lists that may be packed.
  std::span<const Entry> entries_for(Drawer& drawer, std::int64_t feature,
                                     const Stretch& stretch, int thread) const;
  // Looks at the features that a node draws, or at all of them if none are drawn.
  // constant: its bits, to which those found are added.
  void look_at_node(Drawer& drawer, std::int64_t index, const Stretch& stretch,
                    std::uint64_t key, const Draws& draws,
                    std::span<std::uint64_t> constant,
                    std::span<const std::uint8_t> allowed,
                    std::span<const std::int64_t> statistic, double tolerance,
                    int thread);
  class GrowingOut;
  friend class GrowingOut;
  Candidate look_drawn(Looking& looking, std::int64_t index, std::int64_t feature,
                       const Stretch& stretch, std::uint64_t draw, int thread,
                       std::span<const std::int64_t> statistic, double tolerance);
  bool counts_sides() const;
  Candidate count_sides(Looking& looking, const Evaluator& evaluator,
                        std::span<const Entry> rows, const DrawnSides& sides,
                        std::span<const std::int64_t> statistic) const;
  Candidate look_at_bit(Drawer& drawer, std::int64_t index, std::int64_t feature,
                        const Stretch& stretch, int thread,
                        std::span<const std::int64_t> statistic) const;
  Candidate look_at_codes(Drawer& drawer, std::int64_t index, const Stretch& stretch,
                          int thread, std::span<const std::int64_t> statistic,
                          double tolerance) const;
  // Whether small nodes count and sort codes instead of keeping lists in order.
  bool can_count_codes() const;
  void split_by_codes(CodeRows& codes, std::int64_t feature,
                      std::span<const std::int64_t> statistic, Branches& out) const;
  Candidate score_of_sides(const Looking& looking, const Evaluator& evaluator,
                           std::int64_t n_left, std::int64_t n_right) const;
  std::span<const Entry> rows_of_node(const Stretch& stretch) const;
  // The list that a chosen split divides, and its position there.
  std::span<const Entry> entries_of_split(std::int64_t feature, const Stretch& stretch,
                                          int thread, std::int64_t& position);
  void note_drawn_sides(std::int64_t feature, std::int64_t drawn,
                        std::span<const Entry> all, int thread, Branches& out) const;
  // Weighted sums of features (memory_combinations.cpp).
  void scan_combined(std::span<const std::int64_t> nodes,
                     std::span<const std::int64_t> statistics,
                     std::span<const double> tolerances, const Draws& draws,
                     std::span<DrawnFound> out, std::span<Detail> details);
  std::span<const Entry> entries_of_combination(const Stretch& stretch, int thread,
                                                double tolerance,
                                                std::int64_t& position);
  void note_combination(std::int64_t position, int thread, Branches& out) const;
  bool draws_cuts() const { return !columns_.empty() && columns_[0].cells; }

  // The rows of a node in the order of a feature's codes. What a thread gets of trees
  // with rows of their own is valid until it asks again.
  std::span<const Entry> entries(std::int64_t feature, const Stretch& stretch,
                                 int thread) const {
    const auto list = std::span(lists_[makes_lists_ ? 0 : feature]);
    const auto own = list.subspan(stretch.start, stretch.n_rows);
    return makes_lists_
               ? late_lists_[thread].sorted(columns_[feature], own, table_rows_)
               : own;
  }
  std::int64_t n_lists() const { return std::ssize(lists_); }
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
  // Whether no split has more than two branches, and lists are kept.
  bool can_pack() const;
  bool keeps_bits() const;
  static Pieces groups_of(std::span<const Entry> list);
  bool plain_cuts() const;
  Limits limits_of_cut(std::int64_t known, double base) const;
  std::vector<Entry> wide_gaps(std::int64_t feature,
                               std::span<const Entry> known) const;
  double gaps_in_range(std::int64_t feature, std::span<const Entry> values,
                       std::int64_t position) const;
  // base: score of the known rows as one branch
  Candidate scan_cut(Evaluator& evaluator, std::int64_t feature,
                     std::span<const Entry> all, std::size_t known, double base,
                     double tolerance) const;
  Candidate scan_nominal(Evaluator& evaluator, std::int64_t feature,
                         std::span<const Entry> all, std::size_t known, double base,
                         double tolerance) const;
  Candidate scan_one_value(Evaluator& evaluator, std::int64_t feature,
                           const Pieces& groups,
                           const std::vector<std::int64_t>& weights,
                           std::int64_t missing, double base, double tolerance) const;
  bool admits_multiway(const Pieces& groups,
                       std::span<const std::int64_t> weights) const;
  // Groups of values (memory_groups.cpp).
  Grouping group_values(Evaluator& evaluator, const Pieces& groups,
                        std::span<const Entry> missing, double base,
                        double tolerance) const;
  Candidate scan_groups(Evaluator& evaluator, std::span<const Entry> all,
                        std::size_t known, double base, double tolerance) const;
  void divide_by_groups(Division& division, std::int64_t feature, const Pieces& groups,
                        const Grouping& grouping, Branches& out) const;
  SingleGain single_gain_of(const Evaluator& evaluator, double base,
                            std::span<const Entry> all, std::size_t known,
                            bool is_cut) const;
  // Split information: of the branches, and of the rows that are in none.
  double information(std::span<const std::int64_t> weights,
                     std::int64_t missing = 0) const;
  double information(std::initializer_list<std::int64_t> weights,
                     std::int64_t missing = 0) const {
    return information(std::span(weights.begin(), weights.size()), missing);
  }

  // Rows without a value take one of the others' (memory_missing.cpp).
  bool fills() const {
    return rule_.missing == Missing::node_value ||
           rule_.missing == Missing::class_value;
  }
  Filled fill(std::int64_t feature, std::span<const Entry> all,
              std::size_t known) const;
  std::vector<std::size_t> common_groups(const Pieces& groups, bool ordered,
                                         bool by_class) const;
  static std::vector<Entry> joined(std::span<const Entry> all, std::size_t known,
                                   bool low);
  Learned learn_cut(Evaluator& evaluator, std::int64_t feature,
                    std::span<const Entry> all, std::size_t known, double base,
                    double tolerance) const;
  Learned learn_branch(Evaluator& evaluator, const Pieces& groups,
                       std::span<const Entry> missing, double tolerance) const;
  Subset learn_subset(Evaluator& evaluator, const Pieces& groups,
                      std::span<const Entry> missing, double tolerance) const;
  Subset learn_subset_with_a_value(Evaluator& evaluator, const Pieces& groups,
                                   std::span<const Entry> missing,
                                   double tolerance) const;
  static std::vector<std::size_t> values_near(Evaluator& evaluator,
                                              const Pieces& groups,
                                              std::span<const Entry> missing);
  Candidate scan_learned(Evaluator& evaluator, std::int64_t feature,
                         std::span<const Entry> all, std::size_t known, double base,
                         double tolerance) const;

  // Fractional rows: a row without a value gets a copy in each branch.
  void fill_bytes();
  void own_target();
  void own_target(const Roots& roots);
  std::vector<Share> shares_of(std::span<const std::int64_t> known) const;
  bool spread_rows(std::int64_t feature, const Stretch& stretch,
                   std::span<const std::int64_t> known,
                   std::span<const std::uint8_t> open);
  void make_room();
  void split_one(Evaluator& evaluator, Division& division, std::int64_t feature,
                 std::span<const Entry> all, std::int64_t position, double tolerance,
                 Branches& out);
  Entry last_below(std::int64_t feature, std::span<const Entry> values,
                   std::int64_t position) const;
  void divide(Evaluator& evaluator, Division& division, std::int64_t feature,
              std::span<const Entry> all, std::size_t known, std::int64_t position,
              double tolerance, Branches& out) const;
  void divide_by_subset(Division& division, std::int64_t feature, const Pieces& groups,
                        const Subset& subset, Branches& out) const;
  std::int32_t divide_learned(Evaluator& evaluator, Division& division,
                              std::int64_t feature, std::span<const Entry> all,
                              std::size_t known, double tolerance,
                              std::vector<Entry>& list, Branches& out) const;
  void divide_by_value(Division& division, std::int64_t feature,
                       std::span<const Entry> values, std::int64_t position,
                       Branches& out) const;
  void set_branch(std::span<const Entry> rows, std::int64_t branch,
                  std::int64_t n_branches);
  void add_fractions(Evaluator& evaluator, Division& division,
                     std::span<const Entry> missing, Branches& out);
  std::int32_t missing_branch_of(const Division& division) const;
  std::int32_t missing_branch_of(std::span<const std::int64_t> statistics) const;
  // A new node's places in the lists per node.
  static void start_node(Branches& out);
  // From entries on both sides of cuts to their codes, for all nodes at once.
  void look_up_sides(std::span<const std::int32_t> features, Branches& out) const;

  // Rows without a value follow surrogates (memory_surrogates.cpp).
  Branches split_with_surrogates(std::span<const std::int64_t> nodes,
                                 std::span<const std::int32_t> features,
                                 std::span<const std::int64_t> positions,
                                 std::span<const double> tolerances);
  std::array<std::int64_t, 3> weight_of_sides(std::span<const Entry> rows) const;
  Surrogate find_surrogate_cut(std::span<const Entry> values) const;
  Surrogate find_surrogate_sets(std::span<const Entry> values) const;
  std::vector<Surrogate> find_surrogates(std::span<const std::int64_t> nodes,
                                         std::span<const std::int32_t> features);
  std::vector<std::int32_t> best_surrogates(std::span<const Surrogate> found,
                                            std::int64_t majority) const;
  void add_surrogate(std::int32_t feature, const Surrogate& found,
                     const Stretch& stretch, int thread, Surrogates& out) const;
  std::int32_t surrogate_branch(const Surrogates& surrogates, std::int64_t n,
                                Entry entry, std::int32_t otherwise) const;
  void send_missing(std::span<const Surrogate> found, const Stretch& stretch,
                    std::int64_t feature, std::int32_t heavier, int thread,
                    Surrogates& out);
  void sum_up_sides(Evaluator& evaluator, std::span<const Entry> all,
                    Branches& out) const;
  std::vector<Entry> table_in_order(std::int64_t feature) const;
  std::vector<std::uint32_t> numbers_in_roots() const;
  void build_list(std::int64_t feature, const std::vector<Entry>* sorted,
                  std::span<const std::uint32_t> numbers);
  // Calls work(index of the node in the batch, feature or list, thread) for every pair.
  template <class Work>
  void for_each_pair(std::span<const std::int64_t> nodes, std::int64_t n_features,
                     const Work& work) {
    const auto starts = chunk_starts(nodes, n_features);
    pool_.run(std::ssize(starts) - 1, [&](std::int64_t task, int thread) {
      std::int64_t index = starts[task] / n_features;
      std::int64_t feature = starts[task] % n_features;
      for (std::int64_t pair = starts[task]; pair < starts[task + 1]; ++pair) {
        // small nodes wait for memory: ask for the list after the next one
        if (feature + 2 < n_lists())
          __builtin_prefetch(lists_[feature + 2].data() +
                             stretches_[nodes[index]].start);
        work(index, feature, thread);
        if (++feature < n_features) continue;
        feature = 0;
        ++index;
      }
    });
  }
  std::vector<std::int64_t> chunk_starts(std::span<const std::int64_t> nodes,
                                         std::int64_t n_lists) const;
  bool admits(std::span<const Entry> entries) const;
  std::vector<std::int64_t> weights_of(const Pieces& groups) const;

  std::vector<Column> columns_;
  Target target_;
  Rule rule_;
  std::int64_t n_table_rows_;
  std::int64_t n_rows_;  // of all roots
  ThreadPool pool_;
  Tables tables_;
  std::vector<std::unique_ptr<Evaluator>> evaluators_;  // one per thread
  bool has_roots_;                                      // each with rows of its own
  bool counts_codes_ = false;                           // of small nodes
  bool makes_lists_ = false;  // when they are asked for; only one is kept then
  std::vector<std::int64_t> root_starts_;
  Lists lists_;                                // one per feature
  mutable std::vector<LateLists> late_lists_;  // one per thread, to work in
  std::vector<DrawnSides> drawn_sides_;        // likewise
  std::vector<Combinations> combinations_;     // likewise
  std::vector<Spare> spares_;                  // one per thread
  std::vector<Division> divisions_;            // likewise
  std::vector<Stretch> stretches_;             // one per node ever opened
  std::vector<std::uint8_t> is_open_;          // likewise
  std::int64_t n_open_nodes_ = 0, n_open_rows_ = 0;
  std::int64_t n_working_rows_ = 0;  // the table's own and copies
  std::int64_t end_of_lists_ = 0;
  std::int64_t rows_per_node_ = 0;         // when rows were last numbered
  bool rows_are_together_ = false;         // those of each open node, by number
  std::vector<std::uint32_t> table_rows_;  // by row; empty: the table's own numbers
  TargetStorage storage_;
  BranchOfRow branch_of_row_;
};

}  // namespace treewright
