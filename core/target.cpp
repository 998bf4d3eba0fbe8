#include "target.hpp"

namespace treewright {
namespace {

// `width` numbers per row; an absent array stays absent.
template <class Number>
std::vector<Number> taken(std::span<const Number> from,
                          std::span<const std::uint32_t> order, std::size_t width) {
  std::vector<Number> out;
  if (from.empty()) return out;
  out.reserve(order.size() * width);
  for (const std::size_t row : order)
    out.insert(out.end(), from.begin() + row * width, from.begin() + (row + 1) * width);
  return out;
}

}  // namespace

void reorder(Target& target, std::span<const std::uint32_t> order,
             TargetStorage& storage) {
  const std::size_t width = target.n_outputs;
  const bool shared = target.weighted.data() == target.values.data();
  TargetStorage fresh;
  fresh.classes = taken(target.classes, order, width);
  fresh.values = taken(target.values, order, width);
  if (!shared) fresh.weighted = taken(target.weighted, order, width);
  fresh.weights = taken(target.weights, order, 1);
  target.bytes = taken(std::span<const std::uint8_t>(target.bytes), order, 1);
  target.pairs = taken(std::span<const std::uint16_t>(target.pairs), order, 1);
  storage = std::move(fresh);  // only now: the old arrays may have been in it
  refresh(target, storage);
}

void refresh(Target& target, const TargetStorage& storage) {
  const bool shared = target.weighted.data() == target.values.data();
  target.classes = storage.classes;
  target.values = storage.values;
  target.weighted = shared ? storage.values : storage.weighted;
  target.weights = storage.weights;
}

void add_share(const Target& target, std::uint32_t row, const Share& share,
               TargetStorage& storage) {
  const std::size_t width = target.n_outputs;
  for (std::size_t cell = row * width; cell < (row + 1) * width; ++cell) {
    if (!storage.classes.empty()) storage.classes.push_back(storage.classes[cell]);
    if (!storage.values.empty()) storage.values.push_back(storage.values[cell]);
    if (!storage.weighted.empty())
      storage.weighted.push_back(share.of(storage.weighted[cell]));
  }
  storage.weights.push_back(share.of(storage.weights[row]));
}

}  // namespace treewright
