// Rules and the rows that they cover: the Python face of core/rule_rows.hpp and
// core/rule_subset.hpp.
#include <cmath>
#include <memory>

#include "arrays.hpp"
#include "rule_subset.hpp"

namespace treewright::python {
namespace {

// Rows with the conditions that rules are made of.
class Covering {
 public:
  Covering(const In<double>& cells, const In<std::int32_t>& classes,
           std::int64_t n_classes, const In<std::int64_t>& weights, double unit,
           int n_threads)
      : cells_(cells), classes_(classes), weights_(weights), unit_(unit) {
    expect(cells.ndim() == 2 && cells.shape(1) == classes.size(),
           "rule rows: cells and classes of different lengths");
    expect(cells.shape(1) < (std::size_t{1} << 31), "rule rows: too many rows");
    expect(weights.size() == 0 || weights.size() == classes.size(),
           "rule rows: weights of the wrong length");
    for (const std::int32_t one : view(classes))
      expect(one >= 0 && one < n_classes, "rule rows: class out of range");
    for (const std::int64_t weight : view(weights)) {
      expect(weight >= 0, "rule rows: a weight below 0");
      total_ += weight;
    }
    if (weights.size() == 0) total_ = static_cast<std::int64_t>(classes.size());
    rows_ = std::make_unique<RuleRows>(
        LabelledCells{view(cells_), static_cast<std::int64_t>(cells.shape(0)),
                      view(classes_), n_classes, view(weights_)},
        n_threads);
  }

  void add(const In<std::int32_t>& feature, const In<double>& low,
           const In<double>& high, const In<std::int64_t>& set_start,
           const In<std::int32_t>& set_codes) {
    const std::size_t n = feature.size();
    expect(low.size() == n && high.size() == n && set_start.size() == n + 1,
           "conditions: arrays of different lengths");
    check_stretches(set_start, set_codes.size(), "conditions: sets out of order");
    for (const std::int32_t one : view(feature))
      expect(one >= 0 && one < static_cast<std::int64_t>(cells_.shape(0)),
             "conditions: no such feature");
    for (const std::int32_t code : view(set_codes))
      expect(code >= 0, "conditions: a code below 0");
    run([&] {
      rows_->add(
          {view(feature), view(low), view(high), view(set_start), view(set_codes)});
    });
  }

  nb::tuple without_each(const In<std::int64_t>& start,
                         const In<std::int32_t>& condition,
                         const In<std::int32_t>& classes) {
    const Rules rules = rules_from(start, condition);
    expect(static_cast<std::int64_t>(classes.size()) == rules.size(),
           "rules: a class for each");
    for (const std::int32_t one : view(classes)) expect_class(one);
    Dropped found;
    run([&] { found = rows_->without_each(rules, view(classes)); });
    return nb::make_tuple(give(std::move(found.covered)), give(std::move(found.wrong)),
                          give(std::move(found.covered_without)),
                          give(std::move(found.wrong_without)));
  }

  nb::tuple count_classes(const In<std::int64_t>& start,
                          const In<std::int32_t>& condition) {
    const Rules rules = rules_from(start, condition);
    const auto n_rules = static_cast<std::size_t>(rules.size());
    const auto n_classes = static_cast<std::size_t>(rows_->rows().n_classes);
    std::vector<std::int64_t> weights(n_rules * n_classes), n_rows(n_rules);
    run([&] { rows_->count_classes(rules, weights, n_rows); });
    return nb::make_tuple(give(std::move(weights), {n_rules, n_classes}),
                          give(std::move(n_rows)));
  }

  nb::tuple first_two(const In<std::int64_t>& start,
                      const In<std::int32_t>& condition) {
    const Rules rules = rules_from(start, condition);
    std::vector<std::int32_t> first(rows_->n_rows()), second(first.size());
    run([&] { rows_->first_two(rules, first, second); });
    return nb::make_tuple(give(std::move(first)), give(std::move(second)));
  }

  // The best subset from each start, or, without starts, of all subsets.
  nb::tuple subsets(const In<std::int64_t>& start, const In<std::int32_t>& condition,
                    std::int32_t of_class, const In<double>& rule_bits,
                    const In<std::uint8_t>& starts) {
    const Rules rules = rules_from(start, condition);
    const auto n_rules = static_cast<std::size_t>(rules.size());
    expect(
        rule_bits.size() == n_rules && starts.ndim() == 2 && starts.shape(1) == n_rules,
        "subsets: arrays of different lengths");
    expect_class(of_class);
    const std::size_t n_starts = starts.shape(0);
    expect(n_starts > 0 || n_rules <= 20, "subsets: too many rules for all subsets");
    std::vector<Subset> found(std::max<std::size_t>(n_starts, 1));
    run([&] {
      const RuleCover cover(*rows_, rules, of_class, rows_->pool());
      const Exceptions exceptions(total_, unit_);
      std::vector<double> factorial(n_rules + 1);
      for (std::size_t k = 1; k <= n_rules; ++k)
        factorial[k] = factorial[k - 1] + std::log2(static_cast<double>(k));
      const SubsetTask task{*rows_, cover, view(rule_bits), exceptions, factorial};
      rows_->pool().run(std::ssize(found), [&](std::int64_t one, int) {
        found[one] = n_starts == 0
                         ? best_of_all(task, rows_->pool())
                         : climb(task, view(starts).subspan(one * n_rules, n_rules),
                                 rows_->pool());
      });
    });
    std::vector<std::uint8_t> inside;
    std::vector<double> bits;
    std::vector<std::int64_t> n_steps;
    for (const Subset& one : found) {
      inside.insert(inside.end(), one.inside.begin(), one.inside.end());
      bits.push_back(one.bits);
      n_steps.push_back(one.n_steps);
    }
    const std::size_t n_found = found.size();
    return nb::make_tuple(give(std::move(inside), {n_found, n_rules}),
                          give(std::move(bits)), give(std::move(n_steps)));
  }

 private:
  static void check_stretches(const In<std::int64_t>& start, std::size_t n,
                              const char* what) {
    const auto starts = view(start);
    expect(!starts.empty() && starts.front() == 0 &&
               starts.back() == static_cast<std::int64_t>(n) &&
               std::ranges::is_sorted(starts),
           what);
  }
  void expect_class(std::int32_t one) const {
    expect(one >= 0 && one < rows_->rows().n_classes, "rules: class out of range");
  }
  Rules rules_from(const In<std::int64_t>& start,
                   const In<std::int32_t>& condition) const {
    check_stretches(start, condition.size(), "rules: conditions out of order");
    for (const std::int32_t one : view(condition))
      expect(one >= 0 && one < rows_->n_conditions(), "rules: no such condition");
    return {view(start), view(condition)};
  }
  template <class Work>
  void run(const Work& work) {
    run_interruptible(rows_->pool(), work);
  }

  In<double> cells_;
  In<std::int32_t> classes_;
  In<std::int64_t> weights_;
  double unit_;
  std::int64_t total_ = 0;
  std::unique_ptr<RuleRows> rows_;
};

}  // namespace

void add_ruling(nb::module_& module) {
  nb::class_<Covering>(module, "RuleRows")
      .def(nb::init<const In<double>&, const In<std::int32_t>&, std::int64_t,
                    const In<std::int64_t>&, double, int>(),
           "cells"_a, "classes"_a, "n_classes"_a, "weights"_a, "unit"_a, "n_threads"_a)
      .def("add", &Covering::add, "feature"_a, "low"_a, "high"_a, "set_start"_a,
           "set_codes"_a)
      .def("without_each", &Covering::without_each, "start"_a, "condition"_a,
           "classes"_a)
      .def("count_classes", &Covering::count_classes, "start"_a, "condition"_a)
      .def("first_two", &Covering::first_two, "start"_a, "condition"_a)
      .def("subsets", &Covering::subsets, "start"_a, "condition"_a, "of_class"_a,
           "rule_bits"_a, "starts"_a);
}

}  // namespace treewright::python
