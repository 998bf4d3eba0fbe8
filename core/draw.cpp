#include "draw.hpp"

#include <numeric>
#include <utility>

namespace treewright {

Bag rows_in_bag(std::span<const std::uint32_t> counts) {
  // one more, which the last rows may be written to in vain
  Bag bag{std::vector<std::uint32_t>(counts.size() + 1),
          std::vector<std::uint32_t>(counts.size() + 1)};
  std::size_t n_rows = 0;
  for (std::size_t row = 0; row < counts.size(); ++row) {
    bag.rows[n_rows] = static_cast<std::uint32_t>(row);
    bag.counts[n_rows] = counts[row];
    n_rows += counts[row] > 0;
  }
  bag.rows.resize(n_rows);
  bag.counts.resize(n_rows);
  return bag;
}

FeatureOrder::FeatureOrder(std::int64_t n_features) : order_(n_features) {
  std::iota(order_.begin(), order_.end(), 0u);
}

void FeatureOrder::start(std::uint64_t node_key) {
  random_.state = node_key;
  for (; !swapped_with_.empty(); swapped_with_.pop_back())
    std::swap(order_[swapped_with_.size() - 1], order_[swapped_with_.back()]);
}

std::uint32_t FeatureOrder::next() {
  const std::size_t place = swapped_with_.size();
  const std::size_t other = place + random_.below(order_.size() - place);
  std::swap(order_[place], order_[other]);
  swapped_with_.push_back(other);
  return order_[place];
}

}  // namespace treewright
