// The sparse source, from Python.
#include "sparse.hpp"

#include <memory>

#include "memory_arguments.hpp"
#include "tolerance.hpp"

namespace treewright::python {
namespace {

// A SparseSource together with the arrays that it looks at.
class Sparse {
 public:
  Sparse(const In<std::int64_t>& starts, const In<std::uint32_t>& rows,
         const In<std::uint32_t>& codes, const In<std::uint32_t>& n_below,
         const In<std::uint32_t>& run_codes, const nb::dict& target,
         const nb::dict& rule, std::int64_t n_rows, int n_threads,
         const nb::object& roots) {
    MemoryArguments arguments;
    expect(n_rows > 0 && n_rows < (std::int64_t{1} << 31),
           "the sparse source takes 1 to 2^31 - 1 rows");
    const SparseTable table{arguments.keep(starts), arguments.keep(rows),
                            arguments.keep(codes), arguments.keep(n_below),
                            arguments.keep(run_codes)};
    check(table, n_rows);
    std::vector<Column> none;
    const Rule view_of_rule = arguments.rule_from(rule, none);
    Target view_of_target = arguments.target_from(target, n_rows);
    expect(view_of_target.criterion != Criterion::absolute_error &&
               view_of_rule.missing != Missing::fractional,
           "the sparse source: not with this criterion or rule");
    const Roots view_of_roots = arguments.roots_from(roots, n_rows);
    kept_ = std::move(arguments.kept);
    nb::gil_scoped_release release;
    source_ =
        std::make_unique<SparseSource>(table, std::move(view_of_target), view_of_rule,
                                       n_rows, n_threads, view_of_roots);
  }

  void stop() { stopped_ = true; }

  nb::tuple open_roots() {
    const auto n_roots = static_cast<std::size_t>(source_->n_roots());
    std::vector<std::int64_t> statistics(n_roots * source_->width());
    std::vector<std::uint8_t> pure(n_roots);
    run([&] { source_->open_roots(statistics, pure); });
    return nb::make_tuple(give(std::move(statistics)), give(std::move(pure)));
  }

  auto tolerances(const In<std::int64_t>& statistics) const {
    std::vector<double> found;
    const auto width = static_cast<std::size_t>(source_->width());
    for (std::size_t start = 0; start + width <= statistics.size(); start += width)
      found.push_back(
          tolerance_of_ties(source_->target(), view(statistics).subspan(start, width)));
    return give(std::move(found));
  }

  nb::tuple scan(const In<std::int64_t>& nodes, const In<std::int64_t>& statistics,
                 const In<double>& tolerances) {
    const std::size_t n_nodes = nodes.size();
    expect(
        statistics.size() == n_nodes * source_->width() && tolerances.size() == n_nodes,
        "scan: arrays of the wrong length");
    std::vector<DrawnFound> found(n_nodes);
    run([&] { source_->scan(view(nodes), view(statistics), view(tolerances), found); });
    return give_columns(std::move(found), n_nodes, &DrawnFound::gain,
                        &DrawnFound::position, &DrawnFound::feature);
  }

  nb::tuple scan_drawn(const In<std::int64_t>& nodes,
                       const In<std::int64_t>& statistics, const In<double>& tolerances,
                       const In<std::uint64_t>& keys, const In<std::uint64_t>& constant,
                       std::int64_t n_features, bool counts_constant) {
    const std::size_t n_nodes = nodes.size();
    const auto n_words = static_cast<std::size_t>(source_->words_of_features());
    expect(n_features > 0 && statistics.size() == n_nodes * source_->width() &&
               tolerances.size() == n_nodes && keys.size() == n_nodes &&
               constant.size() == n_nodes * n_words,
           "scan_drawn: arrays of the wrong length");
    std::vector<DrawnFound> found(n_nodes * n_features);
    std::vector<std::uint64_t> bits(view(constant).begin(), view(constant).end());
    run([&] {
      source_->scan_drawn(view(nodes), view(statistics), view(tolerances),
                          {view(keys), n_features, counts_constant}, bits, found);
    });
    return nb::tuple(give_columns(std::move(found), n_nodes, &DrawnFound::gain,
                                  &DrawnFound::position, &DrawnFound::feature) +
                     nb::make_tuple(give(std::move(bits), {n_nodes, n_words})));
  }

  nb::tuple split(const In<std::int64_t>& nodes, const In<std::int32_t>& features,
                  const In<std::int64_t>& positions) {
    expect(features.size() == nodes.size() && positions.size() == nodes.size(),
           "split: arrays of different lengths");
    Branches found;
    run([&] { found = source_->split(view(nodes), view(features), view(positions)); });
    const std::size_t n_branches = found.n_rows.size();
    const auto width = static_cast<std::size_t>(source_->width());
    return nb::make_tuple(give(std::move(found.n_rows)),
                          give(std::move(found.statistics), {n_branches, width}),
                          give(std::move(found.pure)),
                          give(std::move(found.missing_branch)),
                          give(std::move(found.low)), give(std::move(found.high)));
  }

  std::int64_t advance(const In<std::int64_t>& nodes,
                       const In<std::int64_t>& branch_rows,
                       const In<std::uint8_t>& open) {
    expect(branch_rows.size() == 2 * nodes.size() && open.size() == 2 * nodes.size(),
           "advance: arrays of different lengths");
    std::int64_t first = 0;
    run([&] { first = source_->advance(view(nodes), view(branch_rows), view(open)); });
    return first;
  }

 private:
  static void check(const SparseTable& table, std::int64_t n_rows) {
    const std::int64_t n_features = table.n_features();
    expect(std::ssize(table.starts) == n_features + 1 &&
               std::ssize(table.n_below) == n_features && table.starts.front() == 0 &&
               table.starts.back() == std::ssize(table.rows) &&
               table.rows.size() == table.codes.size() &&
               std::ranges::is_sorted(table.starts),
           "the sparse source: arrays of the wrong length");
    for (const std::uint32_t row : table.rows)
      expect(row < n_rows, "the sparse source: no such row");
    for (std::int64_t feature = 0; feature < n_features; ++feature) {
      const std::int64_t start = table.starts[feature];
      const std::int64_t n_entries = table.starts[feature + 1] - start;
      const auto codes = table.codes.subspan(start, n_entries);
      const auto below = std::ranges::lower_bound(codes, table.run_codes[feature]);
      expect(std::ranges::is_sorted(codes) &&
                 below - codes.begin() == table.n_below[feature] &&
                 (below == codes.end() || *below > table.run_codes[feature]),
             "the sparse source: entries out of order");
    }
  }

  template <class Work>
  void run(const Work& work) {
    run_interruptible(source_->pool(), work, &stopped_);
  }

  std::atomic<bool> stopped_ = false;
  std::vector<nb::object> kept_;
  std::unique_ptr<SparseSource> source_;
};

}  // namespace

void add_sparse(nb::module_& module) {
  nb::class_<Sparse>(module, "Sparse")
      .def(nb::init<const In<std::int64_t>&, const In<std::uint32_t>&,
                    const In<std::uint32_t>&, const In<std::uint32_t>&,
                    const In<std::uint32_t>&, const nb::dict&, const nb::dict&,
                    std::int64_t, int, const nb::object&>(),
           "starts"_a, "rows"_a, "codes"_a, "n_below"_a, "run_codes"_a, "target"_a,
           "rule"_a, "n_rows"_a, "n_threads"_a, "roots"_a = nb::none())
      .def("stop", &Sparse::stop)
      .def("open_roots", &Sparse::open_roots)
      .def("tolerances", &Sparse::tolerances, "statistics"_a)
      .def("scan", &Sparse::scan, "nodes"_a, "statistics"_a, "tolerances"_a)
      .def("scan_drawn", &Sparse::scan_drawn, "nodes"_a, "statistics"_a, "tolerances"_a,
           "keys"_a, "constant"_a, "n_features"_a, "counts_constant"_a)
      .def("split", &Sparse::split, "nodes"_a, "features"_a, "positions"_a)
      .def("advance", &Sparse::advance, "nodes"_a, "branch_rows"_a, "open"_a);
}

}  // namespace treewright::python
