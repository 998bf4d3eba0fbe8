#include "draw.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace treewright {

void draw_features(std::span<const std::uint64_t> keys, std::int64_t n_features,
                   std::int64_t first, std::int64_t stop, std::span<std::uint8_t> out) {
  std::ranges::fill(out, std::uint8_t{0});
  std::vector<std::uint32_t> order(n_features);
  for (std::size_t node = 0; node < keys.size(); ++node) {
    std::iota(order.begin(), order.end(), 0u);
    Random64 random{keys[node]};
    for (std::int64_t place = 0; place < std::min(stop, n_features); ++place) {
      const auto other = place + static_cast<std::int64_t>(random.below(
                                     static_cast<std::uint64_t>(n_features - place)));
      std::swap(order[place], order[other]);
      if (place >= first) out[node * n_features + order[place]] = 1;
    }
  }
}

}  // namespace treewright
