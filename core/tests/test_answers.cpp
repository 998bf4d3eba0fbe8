// What nodes answer, and the cells that rows are made of: both beside plain loops.
#include <algorithm>

#include "check.hpp"
#include "coded_cells.hpp"
#include "labels.hpp"
#include "random_data.hpp"

namespace treewright::tests {
namespace {

std::int32_t class_by_the_rule(const std::vector<double>& weights,
                               const std::vector<std::int32_t>& parent,
                               std::size_t n_classes, std::int32_t node, bool asks) {
  std::vector<std::size_t> left;
  double least = 0;
  for (std::size_t slot = 0; slot < n_classes; ++slot) {
    least = std::max(least, weights[node * n_classes + slot] * (1 - 1e-11));
    left.push_back(slot);
  }
  std::erase_if(left,
                [&](auto slot) { return weights[node * n_classes + slot] < least; });
  for (node = parent[node]; asks && node >= 0; node = parent[node]) {
    double most = 0;
    for (const auto slot : left)
      most = std::max(most, weights[node * n_classes + slot]);
    std::erase_if(left,
                  [&](auto slot) { return weights[node * n_classes + slot] < most; });
  }
  return static_cast<std::int32_t>(left.front());
}

void labels_are_those_of_the_rule() {
  Random random(91);
  for (int round = 0; round < 200; ++round) {
    const auto n_classes = static_cast<std::size_t>(1 + random.below(9));
    const std::int64_t n_nodes = 1 + random.below(40);
    std::vector<double> weights;
    std::vector<std::int32_t> parent;
    for (std::int64_t node = 0; node < n_nodes; ++node) {
      parent.push_back(static_cast<std::int32_t>(random.below(node + 1)) - 1);
      for (std::size_t slot = 0; slot < n_classes; ++slot)
        weights.push_back(static_cast<double>(random.below(3)));
    }
    for (const bool asks : {false, true}) {
      const auto found = HeaviestClasses(weights, n_classes, parent).of_nodes(asks);
      for (std::int32_t node = 0; node < n_nodes; ++node)
        CHECK(found[node] == class_by_the_rule(weights, parent, n_classes, node, asks));
    }
  }
}

// Whatever the weights are, some class is answered.
void labels_of_odd_weights_are_classes() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::int32_t> parent{-1, 0};
  for (const double above : {nan, -5.0, 0.0}) {
    const std::vector<double> weights{above, above, 1.0, 1.0};
    const auto found = HeaviestClasses(weights, 2, parent).of_nodes(true);
    CHECK(found[1] == 0 || found[1] == 1);
  }
}

void cells_are_looked_up_by_code() {
  Random random(92);
  ThreadPool pool(1);
  for (const std::int64_t n_rows : {0, 1, 255, 256, 257, 700}) {
    std::vector<std::uint8_t> few;
    std::vector<std::uint16_t> more;
    std::vector<std::uint32_t> many;
    for (std::int64_t row = 0; row < n_rows; ++row) {
      few.push_back(static_cast<std::uint8_t>(random.below(3)));
      more.push_back(static_cast<std::uint16_t>(random.below(300)));
      many.push_back(static_cast<std::uint32_t>(random.below(70'000)));
    }
    std::vector<double> cells(70'000);
    for (std::size_t code = 0; code < cells.size(); ++code)
      cells[code] = static_cast<double>(code) / 7;
    const std::vector<CodedColumn> columns{
        {std::span<const std::uint8_t>(few), std::span<const double>(cells).first(3)},
        {std::span<const std::uint16_t>(more),
         std::span<const double>(cells).first(300)},
        {std::span<const std::uint32_t>(many), cells}};
    CHECK(std::ranges::all_of(columns, &CodedColumn::has_every_cell));
    const auto found = cells_of(columns, n_rows, pool);
    for (std::int64_t row = 0; row < n_rows; ++row)
      CHECK(found[3 * row] == cells[few[row]] &&
            found[3 * row + 1] == cells[more[row]] &&
            found[3 * row + 2] == cells[many[row]]);
  }
  const std::vector<std::uint8_t> codes{0, 2};
  const std::vector<double> two(2);
  CHECK(!CodedColumn({std::span<const std::uint8_t>(codes), two}).has_every_cell());
}

}  // namespace

Tests answers_tests() {
  return {{"labels_are_those_of_the_rule", labels_are_those_of_the_rule},
          {"labels_of_odd_weights_are_classes", labels_of_odd_weights_are_classes},
          {"cells_are_looked_up_by_code", cells_are_looked_up_by_code}};
}

}  // namespace treewright::tests
