// Splits of a nominal column into groups of values: what of `grouping.hpp` the memory
// source needs for its scan and its split.
#include "memory.hpp"

namespace treewright {

// base: score of the rows that take part as one branch, as `scan` has it.
Grouping MemorySource::group_values(Evaluator& evaluator, const Pieces& groups,
                                    std::span<const Entry> missing, double base,
                                    double tolerance) const {
  const auto block_of = [&](std::span<const Entry> rows) {
    Block block{std::ssize(rows), weight_of(rows), std::vector<std::int64_t>(width())};
    evaluator.summarise(Pieces{rows}, block.classes);
    return block;
  };
  std::vector<Block> values;
  for (const auto& group : groups) values.push_back(block_of(group));
  GroupingRule rule{.limits = rule_.limits, .two_branches = rule_.two_branches};
  rule.beside = block_of(missing);
  rule.beside_is_branch = rule_.missing == Missing::own_branch && !missing.empty();
  rule.base = base;
  if (rule.beside_is_branch) rule.base -= evaluator.class_score(rule.beside.classes);
  rule.charge_unit = rule_.charge_unit;
  rule.tolerance = tolerance;
  rule.pause = [&] { pool_.pause(); };
  return best_grouping(
      values,
      [&](std::span<const std::int64_t> classes) {
        return evaluator.class_score(classes);
      },
      rule);
}

Candidate MemorySource::scan_groups(Evaluator& evaluator, std::span<const Entry> all,
                                    std::size_t known, double base,
                                    double tolerance) const {
  Candidate found;
  const auto values = all.first(known), missing = all.subspan(known);
  const bool own = rule_.missing == Missing::own_branch && !missing.empty();
  if (values.empty()) return found;
  const Grouping grouping =
      group_values(evaluator, groups_of(values), missing, base, tolerance);
  const double beside = own ? evaluator.branch_score(missing) : 0.0;
  if (grouping.is_admissible)
    found = {.gain = grouping.score + beside,
             .split_information = grouping.split_information,
             .charge = grouping.charge};
  else if (grouping.n_blocks > 1 || own)
    found.gain = too_few_rows;
  if (!own || !admits(values) || !admits(missing)) return found;
  // whether there is a value may tell more than the value
  const double apart = evaluator.branch_score(values) + beside;
  const double bits = information({weight_of(values), weight_of(missing)});
  if (!grouping.is_admissible || (apart - base) / bits > grouping.worth + tolerance)
    found = {.gain = apart, .position = std::ssize(values), .split_information = bits};
  return found;
}

// The blocks in order of their first values; one more branch, without rows, for values
// that do not occur here. The node's set is the branch of each code.
void MemorySource::divide_by_groups(Division& division, std::int64_t feature,
                                    const Pieces& groups, const Grouping& grouping,
                                    Branches& out) const {
  const std::uint32_t n_codes = columns_[feature].n_codes;
  std::vector<std::int32_t> branch_of(n_codes, grouping.n_blocks);
  for (std::int32_t block = 0; block < grouping.n_blocks; ++block) {
    for (std::size_t group = 0; group < groups.size(); ++group) {
      if (grouping.block_of[group] != block) continue;
      division.pieces.push_back(groups[group]);
      branch_of[code_of(feature, groups[group][0])] = block;
    }
    division.end_branch();
  }
  if (groups.size() < n_codes) division.end_branch();
  out.set.insert(out.set.end(), branch_of.begin(), branch_of.end());
  out.n_set.back() = n_codes;
}

}  // namespace treewright
