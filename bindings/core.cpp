// The Python face of the core: this folder is the only place that knows Python.
#include <memory>

#include "encode.hpp"
#include "memory.hpp"
#include "sums.hpp"

namespace {

using namespace treewright;
using namespace treewright::python;

template <class Value>
nb::tuple rank_values(const In<Value>& values, const In<std::uint8_t>& missing) {
  expect(missing.size() == 0 || missing.size() == values.size(),
         "missing: wrong length");
  std::vector<std::uint32_t> codes(values.size());
  std::vector<Value> distinct;
  bool has_missing = false;
  {
    nb::gil_scoped_release release;
    distinct = rank<Value>(view(values), view(missing), codes);
    has_missing =
        std::ranges::find(codes, static_cast<std::uint32_t>(distinct.size())) !=
        codes.end();
  }
  return nb::make_tuple(give(std::move(codes)), give(std::move(distinct)), has_missing);
}

// The columns of a table in code order, sorted once for several sources.
struct SortedLists {
  std::shared_ptr<const MemorySource::Lists> lists;
};

// A MemorySource together with the arrays that it looks at.
class Memory {
 public:
  Memory(const nb::list& codes, const std::vector<std::uint32_t>& n_codes,
         const std::vector<std::uint8_t>& has_missing,
         const std::vector<std::uint8_t>& candidates, const nb::list& values,
         const nb::dict& target, const nb::dict& rule, std::int64_t n_rows,
         int n_threads, const nb::object& roots, const nb::object& lists,
         const nb::object& cells, const std::vector<std::uint8_t>& kinds_of_cells) {
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
    if (!cells.is_none()) give_cells(columns, cells, kinds_of_cells, n_rows);
    Target view_of_target = target_from(target, n_rows);
    Rule view_of_rule;
    view_of_rule.limits.min_rows = nb::cast<std::int64_t>(rule["min_rows"]);
    view_of_rule.limits.min_weight = nb::cast<std::int64_t>(rule["min_weight"]);
    view_of_rule.missing = static_cast<Missing>(nb::cast<int>(rule["missing"]));
    if (rule.contains("max_surrogates"))
      view_of_rule.max_surrogates = nb::cast<std::int64_t>(rule["max_surrogates"]);
    if (rule.contains("two_disagree"))
      view_of_rule.two_disagree = nb::cast<bool>(rule["two_disagree"]);
    if (rule.contains("discounts_missing"))
      view_of_rule.discounts_missing = nb::cast<bool>(rule["discounts_missing"]);
    view_of_rule.most_per_side = nb::cast<std::int64_t>(rule["most_per_side"]);
    view_of_rule.two_branches = nb::cast<bool>(rule["two_branches"]);
    view_of_rule.every_cut = nb::cast<bool>(rule["every_cut"]);
    view_of_rule.count_values = nb::cast<bool>(rule["count_values"]);
    if (rule.contains("cuts_by_range"))
      view_of_rule.cuts_by_range = nb::cast<bool>(rule["cuts_by_range"]);
    if (rule.contains("min_share"))
      view_of_rule.min_share = nb::cast<double>(rule["min_share"]);
    view_of_rule.min_gap = nb::cast<double>(rule["min_gap"]);
    view_of_rule.slack = nb::cast<double>(rule["slack"]);
    view_of_rule.wants_information = nb::cast<bool>(rule["wants_information"]);
    if (rule.contains("n_combined")) give_sums(rule, view_of_rule, columns);
    view_of_rule.charge_unit = nb::cast<double>(rule["charge_unit"]);
    expect(
        view_of_rule.missing != Missing::fractional || !view_of_target.weights.empty(),
        "fractional rows need weights");
    wants_details_ = view_of_rule.wants_information || view_of_rule.every_cut;
    source_ = std::make_unique<MemorySource>(
        std::move(columns), std::move(view_of_target), view_of_rule, n_rows, n_threads,
        roots_from(roots, n_rows));
    std::shared_ptr<const MemorySource::Lists> sorted;
    if (!lists.is_none()) {
      sorted = nb::cast<const SortedLists&>(lists).lists;
      const auto fits = [&](const auto& list) { return std::ssize(list) == n_rows; };
      expect(roots.is_none() && std::ssize(*sorted) == source_->n_features() &&
                 std::ranges::all_of(*sorted, fits),
             "lists: of another table");
    }
    run_interruptible(
        source_->pool(), [&] { source_->build_lists(sorted.get()); }, &stopped_);
  }

  // A copy of the lists, for sources of the same columns; before any node is split.
  SortedLists sorted_lists() const {
    return {std::make_shared<const MemorySource::Lists>(source_->lists())};
  }

  // Ends the call that another thread is in, and all later ones.
  void stop() { stopped_ = true; }

  nb::tuple open_roots() {
    const auto n_roots = static_cast<std::size_t>(source_->n_roots());
    std::vector<std::int64_t> statistics(n_roots * source_->width());
    std::vector<std::uint8_t> pure(n_roots);
    run_interruptible(
        source_->pool(), [&] { source_->open_roots(statistics, pure); }, &stopped_);
    return nb::make_tuple(give(std::move(statistics)), give(std::move(pure)));
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
    run_interruptible(
        source_->pool(),
        [&] {
          source_->scan(view(nodes), view(statistics), view(tolerances), view(allowed),
                        found, details);
        },
        &stopped_);
    return nb::tuple(
        give_columns(std::move(found), n_nodes, &Found::gain, &Found::position) +
        give_columns(std::move(details), n_nodes, &Detail::n_cuts,
                     &Detail::split_information, &Detail::charge));
  }

  // Features that the nodes draw; also the bits of constant features, with those found.
  nb::tuple scan_drawn(const In<std::int64_t>& nodes,
                       const In<std::int64_t>& statistics, const In<double>& tolerances,
                       const In<std::uint8_t>& allowed, const In<std::uint64_t>& keys,
                       const In<std::uint64_t>& constant, std::int64_t n_features,
                       bool counts_constant) {
    const std::size_t n_nodes = nodes.size();
    const auto n_words = static_cast<std::size_t>(source_->words_of_features());
    expect(n_features > 0, "scan_drawn: n_features out of range");
    expect(
        statistics.size() == n_nodes * source_->width() &&
            tolerances.size() == n_nodes && keys.size() == n_nodes &&
            constant.size() == n_nodes * n_words &&
            (allowed.size() == 0 || allowed.size() == n_nodes * source_->n_features()),
        "scan_drawn: arrays of the wrong length");
    std::vector<DrawnFound> found(n_nodes * n_features);
    std::vector<Detail> details(wants_details_ ? found.size() : 0);
    std::vector<std::uint64_t> bits(view(constant).begin(), view(constant).end());
    run_interruptible(
        source_->pool(),
        [&] {
          source_->scan_drawn(view(nodes), view(statistics), view(tolerances),
                              view(allowed), {view(keys), n_features, counts_constant},
                              bits, found, details);
        },
        &stopped_);
    return nb::tuple(give_columns(std::move(found), n_nodes, &DrawnFound::gain,
                                  &DrawnFound::position, &DrawnFound::feature) +
                     give_columns(std::move(details), n_nodes, &Detail::n_cuts,
                                  &Detail::split_information, &Detail::charge) +
                     nb::make_tuple(give(std::move(bits), {n_nodes, n_words})));
  }

  nb::tuple split(const In<std::int64_t>& nodes, const In<std::int32_t>& features,
                  const In<std::int64_t>& positions, const In<double>& tolerances) {
    const std::size_t n_nodes = nodes.size();
    expect(features.size() == n_nodes && positions.size() == n_nodes &&
               tolerances.size() == n_nodes,
           "split: arrays of different lengths");
    Branches found;
    run_interruptible(
        source_->pool(),
        [&] {
          found = source_->split(view(nodes), view(features), view(positions),
                                 view(tolerances));
        },
        &stopped_);
    const std::size_t n_branches = found.n_rows.size();
    const auto width = static_cast<std::size_t>(source_->width());
    return nb::make_tuple(
        give(std::move(found.n_branches)), give(std::move(found.n_rows)),
        give(std::move(found.statistics), {n_branches, width}),
        give(std::move(found.pure)), give(std::move(found.n_set)),
        give(std::move(found.set)), give(std::move(found.missing_branch)),
        give(std::move(found.low)), give(std::move(found.high)),
        give(std::move(found.known)), give_surrogates(std::move(found.surrogates)),
        give(std::move(found.threshold)));
  }

  nb::tuple tabulate(const In<std::int64_t>& nodes, const In<std::int32_t>& features,
                     const In<std::int64_t>& positions, const In<double>& tolerances) {
    const std::size_t n_items = nodes.size();
    expect(features.size() == n_items && positions.size() == n_items &&
               tolerances.size() == n_items,
           "tabulate: arrays of different lengths");
    Tabulated found;
    run_interruptible(
        source_->pool(),
        [&] {
          found = source_->tabulate(view(nodes), view(features), view(positions),
                                    view(tolerances));
        },
        &stopped_);
    const auto width = static_cast<std::size_t>(source_->width());
    Branches& branches = found.branches;
    const std::size_t n_branches = branches.n_rows.size();
    return nb::make_tuple(
        give(std::move(branches.n_branches)), give(std::move(branches.n_rows)),
        give(std::move(branches.statistics), {n_branches, width}),
        give(std::move(branches.pure)), give(std::move(branches.n_set)),
        give(std::move(branches.set)), give(std::move(branches.low)),
        give(std::move(branches.high)),
        give(std::move(found.known_statistics), {n_items, width}),
        give(std::move(found.missing_statistics), {n_items, width}),
        give(std::move(found.n_missing)));
  }

  nb::tuple score_cuts(std::int64_t node, std::int64_t feature, double tolerance) {
    ScoredCuts found;
    run_interruptible(source_->pool(),
                      [&] { found = source_->score_cuts(node, feature, tolerance); });
    return nb::make_tuple(give(std::move(found.position)), give(std::move(found.low)),
                          give(std::move(found.high)), give(std::move(found.gain)));
  }

  std::int64_t advance(const In<std::int64_t>& nodes, const In<std::int32_t>& features,
                       const In<std::int64_t>& n_branches,
                       const In<std::int64_t>& branch_rows,
                       const In<std::int64_t>& known, const In<std::uint8_t>& open) {
    expect(n_branches.size() == nodes.size() && features.size() == nodes.size() &&
               branch_rows.size() == open.size() && known.size() == open.size(),
           "advance: arrays of different lengths");
    std::int64_t first = 0;
    run_interruptible(
        source_->pool(),
        [&] {
          first = source_->advance(view(nodes), view(features), view(n_branches),
                                   view(branch_rows), view(known), view(open));
        },
        &stopped_);
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

  // Rows of cells, from which cuts are drawn.
  void give_cells(std::vector<Column>& columns, const nb::object& given,
                  const std::vector<std::uint8_t>& kinds, std::int64_t n_rows) {
    const auto cells = keep(nb::cast<In<double>>(given));
    const auto n_features = std::ssize(columns);
    expect(std::ssize(cells) == n_rows * n_features, "cells: wrong length");
    for (std::int64_t feature = 0; feature < n_features; ++feature) {
      columns[feature].cells = cells.data() + feature;
      columns[feature].stride = n_features;
      columns[feature].kind_of_cells = static_cast<Cells>(kinds.at(feature));
    }
  }

  // None: one tree from all rows; else (rows, counts, starts).
  Roots roots_from(const nb::object& given, std::int64_t n_rows) {
    Roots roots;
    if (given.is_none()) return roots;
    const auto parts = nb::cast<nb::tuple>(given);
    roots.rows = keep(nb::cast<In<std::uint32_t>>(parts[0]));
    roots.counts = keep(nb::cast<In<std::uint32_t>>(parts[1]));
    roots.starts = keep(nb::cast<In<std::int64_t>>(parts[2]));
    roots.n_looked = nb::cast<std::int64_t>(parts[3]);
    const auto n_drawn = std::ssize(roots.rows);
    expect(n_drawn < (std::int64_t{1} << 31), "roots: at most 2^31 - 1 rows");
    expect(roots.counts.empty() || std::ssize(roots.counts) == n_drawn,
           "roots: counts of the wrong length");
    expect(roots.starts.size() > 1 && roots.starts.front() == 0 &&
               roots.starts.back() == n_drawn &&
               std::ranges::is_sorted(roots.starts, std::ranges::less_equal{}),
           "roots: starts out of order, or a tree without rows");
    for (const std::uint32_t row : roots.rows)
      expect(row < n_rows, "roots: no such row");
    for (const std::uint32_t count : roots.counts)
      expect(count > 0, "roots: a row that was not drawn");
    return roots;
  }

  Target target_from(const nb::dict& given, std::int64_t n_rows) {
    Target target;
    target.criterion = static_cast<Criterion>(nb::cast<int>(given["criterion"]));
    target.n_outputs = nb::cast<int>(given["n_outputs"]);
    target.class_start = nb::cast<std::vector<std::int32_t>>(given["class_start"]);
    target.classes = keep(nb::cast<In<std::uint32_t>>(given["classes"]));
    target.values = keep(nb::cast<In<std::int64_t>>(given["values"]));
    target.weighted = keep(nb::cast<In<std::int64_t>>(given["weighted"]));
    target.weights = keep(nb::cast<In<std::int64_t>>(given["weights"]));
    target.factors = nb::cast<std::vector<double>>(given["factors"]);
    if (given.contains("single_unit"))
      target.single_unit = nb::cast<double>(given["single_unit"]);
    expect(target.factors.empty() || std::ssize(target.factors) == target.n_outputs,
           "factors: wrong length");
    const auto n_cells = static_cast<std::size_t>(n_rows) * target.n_outputs;
    expect(target.weights.empty() || std::ssize(target.weights) == n_rows,
           "weights: wrong length");
    expect(target.is_classes() ? target.classes.size() == n_cells
                               : target.values.size() == n_cells,
           "target: wrong length");
    expect(target.criterion != Criterion::squared_error ||
               target.weighted.size() == n_cells,
           "target: weighted values are needed");
    for (const std::uint32_t slot : target.classes)
      expect(static_cast<int>(slot) < target.n_classes(), "target: class out of range");
    return target;
  }

  bool wants_details_ = false;
  std::atomic<bool> stopped_ = false;
  std::vector<nb::object> kept_;
  std::unique_ptr<MemorySource> source_;
};

}  // namespace

NB_MODULE(_core, module) {
  nb::set_leak_warnings(false);  // a model may live until the end of the program
  module.doc() = "Compiled loops of treewright: rank, scan, split, partition, walk.";
  module.def("rank", &rank_values<float>, "values"_a.noconvert(), "missing"_a);
  module.def("rank", &rank_values<double>, "values"_a.noconvert(), "missing"_a);
  module.def("rank", &rank_values<std::int64_t>, "values"_a.noconvert(), "missing"_a);
  module.def("rank", &rank_values<std::uint64_t>, "values"_a.noconvert(), "missing"_a);
  python::add_walking(module);
  python::add_drawing(module);
  python::add_measuring(module);
  python::add_ruling(module);
  nb::class_<SortedLists>(module, "SortedLists");
  nb::class_<Memory>(module, "Memory")
      .def(nb::init<const nb::list&, const std::vector<std::uint32_t>&,
                    const std::vector<std::uint8_t>&, const std::vector<std::uint8_t>&,
                    const nb::list&, const nb::dict&, const nb::dict&, std::int64_t,
                    int, const nb::object&, const nb::object&, const nb::object&,
                    const std::vector<std::uint8_t>&>(),
           "codes"_a, "n_codes"_a, "has_missing"_a, "candidates"_a, "values"_a,
           "target"_a, "rule"_a, "n_rows"_a, "n_threads"_a, "roots"_a = nb::none(),
           "lists"_a = nb::none(), "cells"_a = nb::none(),
           "kinds_of_cells"_a = std::vector<std::uint8_t>{})
      .def("sorted_lists", &Memory::sorted_lists)
      .def("stop", &Memory::stop)
      .def("open_roots", &Memory::open_roots)
      .def("scan", &Memory::scan, "nodes"_a, "statistics"_a, "tolerances"_a,
           "allowed"_a)
      .def("scan_drawn", &Memory::scan_drawn, "nodes"_a, "statistics"_a, "tolerances"_a,
           "allowed"_a, "keys"_a, "constant"_a, "n_features"_a, "counts_constant"_a)
      .def("split", &Memory::split, "nodes"_a, "features"_a, "positions"_a,
           "tolerances"_a)
      .def("tabulate", &Memory::tabulate, "nodes"_a, "features"_a, "positions"_a,
           "tolerances"_a)
      .def("score_cuts", &Memory::score_cuts, "node"_a, "feature"_a, "tolerance"_a)
      .def("advance", &Memory::advance, "nodes"_a, "features"_a, "n_branches"_a,
           "branch_rows"_a, "known"_a, "open"_a);
}
