#include "evaluator.hpp"

#include "evaluate_classes.hpp"
#include "evaluate_deviations.hpp"
#include "evaluate_squares.hpp"

namespace treewright {
namespace {

template <class Score>
std::unique_ptr<Evaluator> for_classes(const Target& target, const XLog2X& f) {
  if (!target.bytes.empty()) return std::make_unique<TwoClasses<Score>>(target, f);
  return std::make_unique<ManyClasses<Score>>(target, f);
}

}  // namespace

std::unique_ptr<Evaluator> make_evaluator(const Target& target, const Tables& tables) {
  switch (target.criterion) {
    case Criterion::entropy:
      if (target.single_unit > 0)
        return for_classes<SingleEntropyScore>(target, tables.x_log2_x);
      return for_classes<EntropyScore>(target, tables.x_log2_x);
    case Criterion::gini:
      return for_classes<GiniScore>(target, tables.x_log2_x);
    case Criterion::classification_error:
      return for_classes<ErrorScore>(target, tables.x_log2_x);
    case Criterion::squared_error:
      return std::make_unique<Squares>(target, tables.reciprocals);
    case Criterion::absolute_error:
      return std::make_unique<Deviations>(target);
  }
  return nullptr;
}

}  // namespace treewright
