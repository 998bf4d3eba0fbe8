// Random draws that depend on a key alone: on nothing that was drawn before, so that a
// node draws the same features whichever nodes are looked at with it.
//
// A tree has a key, and a branch's key follows from its parent's. The generator is
// splitmix64 (Steele, Lea and Flood 2014): a counter, mixed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace treewright {

struct Random64 {
  std::uint64_t state;

  std::uint64_t next() {
    state += 0x9E3779B97F4A7C15u;
    std::uint64_t mixed = state;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return mixed ^ mixed >> 31;
  }
  // 0 .. n - 1; the shares differ by less than n / 2^64
  std::uint64_t below(std::uint64_t n) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(next()) * n >> 64);
  }
};

// The key of a branch.
inline std::uint64_t branch_key(std::uint64_t node_key, std::uint64_t branch) {
  Random64 random{node_key ^ (branch + 1) * 0xD1342543DE82EF95u};
  return random.next();
}

// What a node draws for a feature: a number below 2^62, which says where it is cut.
inline std::uint64_t draw_of_feature(std::uint64_t node_key, std::uint64_t feature) {
  Random64 random{node_key ^ (feature + 1) * 0xA0761D6478BD642Fu};
  return random.next() >> 2;
}

// A draw as a number from 0 up to, but not, 1.
inline double share_of_draw(std::uint64_t draw) {
  return static_cast<double>(draw >> 9) * 0x1p-53;
}

// A random number as one from -1 up to, but not, 1.
inline double coefficient_of(std::uint64_t random) {
  return static_cast<double>(static_cast<std::int64_t>(random) >> 10) * 0x1p-53;
}

// The rows of a bag, in order, and how often each was drawn.
struct Bag {
  std::vector<std::uint32_t> rows, counts;
};

// counts: of every row of the table.
Bag rows_in_bag(std::span<const std::uint32_t> counts);

// A node's random order of the features, one after the other: whoever stops early has
// shuffled no more than was asked for.
class FeatureOrder {
 public:
  explicit FeatureOrder(std::int64_t n_features);

  void start(std::uint64_t node_key);
  // At most n_features times.
  std::uint32_t next();

 private:
  Random64 random_{0};
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> swapped_with_;  // of each place that was asked for
};

}  // namespace treewright
