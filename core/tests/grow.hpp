// A growing loop over the memory source, as small as it can be: scan all open nodes,
// split those that can be, advance, until nothing is open. Tests watch it.
#pragma once

#include <cstring>

#include "memory.hpp"
#include "random_data.hpp"

namespace treewright::tests {

// Opens the only root; whether all rows agree.
inline bool open_root(MemorySource& source, std::span<std::int64_t> statistic) {
  std::uint8_t pure = 0;
  source.open_roots(statistic, {&pure, 1});
  return pure != 0;
}

// Codes of the features, with the arrays that the core looks at.
class Table {
 public:
  explicit Table(std::int64_t n_rows) : n_rows_(n_rows) {}

  // bytes: per code. A code of n_codes is missing.
  void add(std::vector<std::uint32_t> codes, std::uint32_t n_codes,
           Candidates candidates, int bytes = 4);
  // Each cell is missing with a chance of one in `one_missing_in`; 0 for never.
  void add_random(Random& random, std::uint32_t n_codes, Candidates candidates,
                  std::int64_t one_missing_in = 0);

  std::int64_t n_rows() const { return n_rows_; }
  std::int64_t n_features() const { return std::ssize(codes_); }
  std::uint32_t code(std::int64_t feature, std::uint32_t row) const {
    return codes_[feature][row];
  }
  bool is_missing(std::int64_t feature, std::uint32_t row) const {
    return code(feature, row) == columns_[feature].n_codes;
  }
  const std::vector<Column>& columns() const { return columns_; }

 private:
  std::int64_t n_rows_;
  std::vector<std::vector<std::uint32_t>> codes_;
  std::vector<std::vector<std::uint8_t>> bytes_;
  std::vector<Column> columns_;
};

// Open nodes that are scanned together. Per node: `statistics` (width numbers), `found`
// (one per feature).
struct Batch {
  std::vector<std::int64_t> nodes, statistics;
  std::vector<double> tolerances;
  std::vector<Found> found;
};

// Splits that were made: features and positions per node, `open` per branch.
struct Splits {
  std::vector<std::int64_t> nodes;
  std::vector<std::int32_t> features;
  std::vector<std::int64_t> positions;
  std::vector<double> tolerances, gains;
  Branches branches;
  std::vector<std::uint8_t> open;
  std::int64_t first_new = 0;
};

// Everything that the source has answered.
struct History {
  std::vector<double> gains;
  std::vector<std::int64_t> numbers;
  bool operator==(const History&) const = default;

  template <class Numbers>
  void note(const Numbers& more) {
    numbers.insert(numbers.end(), more.begin(), more.end());
  }
};

struct Watch {
  virtual ~Watch() = default;
  virtual void opened(const std::vector<std::int64_t>&, bool /*pure*/) {}
  virtual void scanned(const Batch&) {}
  virtual void was_split(const Splits&) {}
};

struct Growing {
  const Table& table;
  const Target& target;
  Rule rule;
  int n_threads = 1;
  // one in so many branches is closed although it could be split; 0 for none
  std::int64_t one_closed_in = 0;
  // a batch has all open nodes, or so many of the oldest
  std::size_t most_nodes = 1'000'000;
  int most_batches = 1'000'000;
};

// Grows with a source that is ready, or with one of its own.
History grow(MemorySource& source, const Growing& growing, Watch& watch);
History grow(const Growing& growing, Watch& watch);
History grow(const Growing& growing);

// What the caller of the core gives as tolerance, here in the units of the score.
double tolerance_of(const Target& target, std::span<const std::int64_t> statistic);

}  // namespace treewright::tests
