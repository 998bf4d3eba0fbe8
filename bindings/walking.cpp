// Walking on trees and pruning them: the Python face of core/walk.hpp, core/place.hpp,
// core/leaf_rows.hpp and core/estimate.hpp.
#include <algorithm>
#include <functional>
#include <limits>

#include "impurity.hpp"

#include "arrays.hpp"
#include "estimate.hpp"
#include "labels.hpp"
#include "leaf_rows.hpp"
#include "place.hpp"
#include "subtree.hpp"
#include "tree_arrays.hpp"
#include "voter.hpp"
#include "walk.hpp"

namespace treewright::python {
namespace {

Out<std::int32_t> walk_rows(const nb::tuple& tree, const In<double>& cells,
                            int n_threads) {
  expect(cells.ndim() == 2, "cells: two dimensions are needed");
  const TreeArrays arrays(tree);
  std::vector<std::int32_t> nodes(cells.shape(0));
  ThreadPool pool(cells.shape(0) < 20000 ? 1 : n_threads);
  run_interruptible(pool, [&] {
    walk(arrays.tree(), view(cells), static_cast<std::int64_t>(cells.shape(1)), pool,
         nodes);
  });
  return give(std::move(nodes));
}

// A Voter together with the arrays that it looks at.
class Votes {
 public:
  Votes(const nb::list& trees, const nb::list& places, const nb::list& answers,
        std::int64_t width) {
    std::vector<TreeView> views;
    std::vector<std::span<const std::int32_t>> rows;
    std::vector<std::span<const double>> tables;
    expect(trees.size() == answers.size() && trees.size() == places.size() && width > 0,
           "votes: an answer per tree");
    for (std::size_t tree = 0; tree < trees.size(); ++tree) {
      trees_.emplace_back(nb::cast<nb::tuple>(trees[tree]));
      places_.push_back(nb::cast<In<std::int32_t>>(places[tree]));
      answers_.push_back(nb::cast<In<double>>(answers[tree]));
      const std::size_t n_nodes = trees_.back().kind.size();
      const std::size_t n_rows = answers_.back().size() / width;
      const auto known = view(places_.back());
      expect(known.empty()
                 ? n_rows == n_nodes
                 : known.size() == n_nodes &&
                       std::ranges::all_of(known,
                                           [&](std::int32_t place) {
                                             return place < std::int64_t(n_rows);
                                           }),
             "votes: answers of the wrong length");
    }
    for (const TreeArrays& arrays : trees_) views.push_back(arrays.tree());
    for (const auto& places : places_) rows.push_back(view(places));
    for (const auto& table : answers_) tables.push_back(view(table));
    voter_ = std::make_unique<Voter>(std::move(views), std::move(rows),
                                     std::move(tables), width);
  }

  nb::tuple vote(const In<double>& cells, int n_threads) const {
    expect(cells.ndim() == 2, "cells: two dimensions are needed");
    const std::size_t n_rows = cells.shape(0);
    std::vector<double> sums(n_rows * voter_->width());
    std::vector<std::uint8_t> divided(n_rows);
    ThreadPool pool(n_threads);
    run_interruptible(pool, [&] {
      voter_->vote(view(cells), static_cast<std::int64_t>(cells.shape(1)), pool, sums,
                   divided);
    });
    const auto width = static_cast<std::size_t>(voter_->width());
    return nb::make_tuple(give(std::move(sums), {n_rows, width}),
                          give(std::move(divided)));
  }

 private:
  std::vector<TreeArrays> trees_;
  std::vector<In<std::int32_t>> places_;
  std::vector<In<double>> answers_;
  std::unique_ptr<Voter> voter_;
};

template <class Weight>
nb::tuple place_rows(const nb::tuple& tree, const In<double>& node_weights,
                     const In<double>& cells, const In<std::int32_t>& tops,
                     const In<std::int64_t>& starts, const In<std::int64_t>& rows,
                     const In<Weight>& weights, double min_share, int n_threads) {
  expect(cells.ndim() == 2, "cells: two dimensions are needed");
  const TreeArrays arrays(tree);
  expect(node_weights.size() == 0 || node_weights.size() == arrays.kind.size(),
         "node_weights: wrong length");
  expect(starts.size() == tops.size() + 1 && rows.size() == weights.size() &&
             starts.data()[tops.size()] == static_cast<std::int64_t>(rows.size()),
         "place: arrays of different lengths");
  for (const std::int64_t row : view(rows))
    expect(row >= 0 && row < static_cast<std::int64_t>(cells.shape(0)),
           "place: row out of range");
  Placed<Weight> placed;
  ThreadPool pool(rows.size() < 20000 ? 1 : n_threads);
  run_interruptible(pool, [&] {
    placed =
        place<Weight>(arrays.tree(), {view(node_weights), min_share}, view(cells),
                      static_cast<std::int64_t>(cells.shape(1)),
                      {view(tops), view(starts), {view(rows), view(weights)}}, pool);
  });
  return nb::make_tuple(give(std::move(placed.item)), give(std::move(placed.node)),
                        give(std::move(placed.weight)));
}

// LeafRows together with the arrays that it looks at.
class RowsOfLeaves {
 public:
  RowsOfLeaves(const In<double>& cells, const In<std::int32_t>& classes,
               const In<std::int64_t>& weights, double min_share,
               std::int64_t n_classes, int n_threads)
      : cells_(cells), classes_(classes), weights_(weights), n_classes_(n_classes) {
    expect(cells.ndim() == 2, "cells: two dimensions are needed");
    expect(classes.size() == cells.shape(0) && weights.size() == cells.shape(0),
           "leaf rows: arrays of different lengths");
    for (const std::int32_t label : view(classes))
      expect(label >= 0 && label < n_classes, "leaf rows: class out of range");
    rows_ = std::make_unique<LeafRows>(
        TrainingRows{view(cells_), static_cast<std::int64_t>(cells.shape(1)),
                     view(classes_), view(weights_), min_share},
        n_classes, cells.shape(0) < 5000 ? 1 : n_threads);
  }

  void fill(const nb::tuple& tree) {
    const TreeArrays arrays(tree);
    run_interruptible(rows_->pool(), [&] { rows_->fill(arrays.tree()); });
  }
  nb::tuple send(const nb::tuple& tree, const In<std::int64_t>& nodes,
                 const In<std::int64_t>& branches) {
    return call(&LeafRows::send, tree, nodes, branches);
  }
  nb::tuple send_whole(const nb::tuple& tree, const In<std::int64_t>& nodes,
                       const In<std::int64_t>& branches) {
    return call(&LeafRows::send_whole, tree, nodes, branches);
  }
  nb::tuple raise(const nb::tuple& tree, const In<std::int64_t>& nodes,
                  const In<std::int64_t>& branches) {
    return call(&LeafRows::raise, tree, nodes, branches);
  }
  void make_leaves(const nb::tuple& tree, const In<std::int64_t>& nodes) {
    const TreeArrays arrays(tree);
    rows_->make_leaves(arrays.tree(), view(nodes));
  }
  nb::tuple standing() const {
    Standing all = rows_->standing();
    const std::size_t n_nodes = all.n_whole.size();
    return nb::make_tuple(
        give(std::move(all.weights), {n_nodes, static_cast<std::size_t>(n_classes_)}),
        give(std::move(all.n_whole)), give(std::move(all.row)),
        give(std::move(all.node)));
  }

 private:
  nb::tuple call(decltype(&LeafRows::send) method, const nb::tuple& tree,
                 const In<std::int64_t>& nodes, const In<std::int64_t>& branches) {
    expect(nodes.size() == branches.size(), "leaf rows: arrays of different lengths");
    const TreeArrays arrays(tree);
    Tally tally;
    run_interruptible(rows_->pool(), [&] {
      tally = (*rows_.*method)(arrays.tree(), view(nodes), view(branches));
    });
    const std::size_t n_leaves = tally.leaf.size();
    return nb::make_tuple(give(std::move(tally.group)), give(std::move(tally.leaf)),
                          give(std::move(tally.weights),
                               {n_leaves, static_cast<std::size_t>(n_classes_)}),
                          give(std::move(tally.divides)));
  }

  In<double> cells_;
  In<std::int32_t> classes_;
  In<std::int64_t> weights_;
  std::int64_t n_classes_;
  std::unique_ptr<LeafRows> rows_;
};

// Branches must be in the arrays, behind their node.
void expect_tree(const In<std::int32_t>& first_child,
                 const In<std::int32_t>& n_children) {
  const std::size_t n_nodes = first_child.size();
  expect(n_children.size() == n_nodes, "a tree's arrays of different lengths");
  for (std::size_t node = 0; node < n_nodes; ++node) {
    const std::int64_t first = first_child.data()[node];
    const std::int64_t n_below = n_children.data()[node];
    expect(n_below <= 0 || (first > static_cast<std::int64_t>(node) &&
                            first + n_below <= static_cast<std::int64_t>(n_nodes)),
           "a child must have a larger number than its parent");
  }
}

template <class Number>
Out<Number> subtree_sums(const In<std::int32_t>& first_child,
                         const In<std::int32_t>& n_children,
                         const In<Number>& of_nodes) {
  const std::size_t n_nodes = first_child.size();
  expect(of_nodes.ndim() == 2 && of_nodes.shape(0) == n_nodes &&
             n_children.size() == n_nodes,
         "subtree sums: arrays of different lengths");
  expect_tree(first_child, n_children);
  std::vector<Number> sums(of_nodes.data(), of_nodes.data() + of_nodes.size());
  add_up_subtrees<Number>(view(first_child), view(n_children), sums);
  return give(std::move(sums), {n_nodes, of_nodes.shape(1)});
}

nb::tuple nodes_by_level(const In<std::int32_t>& first_child,
                         const In<std::int32_t>& n_children, std::int64_t n_roots) {
  expect_tree(first_child, n_children);
  expect(n_roots >= 0 && n_roots <= static_cast<std::int64_t>(first_child.size()),
         "order by level: more roots than nodes");
  ByLevel found = order_by_level(view(first_child), view(n_children), n_roots);
  return nb::make_tuple(give(std::move(found.order)), give(std::move(found.starts)));
}

// The parent of each node; -1 of a root, and of a node that no branch leads to.
Out<std::int32_t> parents(const In<std::int32_t>& first_child,
                          const In<std::int32_t>& n_children) {
  const std::size_t n_nodes = first_child.size();
  expect(n_children.size() == n_nodes, "parents: arrays of different lengths");
  std::vector<std::int32_t> found(n_nodes, -1);
  for (std::size_t node = 0; node < n_nodes; ++node) {
    const std::int64_t first = first_child.data()[node], n = n_children.data()[node];
    if (n <= 0) continue;
    expect(first >= 0 && first + n <= static_cast<std::int64_t>(n_nodes),
           "parents: no such node");
    std::fill_n(found.begin() + first, n, static_cast<std::int32_t>(node));
  }
  return give(std::move(found));
}

// `combine` over the numbers of each row, from left to right, beginning with `first`.
template <class Number, class Combine>
Out<Number> over_columns(const In<Number>& table, Number first,
                         const Combine& combine) {
  expect(table.ndim() == 2, "rows: two dimensions are needed");
  const std::size_t width = table.shape(1);
  std::vector<Number> found(table.shape(0), first);
  for (std::size_t row = 0; row < found.size(); ++row)
    for (std::size_t column = 0; column < width; ++column)
      found[row] = combine(found[row], table.data()[row * width + column]);
  return give(std::move(found));
}

template <class Number>
Out<Number> row_sums(const In<Number>& table) {
  return over_columns(table, Number{}, std::plus<Number>());
}

template <class Number>
Out<Number> row_maxima(const In<Number>& table) {
  return over_columns(table, std::numeric_limits<Number>::lowest(),
                      [](Number one, Number other) { return std::max(one, other); });
}

// The mean over the outputs, whose classes start at `class_start`.
template <class Number>
Out<double> class_impurities(const In<Number>& class_weights,
                             const std::vector<std::size_t>& class_start,
                             int criterion) {
  expect(class_weights.ndim() == 2 && class_start.size() > 1 &&
             std::ranges::is_sorted(class_start) &&
             class_start.back() <= class_weights.shape(1),
         "class impurities: classes out of range");
  const std::size_t n_outputs = class_start.size() - 1, width = class_weights.shape(1);
  std::vector<double> found(class_weights.shape(0));
  for (std::size_t node = 0; node < found.size(); ++node) {
    for (std::size_t output = 0; output < n_outputs; ++output)
      found[node] += class_impurity<Number>(
          static_cast<Criterion>(criterion),
          view(class_weights)
              .subspan(node * width + class_start[output],
                       class_start[output + 1] - class_start[output]));
    found[node] /= static_cast<double>(n_outputs);
  }
  return give(std::move(found));
}

Out<std::int32_t> classes_of_nodes(const In<double>& weights,
                                   const In<std::int32_t>& parent,
                                   bool asks_ancestors) {
  const auto parents = view(parent);
  expect(weights.ndim() == 2 && weights.shape(0) == parents.size() &&
             (parents.empty() || weights.shape(1) > 0),
         "heaviest classes: arrays of different lengths");
  std::vector<std::int32_t> found;
  bool in_order = true;
  {
    nb::gil_scoped_release release;
    for (std::size_t node = 0; node < parents.size(); ++node)
      in_order &=
          parents[node] >= -1 && parents[node] < static_cast<std::int64_t>(node);
    if (in_order)
      found = HeaviestClasses(view(weights), weights.shape(1), parents)
                  .of_nodes(asks_ancestors);
  }
  expect(in_order, "heaviest classes: a node before its parent");
  return give(std::move(found));
}

Out<double> added_errors(const In<double>& weight, const In<double>& errors,
                         double confidence, double quantile, double rest_share) {
  expect(weight.size() == errors.size(), "added errors: arrays of different lengths");
  const ErrorEstimate estimate{confidence, quantile, rest_share};
  std::vector<double> added(weight.size());
  std::ranges::transform(view(weight), view(errors), added.begin(),
                         [&](double n, double e) { return estimate.added(n, e); });
  return give(std::move(added));
}

}  // namespace

void add_walking(nb::module_& module) {
  const auto add_sums = [&](auto function) {
    module.def("subtree_sums", function, "first_child"_a, "n_children"_a,
               "of_nodes"_a.noconvert());
  };
  add_sums(&subtree_sums<double>);
  add_sums(&subtree_sums<std::int64_t>);
  const auto add_impurities = [&](auto function) {
    module.def("class_impurities", function, "class_weights"_a.noconvert(),
               "class_start"_a, "criterion"_a);
  };
  add_impurities(&class_impurities<double>);
  add_impurities(&class_impurities<std::int64_t>);
  module.def("heaviest_classes", &classes_of_nodes, "weights"_a, "parent"_a,
             "asks_ancestors"_a);
  module.def("order_by_level", &nodes_by_level, "first_child"_a, "n_children"_a,
             "n_roots"_a);
  module.def("parents", &parents, "first_child"_a, "n_children"_a);
  module.def("row_sums", &row_sums<std::int64_t>, "table"_a.noconvert());
  module.def("row_sums", &row_sums<double>, "table"_a.noconvert());
  module.def("row_maxima", &row_maxima<std::int64_t>, "table"_a.noconvert());
  module.def("row_maxima", &row_maxima<double>, "table"_a.noconvert());
  module.def("added_errors", &added_errors, "weight"_a, "errors"_a, "confidence"_a,
             "quantile"_a, "rest_share"_a);
  module.def("walk", &walk_rows, "tree"_a, "cells"_a, "n_threads"_a);
  nb::class_<Votes>(module, "Voter")
      .def(nb::init<const nb::list&, const nb::list&, const nb::list&, std::int64_t>(),
           "trees"_a, "places"_a, "answers"_a, "width"_a)
      .def("vote", &Votes::vote, "cells"_a, "n_threads"_a);
  const auto add_place = [&](auto function) {
    module.def("place", function, "tree"_a, "node_weights"_a, "cells"_a, "tops"_a,
               "starts"_a, "rows"_a, "weights"_a.noconvert(), "min_share"_a,
               "n_threads"_a);
  };
  add_place(&place_rows<double>);
  add_place(&place_rows<std::int64_t>);
  nb::class_<RowsOfLeaves>(module, "LeafRows")
      .def(nb::init<const In<double>&, const In<std::int32_t>&, const In<std::int64_t>&,
                    double, std::int64_t, int>(),
           "cells"_a, "classes"_a, "weights"_a, "min_share"_a, "n_classes"_a,
           "n_threads"_a)
      .def("fill", &RowsOfLeaves::fill, "tree"_a)
      .def("send", &RowsOfLeaves::send, "tree"_a, "nodes"_a, "branches"_a)
      .def("send_whole", &RowsOfLeaves::send_whole, "tree"_a, "nodes"_a, "branches"_a)
      .def("raise_branches", &RowsOfLeaves::raise, "tree"_a, "nodes"_a, "branches"_a)
      .def("make_leaves", &RowsOfLeaves::make_leaves, "tree"_a, "nodes"_a)
      .def("standing", &RowsOfLeaves::standing);
}

}  // namespace treewright::python
