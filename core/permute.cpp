#include "permute.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "draw.hpp"

namespace treewright {
namespace {

// Apart from the keys of a tree's branches.
constexpr std::uint64_t of_permutations = 0xA0761D6478BD642Fu;

// Where a row is asked about a feature first.
struct Meeting {
  std::uint32_t place;  // of the row among those that are asked about
  std::int32_t node;
};

// Walks all rows once; tells `meet(feature, meeting)` where each meets each feature.
template <class Meet>
std::vector<std::int32_t> ends_and_meetings(const AskedTree& asked,
                                            const KnownRows& known,
                                            const ThreadPool& pool, const Meet& meet) {
  const TreeView& tree = asked.tree;
  const SurrogatesView& surrogates = tree.surrogates;
  std::vector<std::int32_t> ends(asked.rows.size());
  std::vector<std::uint32_t> met(known.n_features);  // place + 1 of the last row
  for (std::uint32_t place = 0; place < asked.rows.size(); ++place) {
    if (place % 4096 == 0) pool.pause();
    const double* cells = known.cells.data() + asked.rows[place] * known.n_features;
    std::int32_t node = 0;
    const auto ask = [&](std::int32_t feature) {
      if (met[feature] != place + 1) meet(feature, Meeting{place, node});
      met[feature] = place + 1;
    };
    while (static_cast<NodeKind>(tree.kind[node]) != NodeKind::leaf) {
      ask(tree.feature[node]);
      if (static_cast<NodeKind>(tree.kind[node]) == NodeKind::combination) {
        const TermsView terms = terms_of(tree, node);
        for (std::size_t term = 1; term < terms.size(); ++term)
          ask(terms.feature(term));
      }
      // without a value other features speak; that one of them may be silent is fine,
      // walking again then ends where it did
      if (!surrogates.start.empty() && std::isnan(cells[tree.feature[node]]))
        for (auto which = surrogates.start[node]; which < surrogates.start[node + 1];
             ++which)
          ask(surrogates.feature[which]);
      const std::int32_t branch = next_branch(tree, node, cells);
      if (branch < 0) break;
      node = tree.first_child[node] + branch;
    }
    ends[place] = node;
  }
  return ends;
}

// Whether a node may look at more than one cell.
bool asks_several(const TreeView& tree) {
  return !tree.surrogates.start.empty() ||
         std::ranges::any_of(tree.kind, [](std::uint8_t kind) {
           return static_cast<NodeKind>(kind) == NodeKind::combination;
         });
}

// A cut in 16 bytes; a leaf leads to itself.
struct Step {
  double threshold;
  std::int32_t feature, first_child;
};

// The walks of rows that have another value of one feature, from where they meet it.
class ChangedWalks {
 public:
  ChangedWalks(const AskedTree& asked, const KnownRows& known)
      : asked_(asked),
        known_(known),
        scratch_(asks_several(asked.tree) ? known.n_features : 0) {
    const TreeView& tree = asked.tree;
    const auto is_plain = [](std::uint8_t kind) {
      return static_cast<NodeKind>(kind) == NodeKind::leaf ||
             static_cast<NodeKind>(kind) == NodeKind::cut;
    };
    if (!known.complete || !std::ranges::all_of(tree.kind, is_plain)) return;
    steps_.resize(tree.kind.size());
    for (std::size_t node = 0; node < steps_.size(); ++node)
      if (static_cast<NodeKind>(tree.kind[node]) == NodeKind::leaf)
        steps_[node] = {std::numeric_limits<double>::infinity(), 0,
                        static_cast<std::int32_t>(node)};
      else
        steps_[node] = {tree.threshold[node], tree.feature[node],
                        tree.first_child[node]};
  }

  // values: for each place the one that its row has now. Calls at_end(meeting, node).
  template <class AtEnd>
  void run(std::int32_t feature, std::span<const Meeting> meetings,
           std::span<const double> values, const AtEnd& at_end) {
    if (steps_.empty()) {
      for (const Meeting& meeting : meetings)
        at_end(meeting, end(meeting, feature, values[meeting.place]));
      return;
    }
    // a few at a time, as in voter.cpp: each step waits for memory
    for (std::size_t first = 0; first < meetings.size(); first += together) {
      const std::size_t n = std::min(together, meetings.size() - first);
      const auto nodes = ends(feature, meetings.subspan(first, n), values);
      for (std::size_t which = 0; which < n; ++which)
        at_end(meetings[first + which], nodes[which]);
    }
  }

 private:
  static constexpr std::size_t together = 8;

  const double* cells_of(const Meeting& meeting) const {
    return known_.cells.data() + asked_.rows[meeting.place] * known_.n_features;
  }

  std::array<std::int32_t, together> ends(std::int32_t feature,
                                          std::span<const Meeting> meetings,
                                          std::span<const double> values) const {
    std::array<const double*, together> cells;
    std::array<double, together> value;
    std::array<std::int32_t, together> nodes;
    for (std::size_t which = 0; which < together; ++which) {
      const Meeting& meeting = meetings[std::min(which, meetings.size() - 1)];
      cells[which] = cells_of(meeting);
      value[which] = values[meeting.place];
      nodes[which] = meeting.node;
    }
    for (std::int32_t moved = 1; moved != 0;) {
      moved = 0;
      for (std::size_t which = 0; which < together; ++which) {
        const Step& step = steps_[nodes[which]];
        const double own = cells[which][step.feature];
        const double cell = step.feature == feature ? value[which] : own;
        const std::int32_t next = step.first_child + (cell > step.threshold);
        moved |= next ^ nodes[which];
        nodes[which] = next;
      }
    }
    return nodes;
  }

  std::int32_t end(const Meeting& meeting, std::int32_t feature, double value) {
    const TreeView& tree = asked_.tree;
    const double* cells = cells_of(meeting);
    if (!scratch_.empty()) {  // any cell may be looked at
      std::copy_n(cells, scratch_.size(), scratch_.begin());
      scratch_[feature] = value;
      return end_of_walk(tree, meeting.node, scratch_.data());
    }
    std::int32_t node = meeting.node;
    while (static_cast<NodeKind>(tree.kind[node]) != NodeKind::leaf) {
      const std::int32_t branch = tree.feature[node] == feature
                                      ? branch_of(tree, node, value)
                                      : next_branch(tree, node, cells);
      if (branch < 0) break;
      node = tree.first_child[node] + branch;
    }
    return node;
  }

  const AskedTree& asked_;
  const KnownRows& known_;
  std::vector<double> scratch_;
  std::vector<Step> steps_;
};

double squared(double x) { return x * x; }

// Adds what it costs that a row ends at `after` instead of `before`.
void add_loss(const AskedTree& asked, const KnownRows& known, std::int64_t row,
              std::int32_t before, std::int32_t after, double* out) {
  const bool is_classes = !known.first_slot.empty();
  for (std::int64_t output = 0; output < known.n_outputs; ++output) {
    const double actual = known.target[row * known.n_outputs + output];
    const double old = asked.answers[before * known.n_outputs + output];
    const double now = asked.answers[after * known.n_outputs + output];
    if (is_classes)
      out[known.first_slot[output] + static_cast<std::int64_t>(actual)] +=
          known.weights[row] * ((old == actual) - (now == actual));
    else
      out[output] +=
          known.weights[row] * (squared(now - actual) - squared(old - actual));
  }
}

}  // namespace

std::vector<std::uint32_t> permutation(std::uint64_t tree_key, std::int64_t feature,
                                       std::int64_t n) {
  Random64 random{
      branch_key(tree_key ^ of_permutations, static_cast<std::uint64_t>(feature))};
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  for (std::int64_t place = 0; place + 1 < n; ++place)
    std::swap(order[place], order[place + random.below(n - place)]);
  return order;
}

void permuted_losses(const AskedTree& asked, const KnownRows& known,
                     const ThreadPool& pool, std::span<double> out) {
  std::vector<std::vector<Meeting>> meetings(known.n_features);
  const auto ends =
      ends_and_meetings(asked, known, pool, [&](std::int32_t feature, Meeting meeting) {
        meetings[feature].push_back(meeting);
      });
  ChangedWalks walks(asked, known);
  std::vector<double> values(asked.rows.size());
  std::ranges::fill(out, 0.0);
  for (std::int32_t feature = 0; feature < known.n_features; ++feature) {
    if (meetings[feature].empty()) continue;
    pool.pause();
    const auto order = permutation(asked.key, feature, std::ssize(asked.rows));
    // read in the order of the rows, written where they go: fewer jumps in the table
    std::vector<double> own(values.size());
    for (std::size_t place = 0; place < own.size(); ++place)
      own[place] = known.cells[asked.rows[place] * known.n_features + feature];
    for (std::size_t place = 0; place < own.size(); ++place)
      values[place] = own[order[place]];
    double* losses = out.data() + feature * known.n_slots;
    walks.run(feature, meetings[feature], values,
              [&](const Meeting& meeting, std::int32_t end) {
                const std::int32_t before = ends[meeting.place];
                if (end != before)
                  add_loss(asked, known, asked.rows[meeting.place], before, end,
                           losses);
              });
  }
}

}  // namespace treewright
