// Shares of rows: exact quotients, that add up to the whole.
#include "check.hpp"
#include "random_data.hpp"
#include "target.hpp"

namespace treewright::tests {
namespace {

void shares_are_exact_quotients_and_add_up() {
  Random random(21);
  const auto number = [&](int most_bits) {
    return static_cast<std::int64_t>(
        random.below(std::int64_t{1} << (1 + random.below(most_bits))));
  };
  for (int trial = 0; trial < 20000; ++trial) {
    const std::int64_t amount = number(60);
    const std::int64_t before = number(58), part = number(58), after = number(58);
    const std::int64_t total = before + part + after + 1;
    const auto upto = [&](std::int64_t weight) {
      return static_cast<std::int64_t>(Wide{amount} * weight / total);
    };
    const Share share{before, part, total};
    CHECK(share.of(amount) == upto(before + part) - upto(before));
    const Share first{0, before, total}, last{before + part, after + 1, total};
    CHECK(first.of(amount) + share.of(amount) + last.of(amount) == amount);
  }
}

}  // namespace

Tests share_tests() {
  return {
      {"shares_are_exact_quotients_and_add_up", shares_are_exact_quotients_and_add_up}};
}

}  // namespace treewright::tests
