// What permuting a feature costs a tree: its answers about rows that it was not grown
// from, with the feature's values as they are and dealt anew among these rows.
//
// A row's answer can change only from the first node on that asks it about the feature.
// So each row is walked once, noting where each feature is met first, and then again
// from there for these features alone: features that a tree does not ask about cost
// nothing, however many there are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "walk.hpp"

namespace treewright {

// A table with what is known of its rows.
struct KnownRows {
  std::span<const double> cells;  // n_features a row
  std::int64_t n_features;
  std::span<const double> target;  // n_outputs a row: class codes, or numbers
  std::int64_t n_outputs;
  std::span<const double> weights;
  // Classes: the slot of each output's first class. Empty: numbers, a slot per output.
  std::span<const std::int64_t> first_slot;
  std::int64_t n_slots;
  bool complete = false;  // whether no cell is missing
};

// A tree and the rows that it is asked about.
struct AskedTree {
  TreeView tree;
  std::span<const double> answers;  // n_outputs a node: the class, or the number
  std::span<const std::int64_t> rows;
  std::uint64_t key;
};

// Which of n rows gives its value to each of them: every order is as likely.
std::vector<std::uint32_t> permutation(std::uint64_t tree_key, std::int64_t feature,
                                       std::int64_t n);

// out: n_features x n_slots. Classes: the weight of the rows of each class that are
// right less that of those still right after the feature is permuted. Numbers: what is
// added to the sum of squared errors. Rows that the tree would divide among branches
// must not be among its rows. `pool` is the one that this is a task of.
void permuted_losses(const AskedTree& asked, const KnownRows& known,
                     const ThreadPool& pool, std::span<double> out);

}  // namespace treewright
