// Where growing begins: the rows of one tree or several, and their targets.
#include <algorithm>
#include <numeric>

#include "memory.hpp"

namespace treewright {

void MemorySource::fill_bytes() {
  const bool small =
      rule_.missing != Missing::fractional &&
      std::ranges::all_of(target_.weights, [](auto weight) { return weight < 128; }) &&
      n_rows_ < std::int64_t{1} << 25;  // their sums stay in 32 bits
  if (target_.weights.empty()) {
    target_.bytes.assign(target_.classes.begin(), target_.classes.end());
  } else if (small) {
    target_.bytes.resize(n_rows_);
    for (std::int64_t row = 0; row < n_rows_; ++row)
      target_.bytes[row] =
          static_cast<std::uint8_t>(2 * target_.weights[row] + target_.classes[row]);
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

void MemorySource::open_roots(std::span<std::int64_t> out,
                              std::span<std::uint8_t> pure) {
  n_working_rows_ = end_of_lists_ = n_rows_;
  n_open_nodes_ = n_roots();
  n_open_rows_ = n_rows_;
  // the table is in nobody's order: numbering anew pays sooner than later on
  rows_per_node_ = makes_lists_ ? n_rows_ / n_open_nodes_ : 4 * n_rows_;
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
