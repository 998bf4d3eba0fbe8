// The values of one feature among the rows of a node, with the class counts of each.
//
// Values are keys: 64-bit numbers that stay as they are while rows come and go. Numbers
// are in the order of their keys; categories have a rank each, since one that is new
// may come between others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace treewright {

using Key = std::uint64_t;
inline constexpr Key no_value = ~Key{0};

// Where keys stand in the order of a feature.
struct KeyOrder {
  std::vector<std::uint32_t> ranks;  // by key; empty: keys are in order themselves

  Key place(Key key) const { return ranks.empty() ? key : ranks[key]; }
};

std::int64_t sum_of(std::span<const std::uint32_t> counts);

struct ValueTable {
  std::vector<Key> keys;               // in order
  std::vector<std::uint32_t> counts;   // of each key, one number per class
  std::vector<std::uint32_t> missing;  // class counts of the rows without a value
  // No split of this feature has a larger score (see incremental_search.hpp).
  double ceiling = 0;

  void clear(int n_classes);
  void add(Key key, std::uint32_t of_class, const KeyOrder& order);
  void remove(Key key, std::uint32_t of_class, const KeyOrder& order);

  std::span<const std::uint32_t> counts_of(std::size_t place) const {
    return std::span(counts).subspan(place * missing.size(), missing.size());
  }
  // Where the key stands, or would stand.
  std::size_t find(Key key, const KeyOrder& order) const;
};

}  // namespace treewright
