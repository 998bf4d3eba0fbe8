// The class that each node of a tree answers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace treewright {

class HeaviestClasses {
 public:
  //   weights   `n_classes` of each node, none negative
  //   parent    a smaller number than the node's own; -1: none
  HeaviestClasses(std::span<const double> weights, std::size_t n_classes,
                  std::span<const std::int32_t> parent)
      : weights_(weights), n_classes_(n_classes), parent_(parent) {}

  // The heaviest class of each node. Of equal ones the one that is heaviest in the
  // nearest ancestor that tells them apart (if `asks_ancestors`), then the first.
  std::vector<std::int32_t> of_nodes(bool asks_ancestors) {
    std::vector<std::int32_t> found(parent_.size());
    for (std::size_t node = 0; node < found.size(); ++node) {
      const auto own = weights_of(node);
      const double least = std::ranges::max(own) * almost_all;
      std::int32_t first = 0, n_tied = 0;
      for (std::size_t slot = n_classes_; slot-- > 0;) {
        const bool is_tied = own[slot] >= least;
        first = is_tied ? static_cast<std::int32_t>(slot) : first;
        n_tied += is_tied;
      }
      found[node] = n_tied > 1 && asks_ancestors ? ask_above(node, least) : first;
    }
    return found;
  }

 private:
  // Shares of rows are rounded: what they make equal is equal.
  static constexpr double almost_all = 1 - 1e-11;

  std::span<const double> weights_of(std::size_t node) const {
    return weights_.subspan(node * n_classes_, n_classes_);
  }

  // Among the classes of the node that weigh `least` or more.
  std::int32_t ask_above(std::size_t node, double least) {
    tied_.clear();
    for (std::size_t slot = 0; slot < n_classes_; ++slot)
      if (weights_of(node)[slot] >= least) tied_.push_back(slot);
    for (std::int32_t above = parent_[node]; above >= 0 && tied_.size() > 1;
         above = parent_[above]) {
      const auto theirs = weights_of(above);
      double most = theirs[tied_.front()];
      for (const std::size_t slot : tied_) most = std::max(most, theirs[slot]);
      std::erase_if(tied_, [&](std::size_t slot) { return theirs[slot] < most; });
    }
    return static_cast<std::int32_t>(tied_.front());
  }

  std::span<const double> weights_;
  std::size_t n_classes_;
  std::span<const std::int32_t> parent_;
  std::vector<std::size_t> tied_;
};

}  // namespace treewright
