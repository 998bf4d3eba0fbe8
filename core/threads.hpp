// A small pool of threads with blocking waits, owned by whoever uses it.
//
// No global state: a forked child simply makes a pool of its own. The calling thread
// works too, and between its tasks it asks `interrupted`, so that a long call can be
// stopped; work that is stopped leaves its outputs unspecified.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace treewright {

// Thrown by ThreadPool::run on the calling thread when `interrupted` said yes.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

class ThreadPool {
 public:
  using Work = std::function<void(std::int64_t task, int thread)>;
  using Poll = std::function<bool()>;

  // Starts n_threads - 1 workers; fewer if the system refuses more threads.
  explicit ThreadPool(int n_threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int n_threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Called by the calling thread between tasks; true stops the run.
  void on_poll(Poll poll) { poll_ = std::move(poll); }

  // A long task may call this now and then: throws if the run is to be stopped.
  void pause() const;

  // Runs work(task, thread) for task = 0 .. n_tasks - 1, each exactly once. An
  // exception in a task stops the run and is thrown again here.
  void run(std::int64_t n_tasks, const Work& work);

 private:
  void serve(int thread);
  void end_workers();
  void take_tasks(int thread);
  void wait_for_workers();

  std::vector<std::thread> workers_;
  Poll poll_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  std::uint64_t round_ = 0;
  bool open_ = false;  // whether workers may still join the round
  int busy_ = 0;       // workers that have joined and are not done
  bool quit_ = false;

  std::thread::id caller_;
  const Work* work_ = nullptr;
  std::int64_t n_tasks_ = 0;
  std::atomic<std::int64_t> next_{0};
  std::atomic<bool> stop_{false};
  std::exception_ptr error_;
};

}  // namespace treewright
