#include "code_rows.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace treewright {
namespace {

// Rows whose codes, of a dozen features, are at home in the first cache.
constexpr std::int64_t most_near = 2048;
// Cells that are quickly added up.
constexpr std::size_t few_cells = 1024;

}  // namespace

void CodeRows::Block::start(std::size_t n_features, std::size_t n_rows) {
  keys.resize(n_features);
  has_keys.assign(n_features, 0);
  make_room(n_rows, rows);
}

void CodeRows::start(std::span<const std::uint32_t> table_rows, std::uint32_t first_row,
                     std::int64_t n_rows) {
  table_rows_ = table_rows;
  far_.start(columns_.size(), n_rows);
  make_room(n_rows, marks_);
  far_list_.resize(n_rows);
  std::iota(far_list_.begin(), far_list_.end(), std::uint16_t{0});
  for (std::int64_t which = 0; which < n_rows; ++which) {
    const auto row = static_cast<std::uint32_t>(first_row + which);
    far_.rows[which] = row;
    marks_[which] = mark_of(target_.classes[row], target_.weight(row));
  }
  make_room(n_rows + 1, spare_);  // the last row may be written in vain
  ranked_.resize(columns_.size());
  looked_.assign(columns_.size(), -1);
  cuts_.resize(columns_.size());
  near_rows_ = n_looked_ = 0;
}

void CodeRows::look_at(std::int64_t first, std::int64_t n_rows) {
  ++n_looked_;
  is_near_ = first >= near_first_ && first + n_rows <= near_first_ + near_rows_;
  if (is_near_) {
    node_ = std::span(near_list_).subspan(first - near_first_, n_rows);
    return;
  }
  node_ = std::span(far_list_).subspan(first, n_rows);
  if (n_rows > most_near) return;
  near_first_ = first;
  near_rows_ = n_rows;
  start_near();
}

// Rows of the node get a block of their own.
void CodeRows::start_near() {
  near_.start(columns_.size(), node_.size());
  near_list_.resize(node_.size());
  for (std::size_t row = 0; row < node_.size(); ++row) {
    near_list_[row] = static_cast<std::uint16_t>(row);
    near_.rows[row] = node_[row];
  }
  is_near_ = true;
  node_ = near_list_;
}

const Key* CodeRows::keys_of(std::int64_t feature) {
  if (!far_.has_keys[feature]) copy_from_table(feature);
  if (!is_near_) return far_.keys[feature].data();
  auto& keys = near_.keys[feature];
  if (!near_.has_keys[feature]) {
    near_.has_keys[feature] = 1;
    make_room(most_near, keys);
    const Key* from = far_.keys[feature].data();
    for (std::int64_t row = 0; row < near_rows_; ++row)
      keys[row] = from[near_.rows[row]];
  }
  return keys.data();
}

void CodeRows::copy_from_table(std::int64_t feature) {
  const Column& column = columns_[feature];
  auto& keys = far_.keys[feature];
  keys.resize(far_list_.size());
  far_.has_keys[feature] = 1;
  ranked_[feature].clear();
  if (column.n_codes >= most_rows) return copy_as_ranks(feature);
  const auto copy = [&](const auto* from) {
    for (std::size_t row = 0; row < keys.size(); ++row)
      keys[row] = key_of(
          from[table_rows_.empty() ? far_.rows[row] : table_rows_[far_.rows[row]]],
          marks_[row]);
  };
  if (column.bytes == 1)
    copy(static_cast<const std::uint8_t*>(column.codes));
  else if (column.bytes == 2)
    copy(static_cast<const std::uint16_t*>(column.codes));
  else
    copy(static_cast<const std::uint32_t*>(column.codes));
}

// More codes than a number of 16 bits can tell apart: their ranks among these rows.
void CodeRows::copy_as_ranks(std::int64_t feature) {
  const Column& column = columns_[feature];
  const auto code_of = [&](std::size_t row) {
    const std::uint32_t own = far_.rows[row];
    return column.code(table_rows_.empty() ? own : table_rows_[own]);
  };
  auto& keys = far_.keys[feature];
  std::vector<std::uint64_t> is_there(column.n_codes / 64 + 1);
  for (std::size_t row = 0; row < keys.size(); ++row)
    is_there[code_of(row) / 64] |= std::uint64_t{1} << code_of(row) % 64;
  std::vector<std::uint32_t> before;  // ranks before each word
  auto& ranked = ranked_[feature];
  for (std::size_t word = 0; word < is_there.size(); ++word) {
    before.push_back(static_cast<std::uint32_t>(ranked.size()));
    for (std::uint64_t bits = is_there[word]; bits; bits &= bits - 1)
      ranked.push_back(static_cast<std::uint32_t>(64 * word + std::countr_zero(bits)));
  }
  for (std::size_t row = 0; row < keys.size(); ++row) {
    const std::uint32_t code = code_of(row);
    const std::uint64_t lower = (std::uint64_t{1} << code % 64) - 1;
    const int inside = std::popcount(is_there[code / 64] & lower);
    keys[row] = key_of(before[code / 64] + inside, marks_[row]);
  }
}

bool CodeRows::prepare(std::int64_t feature) {
  const Column& column = columns_[feature];
  if (column.candidates != Candidates::cut) return false;
  feature_ = feature;
  const Key* const from = keys_of(feature);
  Key* const to = keys_.room_for(node_.size()).data();
  for (std::size_t place = 0; place < node_.size(); ++place)
    to[place] = from[node_[place]];
  const auto [low, high] = keys_.range();
  low_ = code_in(low);
  high_ = code_in(high);
  return !column.has_missing || table_code(feature, high_) < column.n_codes;
}

template <class Cell>
std::vector<Cell>& CodeRows::cells() {
  if constexpr (sizeof(Cell) == 4)
    return narrow_cells_;
  else
    return wide_cells_;
}

template <class Cell, class Sums>
CutOfCodes CodeRows::scan_counts(KeyScan<Sums>& scan,
                                 std::span<const std::int64_t> statistic,
                                 std::int64_t min_rows, double tolerance) {
  const int shift = std::bit_width(statistic.size() - 1);
  auto& own = cells<Cell>();
  const std::size_t n_cells = std::size_t{high_ - low_ + 1} << shift;
  own.assign(n_cells <= few_cells ? 2 * n_cells : n_cells, 0);
  const std::uint32_t low = low_;
  const auto add = [&](Key key, Cell* to) {
    to[((code_in(key) - low) << shift) + slot_in(key)] +=
        CodeCounts<Cell>::cell_of(key);
  };
  // rows in turn to two sets of cells: adding to one cell twice running takes longer
  Cell* const of_even = own.data();
  Cell* const of_odd = of_even + (n_cells <= few_cells ? n_cells : 0);
  const auto keys = keys_.unsorted();
  std::size_t place = 0;
  for (; place + 1 < keys.size(); place += 2) {
    add(keys[place], of_even);
    add(keys[place + 1], of_odd);
  }
  if (place < keys.size()) add(keys[place], of_even);
  if (of_odd != of_even)
    for (std::size_t cell = 0; cell < n_cells; ++cell) of_even[cell] += of_odd[cell];
  const CodeCounts<Cell> counts{std::span(own).first(n_cells), std::size_t{1} << shift};
  return scan.of_counts(counts, std::ssize(node_), statistic, min_rows, tolerance);
}

template <class Sums>
Candidate CodeRows::scan(KeyScan<Sums>& scan, std::span<const std::int64_t> statistic,
                         const Limits& limits, double tolerance) {
  if (low_ == high_) return {one_value};
  CutOfCodes found;
  if (2 * node_.size() < (high_ - low_) * (statistic.size() + 3)) {
    found =
        scan.of_keys(keys_.sorted(low_, high_), statistic, limits.min_rows, tolerance);
  } else {
    const auto weight = std::reduce(statistic.begin(), statistic.end());
    found =
        weight < 1 << 16
            ? scan_counts<std::uint32_t>(scan, statistic, limits.min_rows, tolerance)
            : scan_counts<std::uint64_t>(scan, statistic, limits.min_rows, tolerance);
    found.low += low_;
    found.high += low_;
  }
  if (found.cut.position == 0) return {too_few_rows};
  looked_[feature_] = n_looked_;
  cuts_[feature_] = found;
  return {found.cut.score, found.cut.position};
}

Candidate CodeRows::best_cut(std::span<const std::int64_t> statistic,
                             const Limits& limits, double tolerance) {
  const auto look = [&](auto& with) {
    return scan(with, statistic, limits, tolerance);
  };
  const bool two = statistic.size() == 2;
  if (target_.criterion == Criterion::gini) {
    if (two) return look(two_gini_);
    if (std::reduce(statistic.begin(), statistic.end()) <= PackedSquares::most_weight)
      return look(light_gini_);
    return look(many_gini_);
  }
  if (target_.weights.empty()) return two ? look(two_entropy_) : look(many_entropy_);
  return two ? look(two_weighted_) : look(many_weighted_);
}

CodeRows::Sides CodeRows::divide(std::int64_t feature, std::span<std::int64_t> left) {
  const CutOfCodes& found = cuts_[feature];
  const Key* const keys = keys_of(feature);
  const Key highest = key_of(found.low, 0xFFFF);
  std::uint16_t* const to = node_.data();
  std::uint16_t* const spare = spare_.data();
  std::size_t n_left = 0, n_right = 0;
  for (const std::uint16_t row : node_) {
    const std::size_t right = keys[row] > highest;
    to[n_left] = row;  // never overtakes the reading place
    spare[n_right] = row;
    n_left += 1 - right;
    n_right += right;
  }
  std::copy_n(spare, n_right, to + n_left);
  for (const std::uint16_t row : node_.first(n_left))
    left[slot_in(keys[row])] += weight_in(keys[row]);
  return {static_cast<std::int64_t>(n_left), static_cast<std::int64_t>(n_right),
          table_code(feature, found.low), table_code(feature, found.high)};
}

void CodeRows::divide(std::span<const std::uint8_t> branch_of,
                      std::int64_t n_branches) {
  std::size_t n_done = 0;
  const auto rows = entries();
  for (std::int64_t branch = 0; branch < n_branches; ++branch)
    for (std::size_t place = 0; place < node_.size(); ++place) {
      spare_[n_done] = node_[place];
      n_done += branch_of[rows[place]] == branch;
    }
  std::copy_n(spare_.begin(), node_.size(), node_.begin());
}

std::span<const Entry> CodeRows::entries() {
  entries_.resize(node_.size());
  for (std::size_t place = 0; place < node_.size(); ++place) {
    const std::uint32_t row = is_near_ ? near_.rows[node_[place]] : node_[place];
    entries_[place] = far_.rows[row];
  }
  return entries_;
}

}  // namespace treewright
