// Rows of cells from columns of codes: the Python face of core/coded_cells.hpp.
#include "coded_cells.hpp"

#include <limits>

#include "arrays.hpp"

namespace treewright::python {
namespace {

// Nothing is converted: a view of a copy would outlive it. The caller's list keeps what
// is looked at.
CodedColumn column_from(nb::handle codes, const In<double>& cells) {
  if (In<std::uint8_t> array; nb::try_cast(codes, array, false))
    return {view(array), view(cells)};
  if (In<std::uint16_t> array; nb::try_cast(codes, array, false))
    return {view(array), view(cells)};
  In<std::uint32_t> array;
  expect(nb::try_cast(codes, array, false),
         "cells of codes: codes must be contiguous and of 1, 2 or 4 bytes");
  return {view(array), view(cells)};
}

Out<double> rows_of_cells(const nb::list& codes, const std::vector<In<double>>& cells,
                          std::size_t n_rows) {
  expect(codes.size() == cells.size(), "cells of codes: lists of different lengths");
  const nb::tuple kept(codes);  // the list may be changed meanwhile, this cannot
  std::vector<CodedColumn> columns;
  for (std::size_t column = 0; column < cells.size(); ++column) {
    columns.push_back(column_from(kept[column], cells[column]));
    expect(columns.back().n_rows() == n_rows, "cells of codes: a column of other rows");
  }
  std::vector<double> found;
  bool are_known = false;
  ThreadPool pool(1);
  run_interruptible(pool, [&] {
    are_known = std::ranges::all_of(columns, &CodedColumn::has_every_cell);
    if (are_known) found = cells_of(columns, n_rows, pool);
  });
  expect(are_known, "cells of codes: a code without a cell");
  return give(std::move(found), {n_rows, columns.size()});
}

// For each pair of a column and a code the value. `values` has those of each column;
// NaN where these are no floats.
Out<double> values_of_codes(const nb::list& values, const In<std::int32_t>& columns,
                            const In<std::int32_t>& codes) {
  expect(codes.size() == columns.size(), "values of codes: arrays of other lengths");
  std::vector<In<double>> wide(values.size());
  std::vector<In<float>> narrow(values.size());
  for (std::size_t column = 0; column < values.size(); ++column)
    if (!nb::try_cast(values[column], wide[column], false))
      nb::try_cast(values[column], narrow[column], false);
  std::vector<double> found(codes.size());
  for (std::size_t pair = 0; pair < found.size(); ++pair) {
    const auto column = static_cast<std::size_t>(columns.data()[pair]);
    const auto code = static_cast<std::size_t>(codes.data()[pair]);
    expect(column < values.size(), "values of codes: no such column");
    const auto value = [&](const auto& own) -> double {
      expect(code < own.size(), "values of codes: no such code");
      return own.data()[code];
    };
    found[pair] = wide[column].is_valid() ? value(wide[column])
                  : narrow[column].is_valid()
                      ? value(narrow[column])
                      : std::numeric_limits<double>::quiet_NaN();
  }
  return give(std::move(found));
}

}  // namespace

void add_coded_cells(nb::module_& module) {
  module.def("cells_of_codes", &rows_of_cells, "codes"_a, "cells"_a, "n_rows"_a);
  module.def("values_of_codes", &values_of_codes, "values"_a, "columns"_a, "codes"_a);
}

}  // namespace treewright::python
