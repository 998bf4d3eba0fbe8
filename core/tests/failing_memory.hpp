// Memory that runs out: operator new is replaced for the whole program. It counts only
// while a Failing object lives, which is made around calls into the core and nothing
// else.
#pragma once

#include <cstdint>

namespace treewright::tests {

// While it lives, the request after `n_granted` others is refused, and all later ones.
struct Failing {
  explicit Failing(std::int64_t n_granted);
  ~Failing();
  Failing(const Failing&) = delete;
};

}  // namespace treewright::tests
