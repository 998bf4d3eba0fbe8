// The third step of the memory source: the branches become open nodes.
#include <algorithm>
#include <stdexcept>

#include "memory.hpp"

namespace treewright {

std::int64_t MemorySource::advance(std::span<const std::int64_t> nodes,
                                   std::span<const std::int32_t> features,
                                   std::span<const std::int64_t> n_branches,
                                   std::span<const std::int64_t> branch_rows,
                                   std::span<const std::int64_t> known,
                                   std::span<const std::uint8_t> open) {
  const auto first_new = std::ssize(stretches_);
  std::vector<std::int64_t> places(open.size(), closed);  // inside the node's stretch
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int64_t> kept;  // indices of nodes with an open branch
  std::vector<std::int64_t> to;    // where the branches of each node go
  std::int64_t branch = 0;
  for (std::int64_t index = 0; index < std::ssize(nodes); ++index) {
    const Stretch stretch = stretches_[nodes[index]];
    const std::int64_t first = branch, stop = branch + n_branches[index];
    std::int64_t place = 0;
    is_open_[nodes[index]] = 0;
    --n_open_nodes_;
    n_open_rows_ -= stretch.n_rows;
    for (; branch < stop; ++branch) {
      if (!open[branch]) continue;
      places[branch] = place;
      ++n_open_nodes_;
      place += branch_rows[branch];
    }
    offsets.push_back(branch);
    n_open_rows_ += place;
    const bool spreads =
        rule_.missing == Missing::fractional && place > 0 &&
        spread_rows(features[index], stretch, known.subspan(first, stop - first),
                    open.subspan(first, stop - first));
    // rows that stand in several branches may need more room than the node had
    to.push_back(spreads ? end_of_lists_ : stretch.start);
    if (spreads) end_of_lists_ += place;
    for (std::int64_t one = first; one < stop; ++one) {
      if (!open[one]) continue;
      is_open_.push_back(1);
      stretches_.push_back({to.back() + places[one], branch_rows[one]});
    }
    if (place > 0) kept.push_back(index);
  }
  if (rule_.missing == Missing::fractional) make_room();
  std::vector<std::int64_t> kept_nodes;
  for (const std::int64_t index : kept) kept_nodes.push_back(nodes[index]);
  const auto part = [&](std::int64_t which, std::int64_t list, int thread) {
    const std::int64_t index = kept[which];
    const Stretch& stretch = stretches_[nodes[index]];
    const auto from = std::span(lists_[list]).subspan(stretch.start, stretch.n_rows);
    const auto starts = std::span(places).subspan(offsets[index], n_branches[index]);
    if (to[index] == stretch.start)
      partition(from, branch_of_row_, starts, spares_[thread]);
    else
      spread(from, branch_of_row_, starts, std::span(lists_[list]).subspan(to[index]),
             spares_[thread]);
  };
  for_each_pair(kept_nodes, n_lists(), part);
  rows_are_together_ = false;
  if (renumbering_pays()) renumber();
  return first_new;
}

// What part of a row without a value goes to each branch: that of its known rows.
std::vector<Share> MemorySource::shares_of(std::span<const std::int64_t> known) const {
  std::vector<Share> shares;
  std::int64_t all = 0, heaviest = 0, total = 0;
  for (const std::int64_t weight : known) {
    all += weight;
    heaviest = std::max(heaviest, weight);
  }
  const double least = std::min(rule_.min_share * static_cast<double>(all),
                                static_cast<double>(heaviest));
  const auto counted = [&](std::int64_t weight) {
    return static_cast<double>(weight) < least ? 0 : weight;
  };
  for (const std::int64_t weight : known) total += counted(weight);
  std::int64_t before = 0;
  for (const std::int64_t weight : known) {
    shares.push_back({before, counted(weight), total});
    before += counted(weight);
  }
  return shares;
}

// Gives each row of a node that has no value a copy in every open branch with known
// rows; false if there is no such row.
bool MemorySource::spread_rows(std::int64_t feature, const Stretch& stretch,
                               std::span<const std::int64_t> known,
                               std::span<const std::uint8_t> open) {
  const auto all = entries(feature, stretch, 0);
  const auto missing = all.subspan(n_known(feature, all));
  if (missing.empty()) return false;
  const auto shares = shares_of(known);
  auto& [narrow, wide, copies] = branch_of_row_;
  for (const Entry entry : missing) {
    const std::uint32_t row = row_of(entry);
    if (copies.size() <= row) copies.resize(n_working_rows_);
    copies[row].first = static_cast<std::uint32_t>(n_working_rows_);
    for (std::size_t branch = 0; branch < shares.size(); ++branch) {
      if (!open[branch] || shares[branch].of(storage_.weights[row]) == 0) continue;
      add_share(target_, row, shares[branch], storage_);
      table_rows_.push_back(table_rows_[row]);
      narrow.push_back(static_cast<std::uint8_t>(branch));
      if (!wide.empty()) wide.push_back(static_cast<std::uint32_t>(branch));
      ++n_working_rows_;
    }
    copies[row].stop = static_cast<std::uint32_t>(n_working_rows_);
  }
  if (n_working_rows_ >= std::int64_t{1} << 31)
    throw std::length_error("fractional rows: more than 2^31 of them");
  return true;
}

void MemorySource::make_room() {
  refresh(target_, storage_);
  for (auto& list : lists_)
    if (std::ssize(list) < end_of_lists_) list.resize(end_of_lists_);
}

bool MemorySource::renumbering_pays() const {
  constexpr std::int64_t shrunk = 16;   // a pass over all lists for as much less spread
  constexpr std::int64_t fits_l1 = 64;  // rows per node that are close enough anyway
  if (n_open_nodes_ == 0) return false;
  // what fractional rows have left behind
  const bool wasteful = std::max(end_of_lists_, n_working_rows_) > 2 * n_open_rows_ &&
                        end_of_lists_ > n_rows_;
  return wasteful || (n_features() > 1 && rows_per_node_ > fits_l1 * shrunk &&
                      n_open_rows_ / n_open_nodes_ * shrunk < rows_per_node_);
}

void MemorySource::renumber() {
  rows_per_node_ = n_open_rows_ / n_open_nodes_;
  rows_are_together_ = true;
  std::vector<std::uint32_t> number(n_working_rows_), order;
  order.reserve(n_open_rows_);
  std::vector<std::size_t> open;
  for (std::size_t node = 0; node < stretches_.size(); ++node)
    if (is_open_[node]) open.push_back(node);
  // in this order the lists can be packed in place: entries only move to the front
  std::ranges::sort(open, {}, [&](std::size_t node) { return stretches_[node].start; });
  for (const std::size_t node : open)
    for (const Entry entry : std::span(lists_[0]).subspan(stretches_[node].start,
                                                          stretches_[node].n_rows)) {
      number[row_of(entry)] = static_cast<std::uint32_t>(order.size());
      order.push_back(row_of(entry));
    }
  pool_.run(n_lists(), [&](std::int64_t list, int) {
    Entry* packed = lists_[list].data();
    for (const std::size_t node : open)
      for (const Entry entry :
           std::span(lists_[list])
               .subspan(stretches_[node].start, stretches_[node].n_rows))
        *packed++ = number[row_of(entry)] | (entry & new_value);
  });
  end_of_lists_ = 0;
  for (const std::size_t node : open) {
    stretches_[node].start = end_of_lists_;
    end_of_lists_ += stretches_[node].n_rows;
  }
  reorder(target_, order, storage_);
  for (std::uint32_t& row : order)
    if (!table_rows_.empty()) row = table_rows_[row];
  table_rows_ = std::move(order);
  n_working_rows_ = std::ssize(table_rows_);
  branch_of_row_.narrow.resize(n_working_rows_);
  if (!branch_of_row_.wide.empty()) branch_of_row_.wide.resize(n_working_rows_);
  branch_of_row_.copies.clear();
}

}  // namespace treewright
