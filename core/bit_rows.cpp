#include "bit_rows.hpp"

#include <algorithm>

namespace treewright {

BitRows::BitRows(std::span<const Column> columns) {
  for (std::size_t feature = 0; feature < columns.size(); ++feature) {
    const Column& column = columns[feature];
    if (column.n_codes == 2 && !column.has_missing &&
        column.candidates == Candidates::cut && features_.size() < most)
      features_.push_back(static_cast<std::int64_t>(feature));
  }
  if (features_.size() < fewest) features_.clear();
  place_.assign(columns.size(), -1);
  for (std::size_t place = 0; place < features_.size(); ++place)
    place_[features_[place]] = static_cast<int>(place);
}

void BitRows::start(std::span<const Column> columns, const Target& target,
                    std::span<const std::uint32_t> table_rows, std::uint32_t first_row,
                    std::int64_t n_rows) {
  first_row_ = first_row;
  rows_.resize(n_rows);
  for (std::int64_t which = 0; which < n_rows; ++which) {
    const auto row = static_cast<std::uint32_t>(first_row + which);
    rows_[which] = {0, static_cast<std::uint32_t>(target.weight(row)),
                    static_cast<std::uint16_t>(which),
                    static_cast<std::uint16_t>(target.classes[row])};
  }
  for (std::size_t place = 0; place < features_.size(); ++place)
    for (std::int64_t which = 0; which < n_rows; ++which) {
      const auto row = static_cast<std::uint32_t>(first_row + which);
      const std::uint64_t code =
          columns[features_[place]].code(table_rows.empty() ? row : table_rows[row]);
      rows_[which].bits |= code << place;
    }
}

void BitRows::look_at(std::int64_t first, std::int64_t n_rows) {
  node_ = std::span(rows_).subspan(first, n_rows);
  std::uint64_t in_any = 0, in_all = ~std::uint64_t{0};
  for (const BitRow& row : node_) {
    in_any |= row.bits;
    in_all &= row.bits;
  }
  differing_ = in_any & ~in_all;
}

std::int64_t BitRows::count(std::int64_t feature, std::span<std::int64_t> sums) {
  const int place = place_[feature];
  sums_.assign(2 * sums.size(), 0);
  // rows in turn to two sets of sums: adding to one sum twice running takes longer
  std::uint32_t* const of_even = sums_.data();
  std::uint32_t* const of_odd = of_even + sums.size();
  std::uint32_t n_rows = 0;
  const auto add = [&](const BitRow& row, std::uint32_t* out) {
    const std::uint32_t bit = row.bits >> place & 1;
    out[row.slot] += row.weight & (0u - bit);
    n_rows += bit;
  };
  std::size_t which = 0;
  for (; which + 1 < node_.size(); which += 2) {
    add(node_[which], of_even);
    add(node_[which + 1], of_odd);
  }
  if (which < node_.size()) add(node_[which], of_even);
  for (std::size_t slot = 0; slot < sums.size(); ++slot)
    sums[slot] += std::int64_t{of_even[slot]} + of_odd[slot];
  return n_rows;
}

void BitRows::write_list(std::int64_t feature, std::span<Entry> out) const {
  const int place = place_[feature];
  // from both ends, so that no guess is needed; rows of one value have no order
  std::size_t front = 0, back = node_.size() - 1;
  for (const BitRow& row : node_) {
    const std::size_t bit = row.bits >> place & 1;
    out[front] = out[back] = first_row_ + row.row;
    front += 1 - bit;
    back -= bit;
  }
  out[0] |= new_value;
  if (front < node_.size()) out[front] |= new_value;
}

void BitRows::divide(const std::uint8_t* branch_of,
                     std::span<const std::int64_t> starts) {
  if (spare_.size() < node_.size()) spare_.resize(node_.size());
  std::size_t n_left = 0, n_right = 0;
  const bool keep_left = starts[0] != closed, keep_right = starts[1] != closed;
  for (const BitRow row : node_) {
    const std::uint32_t branch = branch_of[row.row];
    node_[n_left] = row;  // never overtakes the reading place
    spare_[n_right] = row;
    n_left += (1 - branch) & keep_left;
    n_right += branch & keep_right;
  }
  std::copy_n(spare_.begin(), n_right,
              node_.begin() + static_cast<std::ptrdiff_t>(n_left));
}

}  // namespace treewright
