#include "threads.hpp"

#include <chrono>
#include <system_error>

namespace treewright {

ThreadPool::ThreadPool(int n_threads) {
  workers_.reserve(n_threads > 1 ? n_threads - 1 : 0);
  try {
    for (int thread = 1; thread < n_threads; ++thread)
      workers_.emplace_back([this, thread] { serve(thread); });
  } catch (const std::system_error&) {
    // the system gives no more threads: go on with those we have
  } catch (...) {
    end_workers();  // a thread must not be destroyed while it runs
    throw;
  }
}

ThreadPool::~ThreadPool() { end_workers(); }

void ThreadPool::end_workers() {
  {
    std::lock_guard lock(mutex_);
    quit_ = true;
  }
  start_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void ThreadPool::serve(int thread) {
  std::uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return quit_ || (open_ && round_ != seen); });
      if (quit_) return;
      seen = round_;
      ++busy_;
    }
    take_tasks(thread);
    {
      std::lock_guard lock(mutex_);
      if (--busy_ == 0) done_.notify_one();
    }
  }
}

void ThreadPool::take_tasks(int thread) {
  try {
    while (!stop_.load(std::memory_order_relaxed)) {
      const std::int64_t task = next_.fetch_add(1, std::memory_order_relaxed);
      if (task >= n_tasks_) return;
      (*work_)(task, thread);
      if (thread == 0 && poll_ && poll_()) throw Interrupted{};
    }
  } catch (...) {
    std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    stop_ = true;
  }
}

// The calling thread has no tasks left; it goes on asking whether to stop, so that the
// tasks that other threads have not begun are left. It does not wait for workers that
// are still waking up: there is nothing left for them.
void ThreadPool::wait_for_workers() {
  std::unique_lock lock(mutex_);
  open_ = false;
  const auto is_done = [&] { return busy_ == 0; };
  while (!done_.wait_for(lock, std::chrono::milliseconds(20), is_done)) {
    if (!poll_ || error_) continue;
    lock.unlock();
    std::exception_ptr raised;
    try {
      if (poll_()) raised = std::make_exception_ptr(Interrupted{});
    } catch (...) {
      raised = std::current_exception();  // the workers still use the caller's objects
    }
    lock.lock();
    if (!raised) continue;
    error_ = raised;
    stop_ = true;
  }
}

void ThreadPool::pause() const {
  if (stop_.load(std::memory_order_relaxed)) throw Interrupted{};
  if (std::this_thread::get_id() == caller_ && poll_ && poll_()) throw Interrupted{};
}

void ThreadPool::run(std::int64_t n_tasks, const Work& work) {
  caller_ = std::this_thread::get_id();
  work_ = &work;
  n_tasks_ = n_tasks;
  next_ = 0;
  stop_ = false;
  error_ = nullptr;
  const bool alone = workers_.empty() || n_tasks < 2;
  if (!alone) {
    std::lock_guard lock(mutex_);
    open_ = true;
    ++round_;
  }
  if (!alone) start_.notify_all();
  take_tasks(0);
  if (!alone) wait_for_workers();
  if (error_) std::rethrow_exception(error_);
}

}  // namespace treewright
