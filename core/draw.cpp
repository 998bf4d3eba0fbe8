#include "draw.hpp"

#include <numeric>
#include <utility>

namespace treewright {

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
