// The Python face of the core: this folder is the only place that knows Python.
#include <memory>

#include "choosing.hpp"
#include "encode.hpp"
#include "memory.hpp"
#include "memory_arguments.hpp"
#include "tolerance.hpp"

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
    MemoryArguments arguments;
    expect(n_rows > 0 && n_rows < (std::int64_t{1} << 31),
           "the memory source takes 1 to 2^31 - 1 rows");
    std::vector<Column> columns;
    for (std::size_t feature = 0; feature < codes.size(); ++feature)
      columns.push_back(arguments.column_from(codes[feature], n_codes.at(feature),
                                              has_missing.at(feature),
                                              candidates.at(feature), n_rows));
    for (std::size_t feature = 0; feature < values.size(); ++feature) {
      Column& column = columns.at(feature);
      column.values = arguments.keep(nb::cast<In<double>>(values[feature]));
      expect(column.values.empty() || column.values.size() == column.n_codes,
             "values: wrong length");
    }
    if (!cells.is_none()) arguments.give_cells(columns, cells, kinds_of_cells, n_rows);
    Target view_of_target = arguments.target_from(target, n_rows);
    const Rule view_of_rule = arguments.rule_from(rule, columns);
    expect(
        view_of_rule.missing != Missing::fractional || !view_of_target.weights.empty(),
        "fractional rows need weights");
    wants_details_ = view_of_rule.wants_information || view_of_rule.every_cut;
    source_ = std::make_unique<MemorySource>(
        std::move(columns), std::move(view_of_target), view_of_rule, n_rows, n_threads,
        arguments.roots_from(roots, n_rows));
    std::shared_ptr<const MemorySource::Lists> sorted;
    if (!lists.is_none()) {
      sorted = nb::cast<const SortedLists&>(lists).lists;
      const auto fits = [&](const auto& list) { return std::ssize(list) == n_rows; };
      expect(std::ssize(*sorted) == source_->n_features() &&
                 std::ranges::all_of(*sorted, fits),
             "lists: of another table");
    }
    kept_ = std::move(arguments.kept);
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
    return give_branches(std::move(found));
  }

  // Differences of scores below which two splits of a node are a tie.
  auto tolerances(const In<std::int64_t>& statistics) const {
    std::vector<double> found;
    const auto width = static_cast<std::size_t>(source_->width());
    for (std::size_t start = 0; start + width <= statistics.size(); start += width)
      found.push_back(
          tolerance_of_ties(source_->target(), view(statistics).subspan(start, width)));
    return give(std::move(found));
  }

  bool can_grow_out() const { return source_->can_grow_out(); }

  // All that grows below open nodes; n_features 0: nodes look at all.
  nb::tuple grow_out(const In<std::int64_t>& nodes, const In<std::int64_t>& statistics,
                     const In<std::int32_t>& depths, const In<std::uint64_t>& keys,
                     const In<std::uint64_t>& constant, const In<std::uint8_t>& allowed,
                     std::int64_t n_features, bool counts_constant,
                     std::int64_t min_rows_in_leaf, std::int64_t min_rows_to_split,
                     std::int64_t max_depth, double min_weight_to_split, double slack,
                     const Choosing& choosing) {
    const std::size_t n_nodes = nodes.size();
    const auto n_words = static_cast<std::size_t>(source_->words_of_features());
    expect(statistics.size() == n_nodes * source_->width() &&
               depths.size() == n_nodes && constant.size() == n_nodes * n_words &&
               (n_features == 0 || keys.size() == n_nodes) &&
               (allowed.size() == 0 ||
                allowed.size() == n_nodes * source_->n_features()) &&
               std::ssize(choosing.is_cut) == source_->n_features(),
           "grow_out: arrays of the wrong length");
    expect(wants_details_ || !choosing.by_worth(), "grow_out: details are needed");
    GrownOut found;
    run_interruptible(
        source_->pool(),
        [&] {
          found = source_->grow_out(view(nodes), view(statistics), view(depths),
                                    view(constant), view(allowed),
                                    {view(keys), n_features, counts_constant},
                                    {min_rows_in_leaf, min_rows_to_split, max_depth,
                                     min_weight_to_split, slack},
                                    choosing);
        },
        &stopped_);
    return nb::make_tuple(give(std::move(found.node)), give(std::move(found.feature)),
                          give(std::move(found.position)), give(std::move(found.gain)),
                          give_branches(std::move(found.branches)),
                          give(std::move(found.depth)), give(std::move(found.unsplit)),
                          give(std::move(found.why)));
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
  nb::tuple give_branches(Branches&& found) const {
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

  static nb::tuple give_surrogates(Surrogates&& found) {
    return nb::make_tuple(
        give(std::move(found.n_surrogates)), give(std::move(found.feature)),
        give(std::move(found.low)), give(std::move(found.high)),
        give(std::move(found.branch)), give(std::move(found.agreement)),
        give(std::move(found.adjusted)), give(std::move(found.n_codes)),
        give(std::move(found.codes)), give(std::move(found.branch_of_code)));
  }

  bool wants_details_ = false;
  std::atomic<bool> stopped_ = false;
  std::vector<nb::object> kept_;  // arrays that the source looks at
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
  python::add_sparse(module);
  python::add_incremental(module);
  python::add_hoeffding(module);
  python::add_stream_cells(module);
  python::add_coded_cells(module);
  python::add_choosing(module);
  nb::class_<SortedLists>(module, "SortedLists");
  module.def(
      "few_looked",
      [](std::int64_t n_features, std::int64_t n_looked) {
        return Roots{{}, {}, {}, n_looked}.few_looked(n_features);
      },
      "n_features"_a, "n_looked"_a);
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
      .def("tolerances", &Memory::tolerances, "statistics"_a)
      .def("can_grow_out", &Memory::can_grow_out)
      .def("grow_out", &Memory::grow_out, "nodes"_a, "statistics"_a, "depths"_a,
           "keys"_a, "constant"_a, "allowed"_a, "n_features"_a, "counts_constant"_a,
           "min_rows_in_leaf"_a, "min_rows_to_split"_a, "max_depth"_a,
           "min_weight_to_split"_a, "slack"_a, "choosing"_a)
      .def("tabulate", &Memory::tabulate, "nodes"_a, "features"_a, "positions"_a,
           "tolerances"_a)
      .def("score_cuts", &Memory::score_cuts, "node"_a, "feature"_a, "tolerance"_a)
      .def("advance", &Memory::advance, "nodes"_a, "features"_a, "n_branches"_a,
           "branch_rows"_a, "known"_a, "open"_a);
}
