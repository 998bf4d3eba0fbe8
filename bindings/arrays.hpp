// What the bindings share: arrays in and out, and calls that a signal can end.
//
// Arrays come in contiguous and typed, are checked once, and cross once per batch. The
// GIL is released around all work; the calling thread takes it back every 20 ms to let
// Python answer signals.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <span>
#include <stdexcept>
#include <vector>

#include "threads.hpp"

namespace treewright::python {

namespace nb = nanobind;
using namespace nb::literals;

template <class T>
using In = nb::ndarray<const T, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T>;

template <class T>
std::span<const T> view(const In<T>& array) {
  return {array.data(), array.size()};
}

// Hands a vector over to NumPy without a copy.
template <class T>
Out<T> give(std::vector<T>&& values, std::vector<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));  // owned by the capsule below
  nb::capsule owner(kept,
                    [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Out<T>(kept->data(), shape.size(), shape.data(), owner);
}
template <class T>
Out<T> give(std::vector<T>&& values) {
  const std::size_t n = values.size();
  return give(std::move(values), {n});
}

// The fields of an array of records, as strided views of one block.
template <class Record, class... Field>
nb::tuple give_columns(std::vector<Record>&& records, std::size_t n_nodes,
                       Field Record::*... fields) {
  constexpr std::size_t n_fields = sizeof...(Field);
  static_assert(sizeof(Record) == 8 * n_fields && ((sizeof(Field) == 8) && ...));
  const std::size_t n_features = n_nodes == 0 ? 0 : records.size() / n_nodes;
  auto* kept = new std::vector<Record>(std::move(records));  // the capsule owns it
  nb::capsule owner(
      kept, [](void* p) noexcept { delete static_cast<std::vector<Record>*>(p); });
  const std::size_t shape[] = {n_features > 0 ? n_nodes : 0, n_features};
  const std::int64_t strides[] = {static_cast<std::int64_t>(n_fields * n_features),
                                  n_fields};
  Record* start = kept->empty() ? nullptr : kept->data();
  return nb::make_tuple(
      Out<Field>(start ? &(start->*fields) : nullptr, 2, shape, owner, strides)...);
}

inline void expect(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

// Runs `work` without the GIL; a signal that Python answers with an exception ends it.
// Only the main thread gets signals: work of others ends when `stopped` says so.
template <class Work>
void run_interruptible(ThreadPool& pool, const Work& work,
                       const std::atomic<bool>* stopped = nullptr) {
  using Clock = std::chrono::steady_clock;
  bool raised = false;
  const auto is_stopped = [&] { return stopped && stopped->load(); };
  {
    nb::gil_scoped_release release;
    auto last = Clock::now();
    pool.on_poll([&] {
      if (is_stopped()) return true;
      if (Clock::now() - last < std::chrono::milliseconds(20)) return false;
      last = Clock::now();
      nb::gil_scoped_acquire acquire;
      raised = PyErr_CheckSignals() != 0;
      return raised;
    });
    try {
      work();
    } catch (const Interrupted&) {
    } catch (...) {
      pool.on_poll(nullptr);
      throw;
    }
    pool.on_poll(nullptr);
  }
  if (raised) throw nb::python_error();
  if (is_stopped()) throw std::runtime_error("stopped");
}

// Each file of the bindings adds its functions to the module.
void add_walking(nb::module_& module);
void add_drawing(nb::module_& module);
void add_measuring(nb::module_& module);
void add_ruling(nb::module_& module);
void add_sparse(nb::module_& module);
void add_incremental(nb::module_& module);
void add_hoeffding(nb::module_& module);
void add_stream_cells(nb::module_& module);
void add_coded_cells(nb::module_& module);
void add_choosing(nb::module_& module);

}  // namespace treewright::python
