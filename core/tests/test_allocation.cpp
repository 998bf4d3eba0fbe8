// Memory runs out at the n-th request, for every n: an exception, no crash, no leak.
#include <atomic>
#include <new>

#include "check.hpp"
#include "encode.hpp"
#include "failing_memory.hpp"
#include "grow.hpp"

namespace treewright::tests {
namespace {

// Calls `work` with ever more memory until it passes; returns the number of failures.
template <class Work>
std::int64_t n_failures_of(const Work& work) {
  constexpr std::int64_t most = 100000;
  for (std::int64_t n_granted = 0; n_granted < most; ++n_granted) {
    try {
      const Failing failing(n_granted);
      work();
      return n_granted;
    } catch (const std::bad_alloc&) {
    }
  }
  return most;
}

struct Small {
  explicit Small(Criterion criterion) {
    Random random(91);
    data = criterion <= Criterion::classification_error
               ? random_classes(random, 40, {3}, criterion, 0)
               : random_numbers(random, 40, 1, criterion, 0);
    target = data.view();
    table.add_random(random, 20, Candidates::cut, 8);
    table.add_random(random, 300, Candidates::multiway);
    table.add_random(random, 5, Candidates::subset, 8);
  }

  TargetData data;
  Target target;
  Table table{40};
};

constexpr Criterion criteria[] = {Criterion::entropy, Criterion::squared_error,
                                  Criterion::absolute_error};
constexpr Rule rule{{1, 0}, Missing::own_branch};

void a_fit_without_memory_throws() {
  for (const Criterion criterion : criteria) {
    const Small small(criterion);
    const Growing growing{small.table, small.target, rule};
    const History expected = grow(growing);
    History found;
    const auto n_failures = n_failures_of([&] { found = grow(growing); });
    CHECK(n_failures > 20 && n_failures < 100000);
    CHECK(found == expected);
  }
}

// With threads, from the moment on that the threads run. The pool works afterwards.
void a_fit_with_threads_without_memory_throws() {
  const Small small(Criterion::gini);
  const Growing growing{small.table, small.target, rule, 3};
  const History expected = grow(growing);
  for (std::int64_t n_granted = 0; n_granted < 100000; ++n_granted) {
    MemorySource source(small.table.columns(), small.target, rule, 40, 3);
    History found;
    try {
      const Failing failing(n_granted);
      source.build_lists();
      Watch watch;
      found = grow(source, growing, watch);
    } catch (const std::bad_alloc&) {
    }
    std::atomic<int> n_run = 0;
    source.pool().run(20, [&](std::int64_t, int) { ++n_run; });
    CHECK(n_run == 20);
    if (found.numbers.empty()) continue;
    CHECK(n_granted > 20);
    CHECK(found == expected);
    return;
  }
  CHECK(!"the fit passes with memory for 100000 requests");
}

void start_pools() {
  const auto n_failures = n_failures_of([] { ThreadPool pool(4); });
  CHECK(n_failures < 100);
}

void start_sources() {
  const Small small(Criterion::gini);
  const auto n_failures = n_failures_of([&] {
    MemorySource source(small.table.columns(), small.target, rule, 40, 3);
    source.build_lists();
  });
  CHECK(n_failures > 5 && n_failures < 1000);
}

void a_pool_that_cannot_start_throws_or_has_fewer_threads() {
  CHECK(survives(start_pools));
}
void a_source_that_cannot_start_throws() { CHECK(survives(start_sources)); }

void rank_without_memory_throws() {
  const std::vector<double> floats{3, 1, 2, 1}, doubles{0.1, 0.3, 0.2, 0.1};
  std::vector<std::uint32_t> codes(4);
  for (const auto& values : {floats, doubles})
    CHECK(n_failures_of([&] { rank<double>(values, {}, codes); }) > 1);
}

}  // namespace

Tests allocation_tests() {
  return {{"a_fit_without_memory_throws", a_fit_without_memory_throws},
          {"a_fit_with_threads_without_memory_throws",
           a_fit_with_threads_without_memory_throws},
          {"a_pool_that_cannot_start_throws_or_has_fewer_threads",
           a_pool_that_cannot_start_throws_or_has_fewer_threads},
          {"a_source_that_cannot_start_throws", a_source_that_cannot_start_throws},
          {"rank_without_memory_throws", rank_without_memory_throws}};
}

}  // namespace treewright::tests
