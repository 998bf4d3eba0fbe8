// A tree's arrays, as src/treewright/tree/predict/walk.py hands them over.
#pragma once

#include "arrays.hpp"
#include "walk.hpp"

namespace treewright::python {

// The arrays of a tree's surrogates.
struct SurrogateArrays {
  In<std::int64_t> start;
  In<std::int32_t> feature;
  In<std::uint8_t> kind;
  In<double> threshold;
  In<std::int32_t> branch;
  In<std::int64_t> set_start;
  In<std::int32_t> set_codes, set_branch;

  explicit SurrogateArrays(const nb::tuple& arrays)
      : start(nb::cast<In<std::int64_t>>(arrays[0])),
        feature(nb::cast<In<std::int32_t>>(arrays[1])),
        kind(nb::cast<In<std::uint8_t>>(arrays[2])),
        threshold(nb::cast<In<double>>(arrays[3])),
        branch(nb::cast<In<std::int32_t>>(arrays[4])),
        set_start(nb::cast<In<std::int64_t>>(arrays[5])),
        set_codes(nb::cast<In<std::int32_t>>(arrays[6])),
        set_branch(nb::cast<In<std::int32_t>>(arrays[7])) {
    const std::size_t n_surrogates = feature.size();
    expect(kind.size() == n_surrogates && threshold.size() == n_surrogates &&
               branch.size() == n_surrogates && set_start.size() == n_surrogates + 1 &&
               set_branch.size() == set_codes.size(),
           "surrogates: arrays of different lengths");
  }
  SurrogatesView surrogates() const {
    return {view(start),  view(feature),   view(kind),      view(threshold),
            view(branch), view(set_start), view(set_codes), view(set_branch)};
  }
};

// The arrays of a tree, likewise.
struct TreeArrays {
  In<std::uint8_t> kind;
  In<std::int32_t> feature;
  In<double> threshold;
  In<std::int32_t> first_child, n_children, missing_branch;
  In<std::int64_t> set_start;
  In<std::int32_t> set_codes;
  SurrogateArrays surrogates;

  explicit TreeArrays(const nb::tuple& arrays)
      : kind(nb::cast<In<std::uint8_t>>(arrays[0])),
        feature(nb::cast<In<std::int32_t>>(arrays[1])),
        threshold(nb::cast<In<double>>(arrays[2])),
        first_child(nb::cast<In<std::int32_t>>(arrays[3])),
        n_children(nb::cast<In<std::int32_t>>(arrays[4])),
        missing_branch(nb::cast<In<std::int32_t>>(arrays[5])),
        set_start(nb::cast<In<std::int64_t>>(arrays[6])),
        set_codes(nb::cast<In<std::int32_t>>(arrays[7])),
        surrogates(nb::cast<nb::tuple>(arrays[8])) {
    const std::size_t n_nodes = kind.size();
    expect(feature.size() == n_nodes && threshold.size() == n_nodes &&
               first_child.size() == n_nodes && n_children.size() == n_nodes &&
               missing_branch.size() == n_nodes && set_start.size() == n_nodes + 1,
           "tree: arrays of different lengths");
    expect(surrogates.start.size() == 0 || surrogates.start.size() == n_nodes + 1,
           "surrogates: arrays of different lengths");
  }
  TreeView tree() const {
    return {view(kind),        view(feature),    view(threshold),
            view(first_child), view(n_children), view(missing_branch),
            view(set_start),   view(set_codes),  surrogates.surrogates()};
  }
};

}  // namespace treewright::python
