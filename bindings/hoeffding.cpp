// Hoeffding trees: the Python face of core/hoeffding.hpp.
//
// The GIL is kept: a row takes a microsecond, and a tree that learns in one thread is
// asked in another. Long batches are cut into pieces, with a look at signals between.
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "hoeffding_classes.hpp"
#include "hoeffding_numbers.hpp"
#include "hoeffding_state.hpp"

namespace treewright::python {
namespace {

constexpr std::size_t rows_per_piece = 16'384;

void answer_signals() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

HoeffdingRule rule_from(const nb::dict& settings) {
  HoeffdingRule rule;
  rule.is_nominal = nb::cast<std::vector<std::uint8_t>>(settings["is_nominal"]);
  rule.second_measure = nb::cast<bool>(settings["second_measure"]);
  rule.delta = nb::cast<double>(settings["delta"]);
  rule.tau = nb::cast<double>(settings["tau"]);
  rule.grace_period = nb::cast<double>(settings["grace_period"]);
  rule.min_branch_share = nb::cast<double>(settings["min_branch_share"]);
  rule.n_cuts = nb::cast<std::int64_t>(settings["n_cuts"]);
  rule.max_depth = nb::cast<std::int64_t>(settings["max_depth"]);
  rule.max_bytes = nb::cast<std::int64_t>(settings["max_bytes"]);
  rule.answer = static_cast<LeafAnswer>(nb::cast<int>(settings["answer"]));
  return rule;
}

template <class T>
std::vector<T> array_from(const nb::dict& arrays, const char* name) {
  const auto array = nb::cast<In<T>>(arrays[name]);
  return {array.data(), array.data() + array.size()};
}

// Python's side of a tree; learning in one batch is all or nothing.
template <class Task>
class Stream {
 public:
  using Tree = HoeffdingTree<Task>;
  using Target = typename Task::Target;

  explicit Stream(const nb::dict& settings) : tree_(rule_from(settings)) {}

  Out<Target> learn(const In<double>& cells, const In<Target>& target,
                    const In<double>& weights, const In<std::int64_t>& n_codes,
                    const In<std::int32_t>& class_rank) {
    expect(!is_broken_, "hoeffding: memory ran out while it learned");
    check_cells(cells, n_codes);
    const std::size_t n_rows = cells.shape(0);
    expect(target.size() == n_rows && (weights.size() == 0 || weights.size() == n_rows),
           "hoeffding: arrays of different lengths");
    check_target(target, class_rank);
    for (const double weight : view(weights))
      expect(std::isfinite(weight) && weight >= 0, "hoeffding: a weight below 0");
    std::vector<Target> out(n_rows);
    if (n_rows <= rows_per_piece) {
      is_broken_ = true;  // unless all of it goes well
      learn_piece(tree_, cells, target, weights, class_rank, 0, n_rows, out);
      is_broken_ = false;
    } else {
      Tree copy = tree_;
      for (std::size_t at = 0; at < n_rows; at += rows_per_piece) {
        learn_piece(copy, cells, target, weights, class_rank, at,
                    std::min(rows_per_piece, n_rows - at), out);
        answer_signals();
      }
      tree_ = std::move(copy);
    }
    return give(std::move(out));
  }

  // Answers, and, with a number of classes, their shares.
  nb::tuple answer(const In<double>& cells, const In<std::int32_t>& class_rank,
                   bool wants_shares) {
    check_width(cells);
    const std::size_t n_rows = cells.shape(0), n_features = cells.shape(1);
    const std::size_t n_shares = wants_shares ? class_rank.size() : 0;
    std::vector<Target> out(n_rows);
    std::vector<double> shares(n_rows * n_shares);
    check_classes(class_rank);
    for (std::size_t at = 0; at < n_rows; at += rows_per_piece) {
      const std::size_t n = std::min(rows_per_piece, n_rows - at);
      tree_.answer(view(cells).subspan(at * n_features, n * n_features),
                   view(class_rank), std::span(out).subspan(at, n),
                   std::span(shares).subspan(at * n_shares, n * n_shares));
      if (n == rows_per_piece) answer_signals();
    }
    return nb::make_tuple(give(std::move(out)),
                          give(std::move(shares), {n_rows, n_shares}));
  }

  Out<std::int32_t> place(const In<double>& cells) const {
    check_width(cells);
    std::vector<std::int32_t> out(cells.shape(0));
    tree_.place(view(cells), out);
    return give(std::move(out));
  }

  nb::dict arrays() const {
    HoeffdingArrays own = arrays_of(tree_);
    nb::dict out;
    out["parent"] = give(std::move(own.parent));
    out["feature"] = give(std::move(own.feature));
    out["missing"] = give(std::move(own.missing));
    out["threshold"] = give(std::move(own.threshold));
    out["gain"] = give(std::move(own.gain));
    out["right_plain"] = give(std::move(own.right_plain));
    out["right_bayes"] = give(std::move(own.right_bayes));
    out["seen"] = give(std::move(own.seen));
    out["looked"] = give(std::move(own.looked));
    out["n_rows"] = give(std::move(own.n_rows));
    out["awake"] = give(std::move(own.awake));
    out["child_start"] = give(std::move(own.child_start));
    out["child"] = give(std::move(own.child));
    out["value_start"] = give(std::move(own.value_start));
    out["value"] = give(std::move(own.value));
    out["block_start"] = give(std::move(own.block_start));
    out["block"] = give(std::move(own.block));
    return out;
  }

  void fill(const nb::dict& arrays, std::int64_t n_classes,
            const std::vector<std::int64_t>& n_codes) {
    expect(std::ssize(n_codes) == tree_.n_features(), "hoeffding: features");
    HoeffdingArrays own;
    own.parent = array_from<std::int32_t>(arrays, "parent");
    own.feature = array_from<std::int32_t>(arrays, "feature");
    own.missing = array_from<std::int32_t>(arrays, "missing");
    own.threshold = array_from<double>(arrays, "threshold");
    own.gain = array_from<double>(arrays, "gain");
    own.right_plain = array_from<double>(arrays, "right_plain");
    own.right_bayes = array_from<double>(arrays, "right_bayes");
    own.seen = array_from<double>(arrays, "seen");
    own.looked = array_from<double>(arrays, "looked");
    own.n_rows = array_from<std::int64_t>(arrays, "n_rows");
    own.awake = array_from<std::uint8_t>(arrays, "awake");
    own.child_start = array_from<std::int64_t>(arrays, "child_start");
    own.child = array_from<std::int32_t>(arrays, "child");
    own.value_start = array_from<std::int64_t>(arrays, "value_start");
    own.value = array_from<double>(arrays, "value");
    own.block_start = array_from<std::int64_t>(arrays, "block_start");
    own.block = array_from<double>(arrays, "block");
    treewright::fill(tree_, own, {n_classes, n_codes});
  }

  void set_kinds(const std::vector<std::uint8_t>& is_nominal) {
    tree_.set_kinds(is_nominal);
  }

  std::int64_t n_rows() const { return tree_.n_rows(); }
  std::int64_t bytes() const { return tree_.bytes(); }
  std::int64_t n_awake() const { return tree_.n_awake(); }

 private:
  static void learn_piece(Tree& tree, const In<double>& cells, const In<Target>& target,
                          const In<double>& weights, const In<std::int32_t>& class_rank,
                          std::size_t at, std::size_t n, std::span<Target> out) {
    const std::size_t n_features = cells.shape(1);
    tree.learn({view(cells).subspan(at * n_features, n * n_features),
                view(target).subspan(at, n),
                weights.size() == 0 ? view(weights) : view(weights).subspan(at, n)},
               view(class_rank), out.subspan(at, n));
  }
  void check_width(const In<double>& cells) const {
    expect(cells.ndim() == 2 &&
               static_cast<std::int64_t>(cells.shape(1)) == tree_.n_features(),
           "hoeffding: cells of the wrong shape");
  }
  void check_cells(const In<double>& cells, const In<std::int64_t>& n_codes) const {
    check_width(cells);
    expect(static_cast<std::int64_t>(n_codes.size()) == tree_.n_features(),
           "hoeffding: a number of codes for each feature");
    // row by row, as they lie: a batch is larger than the fastest cache
    const auto& is_nominal = tree_.rule().is_nominal;
    const double* cell = cells.data();
    bool all_known = true;
    for (std::size_t row = 0; row < cells.shape(0); ++row)
      for (std::size_t feature = 0; feature < is_nominal.size(); ++feature, ++cell)
        if (is_nominal[feature])
          all_known &=
              std::isnan(*cell) ||
              (*cell >= 0 && *cell < static_cast<double>(view(n_codes)[feature]));
    expect(all_known, "hoeffding: code out of range");
  }
  static void check_target(const In<Target>& target,
                           const In<std::int32_t>& class_rank) {
    for (const Target y : view(target))
      if constexpr (std::is_same_v<Target, double>)
        expect(is_summable(y), "hoeffding: a target that is too large");
      else
        expect(y >= 0 && static_cast<std::size_t>(y) < class_rank.size(),
               "hoeffding: class out of range");
  }
  void check_classes(const In<std::int32_t>& class_rank) const {
    if constexpr (!std::is_same_v<Target, double>)
      expect(class_rank.size() >= tree_.nodes()[0].value.size(),
             "hoeffding: a rank for each class");
  }

  Tree tree_;
  bool is_broken_ = false;
};

template <class Task>
void add_stream(nb::module_& module, const char* name) {
  using Own = Stream<Task>;
  nb::class_<Own>(module, name)
      .def(nb::init<const nb::dict&>(), "settings"_a)
      .def("learn", &Own::learn, "cells"_a, "target"_a, "weights"_a, "n_codes"_a,
           "class_rank"_a)
      .def("answer", &Own::answer, "cells"_a, "class_rank"_a, "wants_shares"_a)
      .def("place", &Own::place, "cells"_a)
      .def("set_kinds", &Own::set_kinds, "is_nominal"_a)
      .def("arrays", &Own::arrays)
      .def("fill", &Own::fill, "arrays"_a, "n_classes"_a, "n_codes"_a)
      .def("copy", [](const Own& own) { return Own(own); })
      .def_prop_ro("n_rows", &Own::n_rows)
      .def_prop_ro("bytes", &Own::bytes)
      .def_prop_ro("n_awake", &Own::n_awake);
}

}  // namespace

void add_hoeffding(nb::module_& module) {
  add_stream<ClassTask>(module, "HoeffdingClasses");
  add_stream<NumberTask>(module, "HoeffdingNumbers");
}

}  // namespace treewright::python
