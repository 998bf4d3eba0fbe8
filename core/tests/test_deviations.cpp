// The weighted median against a sorted list in which each row stands weight times.
#include "evaluate_deviations.hpp"

#include <algorithm>

#include "check.hpp"
#include "random_data.hpp"

namespace treewright::tests {
namespace {

using Item = SortedWeights::Item;

void check_middle(const SortedWeights& sorted, const std::vector<Item>& items,
                  const std::vector<std::uint8_t>& present) {
  std::vector<std::int64_t> values;
  for (std::size_t rank = 0; rank < items.size(); ++rank)
    if (present[rank])
      values.insert(values.end(), items[rank].weight, items[rank].value);
  const auto middle = sorted.middle();
  if (values.empty()) {
    CHECK(middle.twice_median == 0 && middle.deviation == 0);
    return;
  }
  const std::int64_t twice =
      values[(values.size() - 1) / 2] + values[values.size() / 2];
  std::int64_t deviation = 0;
  for (const std::int64_t value : values) deviation += std::abs(2 * value - twice);
  CHECK(middle.twice_median == twice);
  CHECK(middle.deviation == deviation / 2);
}

void median_follows_rows_that_come_and_go() {
  Random random(21);
  for (int round = 0; round < 40; ++round) {
    note("round " + std::to_string(round));
    std::vector<Item> items(1 + random.below(40));
    for (auto& item : items) item = {random.below(60) - 30, random.below(5)};
    std::ranges::stable_sort(items, {}, &Item::value);
    SortedWeights sorted;
    sorted.reset(items);
    std::vector<std::uint8_t> present(items.size());
    check_middle(sorted, items, present);
    for (int step = 0; step < 100; ++step) {
      const auto rank = static_cast<std::size_t>(random.below(std::ssize(items)));
      if (present[rank])
        sorted.remove(rank);
      else
        sorted.add(rank);
      present[rank] ^= 1;
      check_middle(sorted, items, present);
    }
    sorted.reset(items);
    std::ranges::fill(present, 0);
    check_middle(sorted, items, present);
  }
}

void median_of_an_even_number_of_rows_is_the_middle_of_two() {
  const std::vector<Item> items{{1, 1}, {4, 1}, {9, 1}, {11, 1}};
  SortedWeights sorted;
  sorted.reset(items);
  for (std::size_t rank = 0; rank < items.size(); ++rank) sorted.add(rank);
  CHECK(sorted.middle().twice_median == 13);  // 4 + 9
  CHECK(sorted.middle().deviation == 15);     // 5.5 + 2.5 + 2.5 + 4.5
}

// 2^20 rows of weight 2^10 at values of 44 bits: the sums do not fit 64 bits.
void sums_of_deviations_may_be_wide() {
  const std::int64_t far = std::int64_t{1} << 44;
  const std::vector<Item> items{{-far, std::int64_t{1} << 29},
                                {far, std::int64_t{1} << 29}};
  SortedWeights sorted;
  sorted.reset(items);
  sorted.add(0);
  sorted.add(1);
  CHECK(sorted.middle().twice_median == 0);
  CHECK(sorted.middle().deviation == Wide{1} << 74);
}

void no_items_have_no_middle() {
  SortedWeights sorted;
  sorted.reset({});
  CHECK(sorted.middle().deviation == 0);
}

}  // namespace

Tests deviations_tests() {
  return {
      {"median_follows_rows_that_come_and_go", median_follows_rows_that_come_and_go},
      {"median_of_an_even_number_of_rows_is_the_middle_of_two",
       median_of_an_even_number_of_rows_is_the_middle_of_two},
      {"sums_of_deviations_may_be_wide", sums_of_deviations_may_be_wide},
      {"no_items_have_no_middle", no_items_have_no_middle}};
}

}  // namespace treewright::tests
