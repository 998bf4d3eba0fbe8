// Where growing begins: the rows of one tree or several, and their targets.
#include <algorithm>
#include <numeric>

#include "memory.hpp"

namespace treewright {

// Class and weight of a row in one small number, where that is enough.
void MemorySource::fill_bytes() {
  const auto heaviest =
      target_.weights.empty()
          ? 1
          : *std::max_element(target_.weights.begin(), target_.weights.end());
  const bool whole = rule_.missing != Missing::fractional;
  const auto small_number = [&](std::int64_t row, std::int64_t factor) {
    return factor * target_.weight(row) + target_.classes[row];
  };
  if (target_.n_classes() == 2 && target_.weights.empty()) {
    target_.bytes.assign(target_.classes.begin(), target_.classes.end());
  } else if (target_.n_classes() == 2 && whole && heaviest < 128 &&
             n_rows_ < std::int64_t{1} << 25) {  // their sums stay in 32 bits
    target_.bytes.resize(n_rows_);
    for (std::int64_t row = 0; row < n_rows_; ++row)
      target_.bytes[row] = static_cast<std::uint8_t>(small_number(row, 2));
  } else if (target_.n_classes() > 2 && target_.n_classes() <= 256 && whole &&
             target_.criterion == Criterion::gini && heaviest < 256 &&
             n_rows_ * heaviest < std::int64_t{1} << 26) {  // squares are exact
    target_.pairs.resize(n_rows_);
    for (std::int64_t row = 0; row < n_rows_; ++row)
      target_.pairs[row] = static_cast<std::uint16_t>(small_number(row, 256));
  }
}

// Each tree's rows with the weight that its draws give them.
void MemorySource::own_target(const Roots& roots) {
  const bool counts_only = target_.weights.empty();
  reorder(target_, roots.rows, storage_);
  table_rows_.assign(roots.rows.begin(), roots.rows.end());
  if (roots.counts.empty()) return;
  if (counts_only) storage_.weights.assign(n_rows_, 1);
  const bool shared = storage_.weighted.empty();
  if (shared) storage_.weighted = storage_.values;
  for (std::int64_t row = 0; row < n_rows_; ++row) {
    storage_.weights[row] *= roots.counts[row];
    for (std::int64_t cell = row * target_.n_outputs;
         cell < std::min((row + 1) * target_.n_outputs, std::ssize(storage_.weighted));
         ++cell)
      storage_.weighted[cell] *= roots.counts[row];
  }
  target_.weighted = storage_.weighted;
  refresh(target_, storage_);
}

void MemorySource::build_lists(const Lists* sorted) {
  if (makes_lists_) {
    lists_[0].resize(n_rows_);
    std::iota(lists_[0].begin(), lists_[0].end(), Entry{0});
    return;
  }
  const std::vector<std::uint32_t> numbers =
      has_roots_ ? numbers_in_roots() : std::vector<std::uint32_t>();
  pool_.run(n_features(), [&](std::int64_t feature, int) {
    build_list(feature, sorted ? &(*sorted)[feature] : nullptr, numbers);
  });
}

static constexpr std::uint32_t not_drawn = ~0u;

// For each root the number there of each row of the table.
std::vector<std::uint32_t> MemorySource::numbers_in_roots() const {
  std::vector<std::uint32_t> numbers(n_roots() * n_table_rows_, not_drawn);
  for (std::int64_t root = 0; root < n_roots(); ++root)
    for (std::int64_t row = root_starts_[root]; row < root_starts_[root + 1]; ++row)
      numbers[root * n_table_rows_ + table_rows_[row]] =
          static_cast<std::uint32_t>(row);
  return numbers;
}

// The rows of the table in the order of a feature's codes, with marks: a counting sort,
// because codes are ranks already.
std::vector<Entry> MemorySource::table_in_order(std::int64_t feature) const {
  const Column& column = columns_[feature];
  std::vector<std::uint32_t> next(std::size_t{column.n_codes} + 2, 0);
  for (std::int64_t row = 0; row < n_table_rows_; ++row) ++next[column.code(row) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Entry> list;
  // branches of nodes whose rows are divided go behind the others; room is free until
  // it is written to
  if (rule_.missing == Missing::fractional) list.reserve(2 * n_table_rows_);
  list.resize(n_table_rows_);
  for (std::int64_t row = 0; row < n_table_rows_; ++row)
    list[next[column.code(row)]++] = static_cast<Entry>(row);
  // `next` now holds where each code ends
  std::uint32_t start = 0;
  for (const std::uint32_t stop : next) {
    if (start < list.size() && stop > start) list[start] |= new_value;
    start = stop;
  }
  return list;
}

// Each root's rows are picked from the table's order, which may be known.
void MemorySource::build_list(std::int64_t feature, const std::vector<Entry>* sorted,
                              std::span<const std::uint32_t> numbers) {
  auto& list = lists_[feature];
  if (rule_.missing == Missing::fractional && sorted) list.reserve(2 * n_rows_);
  if (!has_roots_ && sorted) {
    list.assign(sorted->begin(), sorted->end());
    return;
  }
  std::vector<Entry> own = sorted ? std::vector<Entry>() : table_in_order(feature);
  if (!has_roots_) {
    list = std::move(own);
    return;
  }
  const auto table = std::span<const Entry>(sorted ? *sorted : own);
  list.resize(n_rows_ + 1);  // the last row may be written in vain behind all others
  for (std::int64_t root = 0; root < n_roots(); ++root) {
    pool_.pause();
    const auto number = numbers.subspan(root * n_table_rows_, n_table_rows_);
    Entry* next = list.data() + root_starts_[root];
    Entry mark = 0;  // of a value that no row of this root has had yet
    for (const Entry entry : table) {
      const std::uint32_t row = number[row_of(entry)];
      const std::uint32_t is_drawn = row != not_drawn;
      mark |= entry & new_value;
      *next = row | mark;
      next += is_drawn;
      mark &= is_drawn - 1;
    }
  }
  list.resize(n_rows_);
}

void MemorySource::open_roots(std::span<std::int64_t> out,
                              std::span<std::uint8_t> pure) {
  n_working_rows_ = end_of_lists_ = n_rows_;
  rows_are_together_ = true;
  n_open_nodes_ = n_roots();
  n_open_rows_ = n_rows_;
  // the table is in nobody's order: numbering anew pays sooner than later on
  rows_per_node_ = has_roots_ ? n_rows_ / n_open_nodes_ : 4 * n_rows_;
  std::vector<Entry> all(n_rows_);
  std::iota(all.begin(), all.end(), Entry{0});
  for (std::int64_t root = 0; root < n_open_nodes_; ++root) {
    const Stretch stretch{root_starts_[root],
                          root_starts_[root + 1] - root_starts_[root]};
    stretches_.push_back(stretch);
    is_open_.push_back(1);
    const auto rows =
        std::span<const Entry>(all).subspan(stretch.start, stretch.n_rows);
    pure[root] =
        evaluators_[0]->summarise(Pieces{rows}, out.subspan(root * width(), width()));
  }
}

}  // namespace treewright
