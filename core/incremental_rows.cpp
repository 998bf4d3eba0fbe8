// The rows of an incremental tree: slots, keys, and finding a row again.
#include <algorithm>

#include "incremental.hpp"

namespace treewright {

std::vector<Slot> IncrementalTree::slots() const {
  std::vector<Slot> found;
  for (Slot slot = 0; slot < uses_.size(); ++slot)
    if (uses_[slot] == Use::row) found.push_back(slot);
  return found;
}

std::vector<Key> IncrementalTree::keys_of(Slot slot) const {
  std::vector<Key> own;
  for (const auto& keys : keys_) own.push_back(keys[slot]);
  return own;
}

void IncrementalTree::count_keys(Slot slot, int change) {
  for (std::size_t feature = 0; feature < keys_.size(); ++feature)
    if (const Key key = keys_[feature][slot]; key < key_counts_[feature].size())
      key_counts_[feature][key] += change;
}

std::uint64_t IncrementalTree::hash_of(std::span<const Key> keys,
                                       std::uint32_t of_class) const {
  std::uint64_t hash = of_class;
  for (const Key key : keys) {
    hash = (hash ^ key) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return hash;
}

std::vector<Slot> IncrementalTree::add(std::span<const Key> keys,
                                       std::span<const std::uint32_t> classes) {
  Change change{0, {}, {}};
  for (std::size_t row = 0; row < classes.size(); ++row) {
    if (free_.empty()) {
      free_.push_back(static_cast<Slot>(uses_.size()));
      for (auto& column : keys_) column.push_back(0);
      classes_.push_back(0);
      marks_.push_back(0);
      uses_.push_back(Use::free);
      awaiting_.push_back(0);
    }
    const Slot slot = free_.back();
    const auto own = keys.subspan(row * keys_.size(), keys_.size());
    slots_by_hash_.emplace(hash_of(own, classes[row]), slot);
    free_.pop_back();
    for (std::size_t feature = 0; feature < own.size(); ++feature)
      keys_[feature][slot] = own[feature];
    classes_[slot] = classes[row];
    uses_[slot] = Use::row;
    count_keys(slot, 1);
    change.added.push_back(slot);
  }
  std::vector<Slot> added = change.added;
  apply(std::move(change));
  return added;
}

std::vector<Slot> IncrementalTree::find(std::span<const Key> keys,
                                        std::span<const std::uint32_t> classes) const {
  std::vector<Slot> found;
  std::unordered_map<Slot, bool> taken;
  for (std::size_t row = 0; row < classes.size(); ++row) {
    const auto own = keys.subspan(row * keys_.size(), keys_.size());
    const auto [first, last] = slots_by_hash_.equal_range(hash_of(own, classes[row]));
    const auto is_it = [&](const auto& entry) {
      const Slot slot = entry.second;
      return !taken.contains(slot) && classes_[slot] == classes[row] &&
             std::ranges::equal(own, keys_of(slot));
    };
    const auto place = std::find_if(first, last, is_it);
    if (place == last) break;
    taken.emplace(place->second, true);
    found.push_back(place->second);
  }
  return found;
}

void IncrementalTree::remove(std::span<const Slot> slots) {
  for (const Slot slot : slots) {
    const auto [first, last] =
        slots_by_hash_.equal_range(hash_of(keys_of(slot), classes_[slot]));
    slots_by_hash_.erase(
        std::find_if(first, last, [&](auto& entry) { return entry.second == slot; }));
    uses_[slot] = Use::awaited;
    count_keys(slot, -1);
  }
  apply({0, {}, {slots.begin(), slots.end()}});
  release(slots);
}

}  // namespace treewright
