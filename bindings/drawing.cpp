// Random draws: the features that nodes look at, and the keys that decide them.
#include "draw.hpp"

#include "arrays.hpp"

namespace treewright::python {
namespace {

Out<std::uint8_t> drawn_features(const In<std::uint64_t>& keys, std::int64_t n_features,
                                 std::int64_t first, std::int64_t stop) {
  expect(n_features >= 0 && first >= 0 && stop >= first, "draw: out of range");
  std::vector<std::uint8_t> flags(keys.size() * n_features);
  draw_features(view(keys), n_features, first, stop, flags);
  return give(std::move(flags), {keys.size(), static_cast<std::size_t>(n_features)});
}

// The keys of all branches, node after node.
Out<std::uint64_t> branch_keys(const In<std::uint64_t>& keys,
                               const In<std::int64_t>& n_branches) {
  expect(keys.size() == n_branches.size(), "branch_keys: arrays of the wrong length");
  std::vector<std::uint64_t> out;
  for (std::size_t node = 0; node < keys.size(); ++node)
    for (std::int64_t branch = 0; branch < view(n_branches)[node]; ++branch)
      out.push_back(branch_key(view(keys)[node], static_cast<std::uint64_t>(branch)));
  return give(std::move(out));
}

}  // namespace

void add_drawing(nb::module_& module) {
  module.def("draw_features", &drawn_features, "keys"_a, "n_features"_a, "first"_a,
             "stop"_a);
  module.def("branch_keys", &branch_keys, "keys"_a, "n_branches"_a);
}

}  // namespace treewright::python
