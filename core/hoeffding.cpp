#include "hoeffding.hpp"

#include <algorithm>
#include <stdexcept>

#include "hoeffding_classes.hpp"
#include "hoeffding_numbers.hpp"

namespace treewright {
namespace {

// Leaves are weighed against each other once in so many rows, and whenever the bytes
// are used up; then some room is made, so that this is not soon.
constexpr std::int64_t rows_between_weighings = 10'000;
constexpr double share_of_bytes = 0.9;
// Gains that differ by a smaller share are equal: the first feature wins.
constexpr double tie = 1e-12;

}  // namespace

std::int64_t bytes_of_node(const HoeffdingNode& node) {
  return static_cast<std::int64_t>(sizeof(HoeffdingNode)) +
         4 * std::ssize(node.children) + 8 * std::ssize(node.value) + 32;
}

std::int64_t bytes_of(const std::optional<Learning>& learning) {
  std::int64_t bytes = 0;
  if (learning)
    for (const auto& block : learning->blocks) bytes += bytes_of_block(block);
  return bytes;
}

template <class Task>
HoeffdingTree<Task>::HoeffdingTree(HoeffdingRule rule) : rule_(std::move(rule)) {
  nodes_.emplace_back();
  wake(nodes_[0]);
  count_bytes();
}

template <class Task>
void HoeffdingTree<Task>::count_bytes() {
  bytes_ = n_awake_ = 0;
  for (const HoeffdingNode& node : nodes_) {
    bytes_ += bytes_of_node(node) + bytes_of(node.learning);
    n_awake_ += node.learning.has_value();
  }
}

template <class Task>
void HoeffdingTree<Task>::set_kinds(const std::vector<std::uint8_t>& is_nominal) {
  if (is_nominal.size() != rule_.is_nominal.size())
    throw std::invalid_argument("hoeffding: a kind for each feature");
  for (std::size_t feature = 0; feature < is_nominal.size(); ++feature) {
    if (is_nominal[feature] == rule_.is_nominal[feature]) continue;
    for (const HoeffdingNode& node : nodes_)
      if (node.feature == static_cast<std::int32_t>(feature) ||
          (node.learning && !node.learning->blocks[feature].empty()))
        throw std::invalid_argument("hoeffding: a kind that is settled");
  }
  rule_.is_nominal = is_nominal;
}

template <class Task>
void HoeffdingTree<Task>::learn(const Rows& rows,
                                std::span<const std::int32_t> class_rank,
                                std::span<Target> out) {
  for (std::size_t k = 0; k < rows.target.size(); ++k) {
    const double* row = rows.cells.data() + k * rule_.is_nominal.size();
    const double weight = rows.weights.empty() ? 1 : rows.weights[k];
    const std::int32_t end = walk(row);
    out[k] = Task::test(nodes_, end, row, rows.target[k], weight, rule_, class_rank,
                        scratch_);
    if (weight > 0) learn_row(row, rows.target[k], weight, end);
  }
}

template <class Task>
void HoeffdingTree<Task>::answer(std::span<const double> cells,
                                 std::span<const std::int32_t> class_rank,
                                 std::span<Target> out, std::span<double> scores) {
  const std::size_t n_scores = out.empty() ? 0 : scores.size() / out.size();
  for (std::size_t k = 0; k < out.size(); ++k) {
    const double* row = cells.data() + k * rule_.is_nominal.size();
    const std::int32_t end = walk(row);
    if (n_scores == 0)
      out[k] = Task::answer(nodes_, end, row, rule_, class_rank, scratch_);
    else
      Task::answer_shares(nodes_, end, row, rule_, class_rank, scratch_, out[k],
                          scores.subspan(k * n_scores, n_scores));
  }
}

template <class Task>
void HoeffdingTree<Task>::place(std::span<const double> cells,
                                std::span<std::int32_t> out) const {
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = walk(cells.data() + k * rule_.is_nominal.size());
}

template <class Task>
std::int32_t HoeffdingTree<Task>::walk(const double* row) const {
  std::int32_t at = 0;
  while (!nodes_[at].is_leaf()) {
    const HoeffdingNode& node = nodes_[at];
    const double cell = row[node.feature];
    std::int32_t next = -1;
    if (std::isnan(cell))
      next = node.missing;
    else if (!rule_.is_nominal[node.feature])
      next = node.children[cell <= node.threshold ? 0 : 1];
    else if (cell >= 0 && cell < static_cast<double>(node.children.size()))
      next = node.children[static_cast<std::size_t>(cell)];
    if (next < 0) return at;
    at = next;
  }
  return at;
}

template <class Task>
void HoeffdingTree<Task>::learn_row(const double* row, Target y, double weight,
                                    std::int32_t end) {
  if (!nodes_[end].is_leaf()) {
    // without room for a branch the row counts at the question, where it is answered
    const auto code = static_cast<std::int64_t>(row[nodes_[end].feature]);
    const std::int64_t needed =
        bytes_ + bytes_of_node(HoeffdingNode{}) + 4 * (code + 1);
    if (rule_.max_bytes < 0 || needed <= rule_.max_bytes) end = open_branch(end, code);
  }
  for (std::int32_t at = end; at >= 0; at = nodes_[at].parent) {
    HoeffdingNode& node = nodes_[at];
    const std::size_t before = node.value.size();
    Task::add(node.value, y, weight);
    bytes_ += 8 * static_cast<std::int64_t>(node.value.size() - before);
    ++node.n_rows;
  }
  if (auto& learning = nodes_[end].learning) {
    for (std::size_t feature = 0; feature < rule_.is_nominal.size(); ++feature) {
      const bool is_nominal = rule_.is_nominal[feature];
      // also false for NaN
      if (!is_summable(row[feature])) continue;
      auto& block = learning->blocks[feature];
      const std::size_t before = block.size();
      Task::observe(block, is_nominal, row[feature], y, weight);
      if (block.size() != before)
        bytes_ += 8 * (std::ssize(block) - static_cast<std::int64_t>(before));
    }
    learning->seen += weight;
    if (learning->seen - learning->looked >= rule_.grace_period) {
      learning->looked = learning->seen;
      look_for_split(end);
    }
  }
  if (rule_.max_bytes < 0) return;
  const bool is_full = bytes_ > rule_.max_bytes && n_awake_ > 0;
  if (is_full || n_rows() % rows_between_weighings == 0) keep_within_bytes();
}

// A category that came up after the split gets a branch of its own.
template <class Task>
std::int32_t HoeffdingTree<Task>::open_branch(std::int32_t node, std::int64_t code) {
  const std::int32_t leaf = add_leaf(node, {});
  auto& children = nodes_[node].children;
  if (std::ssize(children) <= code) {
    bytes_ += 4 * (code + 1 - std::ssize(children));
    children.resize(static_cast<std::size_t>(code) + 1, -1);
  }
  children[static_cast<std::size_t>(code)] = leaf;
  return leaf;
}

template <class Task>
void HoeffdingTree<Task>::look_for_split(std::int32_t leaf) {
  const HoeffdingNode& node = nodes_[leaf];
  if (rule_.max_depth >= 0 && node.depth >= rule_.max_depth) return;
  if (!Task::may_gain(node.value)) return;
  const Learning& learning = *node.learning;
  SplitCandidate best;
  std::int32_t best_feature = -1;
  double second = 0;  // no split gains nothing
  for (std::size_t feature = 0; feature < rule_.is_nominal.size(); ++feature) {
    SplitCandidate found =
        Task::best_split(learning.blocks[feature], rule_.is_nominal[feature], rule_);
    // rows without a value gain nothing
    double known = 0;
    for (const auto& value : found.values) known += Task::weight(value);
    found.gain *= std::min(1.0, known / learning.seen);
    if (found.gain > best.gain * (1 + tie)) {
      second = best.gain;
      best = std::move(found);
      best_feature = static_cast<std::int32_t>(feature);
    } else {
      second = std::max(second, found.gain);
    }
  }
  if (best_feature >= 0 && has_room_for(best) &&
      Task::is_decided(rule_, best.gain, second, learning.seen, node.value))
    split(leaf, best_feature, best);
}

// Whether the tree with these branches would be within its bound if all leaves slept.
template <class Task>
bool HoeffdingTree<Task>::has_room_for(const SplitCandidate& candidate) const {
  if (rule_.max_bytes < 0) return true;
  std::int64_t needed = bytes_ + 4 * std::ssize(candidate.values);
  for (const auto& value : candidate.values) {
    if (value.empty()) continue;
    HoeffdingNode leaf;
    leaf.value = value;
    needed += bytes_of_node(leaf);
  }
  if (needed <= rule_.max_bytes) return true;
  for (const HoeffdingNode& node : nodes_)
    if (node.learning) needed -= bytes_of(node.learning);
  return needed <= rule_.max_bytes;
}

template <class Task>
void HoeffdingTree<Task>::split(std::int32_t leaf, std::int32_t feature,
                                const SplitCandidate& candidate) {
  put_to_sleep(nodes_[leaf]);
  std::vector<std::int32_t> children(candidate.values.size(), -1);
  std::int32_t heaviest = -1;
  double most = 0;
  for (std::size_t branch = 0; branch < children.size(); ++branch) {
    if (candidate.values[branch].empty()) continue;
    children[branch] = add_leaf(leaf, candidate.values[branch]);
    const double weight = Task::weight(candidate.values[branch]);
    if (heaviest < 0 || weight > most) {
      heaviest = children[branch];
      most = weight;
    }
  }
  HoeffdingNode& node = nodes_[leaf];
  node.feature = feature;
  node.threshold = candidate.threshold;
  node.gain = candidate.gain;
  node.missing = heaviest;
  bytes_ += 4 * std::ssize(children);
  node.children = std::move(children);
}

template <class Task>
std::int32_t HoeffdingTree<Task>::add_leaf(std::int32_t parent,
                                           std::vector<double> value) {
  const auto number = static_cast<std::int32_t>(nodes_.size());
  HoeffdingNode& leaf = nodes_.emplace_back();
  leaf.parent = parent;
  leaf.depth = nodes_[parent].depth + 1;
  leaf.value = std::move(value);
  bytes_ += bytes_of_node(leaf);
  wake(leaf);
  return number;
}

template <class Task>
bool HoeffdingTree<Task>::wants_blocks(const HoeffdingNode& leaf) const {
  return rule_.max_depth < 0 || leaf.depth < rule_.max_depth ||
         rule_.answer != LeafAnswer::plain;
}

template <class Task>
void HoeffdingTree<Task>::wake(HoeffdingNode& leaf) {
  if (!wants_blocks(leaf)) return;
  leaf.learning.emplace();
  leaf.learning->blocks.resize(rule_.is_nominal.size());
  ++n_awake_;
  bytes_ += bytes_of(leaf.learning);
}

template <class Task>
void HoeffdingTree<Task>::put_to_sleep(HoeffdingNode& leaf) {
  if (!leaf.learning) return;
  --n_awake_;
  bytes_ -= bytes_of(leaf.learning);
  leaf.learning.reset();
}

// The leaves that promise most are awake, as many as there is room for.
template <class Task>
void HoeffdingTree<Task>::keep_within_bytes() {
  std::vector<std::int32_t> leaves;
  std::int64_t of_awake = 0;
  const std::int64_t n_awake = n_awake_;
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    if (!nodes_[node].is_leaf() || !wants_blocks(nodes_[node])) continue;
    leaves.push_back(static_cast<std::int32_t>(node));
    of_awake += bytes_of(nodes_[node].learning);
  }
  const auto room =
      static_cast<std::int64_t>(share_of_bytes * static_cast<double>(rule_.max_bytes));
  if (n_awake == std::ssize(leaves) && bytes_ <= room) return;
  // what a leaf will take that wakes up
  const std::int64_t usual = n_awake > 0 ? of_awake / n_awake : 200 * n_features();
  std::vector<double> promise(nodes_.size());
  for (const std::int32_t leaf : leaves)
    promise[leaf] = Task::promise(nodes_[leaf].value);
  std::ranges::stable_sort(leaves, std::greater{},
                           [&](std::int32_t leaf) { return promise[leaf]; });
  std::int64_t left = room - (bytes_ - of_awake);
  for (const std::int32_t leaf : leaves) {
    HoeffdingNode& node = nodes_[leaf];
    const std::int64_t wanted = node.learning ? bytes_of(node.learning) : usual;
    if (wanted > left) {
      put_to_sleep(node);
      left = 0;  // those that promise less do not slip in because they are small
    } else {
      left -= wanted;
      if (!node.learning) wake(node);
    }
  }
}

template class HoeffdingTree<ClassTask>;
template class HoeffdingTree<NumberTask>;

}  // namespace treewright
