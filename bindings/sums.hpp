// What weighted sums of features are made of, from Python.
#pragma once

#include <vector>

#include "arrays.hpp"
#include "memory_types.hpp"

namespace treewright {

inline void give_sums(const nanobind::dict& rule, Rule& out,
                      std::vector<Column>& columns) {
  out.n_combined = nanobind::cast<std::int64_t>(rule["n_combined"]);
  const auto scales = nanobind::cast<std::vector<double>>(rule["scales"]);
  for (std::size_t n = 0; n < columns.size(); ++n) columns[n].scale = scales.at(n);
}

}  // namespace treewright
