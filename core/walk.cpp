#include "walk.hpp"

#include <algorithm>
#include <cmath>

namespace treewright {

std::int32_t branch_of(const TreeView& tree, std::int32_t node, double cell) {
  const auto kind = static_cast<NodeKind>(tree.kind[node]);
  if (kind == NodeKind::known) return std::isnan(cell) ? 1 : 0;
  if (std::isnan(cell)) return tree.missing_branch[node];
  if (kind == NodeKind::cut || kind == NodeKind::combination)
    return cell <= tree.threshold[node] ? 0 : 1;
  if (cell < 0) return -1;
  if (kind == NodeKind::order) return cell <= tree.threshold[node] ? 0 : 1;
  const auto code = static_cast<std::int32_t>(cell);
  if (kind == NodeKind::multiway) return code;
  if (kind == NodeKind::groups) return tree.set_codes[tree.set_start[node] + code];
  const auto first = tree.set_codes.begin() + tree.set_start[node];
  const auto last = tree.set_codes.begin() + tree.set_start[node + 1];
  return std::binary_search(first, last, code) ? 0 : 1;
}

namespace {

constexpr std::int32_t says_nothing = -1;

std::int32_t surrogate_branch(const SurrogatesView& surrogates, std::int64_t which,
                              double cell) {
  const auto kind = static_cast<NodeKind>(surrogates.kind[which]);
  if (std::isnan(cell)) return says_nothing;
  if (kind != NodeKind::cut && cell < 0) return says_nothing;
  if (kind != NodeKind::subset) {
    const std::int32_t low = surrogates.branch[which];
    return cell <= surrogates.threshold[which] ? low : 1 - low;
  }
  const auto code = static_cast<std::int32_t>(cell);
  const auto first = surrogates.set_codes.begin() + surrogates.set_start[which];
  const auto last = surrogates.set_codes.begin() + surrogates.set_start[which + 1];
  const auto place = std::lower_bound(first, last, code);
  if (place == last || *place != code) return says_nothing;
  return surrogates.set_branch[place - surrogates.set_codes.begin()];
}

}  // namespace

std::int32_t branch_of_row(const TreeView& tree, std::int32_t node,
                           const double* cells) {
  if (static_cast<NodeKind>(tree.kind[node]) == NodeKind::combination) {
    const TermsView terms = terms_of(tree, node);
    double sum = 0;
    for (std::size_t term = 0; term < terms.size(); ++term)
      sum += terms.weight(term) * cells[terms.feature(term)];
    return branch_of(tree, node, sum);
  }
  const double cell = cells[tree.feature[node]];
  const SurrogatesView& surrogates = tree.surrogates;
  if (!surrogates.start.empty() && std::isnan(cell))
    for (auto which = surrogates.start[node]; which < surrogates.start[node + 1];
         ++which) {
      const std::int32_t branch =
          surrogate_branch(surrogates, which, cells[surrogates.feature[which]]);
      if (branch != says_nothing) return branch;
    }
  return branch_of(tree, node, cell);
}

void walk(const TreeView& tree, std::span<const double> rows, std::int64_t n_features,
          ThreadPool& pool, std::span<std::int32_t> out_nodes) {
  constexpr std::int64_t chunk = 4096;
  const auto n_rows = static_cast<std::int64_t>(out_nodes.size());
  pool.run((n_rows + chunk - 1) / chunk, [&](std::int64_t task, int) {
    const std::int64_t stop = std::min(n_rows, (task + 1) * chunk);
    for (std::int64_t row = task * chunk; row < stop; ++row)
      out_nodes[row] = end_of_walk(tree, 0, rows.data() + row * n_features);
  });
}

}  // namespace treewright
