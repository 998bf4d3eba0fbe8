// The second step of the memory source: the branches of the chosen splits.
#include <algorithm>
#include <numeric>

#include "memory.hpp"
#include "nominal.hpp"

namespace treewright {

static constexpr std::int64_t not_a_cut = -1;
static constexpr std::int64_t is_code = -2;  // less the code: it need not be looked up

static bool makes_many_branches(Candidates candidates) {
  return candidates == Candidates::multiway || candidates == Candidates::groups;
}

// The two sets of values, the lighter one first (on a tie the one with the first
// value): it is the one that is written down, so values without rows here go with the
// heavier.
void MemorySource::divide_by_subset(Division& division, std::int64_t feature,
                                    const Pieces& groups, const Subset& subset,
                                    Branches& out) const {
  std::int64_t balance = 0;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const std::int64_t weight = weight_of(groups[group]);
    balance += subset.on_left[group] ? weight : -weight;
  }
  const bool keep = balance < 0 || (balance == 0 && subset.on_left[0]);
  for (const bool in_set : {true, false}) {
    for (std::size_t group = 0; group < groups.size(); ++group) {
      if ((static_cast<bool>(subset.on_left[group]) == keep) != in_set) continue;
      division.pieces.push_back(groups[group]);
      const std::uint32_t code = code_of(feature, groups[group][0]);
      if (!in_set || code == columns_[feature].n_codes) continue;
      out.set.push_back(static_cast<std::int32_t>(code));
      ++out.n_set.back();
    }
    division.end_branch();
  }
}

// The rows with the value whose code is -1 - `position`, and the others.
void MemorySource::divide_by_value(Division& division, std::int64_t feature,
                                   std::span<const Entry> values, std::int64_t position,
                                   Branches& out) const {
  const Pieces groups = groups_of(values);
  const std::int64_t code = -1 - position;
  for (const bool same : {true, false}) {
    for (const auto& group : groups)
      if ((code_of(feature, group[0]) == code) == same)
        division.pieces.push_back(group);
    division.end_branch();
  }
  out.set.push_back(static_cast<std::int32_t>(code));
  out.n_set.back() = 1;
}

// The last entry with a value to the left of a cut.
Entry MemorySource::last_below(std::int64_t feature, std::span<const Entry> values,
                               std::int64_t position) const {
  std::int64_t below = position - 1;
  if (fills())  // rows without a value stand with the others
    while (code_of(feature, values[below]) == columns_[feature].n_codes) --below;
  return values[below];
}

// The stretches of the list that make up each branch. The sides of a cut are noted as
// entries; `split` looks their codes up.
void MemorySource::divide(Evaluator& evaluator, Division& division,
                          std::int64_t feature, std::span<const Entry> all,
                          std::size_t known, std::int64_t position, double tolerance,
                          Branches& out) const {
  const Column& column = columns_[feature];
  const auto values = all.first(known);
  const auto missing = all.subspan(known);
  const bool own = rule_.missing == Missing::own_branch && !missing.empty();
  division.clear();
  if (own && position == std::ssize(values)) {
    division.add_branch(values);
  } else if (makes_two_sides(column.candidates)) {
    division.add_branch(values.first(position));
    division.add_branch(values.subspan(position));
    out.low.back() = last_below(feature, values, position);
    out.high.back() = values[position];
  } else if (column.candidates == Candidates::multiway) {
    for (const auto& group : groups_of(values)) {
      const std::uint32_t code = code_of(feature, group[0]);
      while (division.n_branches() < code) division.end_branch();
      division.add_branch(group);
    }
    while (division.n_branches() < column.n_codes) division.end_branch();
  } else if (column.candidates == Candidates::one_value) {
    divide_by_value(division, feature, values, position, out);
  } else if (column.candidates == Candidates::groups) {
    const double base = evaluator.begin(own ? all : values);
    const Pieces groups = groups_of(values);
    divide_by_groups(division, feature, groups,
                     group_values(evaluator, groups, missing, base, tolerance), out);
  } else {
    evaluator.begin(rule_.missing == Missing::own_branch ? all : values);
    const Pieces groups = groups_of(values);
    const Subset subset =
        best_subset(evaluator, groups, weights_of(groups), rule_.limits, tolerance);
    divide_by_subset(division, feature, groups, subset, out);
  }
  if (own) division.add_branch(missing);
}

// The branch that missing values take where there are some: their own, or the heaviest;
// -1 for none.
std::int32_t MemorySource::missing_branch_of(const Division& division) const {
  if (rule_.missing == Missing::none) return -1;
  if (rule_.missing == Missing::fractional) return every_branch;
  if (rule_.missing == Missing::own_branch)
    return static_cast<std::int32_t>(division.n_branches() - 1);
  std::vector<std::int64_t> weights(division.n_branches());
  for (std::int64_t branch = 0; branch < division.n_branches(); ++branch)
    for (const auto& piece : division.branch(branch))
      weights[branch] += weight_of(piece);
  return static_cast<std::int32_t>(std::ranges::max_element(weights) - weights.begin());
}

// The same where there are none, from the branches' statistics.
std::int32_t MemorySource::missing_branch_of(
    std::span<const std::int64_t> statistics) const {
  if (rule_.missing == Missing::fractional) return every_branch;
  if (rule_.missing == Missing::none || rule_.missing == Missing::own_branch) return -1;
  const std::int64_t n_weights = target_.is_classes() ? target_.class_start[1] : 1;
  std::int64_t most = -1;
  std::int32_t found = -1;
  for (std::int64_t start = 0; start < std::ssize(statistics); start += width()) {
    const auto own = statistics.subspan(start, n_weights);
    const std::int64_t weight = std::reduce(own.begin(), own.end());
    if (weight <= most) continue;
    most = weight;
    found = static_cast<std::int32_t>(start / width());
  }
  return found;
}

// A split with the one branch that suits rows without a value best; that branch.
// `list` keeps the entries of a cut.
std::int32_t MemorySource::divide_learned(Evaluator& evaluator, Division& division,
                                          std::int64_t feature,
                                          std::span<const Entry> all, std::size_t known,
                                          double tolerance, std::vector<Entry>& list,
                                          Branches& out) const {
  const auto values = all.first(known), missing = all.subspan(known);
  const Column& column = columns_[feature];
  const double base = evaluator.begin(all);
  if (makes_two_sides(column.candidates)) {
    Learned learned = learn_cut(evaluator, feature, all, known, base, tolerance);
    list = std::move(learned.entries);
    divide(evaluator, division, feature, list, list.size(), learned.found.position,
           tolerance, out);
    return learned.branch;
  }
  const Pieces groups = groups_of(values);
  if (column.candidates == Candidates::multiway) {
    const Learned learned = learn_branch(evaluator, groups, missing, tolerance);
    divide(evaluator, division, feature, values, known, 0, tolerance, out);
    const auto branch =
        static_cast<std::int32_t>(code_of(feature, groups[learned.branch][0]));
    division.add_to(branch, missing);
    return branch;
  }
  Pieces with_missing = groups;
  with_missing.push_back(missing);
  division.clear();
  divide_by_subset(division, feature, with_missing,
                   learn_subset(evaluator, groups, missing, tolerance), out);
  const auto in_set = division.branch(0);
  return std::ranges::any_of(
             in_set, [&](const auto& piece) { return piece.data() == missing.data(); })
             ? 0
             : 1;
}

void MemorySource::start_node(Branches& out) {
  out.n_set.push_back(0);
  out.low.push_back(not_a_cut);
  out.high.push_back(not_a_cut);
}

// All at once, because each look into the codes waits for memory.
void MemorySource::look_up_sides(std::span<const std::int32_t> features,
                                 Branches& out) const {
  for (auto* sides : {&out.low, &out.high})
    for (std::size_t node = 0; node < sides->size(); ++node) {
      std::int64_t& side = (*sides)[node];
      side = side == not_a_cut  ? 0
             : side < not_a_cut ? is_code - side
                                : code_of(features[node], static_cast<Entry>(side));
    }
}

void MemorySource::split_one(Evaluator& evaluator, Division& division,
                             std::int64_t feature, std::span<const Entry> all,
                             std::int64_t position, double tolerance, Branches& out) {
  start_node(out);
  std::size_t known = n_known(feature, all);
  Filled filled;
  if (known < all.size() && rule_.missing == Missing::learned) {
    const std::int32_t branch = divide_learned(evaluator, division, feature, all, known,
                                               tolerance, filled.entries, out);
    out.missing_branch.push_back(branch);
  } else {
    if (fills()) {
      filled = fill(feature, all, known);
      all = filled.entries;
      known = all.size();
    }
    divide(evaluator, division, feature, all, known, position, tolerance, out);
    out.missing_branch.push_back(known < all.size() ? missing_branch_of(division)
                                                    : -1);  // found below
  }
  if (known < all.size() && rule_.missing == Missing::majority)
    division.add_to(out.missing_branch.back(), all.subspan(known));
  const std::int64_t n_branches = division.n_branches();
  out.n_branches.push_back(n_branches);
  for (std::int64_t branch = 0; branch < n_branches; ++branch) {
    const auto pieces = division.branch(branch);
    out.statistics.resize(out.statistics.size() + width());
    out.pure.push_back(
        evaluator.summarise(pieces, std::span(out.statistics).last(width())));
    out.n_rows.push_back(0);
    out.known.push_back(0);
    for (const auto& piece : pieces) {
      out.n_rows.back() += std::ssize(piece);
      if (rule_.missing == Missing::fractional) out.known.back() += weight_of(piece);
      set_branch(piece, branch, n_branches);
    }
  }
  if (known == all.size())
    out.missing_branch.back() =
        missing_branch_of(std::span(out.statistics).last(n_branches * width()));
  if (rule_.missing == Missing::fractional && known < all.size())
    add_fractions(evaluator, division, all.subspan(known), out);
  if (fills())
    out.missing_branch.back() = n_branches <= most_narrow_branches
                                    ? branch_of_row_.narrow[filled.usual]
                                    : branch_of_row_.wide[filled.usual];
}

// As `split_one`, for the best cut of a feature that was found by its codes.
void MemorySource::split_by_codes(CodeRows& codes, std::int64_t feature,
                                  std::span<const std::int64_t> statistic,
                                  Branches& out) const {
  start_node(out);
  const std::size_t first = out.statistics.size();
  out.statistics.resize(first + 2 * width());
  const auto left = std::span(out.statistics).subspan(first, width());
  const auto right = std::span(out.statistics).subspan(first + width(), width());
  const auto [n_left, n_right, low, high] = codes.divide(feature, left);
  for (int slot = 0; slot < width(); ++slot) right[slot] = statistic[slot] - left[slot];
  out.low.back() = is_code - std::int64_t{low};
  out.high.back() = is_code - std::int64_t{high};
  out.n_branches.push_back(2);
  for (const std::int64_t n_rows : {n_left, n_right}) {
    out.n_rows.push_back(n_rows);
    out.known.push_back(0);
  }
  for (const auto& side : {left, right})
    out.pure.push_back(
        std::ranges::count_if(side, [](auto weight) { return weight > 0; }) < 2);
  out.missing_branch.push_back(
      missing_branch_of(std::span(out.statistics).last(2 * width())));
}

void MemorySource::set_branch(std::span<const Entry> rows, std::int64_t branch,
                              std::int64_t n_branches) {
  if (n_branches <= most_narrow_branches) {
    for (const Entry entry : rows)
      branch_of_row_.narrow[row_of(entry)] = static_cast<std::uint8_t>(branch);
  } else {
    for (const Entry entry : rows)
      branch_of_row_.wide[row_of(entry)] = static_cast<std::uint32_t>(branch);
  }
}

// Rows without a value go down every branch that has known rows, by its share.
void MemorySource::add_fractions(Evaluator& evaluator, Division& division,
                                 std::span<const Entry> missing, Branches& out) {
  const std::int64_t n_branches = division.n_branches();
  set_branch(missing, n_branches <= most_narrow_branches ? several : several_wide,
             n_branches);
  const auto shares = shares_of(std::span(out.known).last(n_branches));
  for (std::int64_t branch = 0; branch < n_branches; ++branch) {
    const Share& share = shares[branch];
    if (share.part == 0) continue;
    const std::size_t place = out.n_rows.size() - n_branches + branch;
    out.pure[place] = evaluator.summarise_with(
        division.branch(branch), missing, share,
        std::span(out.statistics).subspan(place * width(), width()));
    for (const Entry entry : missing)
      out.n_rows[place] += share.of(target_.weight(row_of(entry))) > 0;
  }
}

Branches MemorySource::split(std::span<const std::int64_t> nodes,
                             std::span<const std::int32_t> features,
                             std::span<const std::int64_t> positions,
                             std::span<const double> tolerances) {
  if (rule_.missing == Missing::surrogates)
    return split_with_surrogates(nodes, features, positions, tolerances);
  bool needs_wide = false;
  for (const std::int32_t feature : features)
    needs_wide = needs_wide || (makes_many_branches(columns_[feature].candidates) &&
                                columns_[feature].n_codes >= most_narrow_branches);
  if (needs_wide && branch_of_row_.wide.empty())
    branch_of_row_.wide.resize(n_working_rows_);

  const auto starts = chunk_starts(nodes, 1);
  std::vector<Branches> found(starts.size() - 1);
  pool_.run(std::ssize(found), [&](std::int64_t task, int thread) {
    for (std::int64_t index = starts[task]; index < starts[task + 1]; ++index) {
      std::int64_t position = positions[index];
      const Stretch& stretch = stretches_[nodes[index]];
      const auto all =
          rule_.n_combined > 0
              ? entries_of_combination(stretch, thread, tolerances[index], position)
              : entries_of_split(features[index], stretch, thread, position);
      split_one(*evaluators_[thread], divisions_[thread], features[index], all,
                position, tolerances[index], found[task]);
      if (rule_.n_combined > 0)
        note_combination(position, thread, found[task]);
      else
        note_drawn_sides(features[index], positions[index], all, thread, found[task]);
    }
    look_up_sides(features.subspan(starts[task]), found[task]);
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
  join(known, more.known);
  join(statistics, more.statistics);
  join(pure, more.pure);
  join(n_branches, more.n_branches);
  join(n_set, more.n_set);
  join(low, more.low);
  join(high, more.high);
  join(missing_branch, more.missing_branch);
  join(set, more.set);
  join(threshold, more.threshold);
  surrogates.append(more.surrogates);
}

}  // namespace treewright
