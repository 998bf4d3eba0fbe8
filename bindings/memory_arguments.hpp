// What the memory source is made of, from Python: columns, target, rule, roots.
#pragma once

#include <algorithm>
#include <vector>

#include "arrays.hpp"
#include "memory_types.hpp"
#include "target.hpp"

namespace treewright::python {

struct MemoryArguments {
  std::vector<nb::object> kept;  // the arrays that are looked at

  template <class T>
  std::span<const T> keep(const In<T>& array) {
    kept.push_back(nb::cast(array));
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
    // no exit from the loops, so that they look at several rows at a time
    std::uint32_t last_row = 0, fewest = 1;
    for (const std::uint32_t row : roots.rows) last_row = std::max(last_row, row);
    for (const std::uint32_t count : roots.counts) fewest = std::min(fewest, count);
    expect(roots.rows.empty() || last_row < n_rows, "roots: no such row");
    expect(fewest > 0, "roots: a row that was not drawn");
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
    if (given.contains("tie_unit"))
      target.tie_unit = nb::cast<double>(given["tie_unit"]);
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
    std::uint32_t last_slot = 0;
    for (const std::uint32_t slot : target.classes)
      last_slot = std::max(last_slot, slot);
    expect(target.classes.empty() ||
               last_slot < static_cast<std::uint32_t>(target.n_classes()),
           "target: class out of range");
    return target;
  }

  static Rule rule_from(const nb::dict& rule, std::vector<Column>& columns) {
    Rule out;
    out.limits.min_rows = nb::cast<std::int64_t>(rule["min_rows"]);
    out.limits.min_weight = nb::cast<std::int64_t>(rule["min_weight"]);
    out.missing = static_cast<Missing>(nb::cast<int>(rule["missing"]));
    if (rule.contains("max_surrogates"))
      out.max_surrogates = nb::cast<std::int64_t>(rule["max_surrogates"]);
    if (rule.contains("two_disagree"))
      out.two_disagree = nb::cast<bool>(rule["two_disagree"]);
    if (rule.contains("discounts_missing"))
      out.discounts_missing = nb::cast<bool>(rule["discounts_missing"]);
    out.most_per_side = nb::cast<std::int64_t>(rule["most_per_side"]);
    out.two_branches = nb::cast<bool>(rule["two_branches"]);
    out.every_cut = nb::cast<bool>(rule["every_cut"]);
    out.count_values = nb::cast<bool>(rule["count_values"]);
    if (rule.contains("cuts_by_range"))
      out.cuts_by_range = nb::cast<bool>(rule["cuts_by_range"]);
    if (rule.contains("min_share")) out.min_share = nb::cast<double>(rule["min_share"]);
    out.min_gap = nb::cast<double>(rule["min_gap"]);
    out.slack = nb::cast<double>(rule["slack"]);
    out.wants_information = nb::cast<bool>(rule["wants_information"]);
    if (rule.contains("n_combined")) give_sums(rule, out, columns);
    out.charge_unit = nb::cast<double>(rule["charge_unit"]);
    return out;
  }

  // What weighted sums of features are made of.
  static void give_sums(const nb::dict& rule, Rule& out, std::vector<Column>& columns) {
    out.n_combined = nb::cast<std::int64_t>(rule["n_combined"]);
    const auto scales = nb::cast<std::vector<double>>(rule["scales"]);
    for (std::size_t n = 0; n < columns.size(); ++n) columns[n].scale = scales.at(n);
  }
};

}  // namespace treewright::python
