// The Python face of the core: the only file that knows Python.
//
// Arrays come in contiguous and typed, are checked once here, and cross once per batch.
// The GIL is released around all work; the calling thread takes it back every 20 ms to
// let Python answer signals.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>

#include "encode.hpp"
#include "memory.hpp"
#include "place.hpp"
#include "walk.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace treewright;

template <class T>
using In = nb::ndarray<const T, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T>;

template <class T>
std::span<const T> view(const In<T>& array) {
  return {array.data(), array.size()};
}

// Hands a vector over to NumPy without a copy.
template <class T>
Out<T> give(std::vector<T>&& values, std::vector<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));  // owned by the capsule below
  nb::capsule owner(kept,
                    [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Out<T>(kept->data(), shape.size(), shape.data(), owner);
}
template <class T>
Out<T> give(std::vector<T>&& values) {
  const std::size_t n = values.size();
  return give(std::move(values), {n});
}

// Two fields of an array of records, as strided views of one block.
template <class Record, class First, class Second>
nb::tuple give_columns(std::vector<Record>&& records, First Record::* first,
                       Second Record::* second, std::size_t n_nodes) {
  static_assert(sizeof(Record) == 16 && sizeof(First) == 8 && sizeof(Second) == 8);
  const std::size_t n_features = n_nodes == 0 ? 0 : records.size() / n_nodes;
  auto* kept = new std::vector<Record>(std::move(records));  // the capsule owns it
  nb::capsule owner(
      kept, [](void* p) noexcept { delete static_cast<std::vector<Record>*>(p); });
  const std::size_t shape[] = {n_features > 0 ? n_nodes : 0, n_features};
  const std::int64_t strides[] = {static_cast<std::int64_t>(2 * n_features), 2};
  Record* start = kept->empty() ? nullptr : kept->data();
  return nb::make_tuple(
      Out<First>(start ? &(start->*first) : nullptr, 2, shape, owner, strides),
      Out<Second>(start ? &(start->*second) : nullptr, 2, shape, owner, strides));
}

void expect(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

// Runs `work` without the GIL; a signal that Python answers with an exception ends it.
template <class Work>
void run_interruptible(ThreadPool& pool, const Work& work) {
  using Clock = std::chrono::steady_clock;
  bool raised = false;
  {
    nb::gil_scoped_release release;
    auto last = Clock::now();
    pool.on_poll([&] {
      if (Clock::now() - last < std::chrono::milliseconds(20)) return false;
      last = Clock::now();
      nb::gil_scoped_acquire acquire;
      raised = PyErr_CheckSignals() != 0;
      return raised;
    });
    try {
      work();
    } catch (const Interrupted&) {
    } catch (...) {
      pool.on_poll(nullptr);
      throw;
    }
    pool.on_poll(nullptr);
  }
  if (raised) throw nb::python_error();
}

template <class Value>
nb::tuple rank_values(const In<Value>& values, const In<std::uint8_t>& missing) {
  expect(missing.size() == 0 || missing.size() == values.size(),
         "missing: wrong length");
  std::vector<std::uint32_t> codes(values.size());
  std::vector<Value> distinct;
  bool has_missing = false;
  {
    nb::gil_scoped_release release;
    const auto rows = rank<Value>(view(values), view(missing), codes);
    distinct.reserve(rows.size());
    for (const std::uint32_t row : rows) {
      if constexpr (std::is_floating_point_v<Value>)
        distinct.push_back(values.data()[row] + Value{0});  // -0.0 becomes 0.0
      else
        distinct.push_back(values.data()[row]);
    }
    has_missing = std::ranges::find(codes, static_cast<std::uint32_t>(rows.size())) !=
                  codes.end();
  }
  return nb::make_tuple(give(std::move(codes)), give(std::move(distinct)), has_missing);
}

// The arrays of a tree's surrogates, as src/treewright/tree/walk.py hands them over.
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
    return {view(kind),       view(feature),        view(threshold), view(first_child),
            view(n_children), view(missing_branch), view(set_start), view(set_codes),
            surrogates.surrogates()};
  }
};

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

nb::tuple place_rows(const nb::tuple& tree, const In<double>& node_weights,
                     const In<double>& cells, const In<std::int32_t>& tops,
                     const In<std::int64_t>& starts, const In<std::int64_t>& rows,
                     const In<double>& weights, int n_threads) {
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
  Placed placed;
  ThreadPool pool(rows.size() < 20000 ? 1 : n_threads);
  run_interruptible(pool, [&] {
    placed = place(arrays.tree(), view(node_weights), view(cells),
                   static_cast<std::int64_t>(cells.shape(1)),
                   {view(tops), view(starts), view(rows), view(weights)}, pool);
  });
  return nb::make_tuple(give(std::move(placed.item)), give(std::move(placed.node)),
                        give(std::move(placed.weight)));
}

// A MemorySource together with the arrays that it looks at.
class Memory {
 public:
  Memory(const nb::list& codes, const std::vector<std::uint32_t>& n_codes,
         const std::vector<std::uint8_t>& has_missing,
         const std::vector<std::uint8_t>& candidates, const nb::list& values,
         const nb::dict& target, const nb::dict& rule, std::int64_t n_rows,
         int n_threads) {
    expect(n_rows > 0 && n_rows < (std::int64_t{1} << 31),
           "the memory source takes 1 to 2^31 - 1 rows");
    std::vector<Column> columns;
    for (std::size_t feature = 0; feature < codes.size(); ++feature)
      columns.push_back(column_from(codes[feature], n_codes.at(feature),
                                    has_missing.at(feature), candidates.at(feature),
                                    n_rows));
    for (std::size_t feature = 0; feature < values.size(); ++feature) {
      Column& column = columns.at(feature);
      column.values = keep(nb::cast<In<double>>(values[feature]));
      expect(column.values.empty() || column.values.size() == column.n_codes,
             "values: wrong length");
    }
    Target view_of_target = target_from(target, n_rows);
    Rule view_of_rule;
    view_of_rule.limits.min_rows = nb::cast<std::int64_t>(rule["min_rows"]);
    view_of_rule.limits.min_weight = nb::cast<std::int64_t>(rule["min_weight"]);
    view_of_rule.missing = static_cast<Missing>(nb::cast<int>(rule["missing"]));
    if (rule.contains("max_surrogates"))
      view_of_rule.max_surrogates = nb::cast<std::int64_t>(rule["max_surrogates"]);
    if (rule.contains("discounts_missing"))
      view_of_rule.discounts_missing = nb::cast<bool>(rule["discounts_missing"]);
    view_of_rule.most_per_side = nb::cast<std::int64_t>(rule["most_per_side"]);
    view_of_rule.two_branches = nb::cast<bool>(rule["two_branches"]);
    view_of_rule.every_cut = nb::cast<bool>(rule["every_cut"]);
    view_of_rule.count_values = nb::cast<bool>(rule["count_values"]);
    view_of_rule.min_gap = nb::cast<double>(rule["min_gap"]);
    view_of_rule.slack = nb::cast<double>(rule["slack"]);
    view_of_rule.wants_information = nb::cast<bool>(rule["wants_information"]);
    expect(
        view_of_rule.missing != Missing::fractional || !view_of_target.weights.empty(),
        "fractional rows need weights");
    wants_details_ = view_of_rule.wants_information || view_of_rule.every_cut;
    source_ = std::make_unique<MemorySource>(
        std::move(columns), std::move(view_of_target), view_of_rule, n_rows, n_threads);
    run_interruptible(source_->pool(), [&] { source_->build_lists(); });
  }

  nb::tuple open_root() {
    std::vector<std::int64_t> statistic(source_->width());
    bool pure = false;
    run_interruptible(source_->pool(), [&] { pure = source_->open_root(statistic); });
    return nb::make_tuple(give(std::move(statistic)), pure);
  }

  nb::tuple scan(const In<std::int64_t>& nodes, const In<std::int64_t>& statistics,
                 const In<double>& tolerances, const In<std::uint8_t>& allowed) {
    const std::size_t n_nodes = nodes.size();
    const std::size_t n_pairs = n_nodes * source_->n_features();
    expect(statistics.size() == n_nodes * source_->width() &&
               tolerances.size() == n_nodes &&
               (allowed.size() == 0 || allowed.size() == n_pairs),
           "scan: arrays of the wrong length");
    std::vector<Found> found(n_pairs);
    std::vector<Detail> details(wants_details_ ? n_pairs : 0);
    run_interruptible(source_->pool(), [&] {
      source_->scan(view(nodes), view(statistics), view(tolerances), view(allowed),
                    found, details);
    });
    return nb::tuple(
        give_columns(std::move(found), &Found::gain, &Found::position, n_nodes) +
        give_columns(std::move(details), &Detail::n_cuts, &Detail::split_information,
                     n_nodes));
  }

  nb::tuple split(const In<std::int64_t>& nodes, const In<std::int32_t>& features,
                  const In<std::int64_t>& positions, const In<double>& tolerances) {
    const std::size_t n_nodes = nodes.size();
    expect(features.size() == n_nodes && positions.size() == n_nodes &&
               tolerances.size() == n_nodes,
           "split: arrays of different lengths");
    Branches found;
    run_interruptible(source_->pool(), [&] {
      found = source_->split(view(nodes), view(features), view(positions),
                             view(tolerances));
    });
    const std::size_t n_branches = found.n_rows.size();
    const auto width = static_cast<std::size_t>(source_->width());
    return nb::make_tuple(
        give(std::move(found.n_branches)), give(std::move(found.n_rows)),
        give(std::move(found.statistics), {n_branches, width}),
        give(std::move(found.pure)), give(std::move(found.n_set)),
        give(std::move(found.set)), give(std::move(found.missing_branch)),
        give(std::move(found.low)), give(std::move(found.high)),
        give(std::move(found.known)), give_surrogates(std::move(found.surrogates)));
  }

  std::int64_t advance(const In<std::int64_t>& nodes, const In<std::int32_t>& features,
                       const In<std::int64_t>& n_branches,
                       const In<std::int64_t>& branch_rows,
                       const In<std::int64_t>& known, const In<std::uint8_t>& open) {
    expect(n_branches.size() == nodes.size() && features.size() == nodes.size() &&
               branch_rows.size() == open.size() && known.size() == open.size(),
           "advance: arrays of different lengths");
    std::int64_t first = 0;
    run_interruptible(source_->pool(), [&] {
      first = source_->advance(view(nodes), view(features), view(n_branches),
                               view(branch_rows), view(known), view(open));
    });
    return first;
  }

 private:
  static nb::tuple give_surrogates(Surrogates&& found) {
    return nb::make_tuple(
        give(std::move(found.n_surrogates)), give(std::move(found.feature)),
        give(std::move(found.low)), give(std::move(found.high)),
        give(std::move(found.branch)), give(std::move(found.agreement)),
        give(std::move(found.adjusted)), give(std::move(found.n_codes)),
        give(std::move(found.codes)), give(std::move(found.branch_of_code)));
  }

  template <class T>
  std::span<const T> keep(const In<T>& array) {
    kept_.push_back(nb::cast(array));
    return view(array);
  }

  Column column_from(nb::handle codes, std::uint32_t n_codes, bool has_missing,
                     std::uint8_t candidates, std::int64_t n_rows) {
    Column column;
    column.n_codes = n_codes;
    column.has_missing = has_missing;
    column.candidates = static_cast<Candidates>(candidates);
    const auto take = [&](auto array) {
      expect(static_cast<std::int64_t>(array.size()) == n_rows, "codes: wrong length");
      column.codes = keep(array).data();
      column.bytes = static_cast<int>(array.itemsize());
    };
    if (In<std::uint8_t> array; nb::try_cast(codes, array, false)) {
      take(array);
    } else if (In<std::uint16_t> array2; nb::try_cast(codes, array2, false)) {
      take(array2);
    } else {
      take(nb::cast<In<std::uint32_t>>(codes));
    }
    return column;
  }

  Target target_from(const nb::dict& given, std::int64_t n_rows) {
    Target target;
    target.criterion = static_cast<Criterion>(nb::cast<int>(given["criterion"]));
    target.n_outputs = nb::cast<int>(given["n_outputs"]);
    target.class_start = nb::cast<std::vector<std::int32_t>>(given["class_start"]);
    target.classes = keep(nb::cast<In<std::uint32_t>>(given["classes"]));
    target.values = keep(nb::cast<In<std::int64_t>>(given["values"]));
    target.weighted = keep(nb::cast<In<std::int64_t>>(given["weighted"]));
    target.squares = keep(nb::cast<In<std::int64_t>>(given["squares"]));
    target.weights = keep(nb::cast<In<std::int64_t>>(given["weights"]));
    target.factors = nb::cast<std::vector<double>>(given["factors"]);
    expect(target.factors.empty() || std::ssize(target.factors) == target.n_outputs,
           "factors: wrong length");
    const auto n_cells = static_cast<std::size_t>(n_rows) * target.n_outputs;
    expect(target.weights.empty() || std::ssize(target.weights) == n_rows,
           "weights: wrong length");
    expect(target.is_classes() ? target.classes.size() == n_cells
                               : target.values.size() == n_cells,
           "target: wrong length");
    expect(target.criterion != Criterion::squared_error ||
               (target.weighted.size() == n_cells && target.squares.size() == n_cells),
           "target: squares are needed");
    for (const std::uint32_t slot : target.classes)
      expect(static_cast<int>(slot) < target.n_classes(), "target: class out of range");
    return target;
  }

  bool wants_details_ = false;
  std::vector<nb::object> kept_;
  std::unique_ptr<MemorySource> source_;
};

}  // namespace

NB_MODULE(_core, module) {
  module.doc() = "Compiled loops of treewright: rank, scan, split, partition, walk.";
  module.def("rank", &rank_values<float>, "values"_a.noconvert(), "missing"_a);
  module.def("rank", &rank_values<double>, "values"_a.noconvert(), "missing"_a);
  module.def("rank", &rank_values<std::int64_t>, "values"_a.noconvert(), "missing"_a);
  module.def("rank", &rank_values<std::uint64_t>, "values"_a.noconvert(), "missing"_a);
  module.def("walk", &walk_rows, "tree"_a, "cells"_a, "n_threads"_a);
  module.def("place", &place_rows, "tree"_a, "node_weights"_a, "cells"_a, "tops"_a,
             "starts"_a, "rows"_a, "weights"_a, "n_threads"_a);
  nb::class_<Memory>(module, "Memory")
      .def(nb::init<const nb::list&, const std::vector<std::uint32_t>&,
                    const std::vector<std::uint8_t>&, const std::vector<std::uint8_t>&,
                    const nb::list&, const nb::dict&, const nb::dict&, std::int64_t,
                    int>(),
           "codes"_a, "n_codes"_a, "has_missing"_a, "candidates"_a, "values"_a,
           "target"_a, "rule"_a, "n_rows"_a, "n_threads"_a)
      .def("open_root", &Memory::open_root)
      .def("scan", &Memory::scan, "nodes"_a, "statistics"_a, "tolerances"_a,
           "allowed"_a)
      .def("split", &Memory::split, "nodes"_a, "features"_a, "positions"_a,
           "tolerances"_a)
      .def("advance", &Memory::advance, "nodes"_a, "features"_a, "n_branches"_a,
           "branch_rows"_a, "known"_a, "open"_a);
}
