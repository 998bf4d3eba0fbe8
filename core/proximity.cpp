#include "proximity.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace treewright {
namespace {

constexpr std::uint32_t nowhere = UINT32_MAX;
// Of a stretch that has more than this part of all rows the other rows are compared
// with it one by one, which needs no jumps in memory.
constexpr std::uint32_t dense_part = 16;

}  // namespace

Proximities::Proximities(std::span<const std::int32_t> ends,
                         std::span<const std::uint8_t> asked, std::int64_t n_trees,
                         std::int64_t n_rows, ThreadPool& pool)
    : n_trees_(n_trees),
      n_rows_(n_rows),
      n_words_((n_trees + 63) / 64),
      order_(n_trees * n_rows),
      first_(n_trees * n_rows, nowhere),
      stop_(n_trees * n_rows),
      asked_(asked.empty() ? 0 : n_words_ * n_rows) {
  pool.run(n_trees, [&](std::int64_t tree, int) {
    const std::size_t at = tree * n_rows;
    arrange(tree, ends.subspan(at, n_rows),
            asked.empty() ? asked : asked.subspan(at, n_rows));
  });
  // not above: threads would share the words
  if (!asked.empty())
    for (std::int64_t tree = 0; tree < n_trees; ++tree)
      for (std::int64_t row = 0; row < n_rows; ++row)
        if (asked[tree * n_rows + row])
          asked_[row * n_words_ + tree / 64] |= std::uint64_t{1} << tree % 64;
}

// A sort by counting; rows that do not count have an empty stretch.
void Proximities::arrange(std::int64_t tree, std::span<const std::int32_t> ends,
                          std::span<const std::uint8_t> asked) {
  const auto counts = [&](std::int64_t row) { return asked.empty() || asked[row]; };
  const std::int32_t most = n_rows_ == 0 ? 0 : *std::ranges::max_element(ends);
  std::vector<std::uint32_t> start(most + 2);
  for (std::int64_t row = 0; row < n_rows_; ++row)
    if (counts(row)) ++start[ends[row] + 1];
  for (std::size_t node = 1; node < start.size(); ++node)
    start[node] += start[node - 1];
  const std::int64_t at = tree * n_rows_;
  for (std::int64_t row = 0; row < n_rows_; ++row)
    if (counts(row)) {
      first_[at + row] = start[ends[row]];
      stop_[at + row] = start[ends[row] + 1];
    }
  for (std::int64_t row = 0; row < n_rows_; ++row)
    if (counts(row)) order_[at + start[ends[row]]++] = static_cast<std::uint32_t>(row);
}

void Proximities::count(std::int64_t row, Counts& counts) const {
  for (const std::uint32_t other : counts.met) counts.of_row[other] = 0;
  counts.met.clear();
  bool is_dense = false;
  std::uint32_t* of_row = counts.of_row.data();
  for (std::int64_t tree = 0; tree < n_trees_; ++tree) {
    const std::uint32_t* firsts = first_.data() + tree * n_rows_;
    const std::uint32_t* rows = order_.data() + tree * n_rows_;
    const std::uint32_t first = firsts[row], stop = stop_[tree * n_rows_ + row];
    if (first == nowhere) continue;
    if (stop - first > n_rows_ / dense_part) {
      is_dense = true;
      for (std::int64_t other = 0; other < n_rows_; ++other)
        of_row[other] += firsts[other] == first;
    } else {
      for (std::uint32_t place = first; place < stop; ++place)
        if (of_row[rows[place]]++ == 0) counts.met.push_back(rows[place]);
    }
  }
  if (!is_dense) return;
  counts.met.clear();
  for (std::int64_t other = 0; other < n_rows_; ++other)
    if (of_row[other] > 0) counts.met.push_back(static_cast<std::uint32_t>(other));
}

std::int64_t Proximities::n_common(std::int64_t row, std::int64_t other) const {
  if (asked_.empty()) return n_trees_;
  std::int64_t n = 0;
  for (std::int64_t word = 0; word < n_words_; ++word)
    n += std::popcount(asked_[row * n_words_ + word] & asked_[other * n_words_ + word]);
  return n;
}

double Proximities::share(std::int64_t row, std::int64_t other,
                          std::uint32_t count) const {
  const auto n = static_cast<double>(n_common(row, other));
  return n == 0 ? std::numeric_limits<double>::quiet_NaN() : count / n;
}

template <class Work>
void Proximities::for_each_row(ThreadPool& pool, const Work& work) const {
  constexpr std::int64_t n_of_task = 16;
  std::vector<Counts> counts(pool.n_threads());
  pool.run((n_rows_ + n_of_task - 1) / n_of_task, [&](std::int64_t task, int thread) {
    Counts& own = counts[thread];
    own.of_row.resize(n_rows_);
    const std::int64_t stop = std::min(n_rows_, (task + 1) * n_of_task);
    for (std::int64_t row = task * n_of_task; row < stop; ++row) {
      pool.pause();
      count(row, own);
      work(row, own);
    }
  });
}

void Proximities::matrix(ThreadPool& pool, std::span<double> out) const {
  for_each_row(pool, [&](std::int64_t row, const Counts& counts) {
    const auto to = out.subspan(row * n_rows_, n_rows_);
    if (asked_.empty()) {
      std::ranges::fill(to, 0.0);
      for (const std::uint32_t other : counts.met)
        to[other] = share(row, other, counts.of_row[other]);
    } else {
      for (std::int64_t other = 0; other < n_rows_; ++other)
        to[other] = share(row, other, counts.of_row[other]);
    }
    to[row] = 1;
  });
}

void Proximities::nearest(std::int64_t n_nearest, ThreadPool& pool,
                          std::span<std::int64_t> rows, std::span<double> out) const {
  struct Near {
    double share;
    std::uint32_t row;
  };
  for_each_row(pool, [&](std::int64_t row, const Counts& counts) {
    std::vector<Near> near;
    near.reserve(counts.met.size());
    for (const std::uint32_t other : counts.met)
      if (other != row)
        near.push_back({share(row, other, counts.of_row[other]), other});
    const std::int64_t n_found = std::min(n_nearest, std::ssize(near));
    std::ranges::partial_sort(
        near, near.begin() + n_found, [](const Near& one, const Near& other) {
          return one.share != other.share ? one.share > other.share
                                          : one.row < other.row;
        });
    for (std::int64_t place = 0; place < n_nearest; ++place) {
      const bool found = place < n_found;
      rows[row * n_nearest + place] = found ? std::int64_t{near[place].row} : -1;
      out[row * n_nearest + place] = found ? near[place].share : 0;
    }
  });
}

void Proximities::squares_within(std::span<const std::int32_t> groups, ThreadPool& pool,
                                 std::span<std::int64_t> out) const {
  for_each_row(pool, [&](std::int64_t row, const Counts& counts) {
    std::int64_t sum = 0;
    for (const std::uint32_t other : counts.met)
      if (groups[other] == groups[row])
        sum += static_cast<std::int64_t>(counts.of_row[other]) * counts.of_row[other];
    out[row] = sum;
  });
}

}  // namespace treewright
