// Random draws: the keys that decide them, and the rows of a bag.
#include "draw.hpp"

#include "arrays.hpp"

namespace treewright::python {
namespace {

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

nb::tuple bag_of(const In<std::uint32_t>& counts) {
  Bag bag;
  {
    nb::gil_scoped_release release;
    bag = rows_in_bag(view(counts));
  }
  return nb::make_tuple(give(std::move(bag.rows)), give(std::move(bag.counts)));
}

}  // namespace

void add_drawing(nb::module_& module) {
  module.def("branch_keys", &branch_keys, "keys"_a, "n_branches"_a);
  module.def("rows_in_bag", &bag_of, "counts"_a);
}

}  // namespace treewright::python
