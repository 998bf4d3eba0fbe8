// Cells of a stream that are Python objects: looked up where they are.
//
// A loop over objects in Python takes several times as long, and a stream that comes
// row by row is little else.
#include <cmath>
#include <limits>

#include "arrays.hpp"

namespace treewright::python {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double largest_exact = 9007199254740992.0;  // 2^53

// What a key stands for in a dict; null if it is not there, or cannot be looked up.
PyObject* find(PyObject* known, PyObject* key) {
  PyObject* found = PyDict_GetItemWithError(known, key);
  if (found == nullptr) PyErr_Clear();
  return found;
}

// The numbers that cells stand for in a dict; None if one of them is not there.
nb::object look_up(const nb::list& cells, const nb::dict& known) {
  std::vector<double> found(cells.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    PyObject* number =
        find(known.ptr(), PyList_GET_ITEM(cells.ptr(), static_cast<Py_ssize_t>(k)));
    if (number == nullptr) return nb::none();
    found[k] = PyFloat_AsDouble(number);
    if (found[k] == -1 && PyErr_Occurred()) throw nb::python_error();
  }
  return nb::cast(give(std::move(found)));
}

// The cell of a plain object: in a dict if there is one, else a number that a double
// holds. False if it is anything else.
bool is_read(PyObject* cell, PyObject* known, double& out) {
  if (known != Py_None) {
    PyObject* number = find(known, cell);
    if (number == nullptr) return false;
    out = PyFloat_AsDouble(number);
    return true;
  }
  if (PyFloat_CheckExact(cell)) {
    out = PyFloat_AS_DOUBLE(cell);
    return true;
  }
  if (cell == Py_None) return true;  // `out` is missing
  if (!PyLong_CheckExact(cell)) return false;
  int overflow = 0;
  const long long whole = PyLong_AsLongLongAndOverflow(cell, &overflow);
  out = static_cast<double>(whole);
  return overflow == 0 && std::abs(out) <= largest_exact;
}

// Rows that are dicts, as cells, and which columns need a closer look; None if a row
// has other columns. `columns` has pairs: a name, and a dict of its categories or None.
nb::object read_rows(const nb::list& rows, const nb::tuple& columns) {
  const std::size_t n_columns = columns.size();
  std::vector<double> cells(rows.size() * n_columns, missing);
  std::vector<std::uint8_t> in_doubt(n_columns, 0);
  bool is_clear = true;
  double* out = cells.data();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    PyObject* row = PyList_GET_ITEM(rows.ptr(), static_cast<Py_ssize_t>(k));
    if (!PyDict_CheckExact(row) ||
        PyDict_GET_SIZE(row) != static_cast<Py_ssize_t>(n_columns))
      return nb::none();
    for (std::size_t column = 0; column < n_columns; ++column, ++out) {
      PyObject* pair = PyTuple_GET_ITEM(columns.ptr(), static_cast<Py_ssize_t>(column));
      PyObject* cell = find(row, PyTuple_GET_ITEM(pair, 0));
      if (cell == nullptr) return nb::none();
      if (!is_read(cell, PyTuple_GET_ITEM(pair, 1), *out)) {
        in_doubt[column] = 1;
        is_clear = false;
      }
    }
  }
  nb::list doubtful;
  if (!is_clear)
    for (std::size_t column = 0; column < n_columns; ++column)
      if (in_doubt[column]) doubtful.append(column);
  const std::size_t n_rows = rows.size();
  return nb::make_tuple(give(std::move(cells), {n_rows, n_columns}), doubtful);
}

}  // namespace

void add_stream_cells(nb::module_& module) {
  module.def("look_up", &look_up, "cells"_a, "known"_a);
  module.def("read_rows", &read_rows, "rows"_a, "columns"_a);
}

}  // namespace treewright::python
