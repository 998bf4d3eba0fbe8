#include "hoeffding_state.hpp"

#include <algorithm>
#include <stdexcept>

#include "hoeffding_classes.hpp"
#include "hoeffding_numbers.hpp"

namespace treewright {
namespace {

void expect(bool holds, const char* what, std::size_t node) {
  if (!holds) throw std::invalid_argument("node " + std::to_string(node) + ": " + what);
}

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
}

bool is_weight(double x) { return std::isfinite(x) && x >= 0; }

// A stretch of a list, between two neighbouring starts.
template <class T>
std::span<const T> stretch(const std::vector<T>& list,
                           const std::vector<std::int64_t>& start, std::size_t k) {
  return {list.data() + start[k], list.data() + start[k + 1]};
}

void check_starts(const std::vector<std::int64_t>& start, std::size_t n,
                  std::size_t n_items, const char* what) {
  if (start.size() != n + 1 || start.front() != 0 ||
      start.back() != static_cast<std::int64_t>(n_items) ||
      !std::ranges::is_sorted(start))
    throw std::invalid_argument(std::string(what) + ": does not divide its list");
}

void check_lengths(const HoeffdingArrays& arrays, std::int64_t n_features) {
  const std::size_t n = arrays.parent.size();
  const bool same = n > 0 && arrays.feature.size() == n && arrays.missing.size() == n &&
                    arrays.threshold.size() == n && arrays.gain.size() == n &&
                    arrays.right_plain.size() == n && arrays.right_bayes.size() == n &&
                    arrays.seen.size() == n && arrays.looked.size() == n &&
                    arrays.n_rows.size() == n && arrays.awake.size() == n;
  if (!same || n >= (std::size_t{1} << 31))
    throw std::invalid_argument("the arrays of the nodes have different lengths");
  check_starts(arrays.child_start, n, arrays.child.size(), "child_start");
  check_starts(arrays.value_start, n, arrays.value.size(), "value_start");
  const auto n_awake =
      static_cast<std::size_t>(std::ranges::count(arrays.awake, std::uint8_t{1}));
  check_starts(arrays.block_start, n_awake * static_cast<std::size_t>(n_features),
               arrays.block.size(), "block_start");
}

// ---- blocks: so that sums can go on, and nothing is read outside of them ----

bool is_normals(std::span<const double> block, std::int64_t n_classes) {
  if (block.empty()) return true;
  if (block.size() % 5 != 2 || std::ssize(block) > 2 + 5 * n_classes) return false;
  if (!is_summable(block[0]) || !is_summable(block[1])) return false;
  for (std::size_t k = 2; k < block.size(); k += 5)
    if (!is_weight(block[k]) || !is_weight(block[k + 2]) ||
        !is_summable(block[k + 1]) || !is_summable(block[k + 3]) ||
        !is_summable(block[k + 4]))
      return false;
  return true;
}

bool is_categories(std::span<const double> block, std::int64_t n_classes,
                   std::int64_t n_codes) {
  if (block.empty()) return true;
  const double classes = block[0];
  if (!(classes >= 1 && classes <= static_cast<double>(n_classes)) ||
      classes != std::floor(classes) || block.size() < 2)
    return false;
  const auto stride = static_cast<std::int64_t>(classes);
  const std::int64_t rest = std::ssize(block) - 2;
  return rest % stride == 0 && rest >= 2 * stride && rest / stride - 1 <= n_codes &&
         std::ranges::all_of(block, is_weight) &&
         block[1] <= static_cast<double>(rest / stride - 1);
}

bool are_moments(std::span<const double> three) {
  return is_weight(three[0]) && is_summable(three[1]) && is_weight(three[2]);
}

bool is_bins(std::span<const double> block) {
  if (block.empty()) return true;
  const double width = block[0];
  int power = 0;
  if (!is_weight(width) || (width > 0 && std::frexp(width, &power) != 0.5))
    return false;
  if (block.size() % 4 != 1 || std::ssize(block) > 1 + 4 * NumberTask::most_bins)
    return false;
  for (std::size_t k = 1; k < block.size(); k += 4) {
    const double key = block[k];
    if (!is_summable(key) || !are_moments(block.subspan(k + 1, 3))) return false;
    if (width > 0 && (key != std::floor(key) || std::abs(key) > 0x1p53)) return false;
    if (k > 1 && !(block[k - 4] < key)) return false;
  }
  return true;
}

bool is_moments_list(std::span<const double> block, std::int64_t n_codes) {
  if (block.size() % 3 != 0 || std::ssize(block) > 3 * n_codes) return false;
  for (std::size_t k = 0; k < block.size(); k += 3)
    if (!are_moments(block.subspan(k, 3))) return false;
  return true;
}

bool is_block(std::span<const double> block, std::int64_t n_codes,
              std::int64_t n_classes) {
  if (n_classes > 0)
    return n_codes > 0 ? is_categories(block, n_classes, n_codes)
                       : is_normals(block, n_classes);
  return n_codes > 0 ? is_moments_list(block, n_codes) : is_bins(block);
}

bool is_value(std::span<const double> value, std::int64_t n_classes) {
  if (n_classes == 0) return value.empty() || (value.size() == 3 && are_moments(value));
  return std::ssize(value) <= n_classes && std::ranges::all_of(value, is_weight);
}

// ---- nodes ----

void check_question(const HoeffdingNode& node, std::size_t number,
                    const HoeffdingLimits& limits, bool is_nominal) {
  expect(std::isfinite(node.threshold), "the threshold is not finite", number);
  const auto is_child = [](std::int32_t child) { return child >= 0; };
  expect(std::ranges::count_if(node.children, is_child) >= 2, "too few branches",
         number);
  if (is_nominal)
    expect(std::ssize(node.children) <= limits.n_codes[node.feature],
           "more branches than categories", number);
  else
    expect(node.children.size() == 2, "a cut has two branches", number);
  expect(node.missing >= 0 && std::ranges::count(node.children, node.missing) == 1,
         "the branch for missing values is none of its branches", number);
}

void check_families(const std::vector<HoeffdingNode>& nodes) {
  std::vector<std::int32_t> parent(nodes.size(), -1);
  for (std::size_t number = 0; number < nodes.size(); ++number)
    for (const std::int32_t child : nodes[number].children) {
      if (child == -1) continue;
      expect(child > static_cast<std::int32_t>(number) &&
                 child < static_cast<std::int32_t>(nodes.size()),
             "a branch out of range", number);
      expect(parent[child] == -1, "a branch of two nodes", number);
      parent[child] = static_cast<std::int32_t>(number);
    }
  for (std::size_t number = 0; number < nodes.size(); ++number)
    expect(
        nodes[number].parent == parent[number] && (number == 0 || parent[number] >= 0),
        "the parent does not know it", number);
}

}  // namespace

template <class Task>
HoeffdingArrays arrays_of(const HoeffdingTree<Task>& tree) {
  HoeffdingArrays out;
  out.child_start = out.value_start = out.block_start = {0};
  for (const HoeffdingNode& node : tree.nodes()) {
    out.parent.push_back(node.parent);
    out.feature.push_back(node.feature);
    out.missing.push_back(node.missing);
    out.threshold.push_back(node.threshold);
    out.gain.push_back(node.gain);
    out.right_plain.push_back(node.right_plain);
    out.right_bayes.push_back(node.right_bayes);
    out.n_rows.push_back(node.n_rows);
    out.child.insert(out.child.end(), node.children.begin(), node.children.end());
    out.child_start.push_back(std::ssize(out.child));
    out.value.insert(out.value.end(), node.value.begin(), node.value.end());
    out.value_start.push_back(std::ssize(out.value));
    out.awake.push_back(node.learning.has_value());
    out.seen.push_back(node.learning ? node.learning->seen : 0);
    out.looked.push_back(node.learning ? node.learning->looked : 0);
    if (!node.learning) continue;
    for (const auto& block : node.learning->blocks) {
      out.block.insert(out.block.end(), block.begin(), block.end());
      out.block_start.push_back(std::ssize(out.block));
    }
  }
  return out;
}

template <class Task>
void fill(HoeffdingTree<Task>& tree, const HoeffdingArrays& arrays,
          const HoeffdingLimits& limits) {
  const std::int64_t n_features = tree.n_features();
  check_lengths(arrays, n_features);
  std::vector<HoeffdingNode> nodes(arrays.parent.size());
  std::size_t block = 0;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    HoeffdingNode& node = nodes[k];
    node.parent = arrays.parent[k];
    node.feature = arrays.feature[k];
    node.missing = arrays.missing[k];
    node.threshold = arrays.threshold[k];
    node.gain = arrays.gain[k];
    node.right_plain = arrays.right_plain[k];
    node.right_bayes = arrays.right_bayes[k];
    node.n_rows = arrays.n_rows[k];
    const double numbers[] = {node.gain, node.right_plain, node.right_bayes,
                              arrays.seen[k], arrays.looked[k]};
    expect(std::ranges::all_of(numbers, is_weight) && node.n_rows >= 0,
           "a weight or number of rows that cannot be", k);
    expect(node.parent < static_cast<std::int32_t>(k) && node.parent >= -1,
           "the parent stands after it", k);
    node.depth = node.parent < 0 ? 0 : nodes[node.parent].depth + 1;
    const auto children = stretch(arrays.child, arrays.child_start, k);
    node.children.assign(children.begin(), children.end());
    const auto value = stretch(arrays.value, arrays.value_start, k);
    expect(is_value(value, limits.n_classes), "sums that cannot be", k);
    node.value.assign(value.begin(), value.end());
    expect(node.feature >= -1 && node.feature < n_features, "no such feature", k);
    if (node.is_leaf())
      expect(node.children.empty() && node.missing == -1, "a leaf with branches", k);
    else
      check_question(node, k, limits, tree.rule().is_nominal[node.feature]);
    if (!arrays.awake[k]) continue;
    expect(node.is_leaf(), "a question that is awake", k);
    Learning& learning = node.learning.emplace();
    learning.seen = arrays.seen[k];
    learning.looked = arrays.looked[k];
    for (std::int64_t feature = 0; feature < n_features; ++feature) {
      const auto own = stretch(arrays.block, arrays.block_start, block++);
      expect(
          all_finite(own) && is_block(own, limits.n_codes[feature], limits.n_classes),
          "sums of a feature that cannot be", k);
      learning.blocks.emplace_back(own.begin(), own.end());
    }
  }
  check_families(nodes);
  tree.nodes() = std::move(nodes);
  tree.count_bytes();
}

template HoeffdingArrays arrays_of(const HoeffdingTree<ClassTask>&);
template HoeffdingArrays arrays_of(const HoeffdingTree<NumberTask>&);
template void fill(HoeffdingTree<ClassTask>&, const HoeffdingArrays&,
                   const HoeffdingLimits&);
template void fill(HoeffdingTree<NumberTask>&, const HoeffdingArrays&,
                   const HoeffdingLimits&);

}  // namespace treewright
