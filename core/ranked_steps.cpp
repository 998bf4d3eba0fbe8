#include "ranked_steps.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "draw.hpp"

namespace treewright {
namespace {

constexpr RankedSteps::Rank largest = std::numeric_limits<RankedSteps::Rank>::max();

// How many searches go on side by side.
constexpr int together = 8;

// How many of the ascending numbers are below each of a few cells. All take as many
// steps, and none waits for a guess, so that the searches overlap.
std::array<std::size_t, together> count_below(
    std::span<const double> numbers, const std::array<double, together>& cells) {
  std::array<std::size_t, together> below{};
  std::size_t n = numbers.size();
  if (n == 0) return below;
  for (; n > 1; n -= n / 2)
    for (int which = 0; which < together; ++which)
      below[which] +=
          numbers[below[which] + n / 2 - 1] < cells[which] ? n / 2 : std::size_t{0};
  for (int which = 0; which < together; ++which)
    below[which] += numbers[below[which]] < cells[which];
  return below;
}

struct Cut {
  double threshold;
  RankedSteps::Rank* rank;  // to be found
};

bool is_leaf(const TreeView& tree, std::size_t node) {
  return static_cast<NodeKind>(tree.kind[node]) == NodeKind::leaf;
}

std::uint64_t hash_of(std::span<const double> answer) {
  std::uint64_t hash = 0;
  for (const double number : answer)
    hash = Random64{hash ^ std::bit_cast<std::uint64_t>(number)}.next();
  return hash;
}

}  // namespace

std::unique_ptr<RankedSteps> RankedSteps::make(std::span<const TreeView> trees,
                                               const std::vector<bool>& only_cuts,
                                               std::int64_t n_features,
                                               const AnswerOf& answer_of,
                                               std::int64_t width, ThreadPool& pool) {
  if (n_features > largest) return nullptr;
  auto made = std::make_unique<RankedSteps>();
  made->n_features_ = n_features;
  made->width_ = width;
  made->steps_.resize(trees.size());
  made->answers_.resize(trees.size());
  pool.run(std::ssize(trees), [&](std::int64_t number, int) {
    if (only_cuts[number]) made->add_tree(trees[number], number, answer_of);
  });
  std::vector<std::vector<Cut>> cuts(n_features);
  for (std::size_t number = 0; number < trees.size(); ++number)
    for (std::size_t node = 0; node < made->steps_[number].size(); ++node)
      if (!is_leaf(trees[number], node))
        cuts[trees[number].feature[node]].push_back(
            {trees[number].threshold[node], &made->steps_[number][node].threshold});
  made->thresholds_.resize(n_features);
  pool.run(n_features, [&](std::int64_t feature, int) {
    auto& thresholds = made->thresholds_[feature];
    std::ranges::sort(cuts[feature], {}, &Cut::threshold);
    for (const auto& [threshold, rank] : cuts[feature]) {
      if (thresholds.empty() || thresholds.back() < threshold)
        thresholds.push_back(threshold);
      *rank = static_cast<Rank>(thresholds.size() - 1);
    }
  });
  const auto too_many = [](const auto& own) { return own.size() >= largest; };
  if (std::ranges::any_of(made->thresholds_, too_many)) return nullptr;
  return made;
}

void RankedSteps::add_tree(const TreeView& tree, std::size_t number,
                           const AnswerOf& answer_of) {
  auto& [place, table] = answers_[number];
  auto& steps = steps_[number];
  place.resize(tree.kind.size());
  steps.resize(tree.kind.size());
  std::vector<std::int32_t> last(1024, -1);  // place of an answer, by its hash
  const auto row = [&](std::int32_t which) {
    return std::span(table).subspan(which * width_, width_);
  };
  for (std::size_t node = 0; node < steps.size(); ++node) {
    if (!is_leaf(tree, node)) {
      steps[node] = {0, static_cast<Rank>(tree.feature[node]), tree.first_child[node]};
      continue;
    }
    steps[node] = {largest, 0, static_cast<std::int32_t>(node)};
    const std::span answer(answer_of(number, node), static_cast<std::size_t>(width_));
    std::int32_t& found = last[hash_of(answer) % last.size()];
    if (found < 0 || !std::ranges::equal(answer, row(found))) {
      found = static_cast<std::int32_t>(std::ssize(table) / width_);
      table.insert(table.end(), answer.begin(), answer.end());
    }
    place[node] = found;
  }
}

void RankedSteps::rank(std::span<const double> cells, std::span<Rank> ranks) const {
  // feature by feature: its thresholds stay in the cache
  for (std::int64_t feature = 0; feature < n_features_; ++feature)
    for (std::size_t first = feature; first < cells.size();
         first += together * n_features_) {
      // at the end the last row stands in for those that are not there
      const std::size_t last = cells.size() - n_features_ + feature;
      std::array<std::size_t, together> places;
      std::array<double, together> own;
      for (int row = 0; row < together; ++row) {
        places[row] = std::min(first + row * n_features_, last);
        own[row] = cells[places[row]];
      }
      const auto below = count_below(thresholds_[feature], own);
      for (int row = 0; row < together; ++row)
        ranks[places[row]] = static_cast<Rank>(below[row]);
    }
}

}  // namespace treewright
