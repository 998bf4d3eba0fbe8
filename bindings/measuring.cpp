// What a forest measures: the Python face of core/permute.hpp and core/proximity.hpp.
#include <memory>

#include "permute.hpp"
#include "proximity.hpp"
#include "tree_arrays.hpp"

namespace treewright::python {
namespace {

void expect_rows(const In<std::int64_t>& rows, std::size_t n_rows) {
  for (const std::int64_t row : view(rows))
    expect(row >= 0 && row < static_cast<std::int64_t>(n_rows), "row out of range");
}

// A table with what is known of its rows, kept for many trees.
class Rows {
 public:
  Rows(const In<double>& cells, const In<double>& target, const In<double>& weights,
       const In<std::int64_t>& first_slot, std::int64_t n_slots)
      : cells_(cells),
        target_(target),
        weights_(weights),
        first_slot_(first_slot),
        n_slots_(n_slots) {
    expect(cells.ndim() == 2 && target.ndim() == 2, "two dimensions are needed");
    expect(target.shape(0) == cells.shape(0) && weights.size() == cells.shape(0),
           "rows: arrays of different lengths");
    const std::size_t n_outputs = target.shape(1);
    if (first_slot.size() == 0)
      expect(n_slots == static_cast<std::int64_t>(n_outputs),
             "rows: a slot per output");
    else
      expect(first_slot.size() == n_outputs, "rows: the slots of each output");
    for (std::size_t cell = 0; first_slot.size() && cell < target.size(); ++cell) {
      const double slot = first_slot.data()[cell % n_outputs] + target.data()[cell];
      expect(slot >= 0 && slot < static_cast<double>(n_slots), "rows: unknown class");
    }
    complete_ = std::ranges::none_of(view(cells), [](double x) { return x != x; });
  }

  // n_trees x n_features x n_slots
  Out<double> permuted_losses(const nb::list& trees, const nb::list& answers,
                              const nb::list& rows, const In<std::uint64_t>& keys,
                              int n_threads) const {
    const std::size_t n_trees = trees.size(), n_features = cells_.shape(1);
    expect(
        answers.size() == n_trees && rows.size() == n_trees && keys.size() == n_trees,
        "trees: answers, rows and a key for each");
    std::vector<TreeArrays> arrays;
    std::vector<In<double>> tables;
    std::vector<In<std::int64_t>> asked;
    for (std::size_t tree = 0; tree < n_trees; ++tree) {
      arrays.emplace_back(nb::cast<nb::tuple>(trees[tree]));
      tables.push_back(nb::cast<In<double>>(answers[tree]));
      asked.push_back(nb::cast<In<std::int64_t>>(rows[tree]));
      expect(tables.back().size() == arrays.back().kind.size() * target_.shape(1),
             "trees: answers of the wrong length");
      expect_rows(asked.back(), cells_.shape(0));
    }
    const std::size_t n_of_tree = n_features * n_slots_;
    std::vector<double> losses(n_trees * n_of_tree);
    ThreadPool pool(n_threads);
    run_interruptible(pool, [&] {
      pool.run(static_cast<std::int64_t>(n_trees), [&](std::int64_t tree, int) {
        treewright::permuted_losses(
            {arrays[tree].tree(), view(tables[tree]), view(asked[tree]),
             keys.data()[tree]},
            known(), pool, std::span(losses).subspan(tree * n_of_tree, n_of_tree));
      });
    });
    return give(std::move(losses),
                {n_trees, n_features, static_cast<std::size_t>(n_slots_)});
  }

 private:
  KnownRows known() const {
    return {view(cells_),   static_cast<std::int64_t>(cells_.shape(1)),
            view(target_),  static_cast<std::int64_t>(target_.shape(1)),
            view(weights_), view(first_slot_),
            n_slots_,       complete_};
  }

  In<double> cells_, target_, weights_;
  In<std::int64_t> first_slot_;
  std::int64_t n_slots_;
  bool complete_;
};

Out<std::uint32_t> permuted_places(std::uint64_t key, std::int64_t feature,
                                   std::int64_t n) {
  expect(n >= 0 && n <= std::int64_t{UINT32_MAX}, "permutation: out of range");
  return give(permutation(key, feature, n));
}

// Proximities together with how many threads count them.
class Near {
 public:
  Near(const In<std::int32_t>& ends, const In<std::uint8_t>& asked, int n_threads)
      : n_threads_(n_threads) {
    expect(ends.ndim() == 2, "ends: two dimensions are needed");
    expect(asked.size() == 0 || asked.size() == ends.size(),
           "proximities: arrays of different lengths");
    for (const std::int32_t node : view(ends)) expect(node >= 0, "ends: out of range");
    ThreadPool pool(n_threads_);
    run_interruptible(pool, [&] {
      near_ = std::make_unique<Proximities>(
          view(ends), view(asked), static_cast<std::int64_t>(ends.shape(0)),
          static_cast<std::int64_t>(ends.shape(1)), pool);
    });
  }

  Out<double> matrix() const {
    const auto n_rows = static_cast<std::size_t>(near_->n_rows());
    // not a vector, which would fill gigabytes with zeros before anybody can stop it
    auto* shares = new double[n_rows * n_rows];
    const nb::capsule owner(shares,
                            [](void* p) noexcept { delete[] static_cast<double*>(p); });
    run([&](ThreadPool& pool) { near_->matrix(pool, {shares, n_rows * n_rows}); });
    const std::size_t shape[] = {n_rows, n_rows};
    return Out<double>(shares, 2, shape, owner);
  }
  nb::tuple nearest(std::int64_t n_nearest) const {
    expect(n_nearest > 0, "nearest: at least one");
    const auto n_rows = static_cast<std::size_t>(near_->n_rows());
    const auto width = static_cast<std::size_t>(n_nearest);
    std::vector<std::int64_t> rows(n_rows * width);
    std::vector<double> shares(n_rows * width);
    run([&](ThreadPool& pool) { near_->nearest(n_nearest, pool, rows, shares); });
    return nb::make_tuple(give(std::move(rows), {n_rows, width}),
                          give(std::move(shares), {n_rows, width}));
  }
  Out<std::int64_t> squares_within(const In<std::int32_t>& groups) const {
    const auto n_rows = static_cast<std::size_t>(near_->n_rows());
    expect(groups.size() == n_rows, "groups: one for each row");
    std::vector<std::int64_t> sums(n_rows);
    run([&](ThreadPool& pool) { near_->squares_within(view(groups), pool, sums); });
    return give(std::move(sums));
  }

 private:
  template <class Work>
  void run(const Work& work) const {
    ThreadPool pool(n_threads_);
    run_interruptible(pool, [&] { work(pool); });
  }

  int n_threads_;
  std::unique_ptr<Proximities> near_;
};

}  // namespace

void add_measuring(nb::module_& module) {
  nb::class_<Rows>(module, "KnownRows")
      .def(nb::init<const In<double>&, const In<double>&, const In<double>&,
                    const In<std::int64_t>&, std::int64_t>(),
           "cells"_a, "target"_a, "weights"_a, "first_slot"_a, "n_slots"_a)
      .def("permuted_losses", &Rows::permuted_losses, "trees"_a, "answers"_a, "rows"_a,
           "keys"_a, "n_threads"_a);
  module.def("permutation", &permuted_places, "key"_a, "feature"_a, "n"_a);
  nb::class_<Near>(module, "Proximities")
      .def(nb::init<const In<std::int32_t>&, const In<std::uint8_t>&, int>(), "ends"_a,
           "asked"_a, "n_threads"_a)
      .def("matrix", &Near::matrix)
      .def("nearest", &Near::nearest, "n_nearest"_a)
      .def("squares_within", &Near::squares_within, "groups"_a);
}

}  // namespace treewright::python
