// The naive twin of the memory source: keeps the rows of every node as a plain set and
// checks each answer of the source against the definitions.
//
// It never looks into the source's lists. A list out of order, or a wrong mark, shows
// in the next scan: cuts are counted in rows and found at marks.
#pragma once

#include "grow.hpp"
#include "naive.hpp"

namespace treewright::tests {

class Twin final : public Watch {
 public:
  explicit Twin(const Growing& growing)
      : table_(growing.table), target_(growing.target), rule_(growing.rule) {}

  void opened(const std::vector<std::int64_t>& statistic, bool pure) override;
  void scanned(const Batch& batch) override;
  void was_split(const Splits& splits) override;

  int n_splits() const { return n_splits_; }

 private:
  void check_found(const Found& found, const Rows& rows, std::int64_t feature,
                   double tolerance) const;
  // Splits of the feature at the rows, and whether there would be one without limits.
  std::vector<Candidate> candidates(const Rows& rows, std::int64_t feature,
                                    bool& has_values) const;
  std::vector<Candidate> multiway(const Pieces& groups, const Rows& node) const;
  std::vector<Rows> rows_of_branches(const Splits& splits, std::size_t index) const;
  void check_question(const Splits& splits, std::size_t index,
                      const std::vector<Rows>& branches) const;
  void check_gain(const Splits& splits, std::size_t index,
                  const std::vector<Rows>& branches) const;
  void check_branches(const Splits& splits, std::size_t index, std::size_t first,
                      const std::vector<Rows>& branches) const;
  bool is_missing_apart(const Splits& splits, std::size_t index) const;

  const Table& table_;
  const Target& target_;
  const Rule rule_;
  std::vector<Rows> rows_of_node_;
  int n_splits_ = 0;
};

}  // namespace treewright::tests
