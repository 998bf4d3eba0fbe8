// The partition against a stable one per branch, with the marks worked out from codes.
#include "partition.hpp"

#include <algorithm>

#include "check.hpp"
#include "random_data.hpp"

namespace treewright::tests {
namespace {

struct Case {
  std::vector<std::uint32_t> codes;
  std::vector<std::uint32_t> branches;  // of each row
  std::vector<std::uint8_t> open;
};

Case random_case(Random& random, std::int64_t n_rows, std::int64_t n_branches) {
  Case made;
  made.codes = random_codes(random, n_rows, 1 + random.below(n_rows + 1));
  made.branches = random_codes(random, n_rows, n_branches);
  for (std::int64_t branch = 0; branch < n_branches; ++branch)
    made.open.push_back(!random.one_in(3));
  return made;
}

// The entries of the open branches, one branch behind the other.
std::vector<Entry> naive_partition(const Case& given, const std::vector<Entry>& list) {
  std::vector<Entry> expected;
  for (std::size_t branch = 0; branch < given.open.size(); ++branch) {
    if (!given.open[branch]) continue;
    std::vector<Entry> kept(list);
    const auto end = std::stable_partition(kept.begin(), kept.end(), [&](Entry entry) {
      return given.branches[row_of(entry)] == branch;
    });
    kept.erase(end, kept.end());
    for (std::size_t place = 0; place < kept.size(); ++place) {
      const bool starts = place == 0 || given.codes[row_of(kept[place])] !=
                                            given.codes[row_of(kept[place - 1])];
      expected.push_back(row_of(kept[place]) | (starts ? new_value : 0));
    }
  }
  return expected;
}

std::vector<std::int64_t> starts_of(const Case& given) {
  std::vector<std::int64_t> starts;
  std::int64_t place = 0;
  for (std::size_t branch = 0; branch < given.open.size(); ++branch) {
    starts.push_back(given.open[branch] ? place : closed);
    if (given.open[branch])
      place += std::ranges::count(given.branches, static_cast<std::uint32_t>(branch));
  }
  return starts;
}

void check_partition(const Case& given, Spare& spare) {
  const auto list = list_of(given.codes);
  BranchOfRow branch_of_row;
  if (std::ssize(given.open) <= most_narrow_branches)
    branch_of_row.narrow.assign(given.branches.begin(), given.branches.end());
  else
    branch_of_row.wide = given.branches;
  // the stretch stands in a longer list, whose other entries must stay
  const Entry outside = 77;
  std::vector<Entry> whole(list.size() + 2, outside);
  std::ranges::copy(list, whole.begin() + 1);
  partition(std::span(whole).subspan(1, list.size()), branch_of_row, starts_of(given),
            spare);
  const auto expected = naive_partition(given, list);
  CHECK(std::equal(expected.begin(), expected.end(), whole.begin() + 1));
  CHECK(whole.front() == outside && whole.back() == outside);
}

// Packed, divided and unpacked it is the same, wherever the rows' numbers begin.
void check_packed(const Case& given, Spare& spare) {
  constexpr std::uint32_t first_row = 1000;
  auto list = list_of(given.codes);
  for (Entry& entry : list) entry += first_row;
  const std::vector<std::uint8_t> branches(given.branches.begin(),
                                           given.branches.end());
  pack(list, first_row);
  const auto starts = starts_of(given);
  if (std::ranges::any_of(starts, [](auto start) { return start != closed; }))
    partition_packed(list, branches.data(), starts, spare);
  const auto expected = naive_partition(given, list_of(given.codes));
  std::vector<Entry> found;
  for (std::size_t branch = 0; branch < starts.size(); ++branch) {
    if (starts[branch] == closed) continue;
    std::vector<Entry> own(
        std::ranges::count(given.branches, static_cast<std::uint32_t>(branch)));
    unpack(std::span(list).subspan(starts[branch], own.size()), first_row, own);
    for (const Entry entry : own) found.push_back(entry - first_row);
  }
  CHECK(found == expected);
}

void check_branches(std::int64_t n_branches) {
  Random random(41);
  Spare spare;  // shared, as in the memory source
  for (int round = 0; round < 60; ++round) {
    note("round " + std::to_string(round));
    const Case given = random_case(random, random.below(200), n_branches);
    check_partition(given, spare);
    if (n_branches <= most_narrow_branches) check_packed(given, spare);
  }
}

void partition_into_two_branches() { check_branches(2); }
void partition_into_three_branches() { check_branches(3); }
void partition_into_one_branch() { check_branches(1); }
void partition_into_254_branches() { check_branches(254); }
void partition_into_255_branches() { check_branches(255); }
void partition_into_300_branches() { check_branches(300); }

void partition_keeps_every_choice_of_two_branches() {
  Random random(42);
  Spare spare;
  for (const auto& open : {std::vector<std::uint8_t>{1, 1}, {1, 0}, {0, 1}, {0, 0}})
    for (const std::int64_t n_rows : {0, 1, 2, 3, 50}) {
      Case given = random_case(random, n_rows, 2);
      given.open = open;
      check_partition(given, spare);
    }
}

void partition_with_an_empty_branch() {
  Spare spare;
  check_partition({{0, 1, 1, 2}, {1, 1, 1, 1}, {1, 1}}, spare);
  check_partition({{0, 1, 1, 2}, {0, 0, 0, 0}, {1, 1}}, spare);
  check_partition({{0, 1, 1, 2}, {2, 2, 0, 0}, {1, 1, 1}}, spare);
}

// Rows 0 and 2 of value 0, rows 1 and 3 of value 1: both branches see both values.
void marks_go_to_the_first_row_of_a_value_in_each_branch() {
  std::vector<Entry> list{0 | new_value, 2, 1 | new_value, 3};
  BranchOfRow branch_of_row{{1, 1, 0, 0}, {}};
  Spare spare;
  partition(list, branch_of_row, std::vector<std::int64_t>{0, 2}, spare);
  const std::vector<Entry> expected{2 | new_value, 3 | new_value, 0 | new_value,
                                    1 | new_value};
  CHECK(list == expected);
}

}  // namespace

Tests partition_tests() {
  return {{"partition_into_two_branches", partition_into_two_branches},
          {"partition_into_three_branches", partition_into_three_branches},
          {"partition_into_one_branch", partition_into_one_branch},
          {"partition_into_254_branches", partition_into_254_branches},
          {"partition_into_255_branches", partition_into_255_branches},
          {"partition_into_300_branches", partition_into_300_branches},
          {"partition_keeps_every_choice_of_two_branches",
           partition_keeps_every_choice_of_two_branches},
          {"partition_with_an_empty_branch", partition_with_an_empty_branch},
          {"marks_go_to_the_first_row_of_a_value_in_each_branch",
           marks_go_to_the_first_row_of_a_value_in_each_branch}};
}

}  // namespace treewright::tests
