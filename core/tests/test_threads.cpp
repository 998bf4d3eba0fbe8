// The thread pool: each task once, errors reach the caller, and it can be used again.
#include "threads.hpp"

#include <pthread.h>

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>

#include "check.hpp"

namespace treewright::tests {
namespace {

bool runs_each_task_once(ThreadPool& pool, std::int64_t n_tasks) {
  std::vector<std::atomic<int>> counts(n_tasks);
  std::atomic<bool> threads_are_right = true;
  pool.run(n_tasks, [&](std::int64_t task, int thread) {
    ++counts[task];
    if (thread < 0 || thread >= pool.n_threads()) threads_are_right = false;
  });
  bool once = threads_are_right;
  for (const auto& count : counts) once = once && count == 1;
  return once;
}

void each_task_runs_once() {
  for (const int n_threads : {1, 2, 3, 8}) {
    ThreadPool pool(n_threads);
    CHECK(pool.n_threads() == n_threads);
    for (const std::int64_t n_tasks : {0, 1, 2, 3, 7, 1000})
      CHECK(runs_each_task_once(pool, n_tasks));
  }
}

void a_pool_has_at_least_the_calling_thread() {
  for (const int n_threads : {-5, 0, 1}) {
    ThreadPool pool(n_threads);
    CHECK(pool.n_threads() == 1);
    CHECK(runs_each_task_once(pool, 10));
  }
}

// Results that the tasks wrote are seen by the caller, and by the tasks of later runs.
void many_rounds_see_each_others_results() {
  ThreadPool pool(4);
  std::vector<std::int64_t> sums(16);
  constexpr int n_rounds = 2000;
  for (int round = 0; round < n_rounds; ++round)
    pool.run(std::ssize(sums), [&](std::int64_t task, int) {
      sums[(task + round) % std::ssize(sums)] += 1;
    });
  for (const std::int64_t sum : sums) CHECK(sum == n_rounds);
}

// Each thread number is used by one thread at a time: its working space is its own.
void working_space_of_a_thread_is_its_own() {
  ThreadPool pool(3);
  std::vector<std::int64_t> counts(pool.n_threads());
  for (int round = 0; round < 50; ++round)
    pool.run(100, [&](std::int64_t, int thread) { ++counts[thread]; });
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) sum += count;
  CHECK(sum == 5000);
}

void an_exception_reaches_the_caller() {
  for (const int n_threads : {1, 2, 4}) {
    ThreadPool pool(n_threads);
    for (const std::int64_t bad : {0, 1, 50, 99}) {
      std::string words;
      try {
        pool.run(100, [&](std::int64_t task, int) {
          if (task == bad) throw std::runtime_error("task " + std::to_string(task));
        });
      } catch (const std::runtime_error& error) {
        words = error.what();
      }
      CHECK(words == "task " + std::to_string(bad));
      CHECK(runs_each_task_once(pool, 100));
    }
  }
}

void exceptions_of_all_threads_are_one_for_the_caller() {
  ThreadPool pool(4);
  for (int round = 0; round < 200; ++round) {
    CHECK_THROWS(std::runtime_error, pool.run(50, [](std::int64_t, int) {
      throw std::runtime_error("every task");
    }));
  }
  CHECK(runs_each_task_once(pool, 100));
}

void an_exception_stops_the_run() {
  ThreadPool pool(1);
  int n_run = 0;
  CHECK_THROWS(int, pool.run(100, [&](std::int64_t task, int) {
    ++n_run;
    if (task == 3) throw 1;
  }));
  CHECK(n_run == 4);
}

// One task that never ends, on the calling thread and, with two, on both.
void pause_interrupts_a_task() {
  for (const int n_threads : {1, 2}) {
    ThreadPool pool(n_threads);
    std::atomic<int> n_asked{0};
    pool.on_poll([&] { return ++n_asked > 3; });
    CHECK_THROWS(Interrupted, pool.run(n_threads, [&](std::int64_t, int) {
      for (;;) pool.pause();
    }));
    pool.on_poll(nullptr);
    int n_done = 0;
    pool.run(1, [&](std::int64_t, int) {
      pool.pause();
      ++n_done;
    });
    CHECK(n_done == 1);
  }
}

void poll_interrupts_the_run() {
  using Clock = std::chrono::steady_clock;
  for (const int n_threads : {1, 3}) {
    ThreadPool pool(n_threads);
    const auto caller = std::this_thread::get_id();
    bool polled_by_caller = true;
    int n_polls = 0;
    pool.on_poll([&] {
      polled_by_caller = polled_by_caller && std::this_thread::get_id() == caller;
      return ++n_polls == 5;
    });
    // without the interrupt this would take minutes
    const auto start = Clock::now();
    CHECK_THROWS(Interrupted, pool.run(1'000'000, [](std::int64_t, int) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }));
    CHECK(Clock::now() - start < std::chrono::seconds(20));
    CHECK(n_polls == 5);
    CHECK(polled_by_caller);
    pool.on_poll(nullptr);
    CHECK(runs_each_task_once(pool, 100));
  }
}

void an_exception_of_the_poll_reaches_the_caller() {
  ThreadPool pool(2);
  pool.on_poll([]() -> bool { throw std::logic_error("poll"); });
  bool thrown = false;
  for (int round = 0; round < 1000 && !thrown; ++round) {
    try {
      pool.run(100, [](std::int64_t, int) {});
    } catch (const std::logic_error&) {
      thrown = true;
    }
  }
  CHECK(thrown);
  pool.on_poll(nullptr);
  CHECK(runs_each_task_once(pool, 100));
}

// Runs two tasks until one of them is still at work on another thread while the caller
// waits; from then on the poll gives `answer`. Whether all tasks had ended when an
// Exception came out.
template <class Exception>
bool stops_while_others_work(const std::function<bool()>& answer) {
  ThreadPool pool(2);
  std::atomic<int> n_begun = 0, n_ended = 0;
  int n_polls = 0;
  pool.on_poll([&] { return ++n_polls > 2 && answer(); });
  const ThreadPool::Work work = [&](std::int64_t, int thread) {
    ++n_begun;
    // long enough for the other thread to come, and for the caller to wait
    std::this_thread::sleep_for(std::chrono::milliseconds(thread == 0 ? 10 : 200));
    ++n_ended;
  };
  for (int round = 0; round < 100; ++round) {
    n_begun = n_ended = n_polls = 0;
    try {
      pool.run(2, work);
    } catch (const Exception&) {
      const bool had_ended = n_ended == n_begun;
      while (n_ended < n_begun) std::this_thread::yield();
      return had_ended;
    }
  }
  return false;
}

void poll_is_asked_while_others_work() {
  CHECK(stops_while_others_work<Interrupted>([] { return true; }));
}

// Tasks look at what the caller owns: they have ended when it gets the exception.
void poll_that_throws_while_others_work_waits_for_them() {
  CHECK(stops_while_others_work<std::logic_error>(
      []() -> bool { throw std::logic_error("poll"); }));
}

void pools_come_and_go() {
  for (int round = 0; round < 100; ++round) {
    ThreadPool unused(4);
    ThreadPool used(1 + round % 4);
    CHECK(runs_each_task_once(used, 5));
  }
}

void two_pools_work_side_by_side() {
  ThreadPool outer(2);
  std::atomic<int> n_run = 0;
  outer.run(4, [&](std::int64_t, int) {
    ThreadPool inner(2);
    inner.run(10, [&](std::int64_t, int) { ++n_run; });
  });
  CHECK(n_run == 40);
}

#ifdef __GLIBC__
// A stack that no machine has room for: the system refuses every new thread.
void fewer_threads_if_the_system_refuses_more() {
  pthread_attr_t usual, huge;
  pthread_getattr_default_np(&usual);
  pthread_attr_init(&huge);
  pthread_attr_setstacksize(&huge, std::size_t{1} << 60);
  CHECK(pthread_setattr_default_np(&huge) == 0);
  {
    ThreadPool pool(4);
    CHECK(pool.n_threads() == 1);
    CHECK(runs_each_task_once(pool, 100));
  }
  CHECK(pthread_setattr_default_np(&usual) == 0);
  pthread_attr_destroy(&usual);
  pthread_attr_destroy(&huge);
  ThreadPool pool(4);
  CHECK(pool.n_threads() == 4);
}
#else
void fewer_threads_if_the_system_refuses_more() {}
#endif

}  // namespace

Tests threads_tests() {
  return {
      {"each_task_runs_once", each_task_runs_once},
      {"a_pool_has_at_least_the_calling_thread",
       a_pool_has_at_least_the_calling_thread},
      {"many_rounds_see_each_others_results", many_rounds_see_each_others_results},
      {"working_space_of_a_thread_is_its_own", working_space_of_a_thread_is_its_own},
      {"an_exception_reaches_the_caller", an_exception_reaches_the_caller},
      {"exceptions_of_all_threads_are_one_for_the_caller",
       exceptions_of_all_threads_are_one_for_the_caller},
      {"an_exception_stops_the_run", an_exception_stops_the_run},
      {"poll_interrupts_the_run", poll_interrupts_the_run},
      {"pause_interrupts_a_task", pause_interrupts_a_task},
      {"an_exception_of_the_poll_reaches_the_caller",
       an_exception_of_the_poll_reaches_the_caller},
      {"poll_is_asked_while_others_work", poll_is_asked_while_others_work},
      {"poll_that_throws_while_others_work_waits_for_them",
       poll_that_throws_while_others_work_waits_for_them},
      {"pools_come_and_go", pools_come_and_go},
      {"two_pools_work_side_by_side", two_pools_work_side_by_side},
      {"fewer_threads_if_the_system_refuses_more",
       fewer_threads_if_the_system_refuses_more}};
}

}  // namespace treewright::tests
