// What is asked beside the three steps, to show how a choice was made: the tables
// behind candidate splits, and the gain of every cut. Nothing here changes the source.
#include "memory.hpp"

namespace treewright {

// The list that a feature's splits at a node are made from: as it stands; with rows
// that have no value among the others; or, where the best branch for them was learned
// for a cut, on the side that it has.
MemorySource::Listed MemorySource::listed(Evaluator& evaluator, std::int64_t node,
                                          std::int64_t feature,
                                          double tolerance) const {
  Listed found;
  found.all = entries(feature, stretches_[node], 0);
  found.known = n_known(feature, found.all);
  const bool some_missing = found.known > 0 && found.known < found.all.size();
  const bool is_cut = columns_[feature].candidates == Candidates::cut;
  if (some_missing && fills()) {
    found.own = fill(feature, found.all, found.known).entries;
  } else if (some_missing && rule_.missing == Missing::learned && is_cut) {
    const double base = evaluator.begin(found.all);
    found.own =
        learn_cut(evaluator, feature, found.all, found.known, base, tolerance).entries;
  }
  if (!found.own.empty()) {
    found.all = found.own;
    found.known = found.all.size();
  }
  return found;
}

Tabulated MemorySource::tabulate(std::span<const std::int64_t> nodes,
                                 std::span<const std::int32_t> features,
                                 std::span<const std::int64_t> positions,
                                 std::span<const double> tolerances) const {
  Tabulated out;
  Evaluator& evaluator = *evaluators_[0];
  Division division;
  const auto summarise = [&](PiecesView pieces, std::vector<std::int64_t>& to) {
    to.resize(to.size() + width());
    return evaluator.summarise(pieces, std::span(to).last(width()));
  };
  for (std::size_t item = 0; item < nodes.size(); ++item) {
    pool_.pause();
    const std::int64_t feature = features[item];
    const double tolerance = tolerances[item];
    const Listed list = listed(evaluator, nodes[item], feature, tolerance);
    auto missing = list.all.subspan(list.known);
    Branches& branches = out.branches;
    start_node(branches);
    std::vector<Entry> kept;
    if (!missing.empty() && rule_.missing == Missing::learned) {
      divide_learned(evaluator, division, feature, list.all, list.known, tolerance,
                     kept, branches);
      missing = {};
    } else {
      divide(evaluator, division, feature, list.all, list.known, positions[item],
             tolerance, branches);
      if (rule_.missing == Missing::own_branch) missing = {};
    }
    branches.n_branches.push_back(division.n_branches());
    for (std::int64_t branch = 0; branch < division.n_branches(); ++branch) {
      const auto pieces = division.branch(branch);
      branches.pure.push_back(summarise(pieces, branches.statistics));
      branches.n_rows.push_back(0);
      for (const auto& piece : pieces) branches.n_rows.back() += std::ssize(piece);
    }
    summarise(Pieces{list.all.first(list.all.size() - missing.size())},
              out.known_statistics);
    summarise(Pieces{missing}, out.missing_statistics);
    out.n_missing.push_back(std::ssize(missing));
  }
  look_up_sides(features, out.branches);
  return out;
}

ScoredCuts MemorySource::score_cuts(std::int64_t node, std::int64_t feature,
                                    double tolerance) const {
  ScoredCuts out;
  Evaluator& evaluator = *evaluators_[0];
  const Listed list = listed(evaluator, node, feature, tolerance);
  std::vector<Entry> marked;
  if (rule_.min_gap > 0 && !columns_[feature].values.empty())
    marked = wide_gaps(feature, list.all.first(list.known));
  const auto values =
      marked.empty() ? list.all.first(list.known) : std::span<const Entry>(marked);
  const auto missing = list.all.subspan(list.known);
  const bool own = rule_.missing == Missing::own_branch && !missing.empty();
  if (values.empty() || (own && !admits(missing))) return out;
  const double base = evaluator.begin(own ? list.all : list.all.first(list.known));
  const double beside = own ? evaluator.branch_score(missing) : 0.0;
  const std::int64_t weight = weight_of(values);
  const Limits limits = limits_of_cut(weight, base);
  double factor = 1.0;
  if (!rule_.discounts_missing && !own && !missing.empty())
    factor = static_cast<double>(weight_of(list.all)) / static_cast<double>(weight);
  const Pieces groups = groups_of(values);
  evaluator.set_groups(groups);
  std::int64_t position = 0, left = 0;
  for (std::size_t group = 0; group + 1 < groups.size(); ++group) {
    limits.pause(static_cast<std::int64_t>(group));
    evaluator.toggle(static_cast<int>(group));
    position += std::ssize(groups[group]);
    left += weight_of(groups[group]);
    const std::int64_t right = std::ssize(values) - position;
    if (std::min(position, right) < limits.min_rows ||
        std::min(left, weight - left) < limits.min_weight)
      continue;
    const double gain = evaluator.two_way_score() + beside - base;
    out.position.push_back(position);
    out.low.push_back(code_of(feature, last_below(feature, values, position)));
    out.high.push_back(code_of(feature, values[position]));
    out.gain.push_back(gain > 0 ? gain * factor : gain);
  }
  return out;
}

}  // namespace treewright
