#include "twin.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "check.hpp"

namespace treewright::tests {
namespace {

// The rows by code as a list with marks, as in random_data.hpp.
std::vector<Entry> list_at(const Table& table, const Rows& rows, std::int64_t feature) {
  std::vector<std::uint32_t> codes;
  for (const std::uint32_t row : rows) codes.push_back(table.code(feature, row));
  std::vector<Entry> list = list_of(codes);
  for (Entry& entry : list)
    entry = rows[row_of(entry)] | (starts_value(entry) ? new_value : 0);
  return list;
}

Pieces groups_at(std::span<const Entry> list) {
  Pieces groups;
  for (std::size_t start = 0, stop = 0; start < list.size(); start = stop) {
    for (stop = start + 1; stop < list.size() && !starts_value(list[stop]);) ++stop;
    groups.push_back(list.subspan(start, stop - start));
  }
  return groups;
}

std::int64_t drop_missing(const Table& table, std::int64_t feature, Rows& rows) {
  return static_cast<std::int64_t>(
      std::erase_if(rows, [&](auto row) { return table.is_missing(feature, row); }));
}

}  // namespace

void Twin::opened(const std::vector<std::int64_t>& statistic, bool pure) {
  Rows all(table_.n_rows());
  std::iota(all.begin(), all.end(), 0u);
  CHECK(same_statistic(target_, statistic, naive_statistic(target_, all)));
  CHECK(pure == naive_pure(target_, all));
  rows_of_node_.push_back(std::move(all));
}

void Twin::scanned(const Batch& batch) {
  for (std::size_t index = 0; index < batch.nodes.size(); ++index)
    for (std::int64_t feature = 0; feature < table_.n_features(); ++feature)
      check_found(batch.found[index * table_.n_features() + feature],
                  rows_of_node_[batch.nodes[index]], feature, batch.tolerances[index]);
}

void Twin::check_found(const Found& found, const Rows& rows, std::int64_t feature,
                       double tolerance) const {
  bool has_values = false;
  const auto splits = candidates(rows, feature, has_values);
  if (splits.empty()) {
    CHECK(found.gain == (has_values ? too_few_rows : one_value));
    return;
  }
  Rows node = rows;
  if (rule_.missing != Missing::own_branch) drop_missing(table_, feature, node);
  const auto base = static_cast<double>(naive_score(target_, node, node));
  const double scale = scale_of(target_, rows);
  check_best(found.gain + base, found.position, splits, tolerance, scale);
}

std::vector<Candidate> Twin::multiway(const Pieces& groups, const Rows& node) const {
  long double sum = 0;
  for (const auto& group : groups) {
    if (!admits(target_, rule_.limits, rows_of(group))) return {};
    sum += naive_score(target_, rows_of(group), node);
  }
  return {{0, sum}};
}

std::vector<Candidate> Twin::candidates(const Rows& rows, std::int64_t feature,
                                        bool& has_values) const {
  const auto list = list_at(table_, rows, feature);
  const auto all = std::span<const Entry>(list);
  const auto n_known = static_cast<std::size_t>(std::ranges::count_if(
      rows, [&](auto row) { return !table_.is_missing(feature, row); }));
  const auto known = all.first(n_known), missing = all.subspan(n_known);
  const bool own =
      rule_.missing == Missing::own_branch && !missing.empty() && !known.empty();
  const Rows node = rows_of(rule_.missing == Missing::own_branch ? all : known);
  const Pieces groups = groups_at(known);
  const auto kind = table_.columns()[feature].candidates;
  has_values = groups.size() + own > 1;
  // rows that agree are not told apart, even where the missing ones differ
  if (!missing.empty() && rule_.missing != Missing::own_branch &&
      naive_pure(target_, node))
    has_values = false;
  if (!has_values) return {};
  if (kind == Candidates::multiway) return multiway(groups_at(own ? all : known), node);
  if (own && !admits(target_, rule_.limits, rows_of(missing))) return {};

  auto found = kind == Candidates::cut
                   ? naive_cuts(target_, known, rule_.limits, node)
                   : naive_subsets(target_, groups, rule_.limits, node);
  if (kind == Candidates::subset && !found.empty()) {
    // the answer of a scan does not say which set it is
    const auto best = *std::ranges::max_element(found, {}, &Candidate::score);
    found = {{0, best.score}};
  }
  if (!own) return found;
  const long double beside = naive_score(target_, rows_of(missing), node);
  for (auto& split : found) split.score += beside;
  if (admits(target_, rule_.limits, rows_of(known)))
    found.push_back(
        {std::ssize(known), naive_score(target_, rows_of(known), node) + beside});
  return found;
}

bool Twin::is_missing_apart(const Splits& splits, std::size_t index) const {
  const std::int32_t feature = splits.features[index];
  const Rows& rows = rows_of_node_[splits.nodes[index]];
  const auto n_missing = std::ranges::count_if(
      rows, [&](auto row) { return table_.is_missing(feature, row); });
  return rule_.missing == Missing::own_branch && n_missing > 0 &&
         splits.positions[index] == std::ssize(rows) - n_missing;
}

// Where the answer of split() sends each row.
std::vector<Rows> Twin::rows_of_branches(const Splits& splits,
                                         std::size_t index) const {
  const Branches& made = splits.branches;
  const std::int32_t feature = splits.features[index];
  const auto kind = table_.columns()[feature].candidates;
  const auto set_start = std::reduce(made.n_set.begin(), made.n_set.begin() + index);
  const auto set = std::span(made.set).subspan(set_start, made.n_set[index]);
  const bool apart = is_missing_apart(splits, index);
  std::vector<Rows> branches(made.n_branches[index]);
  for (const std::uint32_t row : rows_of_node_[splits.nodes[index]]) {
    const std::uint32_t code = table_.code(feature, row);
    std::size_t branch = 0;
    if (table_.is_missing(feature, row))
      branch = static_cast<std::size_t>(made.missing_branch[index]);
    else if (apart)
      branch = 0;
    else if (kind == Candidates::cut)
      branch = code > made.low[index];
    else if (kind == Candidates::multiway)
      branch = code;
    else
      branch = std::ranges::find(set, static_cast<std::int32_t>(code)) == set.end();
    CHECK(branch < branches.size());
    if (branch < branches.size()) branches[branch].push_back(row);
  }
  return branches;
}

// The question agrees with the position, and the missing rows go where the rule says.
void Twin::check_question(const Splits& splits, std::size_t index,
                          const std::vector<Rows>& branches) const {
  const Branches& made = splits.branches;
  const std::int32_t feature = splits.features[index];
  std::vector<Rows> known = branches;
  std::int64_t n_missing = 0;
  for (Rows& rows : known) n_missing += drop_missing(table_, feature, rows);
  if (table_.columns()[feature].candidates == Candidates::cut &&
      !is_missing_apart(splits, index)) {
    const auto code = [&](auto row) { return table_.code(feature, row); };
    CHECK(splits.positions[index] == std::ssize(known[0]));
    CHECK(made.low[index] == code(*std::ranges::max_element(known[0], {}, code)));
    CHECK(made.high[index] == code(*std::ranges::min_element(known[1], {}, code)));
  }
  if (rule_.missing == Missing::own_branch)
    CHECK(made.missing_branch[index] ==
          (n_missing > 0 ? made.n_branches[index] - 1 : -1));
  if (rule_.missing == Missing::none) CHECK(made.missing_branch[index] == -1);
  if (rule_.missing == Missing::majority)
    for (const Rows& rows : known)
      CHECK(naive_weight(target_, rows) <=
            naive_weight(target_, known[made.missing_branch[index]]));
}

// The branches have the gain that the scan has promised, and hold the limits.
void Twin::check_gain(const Splits& splits, std::size_t index,
                      const std::vector<Rows>& branches) const {
  const std::int32_t feature = splits.features[index];
  std::vector<Rows> parts = branches;
  Rows node;
  for (Rows& rows : parts) {
    if (rule_.missing != Missing::own_branch) drop_missing(table_, feature, rows);
    node.insert(node.end(), rows.begin(), rows.end());
    CHECK(rows.empty() || admits(target_, rule_.limits, rows));
  }
  long double gain = -naive_score(target_, node, node);
  for (const Rows& rows : parts) gain += naive_score(target_, rows, node);
  CHECK(std::abs(splits.gains[index] - gain) <= 1e-12 * scale_of(target_, node));
}

void Twin::check_branches(const Splits& splits, std::size_t index, std::size_t first,
                          const std::vector<Rows>& branches) const {
  const Branches& made = splits.branches;
  // medians and squared deviations do not add up, weights and sums do
  const std::size_t n_sums = target_.is_classes() ? target_.width()
                             : target_.criterion == Criterion::squared_error
                                 ? 1 + target_.n_outputs
                                 : 1;
  std::vector<std::int64_t> sums(target_.width());
  for (std::size_t branch = 0; branch < branches.size(); ++branch) {
    const auto given =
        std::span(made.statistics).subspan((first + branch) * sums.size(), sums.size());
    const auto expected = naive_statistic(target_, branches[branch]);
    CHECK(same_statistic(target_, given, expected));
    CHECK(made.n_rows[first + branch] == std::ssize(branches[branch]));
    CHECK(made.pure[first + branch] == naive_pure(target_, branches[branch]));
    for (std::size_t slot = 0; slot < n_sums; ++slot) sums[slot] += given[slot];
  }
  const auto parent = naive_statistic(target_, rows_of_node_[splits.nodes[index]]);
  CHECK(std::equal(sums.begin(), sums.begin() + n_sums, parent.begin()));
}

void Twin::was_split(const Splits& splits) {
  CHECK(splits.first_new == std::ssize(rows_of_node_));
  std::size_t first = 0;
  std::vector<Rows> opened;
  for (std::size_t index = 0; index < splits.nodes.size(); ++index) {
    auto branches = rows_of_branches(splits, index);
    check_question(splits, index, branches);
    check_gain(splits, index, branches);
    check_branches(splits, index, first, branches);
    for (std::size_t branch = 0; branch < branches.size(); ++branch)
      if (splits.open[first + branch]) opened.push_back(std::move(branches[branch]));
    first += branches.size();
    ++n_splits_;
  }
  CHECK(first == splits.branches.n_rows.size());
  for (Rows& rows : opened) rows_of_node_.push_back(std::move(rows));
}

}  // namespace treewright::tests
