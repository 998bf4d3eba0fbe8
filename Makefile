# The words: make demo | quick | test | lint | bench | conformance | rules-table | breiman | sanitize | clean | help
#
# Everything is installed into .venv and nothing outside this folder is touched. Needed
# beforehand: Python 3.11 or later, a C++20 compiler (g++ 11 or later) and make. CMake
# and Ninja come from the package index, like the rest.
#
#   make PYTHON=python3.12 demo     another Python (for a new .venv)
#   make CXX=clang++ demo           another compiler
#   make bench BENCH="--quick"      arguments for benchmarks/run.py
#   make conformance CONFORMANCE="--set iris"     arguments for python -m conformance
#   make breiman SETS="glass sonar"               only these data sets

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL: # the words share .venv and build/

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
CMAKE := $(BIN)/cmake
BENCH :=
CONFORMANCE :=
SETS :=
BREIMAN :=
JOBS := 2

# A stamp stands for a step that is done; it lives in .venv and goes away with it.
STAMPS := $(VENV)/stamps

CPP := $(wildcard core/*.cpp core/*.hpp core/tests/*.cpp core/tests/*.hpp \
         bindings/*.cpp bindings/*.hpp)
# The folders are named too, so that a file that is added or removed counts as a change.
CORE := core bindings CMakeLists.txt $(filter-out core/tests/%,$(CPP))
# An editable install knows the modules by a list: a new file makes it anew.
FOLDERS := $(shell find src -type d -not -name __pycache__)

ifneq ($(filter command line environment,$(origin CXX)),)
export CXX
endif

.PHONY: demo quick test lint bench conformance rules-table breiman generated sanitize \
  clean help core-tests

help: ## list the words
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) \
	  | expand -t 20

demo: $(STAMPS)/package ## build, install into .venv, and run the worked example
	@$(BIN)/treewright demo

quick: $(STAMPS)/package $(STAMPS)/test ## run the Python tests that take no time, in a minute
	$(BIN)/python -m pytest -n $(JOBS) -q -m "not slow"

test: $(STAMPS)/package $(STAMPS)/test core-tests ## run all tests: C++ core, then Python
	$(BIN)/python -m pytest -n $(JOBS)

lint: $(STAMPS)/package $(STAMPS)/lint ## check style, types, layers, format and spelling
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict
	$(BIN)/lint-imports
	$(if $(CPP),$(BIN)/clang-format --dry-run -Werror $(CPP))
	$(BIN)/codespell

bench: $(STAMPS)/package $(STAMPS)/bench ## compare speed and memory with other libraries
	$(BIN)/python benchmarks/run.py $(BENCH)

conformance: $(STAMPS)/package ## compare trees with those of C4.5, Weka and rpart
	$(BIN)/python -m conformance $(CONFORMANCE)

rules-table: $(STAMPS)/package ## write docs/rules-table.md: trees and rule sets side by side
	$(BIN)/python -m conformance.rules_table

breiman: $(STAMPS)/package ## compare error rates with those of Breiman (2001)
	$(BIN)/python -m breiman $(SETS) $(BREIMAN)

generated: $(STAMPS)/package ## write what is made of the settings' rows: constructors, docs/switches.md
	$(BIN)/python tools/generate.py

sanitize: $(STAMPS)/build ## run the C++ tests under the sanitizers
	$(call core_tests,address,-DCMAKE_BUILD_TYPE=Debug -DTREEWRIGHT_SANITIZE=address$(COMMA)undefined)
	$(call core_tests,thread,-DCMAKE_BUILD_TYPE=Debug -DTREEWRIGHT_SANITIZE=thread)

clean: ## remove .venv, build and every cache
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis \
	  .import_linter_cache
	find src tests benchmarks conformance breiman -name __pycache__ -type d -prune -exec rm -rf {} +

core-tests: $(STAMPS)/build
	$(call core_tests,plain,-DCMAKE_BUILD_TYPE=Release)

COMMA := ,

# $(call core_tests,NAME,OPTIONS): build the tests of the core, which need no Python, and
# run them. The thread sanitizer of older compilers cannot live with randomised
# addresses, so they are switched off where the machine allows it.
define core_tests
$(CMAKE) -S . -B build/core-$(1) -G Ninja -DCMAKE_MAKE_PROGRAM="$(CURDIR)/$(BIN)/ninja" \
  -DTREEWRIGHT_TESTS=ON -DTREEWRIGHT_BINDINGS=OFF $(2) --log-level=WARNING
$(CMAKE) --build build/core-$(1)
@if setarch -R true 2>/dev/null; then fixed="setarch -R"; else fixed=; fi; \
  echo "core tests ($(1))"; $$fixed build/core-$(1)/core_tests
endef

# ---- what the words stand on ---------------------------------------------------------

$(STAMPS)/venv:
	@$(find_python); $(find_compiler); \
	  test -x $(BIN)/python || { \
	    echo "1/3 creating $(VENV) with $$($$python --version) (about 10 seconds)"; \
	    $$python -m venv $(VENV); }
	@$(PIP) install 'pip>=25.1' # the first that reads dependency groups
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/build: pyproject.toml $(STAMPS)/venv
	@echo "2/3 fetching what the build needs (less than a minute)"
	@$(PIP) install --group build
	@touch $@

# Editable: a change in Python counts at once; a change in C++ is compiled again, in the
# same build folder, so that only the changed files are.
$(STAMPS)/package: $(CORE) $(FOLDERS) $(STAMPS)/build
	@echo "3/3 compiling treewright and installing it with NumPy, polars and scikit-learn"
	@echo "    into $(VENV) (1 to 4 minutes on 2 cores; after a change only what changed)"
	@$(PIP) install --no-build-isolation --editable .
	@touch $@

$(STAMPS)/test $(STAMPS)/lint $(STAMPS)/bench: $(STAMPS)/%: pyproject.toml $(STAMPS)/venv
	@echo "installing what make $* needs"
	@$(PIP) install --group $*
	@touch $@

# Sets the shell variable python: PYTHON if it is given, else the first that will do.
# Debian ships the venv module and the C headers in packages of their own.
define find_python
python=; for candidate in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11); do \
  if $$candidate -c '$(is_suitable)' >/dev/null 2>&1; then python=$$candidate; break; fi; \
done; \
if [ -z "$$python" ]; then \
  echo "treewright needs Python 3.11 or later with its venv module and C headers; found:" \
    "$$($(or $(PYTHON),python3) --version 2>&1 | head -n 1)." >&2; \
  echo "Install them (Debian, Ubuntu: python3, python3-venv and python3-dev), or name" \
    "another Python: make PYTHON=/path/to/python3 demo" >&2; \
  exit 1; \
fi
endef
is_suitable := import ensurepip, os, sys, sysconfig, venv; \
  header = os.path.join(sysconfig.get_paths()["include"], "Python.h"); \
  sys.exit(sys.version_info < (3, 11) or not os.path.exists(header))

define find_compiler
compiler=; for candidate in "$$CXX" c++ g++ clang++; do \
  if [ -n "$$candidate" ] && echo '#include <span>' \
    | $$candidate -std=c++20 -x c++ -fsyntax-only - >/dev/null 2>&1; \
  then compiler=$$candidate; break; fi; \
done; \
if [ -z "$$compiler" ]; then \
  echo "treewright needs a C++20 compiler: install g++ 11 or later, or name one:" \
    "make CXX=/path/to/g++ demo" >&2; \
  exit 1; \
fi
endef
