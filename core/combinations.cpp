#include "combinations.hpp"

#include <algorithm>
#include <bit>

namespace treewright {
namespace {

bool have_two_values(const Column& column, std::span<const Entry> rows,
                     std::span<const std::uint32_t> table_row) {
  const double first = column.cell(table_row[row_of(rows[0])]);
  return std::ranges::any_of(
      rows, [&](Entry row) { return column.cell(table_row[row_of(row)]) != first; });
}

}  // namespace

bool Combinations::draw(std::span<const Column> columns, std::span<const Entry> rows,
                        std::span<const std::uint32_t> table_row, std::uint64_t draw,
                        std::int64_t n_combined) {
  if (order_.empty()) order_.emplace_back(std::ssize(columns));
  features_.clear();
  weights_.clear();
  order_[0].start(draw);
  Random64 random{branch_key(draw, 0)};
  for (std::size_t n = 0; n < columns.size() && std::ssize(features_) < n_combined;
       ++n) {
    const std::uint32_t feature = order_[0].next();
    if (!have_two_values(columns[feature], rows, table_row)) continue;
    features_.push_back(static_cast<std::int32_t>(feature));
    weights_.push_back(coefficient_of(random.next()) * columns[feature].scale);
  }
  return !features_.empty();
}

std::span<const Entry> Combinations::list(std::span<const Column> columns,
                                          std::span<const Entry> rows,
                                          std::span<const std::uint32_t> table_row) {
  placed_.resize(rows.size());
  for (std::size_t place = 0; place < rows.size(); ++place) {
    const Entry row = row_of(rows[place]);
    // the same terms in the same order as the walk has: the sums have the same bits
    double sum = 0;
    for (std::size_t term = 0; term < features_.size(); ++term)
      sum += weights_[term] * columns[features_[term]].cell(table_row[row]);
    placed_[place] = {sum, row};
  }
  std::ranges::sort(placed_, {}, &Placed::sum);
  entries_.resize(rows.size());
  for (std::size_t place = 0; place < rows.size(); ++place) {
    const bool is_new = place == 0 || placed_[place].sum != placed_[place - 1].sum;
    entries_[place] = placed_[place].row | (is_new ? new_value : 0);
  }
  return entries_;
}

double Combinations::threshold(std::int64_t position) const {
  const double low = placed_[position - 1].sum, high = placed_[position].sum;
  const double middle = low / 2 + high / 2;
  return middle >= low && middle < high ? middle : low;
}

void Combinations::write(std::vector<std::int32_t>& codes) const {
  for (std::size_t term = 0; term < features_.size(); ++term) {
    const auto bits = std::bit_cast<std::uint64_t>(weights_[term]);
    codes.push_back(features_[term]);
    codes.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)));
    codes.push_back(static_cast<std::int32_t>(bits >> 32));
  }
}

}  // namespace treewright
