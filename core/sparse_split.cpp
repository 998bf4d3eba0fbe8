// The second and third step of the sparse source: branches, which become open nodes.
#include <algorithm>

#include "sparse.hpp"

namespace treewright {

// The codes on both sides of a cut.
void SparseSource::note_codes(const AroundRun& list, std::int64_t position,
                              std::uint32_t run_code, Branches& out) const {
  // the place of a row among all rows, as if those of the run stood there too
  const auto code_at = [&](std::int64_t place) {
    if (place < list.n_below) return list.entries[place].code;
    const std::int64_t above = place - list.n_in_run();
    return above < list.n_below ? run_code : list.entries[above].code;
  };
  out.low.push_back(code_at(position - 1));
  out.high.push_back(code_at(position));
}

void SparseSource::split_one(Node& node, const Listed& listed, std::int64_t position,
                             int thread, Branches& out) {
  const AroundRun list = around(node, listed);
  // one of the sides has none of the run
  const bool run_is_right = position <= list.n_below;
  const auto apart = run_is_right ? list.entries.first(position)
                                  : list.entries.last(node.n_rows - position);
  for (const Entry row : rows_of(node)) on_right_[row] = run_is_right;
  for (const Coded entry : apart) on_right_[entry.row] = !run_is_right;
  auto& [left, right] = sides_[thread];
  left.clear();
  right.clear();
  for (const Entry row : rows_of(node)) (on_right_[row] ? right : left).push_back(row);
  note_codes(list, position, table_.run_codes[listed.feature], out);
  Evaluator& evaluator = rows_.evaluator(thread);
  std::int64_t weights[2];
  for (const bool is_right : {false, true}) {
    const auto rows = std::span<const Entry>(is_right ? right : left);
    out.statistics.resize(out.statistics.size() + width());
    out.pure.push_back(
        evaluator.summarise(Pieces{rows}, std::span(out.statistics).last(width())));
    out.n_rows.push_back(std::ssize(rows));
    weights[is_right] = rows_.weight_of(rows);
  }
  // nothing is missing here; what is later goes the heavier way, if there is one
  const bool refuses =
      rule_.missing == Missing::none || rule_.missing == Missing::own_branch;
  out.missing_branch.push_back(refuses ? -1 : weights[1] > weights[0]);
}

Branches SparseSource::split(std::span<const std::int64_t> nodes,
                             std::span<const std::int32_t> features,
                             std::span<const std::int64_t> positions) {
  std::vector<Branches> found(nodes.size());
  pool().run(std::ssize(nodes), [&](std::int64_t index, int thread) {
    Node& node = nodes_[nodes[index]];
    const auto feature = static_cast<std::uint32_t>(features[index]);
    const auto listed =
        std::ranges::lower_bound(node.listed, feature, {}, &Listed::feature);
    split_one(node, *listed, positions[index], thread, found[index]);
  });
  Branches all;
  for (const Branches& one : found) all.append(one);
  return all;
}

// Entries of open branches move to the front, the left ones first; others are lost.
SparseSource::Parts SparseSource::partition_entries(const Listed& listed,
                                                    std::span<const std::uint8_t> open,
                                                    std::vector<Coded>& spare) {
  const auto all = std::span(entries_).subspan(listed.start, listed.n_entries);
  Parts parts;
  if (spare.size() < all.size()) spare.resize(all.size());
  Coded* next[2] = {all.data(), spare.data()};
  for (std::uint32_t place = 0; place < listed.n_entries; ++place) {
    const Coded entry = all[place];
    const std::uint8_t branch = on_right_[entry.row];
    if (!open[branch]) continue;
    *next[branch]++ = entry;
    ++parts.n_entries[branch];
    parts.n_below[branch] += place < listed.n_below;
  }
  std::copy_n(spare.data(), parts.n_entries[1], all.data() + parts.n_entries[0]);
  return parts;
}

void SparseSource::partition_rows(const Node& node,
                                  std::span<const std::uint8_t> open) {
  const auto rows = rows_of(node);
  const auto right_rows =
      std::ranges::stable_partition(rows, [&](Entry row) { return !on_right_[row]; });
  if (!open[0]) std::ranges::move(right_rows, rows.begin());
}

std::int64_t SparseSource::advance(std::span<const std::int64_t> nodes,
                                   std::span<const std::int64_t> branch_rows,
                                   std::span<const std::uint8_t> open) {
  std::vector<std::int64_t> kept;  // nodes with an open branch, and their indices
  std::vector<std::int64_t> indices, first{0};
  for (std::int64_t index = 0; index < std::ssize(nodes); ++index) {
    if (!open[2 * index] && !open[2 * index + 1]) continue;
    kept.push_back(nodes[index]);
    indices.push_back(index);
    first.push_back(first.back() + std::ssize(nodes_[nodes[index]].listed));
  }
  const auto open_of = [&](std::int64_t which) {
    return open.subspan(2 * indices[which], 2);
  };
  std::vector<Parts> parts(first.back());
  std::vector<std::vector<Coded>> spares(pool().n_threads());
  for_each_listed(kept, [&](std::int64_t which, std::int64_t place, int thread) {
    parts[first[which] + place] = partition_entries(nodes_[kept[which]].listed[place],
                                                    open_of(which), spares[thread]);
  });
  const auto first_new = std::ssize(nodes_);
  std::vector<std::int64_t> numbers;  // of the first branch of each node
  for (std::size_t which = 0; which < kept.size(); ++which) {
    numbers.push_back(std::ssize(nodes_));
    std::int64_t start = nodes_[kept[which]].start;
    for (const int branch : {0, 1}) {
      if (!open_of(which)[branch]) continue;
      const std::int64_t n_rows = branch_rows[2 * indices[which] + branch];
      nodes_.push_back({start, n_rows, {}});
      start += n_rows;
    }
  }
  pool().run(std::ssize(kept), [&](std::int64_t which, int) {
    partition_rows(nodes_[kept[which]], open_of(which));
    const auto& listed = nodes_[kept[which]].listed;
    std::int64_t number = numbers[which];
    for (const int branch : {0, 1}) {
      if (!open_of(which)[branch]) continue;
      Node& node = nodes_[number++];
      for (std::size_t place = 0; place < listed.size(); ++place) {
        const Parts& part = parts[first[which] + place];
        if (part.n_entries[branch] == 0) continue;
        const Listed own{listed[place].start + (branch == 1 ? part.n_entries[0] : 0),
                         part.n_entries[branch], part.n_below[branch],
                         listed[place].feature};
        if (!around(node, own).has_one_value()) node.listed.push_back(own);
      }
    }
  });
  for (const std::int64_t node : nodes)  // their memory is free again
    std::vector<Listed>().swap(nodes_[node].listed);
  return first_new;
}

}  // namespace treewright
