// What the memory source is told, what it answers, and what its steps hand on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "draw.hpp"
#include "evaluator.hpp"
#include "memory_surrogates.hpp"

namespace treewright {

// drawn_set: any set of values and the rest, drawn and not searched for.
enum class Candidates : std::uint8_t {
  cut,
  multiway,
  subset,
  one_value,
  groups,
  drawn_set
};
// Whether a list with two sides is all that a split needs to know.
inline bool makes_two_sides(Candidates candidates) {
  return candidates == Candidates::cut || candidates == Candidates::drawn_set;
}
// What rows without a value do: there are none; a branch of their own; the heaviest
// branch; a share of them down every branch; the most common value at the node, of all
// rows or of those of their class; the one branch that suits them best; where other
// features say that they belong.
enum class Missing : std::uint8_t {
  none,
  own_branch,
  majority,
  fractional,
  node_value,
  class_value,
  learned,
  surrogates
};

// Cells from which cuts are drawn: numbers, ranks of categories (codes, if the feature
// is nominal), or integers that are rounded, whose cuts are told by their codes.
enum class Cells : std::uint8_t { numbers, ranks, rounded };

// Codes of one feature; `n_codes` itself means missing.
struct Column {
  const void* codes = nullptr;
  int bytes = 4;  // per code: 1, 2 or 4
  std::uint32_t n_codes = 0;
  bool has_missing = false;
  Candidates candidates = Candidates::cut;
  // Value of each code; given only where `Rule::min_gap` may forbid a cut, or for
  // `Rule::cuts_by_range`.
  std::span<const double> values;
  // Where cuts are drawn: the rows' cells, `stride` apart, NaN for missing ones.
  const double* cells = nullptr;
  std::int64_t stride = 0;
  Cells kind_of_cells = Cells::numbers;
  double scale = 1;  // of the weights that it gets in sums

  double cell(std::uint32_t row) const { return cells[row * stride]; }
  std::uint32_t code(std::uint32_t row) const {
    if (bytes == 1) return static_cast<const std::uint8_t*>(codes)[row];
    if (bytes == 2) return static_cast<const std::uint16_t*>(codes)[row];
    return static_cast<const std::uint32_t*>(codes)[row];
  }
};

// The rows that each of several trees grows from, tree after tree. Without starts there
// is one tree, from all rows.
struct Roots {
  std::span<const std::uint32_t> rows;    // of the table
  std::span<const std::uint32_t> counts;  // how often each was drawn; empty: once
  std::span<const std::int64_t> starts;   // one per tree, and the end
  std::int64_t n_looked = 0;              // features that a node looks at; 0: all

  std::int64_t n_trees() const {
    return std::max(std::ssize(starts) - 1, std::ptrdiff_t{1});
  }
  // Whether nodes look at so few of the features that putting the codes of these in
  // order takes less than dividing a list of each feature.
  bool looks_at_some(std::int64_t n_features) const {
    constexpr std::int64_t costs_of_looking = 3;  // of those of dividing, measured
    return n_looked > 0 && n_features >= costs_of_looking * n_looked;
  }
  // Whether nodes look at so few of the features that sorting their rows each time
  // takes less than keeping a list of every feature in order.
  bool few_looked(std::int64_t n_features) const {
    constexpr std::int64_t costs_of_sorting = 12;  // of those of keeping, measured
    return n_looked > 0 && n_features > costs_of_sorting * n_looked;
  }
};

struct Rule {
  Limits limits;
  Missing missing = Missing::none;
  // A feature's gain is that of its rows with a value, times their share of all rows.
  bool discounts_missing = true;
  std::int64_t max_surrogates = 5;
  // Nominal surrogates need two rows that they send elsewhere, instead of two rows each
  // way.
  bool two_disagree = false;
  // Cuts: each side needs a tenth of the known weight per class, if that is between
  // limits.min_weight and `most_per_side` (C4.5's rule); 0: limits.min_weight alone.
  std::int64_t most_per_side = 0;
  // Multiway splits: two branches must reach the limits, not all.
  bool two_branches = false;
  // Cuts: every one is scored, in order, and replaces the best so far only if it beats
  // it by more than the tolerance (as Weka does); the gain must be above it too.
  bool every_cut = false;
  // Detail::n_cuts is the number of distinct values minus one, not of admissible cuts.
  bool count_values = false;
  // Detail::n_cuts is no more than the gaps as wide as the chosen one that fill the
  // range of the values at the node (C5.0); for columns that come with their values.
  bool cuts_by_range = false;
  // Rows without a value are not divided among branches with a smaller share of the
  // known weight (J48); the heaviest branch always gets its part.
  double min_share = 0;
  // Cuts lie between values that differ by more than this.
  double min_gap = 0;
  // Weights that fall short of a limit by this much still reach it.
  double slack = 0;
  bool wants_information = false;  // whether details are needed
  // Nodes draw weighted sums of so many features; 0: they look at single features.
  std::int64_t n_combined = 0;
  // Groups: score that a bit for naming them takes away; 0: they are named for free.
  double charge_unit = 0;
};

// The features, or weighted sums, that each node draws to look at.
struct Draws {
  std::span<const std::uint64_t> keys;  // of the nodes
  std::int64_t n_features = 0;          // how many
  // Whether features with a single value count among them. Then more are looked at only
  // until one has two values; else until there are that many with two.
  bool counts_constant = true;
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

// The same of a feature that a node has drawn; -1: there was none.
struct DrawnFound {
  double gain = one_value;
  std::int64_t position = 0;  // -1 - draw, where the cut is drawn
  std::int64_t feature = -1;
};

// What only some dialects ask about it.
struct Detail {
  double n_cuts = 0;  // cuts that were admissible, or what `Rule` says instead
  // Entropy in bits of the branches' weights, the rows without a value being one more.
  double split_information = 0;
  double charge = 0;  // groups: bits that name them
};

struct Candidate {
  double gain = one_value;
  std::int64_t position = 0;
  double n_cuts = 0;
  double split_information = 0;
  double charge = 0;
};

// The branches of chosen splits, node after node.
struct Branches {
  // per branch
  std::vector<std::int64_t> n_rows;
  std::vector<std::int64_t> known;       // weight of the rows with a value
  std::vector<std::int64_t> statistics;  // width numbers each
  std::vector<std::uint8_t> pure;
  // per node
  std::vector<std::int64_t> n_branches;
  // how many of `set`; subset: the codes of branch 0, groups: the branch of each code,
  // weighted sums: what they add up
  std::vector<std::int64_t> n_set;
  std::vector<std::int64_t> low, high;       // cut: the codes on both sides of it
  std::vector<std::int32_t> missing_branch;  // or every_branch, or -1
  std::vector<std::int32_t> set;
  std::vector<double> threshold;  // only where cuts are drawn; NaN: not a cut
  Surrogates surrogates;

  void append(const Branches& more);
};

// When a node is a leaf without being looked at, besides being pure.
struct LeafLimits {
  std::int64_t min_rows_in_leaf = 1;
  std::int64_t min_rows_to_split = 2;
  std::int64_t max_depth = std::numeric_limits<std::int64_t>::max();

  // Of classes, in the data's units: a node that weighs less, and one whose rows agree
  // but for so much.
  double min_weight_to_split = 0;
  double slack = 0;

  bool make_leaf(std::int64_t n_rows, std::int64_t depth) const {
    return n_rows < 2 * min_rows_in_leaf || n_rows < min_rows_to_split ||
           depth >= max_depth || n_rows == 0;
  }
  bool look_at_weights() const { return min_weight_to_split > 0 || slack > 0; }
};

// All that grows below some open nodes. The branches of all splits are numbered 0, 1,
// ... in order; a node is such a number, or -1 - k for the k-th of the open nodes.
struct GrownOut {
  // per split, a node after its parent
  std::vector<std::int64_t> node;
  std::vector<std::int32_t> feature;
  std::vector<std::int64_t> position;
  std::vector<double> gain;  // in units of the score
  Branches branches;
  std::vector<std::int32_t> depth;  // per branch
  // nodes that were looked at and have no split; and why: a `Choice`
  std::vector<std::int64_t> unsplit;
  std::vector<std::uint8_t> why;

  // Makes room for so many splits in two, with `width` numbers for each branch.
  void reserve(std::int64_t n_splits, std::int64_t width);
  void append(const GrownOut& more);
};

// The tables behind splits, one after the other: the branches; all rows that the gain
// is about as one; and those that have no value and are not among them.
struct Tabulated {
  Branches branches;  // without `known`, `missing_branch` and surrogates
  std::vector<std::int64_t> known_statistics, missing_statistics, n_missing;
};

// The cuts of one feature at one node, from low to high, as in `Found`, with the codes
// on both sides.
struct ScoredCuts {
  std::vector<std::int64_t> position, low, high;
  std::vector<double> gain;
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

// A node's list in which rows without a value stand with those of some value.
struct Filled {
  std::vector<Entry> entries;
  std::uint32_t usual = 0;  // a row with the most common value
};

// The best split if all rows without a value take one branch.
struct Learned {
  Candidate found;
  std::vector<Entry> entries;  // of a cut: the list in which it was found
  std::int32_t branch = 0;     // of a multiway split: the group
};

// What a thread knows of the node that it looks at: most features share its total.
struct Looking {
  std::int64_t begun = -1;  // index in the batch
  double base = 0;
  std::vector<Entry> filled;
  std::vector<std::int64_t> left, right;  // sums of two sides
};

// What a thread needs where nodes draw features, and what it has found.
struct Answer {
  std::int64_t feature;
  Candidate found;
};
class BitRows;
class CodeRows;
struct Drawer {
  explicit Drawer(std::int64_t n_features) : order(n_features) {}
  Looking looking;
  FeatureOrder order;
  std::vector<Answer> answers;  // of one node, in column order
  // Whether lists are packed, the row that packed ones count from, and a list that
  // was unpacked.
  bool packed = false;
  std::uint32_t first_row = 0;
  std::vector<Entry> unpacked;
  BitRows* bits = nullptr;    // the columns that are not in lists, if there are any
  CodeRows* codes = nullptr;  // instead of lists
};

}  // namespace treewright
