// Random draws that depend on a key alone: on nothing that was drawn before, so that a
// node draws the same features whichever nodes are looked at with it.
//
// A tree has a key, and a branch's key follows from its parent's. The generator is
// splitmix64 (Steele, Lea and Flood 2014): a counter, mixed.
#pragma once

#include <cstdint>
#include <span>

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

// For each key, features `first` .. `stop` - 1 of its random order of all features:
// they get a 1 in `out`, n_features flags per key.
void draw_features(std::span<const std::uint64_t> keys, std::int64_t n_features,
                   std::int64_t first, std::int64_t stop, std::span<std::uint8_t> out);

}  // namespace treewright
