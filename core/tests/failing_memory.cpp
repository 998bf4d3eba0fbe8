#include "failing_memory.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<bool> counting = false;
std::atomic<std::int64_t> n_left = 0;  // requests that are granted

bool is_refused() { return counting && n_left.fetch_sub(1) <= 0; }

void* take(std::size_t size) {
  if (is_refused()) return nullptr;
  return std::malloc(size > 0 ? size : 1);
}

void* take_or_throw(std::size_t size) {
  void* memory = take(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return take_or_throw(size); }
void* operator new[](std::size_t size) { return take_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return take(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return take(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}

namespace treewright::tests {

Failing::Failing(std::int64_t n_granted) {
  n_left = n_granted;
  counting = true;
}
Failing::~Failing() { counting = false; }

}  // namespace treewright::tests
