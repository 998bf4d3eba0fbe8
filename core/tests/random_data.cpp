#include "random_data.hpp"

#include <algorithm>
#include <numeric>

namespace treewright::tests {

std::string name_of(Criterion criterion) {
  constexpr const char* names[] = {"entropy", "gini", "classification_error",
                                   "squared_error", "absolute_error"};
  return names[static_cast<int>(criterion)];
}

Target TargetData::view() const {
  Target target;
  target.criterion = criterion;
  target.n_outputs = n_outputs;
  target.class_start = class_start;
  target.classes = classes;
  target.values = values;
  target.weighted = weighted;
  target.weights = weights;
  return target;
}

namespace {

std::vector<std::int64_t> random_weights(Random& random, std::int64_t n_rows,
                                         std::int64_t largest) {
  std::vector<std::int64_t> weights(largest > 0 ? n_rows : 0);
  for (auto& weight : weights) weight = 1 + random.below(largest);
  return weights;
}

void fill_sums(TargetData& data) {
  for (std::size_t cell = 0; cell < data.values.size(); ++cell) {
    const std::size_t row = cell / data.n_outputs;
    const std::int64_t weight = data.weights.empty() ? 1 : data.weights[row];
    const std::int64_t value = data.values[cell];
    data.weighted.push_back(weight * value);
  }
}

}  // namespace

TargetData random_classes(Random& random, std::int64_t n_rows,
                          const std::vector<int>& n_classes, Criterion criterion,
                          std::int64_t largest_weight) {
  TargetData data;
  data.criterion = criterion;
  data.n_outputs = static_cast<int>(n_classes.size());
  data.class_start = {0};
  for (const int n : n_classes) data.class_start.push_back(data.class_start.back() + n);
  for (std::int64_t row = 0; row < n_rows; ++row)
    for (std::size_t output = 0; output < n_classes.size(); ++output)
      data.classes.push_back(static_cast<std::uint32_t>(
          data.class_start[output] + random.below(n_classes[output])));
  data.weights = random_weights(random, n_rows, largest_weight);
  return data;
}

TargetData random_numbers(Random& random, std::int64_t n_rows, int n_outputs,
                          Criterion criterion, std::int64_t largest_weight,
                          std::int64_t spread, std::int64_t offset) {
  TargetData data;
  data.criterion = criterion;
  data.n_outputs = n_outputs;
  data.values.resize(n_rows * n_outputs);
  for (auto& value : data.values) value = offset + random.below(spread);
  data.weights = random_weights(random, n_rows, largest_weight);
  fill_sums(data);
  return data;
}

TargetData numbers_of(std::vector<std::int64_t> values, Criterion criterion) {
  TargetData data;
  data.criterion = criterion;
  data.values = std::move(values);
  fill_sums(data);
  return data;
}

TargetData classes_of(std::vector<std::uint32_t> classes, int n_classes,
                      Criterion criterion) {
  TargetData data;
  data.criterion = criterion;
  data.class_start = {0, n_classes};
  data.classes = std::move(classes);
  return data;
}

std::vector<Entry> list_of(const std::vector<std::uint32_t>& codes) {
  std::vector<Entry> list(codes.size());
  std::iota(list.begin(), list.end(), Entry{0});
  std::ranges::stable_sort(list, {}, [&](Entry row) { return codes[row]; });
  std::vector<Entry> marked = list;
  for (std::size_t place = 0; place < list.size(); ++place)
    if (place == 0 || codes[list[place]] != codes[list[place - 1]])
      marked[place] |= new_value;
  return marked;
}

std::vector<std::uint32_t> random_codes(Random& random, std::int64_t n_rows,
                                        std::int64_t n_codes) {
  std::vector<std::uint32_t> codes(n_rows);
  for (auto& code : codes) code = static_cast<std::uint32_t>(random.below(n_codes));
  return codes;
}

std::vector<std::uint32_t> rows_of(std::span<const Entry> entries) {
  std::vector<std::uint32_t> rows(entries.size());
  std::ranges::transform(entries, rows.begin(), row_of);
  return rows;
}

namespace {

Tables tables_for(std::int64_t n_rows) {
  // a short table of logarithms, so that the formula behind it is used too
  Tables tables{XLog2X(n_rows / 2), XLog2XOfWeights(n_rows / 2),
                std::vector<double>(n_rows + 1)};
  for (std::int64_t n = 1; n <= n_rows; ++n)
    tables.reciprocals[n] = 1.0 / static_cast<double>(n);
  return tables;
}

}  // namespace

Evaluating::Evaluating(const TargetData& data)
    : target(data.view()),
      tables(tables_for(static_cast<std::int64_t>(
          std::max(data.classes.size(), data.values.size())))) {
  if (target.n_classes() == 2 && target.n_outputs == 1 && target.weights.empty())
    target.bytes.assign(target.classes.begin(), target.classes.end());
  evaluator = make_evaluator(target, tables);
}

}  // namespace treewright::tests
