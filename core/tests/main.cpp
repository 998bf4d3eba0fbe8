// Runs the tests of the core: all of them, or those whose names contain the argument.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>

#include "check.hpp"

namespace treewright::tests {
namespace {

constexpr int most_printed = 5;   // failures of one test
constexpr int most_seconds = 10;  // in a process of its own

int n_failures = 0;  // of the running test
std::string words;

void print(const char* what, const char* detail) {
  if (++n_failures > most_printed) return;
  std::printf("  %s: %s%s%s\n", what, detail, words.empty() ? "" : "  -- ",
              words.c_str());
}

bool passes(const Test& test) {
  n_failures = 0;
  words.clear();
  try {
    test.run();
  } catch (const std::exception& error) {
    print("an exception escaped", error.what());
  } catch (...) {
    print("an exception escaped", "of unknown type");
  }
  if (n_failures > 0) std::printf("FAILED %s (%d failures)\n", test.name, n_failures);
  std::fflush(stdout);
  return n_failures == 0;
}

}  // namespace

void check(bool holds, const char* expression, std::source_location where) {
  if (holds) return;
  const std::string place =
      std::string(where.file_name()) + ":" + std::to_string(where.line());
  print(place.c_str(), expression);
}

void note(std::string new_words) { words = std::move(new_words); }

bool survives(void (*work)()) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    n_failures = 0;
    alarm(most_seconds);
    work();
    std::fflush(stdout);
    _exit(n_failures == 0 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace treewright::tests

int main(int argc, char** argv) {
  using namespace treewright::tests;
  const std::string part = argc > 1 ? argv[1] : "";
  int n_passed = 0, n_failed = 0;
  for (const auto& list :
       {encode_tests,    criterion_tests,   scan_tests,          deviations_tests,
        nominal_tests,   grouping_tests,    partition_tests,     grow_out_tests,
        memory_tests,    memory_edge_tests, memory_tables_tests, memory_threads_tests,
        surrogate_tests, walk_tests,        ranked_tests,        forest_tests,
        measures_tests,  rule_tests,        leaf_rows_tests,     share_tests,
        sparse_tests,    threads_tests,     allocation_tests,    incremental_tests,
        code_rows_tests, hoeffding_tests,   answers_tests})
    for (const Test& test : list()) {
      if (std::string(test.name).find(part) == std::string::npos) continue;
      ++(passes(test) ? n_passed : n_failed);
    }
  std::printf("%d passed, %d failed\n", n_passed, n_failed);
  return n_failed == 0 && n_passed > 0 ? 0 : 1;
}
