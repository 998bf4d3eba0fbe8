#include "evaluator.hpp"

#include "around_classes.hpp"
#include "around_squares.hpp"
#include "evaluate_classes.hpp"
#include "evaluate_counted.hpp"
#include "evaluate_deviations.hpp"
#include "evaluate_squares.hpp"

namespace treewright {
namespace {

template <class Score>
std::unique_ptr<Evaluator> for_classes(const Target& target,
                                       const typename Score::Table& f) {
  if (!target.bytes.empty() && target.weights.empty())
    return std::make_unique<TwoClasses<Score, false>>(target, f);
  if (!target.bytes.empty())
    return std::make_unique<TwoClasses<Score, true>>(target, f);
  return std::make_unique<ManyClasses<Score>>(target, f);
}

}  // namespace

std::unique_ptr<Evaluator> make_evaluator(const Target& target, const Tables& tables) {
  switch (target.criterion) {
    case Criterion::entropy:
      if (target.single_unit > 0)
        return for_classes<SingleEntropyScore>(target, tables.of_weights);
      if (!target.weights.empty())
        return for_classes<WeightedEntropyScore>(target, tables.of_weights);
      return for_classes<EntropyScore>(target, tables.of_counts);
    case Criterion::gini:
      if (!target.pairs.empty())
        return std::make_unique<CountedClasses>(target, tables.of_counts);
      return for_classes<GiniScore>(target, tables.of_counts);
    case Criterion::classification_error:
      return for_classes<ErrorScore>(target, tables.of_counts);
    case Criterion::squared_error:
      return std::make_unique<Squares>(target, tables.reciprocals);
    case Criterion::absolute_error:
      return std::make_unique<Deviations>(target);
  }
  return nullptr;
}

}  // namespace treewright
