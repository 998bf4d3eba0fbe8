// The rows of an incremental tree: slots, keys, and finding a row again.
#include <algorithm>
#include <numeric>

#include "incremental.hpp"

namespace treewright {
namespace {

std::uint64_t hash_with(std::uint64_t hash, Key key) {
  hash = (hash ^ key) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 29);
}

}  // namespace

std::vector<Slot> IncrementalTree::slots() const {
  std::vector<Slot> found;
  for (Slot slot = 0; slot < uses_.size(); ++slot)
    if (uses_[slot] == Use::row) found.push_back(slot);
  return found;
}

void IncrementalTree::count_keys(Slot slot, int change) {
  for (std::size_t feature = 0; feature < keys_.size(); ++feature)
    if (const Key key = keys_[feature][slot]; key < key_counts_[feature].size())
      key_counts_[feature][key] += change;
}

std::uint64_t IncrementalTree::hash_of(Slot slot) const {
  std::uint64_t hash = classes_[slot];
  for (const auto& keys : keys_) hash = hash_with(hash, keys[slot]);
  return hash;
}

// Lets a slot hold its row, or no longer; the second cannot fail.
void IncrementalTree::book(Slot slot) {
  slots_by_hash_.emplace(hash_of(slot), slot);
  uses_[slot] = Use::row;
  count_keys(slot, 1);
}

void IncrementalTree::unbook(Slot slot) {
  const auto [first, last] = slots_by_hash_.equal_range(hash_of(slot));
  slots_by_hash_.erase(
      std::find_if(first, last, [&](auto& entry) { return entry.second == slot; }));
  count_keys(slot, -1);
}

std::vector<Slot> IncrementalTree::add(std::span<const Key> keys,
                                       std::span<const std::uint32_t> classes) {
  std::vector<Slot> added;
  added.reserve(classes.size());
  try {
    for (std::size_t row = 0; row < classes.size(); ++row) {
      if (free_.empty()) make_slots();
      const Slot slot = free_.back();
      for (std::size_t feature = 0; feature < keys_.size(); ++feature)
        keys_[feature][slot] = keys[row * keys_.size() + feature];
      classes_[slot] = classes[row];
      book(slot);
      free_.pop_back();
      added.push_back(slot);
    }
    apply({0, added, {}});
  } catch (...) {
    for (const Slot slot : added) {
      unbook(slot);
      uses_[slot] = Use::awaited;
    }
    throw;
  }
  return added;
}

// Room for one row more, and in the lists of slots for all of them.
void IncrementalTree::make_slots() {
  const std::size_t n_slots = uses_.size() + 1;
  free_.reserve(std::max(free_.capacity(), 2 * n_slots));
  heard_.reserve(free_.capacity());
  for (auto& column : keys_) column.resize(n_slots);
  classes_.resize(n_slots);
  marks_.resize(n_slots);
  awaiting_.resize(n_slots);
  uses_.resize(n_slots, Use::free);
  free_.push_back(static_cast<Slot>(n_slots - 1));
}

std::vector<Slot> IncrementalTree::find(std::span<const Key> keys,
                                        std::span<const std::uint32_t> classes) const {
  std::vector<Slot> found;
  std::unordered_map<Slot, bool> taken;
  for (std::size_t row = 0; row < classes.size(); ++row) {
    const auto own = keys.subspan(row * keys_.size(), keys_.size());
    const auto hash =
        std::accumulate(own.begin(), own.end(), std::uint64_t{classes[row]}, hash_with);
    const auto [first, last] = slots_by_hash_.equal_range(hash);
    const auto is_it = [&](const auto& entry) {
      const Slot slot = entry.second;
      return !taken.contains(slot) && classes_[slot] == classes[row] &&
             std::ranges::equal(own, keys_, {}, {},
                                [&](const auto& column) { return column[slot]; });
    };
    const auto place = std::find_if(first, last, is_it);
    if (place == last) break;
    taken.emplace(place->second, true);
    found.push_back(place->second);
  }
  return found;
}

void IncrementalTree::remove(std::span<const Slot> slots) {
  Change change{0, {}, {slots.begin(), slots.end()}};
  for (const Slot slot : slots) uses_[slot] = Use::awaited;
  try {
    apply(std::move(change));
  } catch (...) {
    for (const Slot slot : slots) uses_[slot] = Use::row;
    throw;
  }
  for (const Slot slot : slots) unbook(slot);
  release(slots);
}

}  // namespace treewright
