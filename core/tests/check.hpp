// The frame of the tests: checks that report, and lists of tests that main.cpp runs.
//
// A test is a function without arguments, named after a behaviour. Each file gives its
// tests as one list. A check that fails prints where it stands and goes on.
#pragma once

#include <source_location>
#include <string>
#include <vector>

namespace treewright::tests {

struct Test {
  const char* name;
  void (*run)();
};
using Tests = std::vector<Test>;

// Counts a failure and prints it, if `holds` is false.
void check(bool holds, const char* expression,
           std::source_location where = std::source_location::current());

// Words that are printed with the failures of this test from now on: which case it is.
void note(std::string words);

// Whether `work` ends well in a process of its own; false after a crash or a
// deadlock.
bool survives(void (*work)());

Tests encode_tests();
Tests criterion_tests();
Tests scan_tests();
Tests deviations_tests();
Tests nominal_tests();
Tests grouping_tests();
Tests partition_tests();
Tests grow_out_tests();
Tests code_rows_tests();
Tests memory_tests();
Tests memory_edge_tests();
Tests memory_tables_tests();
Tests memory_threads_tests();
Tests surrogate_tests();
Tests walk_tests();
Tests ranked_tests();
Tests forest_tests();
Tests measures_tests();
Tests leaf_rows_tests();
Tests rule_tests();
Tests share_tests();
Tests sparse_tests();
Tests threads_tests();
Tests hoeffding_tests();
Tests allocation_tests();
Tests incremental_tests();
Tests answers_tests();

}  // namespace treewright::tests

// A macro, because nothing else knows the text of its argument.
#define CHECK(expression) \
  ::treewright::tests::check(static_cast<bool>(expression), #expression)

#define CHECK_THROWS(Exception, expression)                                  \
  do {                                                                       \
    bool thrown = false;                                                     \
    try {                                                                    \
      expression;                                                            \
    } catch (const Exception&) {                                             \
      thrown = true;                                                         \
    }                                                                        \
    ::treewright::tests::check(thrown, #expression " throws a " #Exception); \
  } while (false)
