// Hoeffding trees: batches, memory, and arrays that come back.
#include <cmath>
#include <limits>
#include <stdexcept>

#include "check.hpp"
#include "hoeffding_classes.hpp"
#include "hoeffding_numbers.hpp"
#include "hoeffding_state.hpp"
#include "random_data.hpp"

namespace treewright::tests {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t n_features = 3;
const std::vector<std::int32_t> ranks = {2, 0, 1};
const std::vector<std::int64_t> codes = {0, 4, 0};

struct Rows {
  std::vector<double> cells;
  std::vector<std::int32_t> classes;
  std::vector<double> numbers, weights;
};

// Numbers, categories and gaps; the class depends on the first two.
Rows random_rows(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Rows rows;
  for (std::size_t row = 0; row < n; ++row) {
    const auto x = static_cast<double>(random.below(1000)) / 100 - 5;
    const std::int64_t code = random.below(row < n / 2 ? 3 : 4);
    rows.cells.push_back(random.one_in(10) ? missing : x);
    rows.cells.push_back(random.one_in(10) ? missing : static_cast<double>(code));
    rows.cells.push_back(random.one_in(50) ? 1e300
                                           : static_cast<double>(random.bits()));
    const bool is_last = row > n / 3 && x > 3;
    rows.classes.push_back(is_last ? 2 : (x > 0) != (code == 1));
    rows.numbers.push_back(x * static_cast<double>(code));
    rows.weights.push_back(static_cast<double>(random.below(3)));
  }
  return rows;
}

HoeffdingRule small_rule(LeafAnswer answer = LeafAnswer::adaptive) {
  HoeffdingRule rule;
  rule.is_nominal = {0, 1, 0};
  rule.delta = 0.1;
  rule.grace_period = 20;
  rule.answer = answer;
  return rule;
}

std::span<const std::int32_t> target_of(const Rows& rows, std::int32_t) {
  return rows.classes;
}
std::span<const double> target_of(const Rows& rows, double) { return rows.numbers; }

template <class Task>
void learn(HoeffdingTree<Task>& tree, const Rows& rows, std::size_t per_batch) {
  using Target = typename Task::Target;
  const auto target = target_of(rows, Target{});
  std::vector<Target> out(target.size());
  for (std::size_t at = 0; at < target.size(); at += per_batch) {
    const std::size_t n = std::min(per_batch, target.size() - at);
    tree.learn({std::span(rows.cells).subspan(at * n_features, n * n_features),
                target.subspan(at, n), std::span(rows.weights).subspan(at, n)},
               ranks, std::span(out).subspan(at, n));
  }
}

bool equal(const HoeffdingArrays& one, const HoeffdingArrays& other) {
  return one.parent == other.parent && one.feature == other.feature &&
         one.missing == other.missing && one.threshold == other.threshold &&
         one.gain == other.gain && one.right_plain == other.right_plain &&
         one.right_bayes == other.right_bayes && one.seen == other.seen &&
         one.looked == other.looked && one.n_rows == other.n_rows &&
         one.awake == other.awake && one.child_start == other.child_start &&
         one.child == other.child && one.value == other.value &&
         one.block_start == other.block_start && one.block == other.block;
}

HoeffdingLimits limits_of(std::int32_t) { return {3, codes}; }
HoeffdingLimits limits_of(double) { return {0, codes}; }

template <class Task>
void check_task() {
  for (const std::int64_t most : {std::int64_t{-1}, std::int64_t{12'000}}) {
    HoeffdingRule rule = small_rule();
    rule.max_bytes = most;
    const Rows rows = random_rows(6000, 5);
    HoeffdingTree<Task> whole(rule), by_row(rule), stopped(rule), other(rule);
    learn(whole, rows, 6000);
    learn(by_row, rows, 1);
    CHECK(whole.nodes().size() > 4);
    CHECK(equal(arrays_of(whole), arrays_of(by_row)));
    // a copy by arrays goes on as if nothing had happened
    const Rows first = random_rows(1500, 6), second = random_rows(1500, 7);
    learn(stopped, first, 100);
    fill(other, arrays_of(stopped), limits_of(typename Task::Target{}));
    CHECK(other.bytes() == stopped.bytes() && other.n_awake() == stopped.n_awake());
    learn(stopped, second, 100);
    learn(other, second, 33);
    CHECK(equal(arrays_of(stopped), arrays_of(other)));
    if (most > 0) CHECK(whole.bytes() <= most);
    // what it says of its bytes is what counting gives
    const std::int64_t bytes = whole.bytes(), n_awake = whole.n_awake();
    whole.count_bytes();
    CHECK(whole.bytes() == bytes && whole.n_awake() == n_awake);
  }
}

void classes_are_learned_alike_in_any_batches() { check_task<ClassTask>(); }
void numbers_are_learned_alike_in_any_batches() { check_task<NumberTask>(); }

void shares_add_up_to_one() {
  const Rows rows = random_rows(3000, 9);
  for (const auto answer :
       {LeafAnswer::plain, LeafAnswer::naive_bayes, LeafAnswer::adaptive}) {
    HoeffdingTree<ClassTask> tree(small_rule(answer));
    learn(tree, rows, 500);
    std::vector<std::int32_t> out(rows.classes.size());
    std::vector<double> shares(out.size() * 3);
    tree.answer(rows.cells, ranks, out, shares);
    for (std::size_t row = 0; row < out.size(); ++row) {
      const double* own = shares.data() + 3 * row;
      CHECK(std::abs(own[0] + own[1] + own[2] - 1) < 1e-12);
      CHECK(out[row] >= 0 && out[row] < 3);
      for (int one = 0; one < 3; ++one) CHECK(own[one] <= own[out[row]]);
    }
  }
}

void long_products_do_not_overflow() {
  LongProduct product;
  double logs = 0;
  Random random(3);
  for (int k = 0; k < 1000; ++k) {
    const double factor =
        std::ldexp(1.0 + static_cast<double>(random.below(1000)) / 1000,
                   static_cast<int>(random.below(1800)) - 900);
    product.multiply(factor);
    logs += std::log(factor);
  }
  CHECK(std::abs(product.log() - logs) < 1e-6 * std::abs(logs) + 1e-6);
}

void arrays_of_no_tree_are_refused() {
  const Rows rows = random_rows(2000, 4);
  HoeffdingTree<ClassTask> tree(small_rule());
  learn(tree, rows, 2000);
  const HoeffdingArrays good = arrays_of(tree);
  const auto refused = [&](auto change) {
    HoeffdingArrays bad = good;
    change(bad);
    HoeffdingTree<ClassTask> other(small_rule());
    CHECK_THROWS(std::invalid_argument, fill(other, bad, {3, codes}));
  };
  refused([](HoeffdingArrays& bad) { bad.parent.pop_back(); });
  refused([](HoeffdingArrays& bad) { bad.parent[1] = 1; });
  refused([](HoeffdingArrays& bad) { bad.feature[0] = 3; });
  refused([](HoeffdingArrays& bad) { bad.feature[0] = -1; });
  refused([](HoeffdingArrays& bad) { bad.missing[0] = 0; });
  refused([](HoeffdingArrays& bad) { bad.child[0] = 1'000'000; });
  refused([](HoeffdingArrays& bad) { bad.child[1] = bad.child[0]; });
  refused([](HoeffdingArrays& bad) { bad.child_start[1] = 1'000'000; });
  refused([](HoeffdingArrays& bad) { bad.value[0] = -1; });
  refused([](HoeffdingArrays& bad) { bad.value[0] = missing; });
  refused([](HoeffdingArrays& bad) { bad.block[0] = missing; });
  refused([](HoeffdingArrays& bad) { bad.block.pop_back(); });
  refused([](HoeffdingArrays& bad) { bad.block_start.pop_back(); });
  refused([](HoeffdingArrays& bad) { bad.awake[0] = 1; });
  refused([](HoeffdingArrays& bad) { bad.threshold[0] = missing; });
}

void a_settled_kind_cannot_change() {
  HoeffdingTree<ClassTask> tree(small_rule());
  learn(tree, random_rows(200, 1), 200);
  CHECK_THROWS(std::invalid_argument, tree.set_kinds({1, 1, 0}));
  CHECK_THROWS(std::invalid_argument, tree.set_kinds({0, 1}));
  tree.set_kinds({0, 1, 0});
}

}  // namespace

Tests hoeffding_tests() {
  return {{"classes_are_learned_alike_in_any_batches",
           classes_are_learned_alike_in_any_batches},
          {"numbers_are_learned_alike_in_any_batches",
           numbers_are_learned_alike_in_any_batches},
          {"shares_add_up_to_one", shares_add_up_to_one},
          {"long_products_do_not_overflow", long_products_do_not_overflow},
          {"arrays_of_no_tree_are_refused", arrays_of_no_tree_are_refused},
          {"a_settled_kind_cannot_change", a_settled_kind_cannot_change}};
}

}  // namespace treewright::tests
