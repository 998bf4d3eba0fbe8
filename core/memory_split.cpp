// The second step of the memory source: the branches of the chosen splits.
#include <algorithm>
#include <numeric>

#include "memory.hpp"
#include "nominal.hpp"

namespace treewright {

// The two sets of values, the lighter one first (on a tie the one with the first
// value): it is the one that is written down, so values without rows here go with the
// heavier.
std::vector<Pieces> MemorySource::pieces_of_subset(Evaluator& evaluator,
                                                   std::int64_t feature,
                                                   std::span<const Entry> all,
                                                   std::size_t known, double tolerance,
                                                   Branches& out) const {
  evaluator.begin(rule_.missing == Missing::own_branch ? all : all.first(known));
  const Pieces groups = groups_of(all.first(known));
  const auto weights = weights_of(groups);
  const Subset subset =
      best_subset(evaluator, groups, weights, rule_.limits, tolerance);
  std::int64_t balance = 0;
  for (std::size_t group = 0; group < groups.size(); ++group)
    balance += subset.on_left[group] ? weights[group] : -weights[group];
  const bool keep = balance < 0 || (balance == 0 && subset.on_left[0]);
  std::vector<Pieces> branches(2);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const bool in_set = static_cast<bool>(subset.on_left[group]) == keep;
    branches[in_set ? 0 : 1].push_back(groups[group]);
    if (!in_set) continue;
    out.set.push_back(static_cast<std::int32_t>(code_of(feature, groups[group][0])));
    ++out.n_set.back();
  }
  return branches;
}

// The stretches of the list that make up each branch, in branch order.
std::vector<Pieces> MemorySource::pieces_of_split(
    Evaluator& evaluator, std::int64_t feature, std::span<const Entry> all,
    std::size_t known, std::int64_t position, double tolerance, Branches& out) const {
  const Column& column = columns_[feature];
  const auto values = all.first(known);
  const auto missing = all.subspan(known);
  const bool own = rule_.missing == Missing::own_branch && !missing.empty();
  if (own && position == std::ssize(values)) return {{values}, {missing}};
  std::vector<Pieces> branches;
  if (column.candidates == Candidates::cut) {
    branches.resize(2);  // not from a list of pieces, which would be copied
    branches[0].push_back(values.first(position));
    branches[1].push_back(values.subspan(position));
    out.low.back() = code_of(feature, values[position - 1]);
    out.high.back() = code_of(feature, values[position]);
  } else if (column.candidates == Candidates::multiway) {
    branches.resize(column.n_codes);
    for (const auto& group : groups_of(values))
      branches[code_of(feature, group[0])].push_back(group);
  } else {
    branches = pieces_of_subset(evaluator, feature, all, known, tolerance, out);
  }
  if (own) branches.push_back({missing});
  return branches;
}

// The branch that missing values take: their own, or the heaviest; -1 for none.
std::int32_t MemorySource::missing_branch_of(const std::vector<Pieces>& branches,
                                             bool any_missing) const {
  if (rule_.missing == Missing::none) return -1;
  if (rule_.missing == Missing::own_branch)
    return any_missing ? static_cast<std::int32_t>(branches.size() - 1) : -1;
  std::int64_t heaviest = -1;
  std::int32_t found = -1;
  for (std::size_t branch = 0; branch < branches.size(); ++branch) {
    std::int64_t weight = 0;
    for (const auto& piece : branches[branch]) weight += weight_of(piece);
    if (weight > heaviest) {
      heaviest = weight;
      found = static_cast<std::int32_t>(branch);
    }
  }
  return found;
}

void MemorySource::split_one(Evaluator& evaluator, std::int64_t feature,
                             std::span<const Entry> all, std::int64_t position,
                             double tolerance, Branches& out) {
  out.n_set.push_back(0);
  out.low.push_back(0);
  out.high.push_back(0);
  const std::size_t known = n_known(feature, all);
  auto branches =
      pieces_of_split(evaluator, feature, all, known, position, tolerance, out);
  out.missing_branch.push_back(missing_branch_of(branches, known < all.size()));
  if (known < all.size() && rule_.missing == Missing::majority)
    branches[out.missing_branch.back()].push_back(all.subspan(known));
  const auto n_branches = static_cast<std::int64_t>(branches.size());
  out.n_branches.push_back(n_branches);
  for (std::int64_t branch = 0; branch < n_branches; ++branch) {
    out.statistics.resize(out.statistics.size() + width());
    out.pure.push_back(
        evaluator.summarise(branches[branch], std::span(out.statistics).last(width())));
    out.n_rows.push_back(0);
    for (const auto& piece : branches[branch]) {
      out.n_rows.back() += std::ssize(piece);
      if (n_branches <= 255) {
        for (const Entry entry : piece)
          branch_of_row_.narrow[row_of(entry)] = static_cast<std::uint8_t>(branch);
      } else {
        for (const Entry entry : piece)
          branch_of_row_.wide[row_of(entry)] = static_cast<std::uint32_t>(branch);
      }
    }
  }
}

Branches MemorySource::split(std::span<const std::int64_t> nodes,
                             std::span<const std::int32_t> features,
                             std::span<const std::int64_t> positions,
                             std::span<const double> tolerances) {
  bool needs_wide = false;
  for (const std::int32_t feature : features)
    needs_wide = needs_wide || (columns_[feature].candidates == Candidates::multiway &&
                                columns_[feature].n_codes >= 255);
  if (needs_wide && branch_of_row_.wide.empty()) branch_of_row_.wide.resize(n_rows_);

  const auto starts = chunk_starts(nodes, 1);
  std::vector<Branches> found(starts.size() - 1);
  pool_.run(std::ssize(found), [&](std::int64_t task, int thread) {
    for (std::int64_t index = starts[task]; index < starts[task + 1]; ++index)
      split_one(*evaluators_[thread], features[index],
                entries(features[index], stretches_[nodes[index]]), positions[index],
                tolerances[index], found[task]);
  });
  Branches all;
  for (const Branches& part : found) all.append(part);
  return all;
}

void Branches::append(const Branches& more) {
  const auto join = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  join(n_rows, more.n_rows);
  join(statistics, more.statistics);
  join(pure, more.pure);
  join(n_branches, more.n_branches);
  join(n_set, more.n_set);
  join(low, more.low);
  join(high, more.high);
  join(missing_branch, more.missing_branch);
  join(set, more.set);
}

}  // namespace treewright
