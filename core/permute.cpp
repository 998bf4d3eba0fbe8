#include "permute.hpp"

#include <algorithm>
#include <cmath>
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
                                            const KnownRows& known, const Meet& meet) {
  const TreeView& tree = asked.tree;
  const SurrogatesView& surrogates = tree.surrogates;
  std::vector<std::int32_t> ends(asked.rows.size());
  std::vector<std::uint32_t> met(known.n_features);  // place + 1 of the last row
  for (std::uint32_t place = 0; place < asked.rows.size(); ++place) {
    const double* cells = known.cells.data() + asked.rows[place] * known.n_features;
    std::int32_t node = 0;
    const auto ask = [&](std::int32_t feature) {
      if (met[feature] != place + 1) meet(feature, Meeting{place, node});
      met[feature] = place + 1;
    };
    while (static_cast<NodeKind>(tree.kind[node]) != NodeKind::leaf) {
      ask(tree.feature[node]);
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

// The end of a walk of a row that has another value of one feature.
class ChangedWalk {
 public:
  ChangedWalk(const TreeView& tree, std::int64_t n_features)
      : tree_(tree), scratch_(tree.surrogates.start.empty() ? 0 : n_features) {}

  std::int32_t end(std::int32_t top, const double* cells, std::int32_t feature,
                   double value) {
    if (!scratch_.empty()) {  // surrogates may look at any cell
      std::copy_n(cells, scratch_.size(), scratch_.begin());
      scratch_[feature] = value;
      return end_of_walk(tree_, top, scratch_.data());
    }
    std::int32_t node = top;
    while (static_cast<NodeKind>(tree_.kind[node]) != NodeKind::leaf) {
      const std::int32_t asked = tree_.feature[node];
      const std::int32_t branch = asked == feature ? branch_of(tree_, node, value)
                                                   : next_branch(tree_, node, cells);
      if (branch < 0) break;
      node = tree_.first_child[node] + branch;
    }
    return node;
  }

 private:
  const TreeView& tree_;
  std::vector<double> scratch_;
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
      ends_and_meetings(asked, known, [&](std::int32_t feature, Meeting meeting) {
        meetings[feature].push_back(meeting);
      });
  ChangedWalk walk(asked.tree, known.n_features);
  std::ranges::fill(out, 0.0);
  for (std::int32_t feature = 0; feature < known.n_features; ++feature) {
    if (meetings[feature].empty()) continue;
    const auto order = permutation(asked.key, feature, std::ssize(asked.rows));
    double* losses = out.data() + feature * known.n_slots;
    pool.pause();
    for (const Meeting& meeting : meetings[feature]) {
      const std::int64_t row = asked.rows[meeting.place];
      const std::int64_t giver = asked.rows[order[meeting.place]];
      const double value = known.cells[giver * known.n_features + feature];
      const std::int32_t end = walk.end(
          meeting.node, known.cells.data() + row * known.n_features, feature, value);
      if (end != ends[meeting.place])
        add_loss(asked, known, row, ends[meeting.place], end, losses);
    }
  }
}

}  // namespace treewright
