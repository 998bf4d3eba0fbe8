// The choice among features: the Python face of core/choosing.hpp.
#include "choosing.hpp"

#include "arrays.hpp"

namespace treewright::python {
namespace {

using Table = In<double>;

// The candidates of a batch of nodes, one node after another.
struct CandidateTables {
  const Table &gain, &n_cuts, &information, &charge;
  const In<std::int64_t>&position, &feature;  // feature: empty where every one is there

  std::size_t n_nodes() const { return gain.shape(0); }
  std::size_t n_features() const { return gain.shape(1); }

  void check(const Choosing& choosing, std::size_t n_weights,
             std::size_t n_scores) const {
    const auto fits = [&](const auto& array, bool may_be_empty) {
      return array.size() == gain.size() || (may_be_empty && array.size() == 0);
    };
    expect(gain.ndim() == 2 && n_weights == n_nodes() && n_scores == n_nodes() &&
               fits(position, false) && fits(feature, true) &&
               fits(n_cuts, !choosing.pays_for_cuts) &&
               fits(information, !choosing.by_ratio) &&
               fits(charge, !choosing.pays_for_groups),
           "choose: arrays of the wrong length");
    const auto n_known = std::ssize(choosing.is_cut);
    for (const std::int64_t one : view(feature))
      expect(one >= -1 && one < n_known, "choose: no such feature");
    expect(feature.size() > 0 || static_cast<std::int64_t>(n_features()) <= n_known,
           "choose: more features than there are");
  }

  void take(std::size_t node, std::vector<Answer>& out) const {
    out.resize(n_features());
    for (std::size_t place = 0; place < n_features(); ++place) {
      const std::size_t at = node * n_features() + place;
      const auto cell = [&](const Table& table) {
        return table.size() ? table.data()[at] : 0.0;
      };
      out[place] = {
          feature.size() ? feature.data()[at] : static_cast<std::int64_t>(place),
          {gain.data()[at], position.data()[at], cell(n_cuts), cell(information),
           cell(charge)}};
    }
  }
};

nb::tuple choose(const Choosing& choosing, const Table& gain,
                 const In<std::int64_t>& position, const Table& n_cuts,
                 const Table& information, const Table& charge,
                 const In<std::int64_t>& feature, const In<double>& weight,
                 const In<double>& per_score, const In<double>& tolerances,
                 const In<std::uint8_t>& allowed) {
  const CandidateTables tables{gain, n_cuts, information, charge, position, feature};
  tables.check(choosing, weight.size(), per_score.size());
  const std::size_t n_nodes = tables.n_nodes();
  expect(
      tolerances.size() == n_nodes && (n_nodes == 0 || allowed.size() % n_nodes == 0),
      "choose: arrays of the wrong length");
  const std::size_t n_flags = n_nodes == 0 ? 0 : allowed.size() / n_nodes;
  std::vector<std::int32_t> chosen(n_nodes, -1);
  std::vector<double> gains(n_nodes);
  std::vector<std::int64_t> positions(n_nodes);
  std::vector<std::uint8_t> why(n_nodes);
  {
    nb::gil_scoped_release release;
    Chooser chooser(choosing);
    std::vector<Answer> answers;
    for (std::size_t node = 0; node < n_nodes; ++node) {
      tables.take(node, answers);
      const std::int64_t winner =
          chooser.choose(answers, weight.data()[node], per_score.data()[node],
                         tolerances.data()[node]);
      Choice found = chooser.found();
      const auto own = view(allowed).subspan(node * n_flags, n_flags);
      if (answers.empty() ||
          (n_flags > 0 && std::ranges::none_of(own, [](auto flag) { return flag; })))
        found = Choice::no_feature;
      why[node] = static_cast<std::uint8_t>(found);
      positions[node] = answers.empty()
                            ? 0
                            : answers[std::max<std::int64_t>(winner, 0)].found.position;
      if (found != Choice::split) continue;
      chosen[node] = static_cast<std::int32_t>(answers[winner].feature);
      gains[node] = answers[winner].found.gain;
    }
  }
  return nb::make_tuple(give(std::move(chosen)), give(std::move(gains)),
                        give(std::move(positions)), give(std::move(why)));
}

// What is compared: (gain, cost, charge, net, worth), (counts, valid), least.
nb::tuple weigh(const Choosing& choosing, const Table& gain,
                const In<std::int64_t>& position, const Table& n_cuts,
                const Table& information, const Table& charge,
                const In<std::int64_t>& feature, const In<double>& weight,
                const In<double>& per_score) {
  const CandidateTables tables{gain, n_cuts, information, charge, position, feature};
  tables.check(choosing, weight.size(), per_score.size());
  const std::size_t n_nodes = tables.n_nodes(), n_cells = gain.size();
  std::vector<double> numbers(5 * n_cells), least(n_nodes);
  std::vector<std::uint8_t> flags(2 * n_cells);
  Chooser chooser(choosing);
  std::vector<Answer> answers;
  for (std::size_t node = 0; node < n_nodes; ++node) {
    tables.take(node, answers);
    std::size_t at = node * tables.n_features();
    for (const Weighed& own :
         chooser.weigh(answers, weight.data()[node], per_score.data()[node])) {
      const double all[] = {own.gain, own.cost, own.charge, own.net, own.worth};
      for (std::size_t kind = 0; kind < 5; ++kind)
        numbers[kind * n_cells + at] = all[kind];
      flags[at] = own.counts;
      flags[n_cells + at] = own.valid;
      ++at;
    }
    least[node] = chooser.least();
  }
  const std::size_t n_features = tables.n_features();
  return nb::make_tuple(give(std::move(numbers), {5, n_nodes, n_features}),
                        give(std::move(flags), {2, n_nodes, n_features}),
                        give(std::move(least)));
}

}  // namespace

void add_choosing(nb::module_& module) {
  nb::class_<Choosing>(module, "Choosing")
      .def(
          "__init__",
          [](Choosing* self, bool by_ratio, std::uint8_t guard, bool pays_for_cuts,
             bool pays_for_groups, double tolerance, bool single_precision,
             bool accepts_no_gain, double min_split_information, double rows_per_class,
             double weight_scale, const In<bool>& is_cut, const In<bool>& is_few_valued,
             const In<std::int64_t>& n_branches) {
            const auto flags = [](const In<bool>& given) {
              return std::vector<std::uint8_t>(view(given).begin(), view(given).end());
            };
            expect(guard <= static_cast<std::uint8_t>(Guard::c50) &&
                       is_few_valued.size() == is_cut.size() &&
                       n_branches.size() == is_cut.size(),
                   "choosing: a flag and a number for each feature");
            const auto counts = view(n_branches);
            new (self) Choosing{by_ratio,
                                static_cast<Guard>(guard),
                                pays_for_cuts,
                                pays_for_groups,
                                tolerance,
                                single_precision,
                                accepts_no_gain,
                                min_split_information,
                                rows_per_class,
                                weight_scale,
                                flags(is_cut),
                                flags(is_few_valued),
                                {counts.begin(), counts.end()}};
          },
          "by_ratio"_a, "guard"_a, "pays_for_cuts"_a, "pays_for_groups"_a,
          "tolerance"_a, "single_precision"_a, "accepts_no_gain"_a,
          "min_split_information"_a, "rows_per_class"_a, "weight_scale"_a, "is_cut"_a,
          "is_few_valued"_a, "n_branches"_a);
  module.def("choose", &choose, "choosing"_a, "gain"_a, "position"_a, "n_cuts"_a,
             "information"_a, "charge"_a, "feature"_a, "weight"_a, "per_score"_a,
             "tolerances"_a, "allowed"_a);
  module.def("weigh", &weigh, "choosing"_a, "gain"_a, "position"_a, "n_cuts"_a,
             "information"_a, "charge"_a, "feature"_a, "weight"_a, "per_score"_a);
  module.attr("AVERAGE_SLACK") = average_slack;
  module.attr("ENOUGH") = enough;
}

}  // namespace treewright::python
