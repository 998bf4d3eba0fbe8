#include "drawn_sides.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "draw.hpp"

namespace treewright {
namespace {

// Anywhere between two values, the upper one excluded.
double between(double low, double high, double share) {
  constexpr double largest = std::numeric_limits<double>::max();
  low = std::max(low, -largest);
  high = std::min(high, largest);
  double drawn = low + share * (high - low);
  if (!std::isfinite(drawn)) drawn = low * (1 - share) + high * share;
  return drawn >= low && drawn < high ? drawn : low;
}

}  // namespace

void DrawnSides::read(const Column& column, std::span<const Entry> rows,
                      std::span<const std::uint32_t> table_row) {
  cells_.resize(rows.size());
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t place = 0; place < rows.size(); ++place) {
    const double cell = column.cell(table_row[row_of(rows[place])]);
    cells_[place] = cell;
    low = cell < low ? cell : low;  // false for a missing value
    high = cell > high ? cell : high;
  }
  low_ = low;
  high_ = high;
  n_missing_ = 0;
  if (column.has_missing)
    n_missing_ = std::ranges::count_if(cells_, [](double x) { return std::isnan(x); });
  if (n_missing_ == std::ssize(cells_)) low_ = high_ = 0;
}

// A fair coin for each value, thrown again until the values of the rows are parted.
void DrawnSides::draw_set(const Column& column, std::uint64_t draw) {
  in_set_.assign(column.n_codes, 1);
  if (low_ == high_) return;
  is_here_.assign(column.n_codes, 0);
  for (const double code : cells_)
    if (!std::isnan(code)) is_here_[static_cast<std::size_t>(code)] = 1;
  Random64 random{draw};
  bool some_in = false, some_out = false;
  while (!some_in || !some_out) {
    some_in = some_out = false;
    std::uint64_t coins = 0;
    for (std::uint32_t code = 0; code < column.n_codes; ++code, coins >>= 1) {
      if (code % 64 == 0) coins = random.next();
      in_set_[code] = coins & 1;
      if (is_here_[code]) (in_set_[code] ? some_in : some_out) = true;
    }
  }
}

void DrawnSides::draw(const Column& column, std::span<const Entry> rows,
                      std::span<const std::uint32_t> table_row, std::uint64_t draw) {
  read(column, rows, table_row);
  on_left_.resize(rows.size());
  if (column.candidates == Candidates::drawn_set) {
    draw_set(column, draw);
    for (std::size_t place = 0; place < rows.size(); ++place)
      on_left_[place] = !std::isnan(cells_[place]) &&
                        in_set_[static_cast<std::size_t>(cells_[place])];
  } else {
    threshold_ = low_ == high_ ? high_ : between(low_, high_, share_of_draw(draw));
    if (column.kind_of_cells == Cells::ranks) threshold_ = std::floor(threshold_);
    for (std::size_t place = 0; place < rows.size(); ++place)
      on_left_[place] = cells_[place] <= threshold_;
  }
  std::int64_t n_left = 0;
  for (const std::uint8_t left : on_left_) n_left += left;
  n_left_ = n_left;
}

std::span<const Entry> DrawnSides::list(std::span<const Entry> rows) {
  entries_.resize(rows.size() + 1);  // a place that is written and not kept
  others_.resize(rows.size() + 1);
  Entry* left = entries_.data();
  Entry* right = others_.data();
  for (std::size_t place = 0; place < rows.size(); ++place) {
    const Entry row = row_of(rows[place]);
    *left = *right = row;
    left += on_left_[place];
    right += !on_left_[place] & !std::isnan(cells_[place]);
  }
  Entry* const end = std::copy(others_.data(), right, left);
  entries_[0] |= new_value;
  *left |= new_value;
  if (n_missing_ > 0) {
    Entry* last = end;
    for (std::size_t place = 0; place < rows.size(); ++place)
      if (std::isnan(cells_[place])) *last++ = row_of(rows[place]);
    *end |= new_value;
  }
  return std::span<const Entry>(entries_).first(rows.size());
}

std::vector<std::int32_t> DrawnSides::set_codes() const {
  std::vector<std::int32_t> codes;
  for (std::size_t code = 0; code < in_set_.size(); ++code)
    if (in_set_[code]) codes.push_back(static_cast<std::int32_t>(code));
  return codes;
}

}  // namespace treewright
