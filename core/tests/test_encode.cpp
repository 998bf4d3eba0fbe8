// Ranks against a sorted list of the distinct values.
#include "encode.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "check.hpp"
#include "random_data.hpp"

namespace treewright::tests {
namespace {

template <class Value>
bool is_known(Value value) {
  return value == value;  // false for NaN alone
}

template <class Value>
void check_rank(const std::vector<Value>& values,
                const std::vector<std::uint8_t>& missing = {}) {
  std::vector<std::uint32_t> codes(values.size(), 12345);
  const auto found = rank<Value>(values, missing, codes);

  std::vector<Value> distinct;
  const auto known = [&](std::size_t row) {
    return is_known(values[row]) && (missing.empty() || !missing[row]);
  };
  for (std::size_t row = 0; row < values.size(); ++row)
    if (known(row)) distinct.push_back(values[row]);
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());

  CHECK(found == distinct);
  if constexpr (std::is_floating_point_v<Value>)
    for (const Value value : found) CHECK(value != 0 || !std::signbit(value));
  for (std::size_t row = 0; row < values.size(); ++row) {
    const auto expected =
        known(row) ? std::ranges::lower_bound(distinct, values[row]) - distinct.begin()
                   : std::ssize(distinct);
    CHECK(codes[row] == expected);
  }
}

std::vector<std::uint8_t> random_mask(Random& random, std::size_t n_rows) {
  std::vector<std::uint8_t> mask(n_rows);
  for (auto& flag : mask) flag = random.one_in(4);
  return mask;
}

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void rank_orders_special_doubles() {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double largest = std::numeric_limits<double>::max();
  const double smallest = std::numeric_limits<double>::min();
  const double float_largest = std::numeric_limits<float>::max();
  check_rank<double>({nan,
                      infinity,
                      0.0,
                      -0.0,
                      tiny,
                      -tiny,
                      1.0,
                      -infinity,
                      largest,
                      -largest,
                      smallest,
                      -smallest,
                      float_largest,
                      std::nextafter(float_largest, infinity),
                      -float_largest,
                      0.1,
                      std::nextafter(0.1, 1.0),
                      nan,
                      -0.0,
                      -nan});
}

void rank_orders_special_floats() {
  const double tiny = std::numeric_limits<float>::denorm_min();
  const double smallest = std::numeric_limits<float>::min();
  const double largest = std::numeric_limits<float>::max();
  check_rank<double>({nan, 0.0, -0.0, tiny, -tiny, 1.0, largest, -largest, smallest,
                      -smallest, 0.5, -0.5, -nan, -0.0});
}

void rank_takes_minus_zero_for_zero() {
  std::vector<std::uint32_t> codes(3);
  const std::vector<double> values{0.0, -0.0, 0.0};
  CHECK(rank<double>(values, {}, codes).size() == 1);
}

void rank_of_few_or_no_values() {
  check_rank<double>({});
  check_rank<double>({nan});
  check_rank<double>({nan, nan});
  check_rank<double>({3.5});
  check_rank<double>({3.5, 3.5});
  check_rank<std::int64_t>({});
  check_rank<std::uint64_t>({7});
  check_rank<std::int64_t>({5, 4}, {1, 1});
}

void rank_orders_random_doubles() {
  Random random(1);
  for (int round = 0; round < 60; ++round) {
    std::vector<double> values(random.below(400));
    for (auto& value : values) {
      // any bit pattern; numbers with many digits; few different numbers; floats
      if (round % 4 == 0) value = std::bit_cast<double>(random.bits());
      if (round % 4 == 1) value = static_cast<double>(random.bits()) / 3e15 - 3000;
      if (round % 4 == 2) value = static_cast<double>(random.below(20)) / 10 - 1;
      if (round % 4 == 3)
        value = std::bit_cast<float>(static_cast<std::uint32_t>(random.bits()));
      if (random.one_in(10)) value = nan;
      if (round % 8 == 3 && std::isinf(value)) value = 0;
    }
    note("round " + std::to_string(round));
    check_rank(values);
    check_rank(values, random_mask(random, values.size()));
  }
}

template <class Integer>
void check_random_integers(std::uint64_t seed) {
  Random random(seed);
  for (int round = 0; round < 40; ++round) {
    std::vector<Integer> values(random.below(400));
    for (auto& value : values) {
      value = static_cast<Integer>(random.bits() >> random.below(64));
      if (round % 2) value = static_cast<Integer>(random.below(30)) - Integer{15};
      if (random.one_in(20)) value = std::numeric_limits<Integer>::max();
      if (random.one_in(20)) value = std::numeric_limits<Integer>::min();
      // differ in the last digit only, and are not doubles
      if (random.one_in(20))
        value =
            std::numeric_limits<Integer>::max() - static_cast<Integer>(random.below(3));
    }
    note("round " + std::to_string(round));
    check_rank(values);
    check_rank(values, random_mask(random, values.size()));
  }
}

void rank_orders_random_integers() {
  check_random_integers<std::int64_t>(2);
  check_random_integers<std::uint64_t>(3);
}

// A masked cell may hold anything, also what would need longer keys.
void rank_does_not_look_at_masked_cells() {
  check_rank<double>({1.0, infinity, 0.5, 0.1, nan}, {0, 1, 0, 1, 1});
}

void rank_of_many_rows() {
  Random random(4);
  std::vector<double> values(50000);
  for (auto& value : values) value = static_cast<double>(random.below(30000)) * 1.1;
  std::vector<std::uint32_t> codes(values.size());
  const auto distinct = rank<double>(values, {}, codes);
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](auto row) { return values[row]; });
  bool right = true;
  for (std::size_t place = 1; place < order.size(); ++place) {
    const bool rises = values[order[place - 1]] < values[order[place]];
    right = right && codes[order[place]] == codes[order[place - 1]] + rises;
  }
  CHECK(right);
  CHECK(codes[order.back()] + 1 == distinct.size());
}

void keys_order_as_values_do() {
  const std::vector<double> values{-infinity, -1e300, -1.0,  -1e-310, 0.0,
                                   1e-310,    1.0,    1e300, infinity};
  for (std::size_t place = 1; place < values.size(); ++place)
    CHECK(key_of(values[place - 1]) < key_of(values[place]));
  CHECK(key_of(-0.0) == key_of(0.0));
  CHECK(key_of(std::int64_t{-1}) < key_of(std::int64_t{0}));
}

}  // namespace

Tests encode_tests() {
  return {{"rank_orders_special_doubles", rank_orders_special_doubles},
          {"rank_orders_special_floats", rank_orders_special_floats},
          {"rank_takes_minus_zero_for_zero", rank_takes_minus_zero_for_zero},
          {"rank_of_few_or_no_values", rank_of_few_or_no_values},
          {"rank_orders_random_doubles", rank_orders_random_doubles},
          {"rank_orders_random_integers", rank_orders_random_integers},
          {"rank_does_not_look_at_masked_cells", rank_does_not_look_at_masked_cells},
          {"rank_of_many_rows", rank_of_many_rows},
          {"keys_order_as_values_do", keys_order_as_values_do}};
}

}  // namespace treewright::tests
