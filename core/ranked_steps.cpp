#include "ranked_steps.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>

#include "draw.hpp"
#include "walk_together.hpp"

namespace treewright {
namespace {

constexpr RankedSteps::Rank largest = std::numeric_limits<RankedSteps::Rank>::max();

bool is_leaf(const TreeView& tree, std::size_t node) {
  return static_cast<NodeKind>(tree.kind[node]) == NodeKind::leaf;
}

std::uint64_t hash_of(std::span<const double> answer) {
  std::uint64_t hash = 0;
  for (const double number : answer)
    hash = Random64{hash ^ std::bit_cast<std::uint64_t>(number)}.next();
  return hash;
}

// How many steps all rows take before it is seen who has arrived. In a tree grown to
// purity leaves are about half as deep again as in a balanced one; in a chain most rows
// arrive early.
int first_steps(const TreeView& tree) {
  std::vector<int> depth(tree.kind.size());
  for (std::size_t node = 0; node < depth.size(); ++node)
    if (!is_leaf(tree, node))
      for (int branch = 0; branch < 2; ++branch)
        depth[tree.first_child[node] + branch] = depth[node] + 1;
  const auto usual = 3 * std::bit_width(depth.size() / 2) / 2;
  return std::min(*std::ranges::max_element(depth), static_cast<int>(usual));
}

}  // namespace

struct RankedSteps::Cut {
  double threshold;
  Rank* rank;  // to be found
};

template <class Id>
struct RankedSteps::Steps {
  const Step<Id>* steps;
  std::int32_t n_ends;

  std::int32_t next(std::int32_t node, const Rank* cells) const {
    const Step<Id>& at = steps[node];
    return at.next[cells[at.feature] > at.threshold];
  }
  bool is_end(std::int32_t node) const { return node < n_ends; }
};

std::unique_ptr<RankedSteps> RankedSteps::make(std::span<const TreeView> trees,
                                               const std::vector<bool>& only_cuts,
                                               std::int64_t n_features,
                                               const AnswerOf& answer_of,
                                               std::int64_t width, ThreadPool& pool) {
  if (n_features > largest) return nullptr;
  auto made = std::make_unique<RankedSteps>();
  made->n_features_ = n_features;
  made->width_ = width;
  made->trees_.resize(trees.size());
  pool.run(std::ssize(trees), [&](std::int64_t number, int) {
    if (only_cuts[number]) made->add_tree(trees[number], number, answer_of);
  });
  Cuts cuts(n_features);
  for (std::size_t number = 0; number < trees.size(); ++number) {
    RankedTree& tree = made->trees_[number];
    const auto add = [&](auto& steps) {
      if (!steps.empty())
        add_cuts(trees[number], std::span(steps).subspan(tree.answers.n_ends), cuts);
    };
    add(tree.small);
    add(tree.large);
  }
  return made->rank_cuts(cuts, pool) ? std::move(made) : nullptr;
}

// The end of each leaf, and for each question a number behind the ends.
std::vector<std::int32_t> RankedSteps::ids_of(const TreeView& tree, std::size_t number,
                                              const AnswerOf& answer_of) {
  auto& [n_ends, table] = trees_[number].answers;
  std::vector<std::int32_t> last(1024, -1);  // the end with an answer, by its hash
  std::vector<std::int32_t> id(tree.kind.size());
  for (std::size_t node = 0; node < id.size(); ++node) {
    if (!is_leaf(tree, node)) continue;
    const std::span answer(answer_of(number, node), static_cast<std::size_t>(width_));
    std::int32_t& found = last[hash_of(answer) % last.size()];
    if (found < 0 ||
        !std::ranges::equal(answer, std::span(table).subspan(found * width_, width_))) {
      found = n_ends++;
      table.insert(table.end(), answer.begin(), answer.end());
    }
    id[node] = found;
  }
  std::int32_t next = n_ends;
  for (std::size_t node = 0; node < id.size(); ++node)
    if (!is_leaf(tree, node)) id[node] = next++;
  return id;
}

void RankedSteps::add_tree(const TreeView& tree, std::size_t number,
                           const AnswerOf& answer_of) {
  RankedTree& made = trees_[number];
  const auto id = ids_of(tree, number, answer_of);
  made.root = id[0];
  made.n_first = first_steps(tree);
  const auto fill = [&]<class Id>(std::vector<Step<Id>>& steps) {
    for (std::int32_t end = 0; end < made.answers.n_ends; ++end)
      steps.push_back({largest, 0, {static_cast<Id>(end), static_cast<Id>(end)}});
    for (std::size_t node = 0; node < id.size(); ++node) {
      if (is_leaf(tree, node)) continue;
      const auto* below = &id[tree.first_child[node]];
      steps.push_back({0,
                       static_cast<Rank>(tree.feature[node]),
                       {static_cast<Id>(below[0]), static_cast<Id>(below[1])}});
    }
  };
  if (*std::ranges::max_element(id) <= std::numeric_limits<std::uint16_t>::max())
    fill(made.small);
  else
    fill(made.large);
}

template <class Id>
void RankedSteps::add_cuts(const TreeView& tree, std::span<Step<Id>> questions,
                           Cuts& out) {
  std::size_t question = 0;
  for (std::size_t node = 0; node < tree.kind.size(); ++node)
    if (!is_leaf(tree, node))
      out[tree.feature[node]].push_back(
          {tree.threshold[node], &questions[question++].threshold});
}

// Ranks the cuts of each feature; says whether there are ranks enough.
bool RankedSteps::rank_cuts(Cuts& cuts, ThreadPool& pool) {
  thresholds_.resize(cuts.size());
  std::atomic<bool> fit = true;
  pool.run(std::ssize(cuts), [&](std::int64_t feature, int) {
    std::vector<double> thresholds;
    std::ranges::sort(cuts[feature], {}, &Cut::threshold);
    for (const auto& [threshold, rank] : cuts[feature]) {
      if (thresholds.empty() || thresholds.back() < threshold)
        thresholds.push_back(threshold);
      *rank = static_cast<Rank>(thresholds.size() - 1);
    }
    if (thresholds.size() >= largest) fit = false;
    thresholds_[feature] = ThresholdRanks(std::move(thresholds));
  });
  return fit;
}

void RankedSteps::rank(std::span<const double> cells, std::span<Rank> ranks) const {
  constexpr std::size_t together = ThresholdRanks::together;
  // feature by feature: its thresholds stay in the cache
  for (std::int64_t feature = 0; feature < n_features_; ++feature)
    for (std::size_t first = feature; first < cells.size();
         first += together * n_features_) {
      // at the end the last row stands in for those that are not there
      const std::size_t last = cells.size() - n_features_ + feature;
      std::array<std::size_t, together> places;
      std::array<double, together> own;
      for (std::size_t row = 0; row < together; ++row) {
        places[row] = std::min(first + row * n_features_, last);
        own[row] = cells[places[row]];
      }
      const auto below = thresholds_[feature].count_below(own);
      for (std::size_t row = 0; row < together; ++row)
        ranks[places[row]] = static_cast<Rank>(below[row]);
    }
}

void RankedSteps::walk(std::size_t tree, const Rank* ranks,
                       std::span<std::int32_t> rows, std::int32_t* ends) const {
  const RankedTree& own = trees_[tree];
  for (const std::int32_t row : rows) ends[row] = own.root;
  const auto go = [&](const auto& steps) {
    walk_together(steps, own.n_first, ranks, n_features_, rows, ends);
  };
  if (own.large.empty())
    go(Steps<std::uint16_t>{own.small.data(), own.answers.n_ends});
  else
    go(Steps<std::uint32_t>{own.large.data(), own.answers.n_ends});
}

}  // namespace treewright
