"""`python -m breiman [SET ...]`: run the protocol and print our errors beside his."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from typing import Any

from breiman.columns import Errors
from breiman.figures import Figure, Results, read_results, write_results
from breiman.methods import METHODS, OURS
from breiman.published import ABSENT, ROWS, Row
from breiman.report import cells_outside, difference, table, write_page
from breiman.trials import REPEATS, trial_of
from conformance.datasets import NoDataError, check_data

Each = Callable[..., Iterable[Any]]  # map, or that of a pool
DESCRIPTION = "Reproduce the table of error rates of Breiman (2001), Random forests."
RUNNABLE = [row.name for row in ROWS.values() if row.kind != "absent"]
# scikit-learn is the second opinion, and takes longer than all of ours
USUAL = ("forest", "adaboost")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; return the exit code."""
    options = _options(arguments)
    try:
        if any(ROWS[name].kind != "drawn" for name in options.sets):
            check_data()
    except NoDataError as error:
        print(error, file=sys.stderr)
        return 1
    results: Results = {}
    seconds: dict[str, float] = {}
    code = 0
    try:
        with _processes(options.processes) as each:
            for name in options.sets:
                start = time.perf_counter()
                results[name] = run_set(
                    ROWS[name], options.methods, options.repeats, each
                )
                seconds[name] = time.perf_counter() - start
                print(f"{name}: {seconds[name]:.0f} s", file=sys.stderr, flush=True)
                if options.repeats is None:
                    keep({name: results[name]})
    except KeyboardInterrupt:
        print("stopped; what was run until then:", file=sys.stderr)
        code = 130  # as a shell says it
    print(table(results, seconds))
    for line in cells_outside(with_kept(results)):
        print(line)
    print(f"not among the data: {', '.join(ABSENT)}")
    return code


def run_set(
    row: Row, methods: Sequence[str], n_repeats: int | None = None, each: Each = map
) -> dict[str, dict[str, Figure]]:
    """Return the figures of some methods on a data set, over the same trials.

    `each` calls a function for each trial; that of a pool of processes will do.
    """
    n_repeats = n_repeats or REPEATS[row.kind]
    found = list(each(partial(_errors_of, row, tuple(methods)), range(n_repeats)))
    n_test = found[0][0]
    errors = {
        method: {
            column: [of_trial[method][column] for _, of_trial in found]
            for column in found[0][1][method]
        }
        for method in methods
    }
    for theirs, ours in OURS.items():
        if theirs in errors and ours in errors:
            errors[difference(theirs)] = _differences(errors[theirs], errors[ours])
    return {
        method: {column: Figure.of(one, n_test) for column, one in columns.items()}
        for method, columns in errors.items()
    }


def _errors_of(
    row: Row, methods: tuple[str, ...], repeat: int
) -> tuple[int, dict[str, Errors]]:
    """The number of test rows of a trial, and the errors of each method."""
    trial = trial_of(row, repeat)
    errors = {method: METHODS[method](trial, row) for method in methods}
    return len(trial.y_test), errors


@contextmanager
def _processes(count: int) -> Iterator[Each]:
    """Give a `map` that divides its work among processes; Ctrl-C ends them."""
    if count == 1:
        yield map
        return
    pool = ProcessPoolExecutor(
        count,
        mp_context=get_context("spawn"),  # forked threads would be missing
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_IGN),
    )
    try:
        yield pool.map
    finally:
        pool.shutdown(cancel_futures=True)


def _differences(
    theirs: dict[str, list[float]], ours: dict[str, list[float]]
) -> dict[str, list[float]]:
    """Their errors minus ours, trial by trial."""
    return {
        column: [one - other for one, other in zip(theirs[column], each, strict=True)]
        for column, each in ours.items()
    }


def with_kept(new: Results) -> Results:
    """Return new results with what is kept of other methods on the same sets."""
    kept = read_results()
    return {name: {**kept.get(name, {}), **methods} for name, methods in new.items()}


def keep(new: Results) -> None:
    """Put new results among the kept ones, and into the page."""
    results = {**read_results(), **with_kept(new)}
    results = {name: results[name] for name in ROWS if name in results}
    write_results(results)
    write_page(results)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="breiman", description=DESCRIPTION)
    parser.add_argument("sets", nargs="*", metavar="SET", help=", ".join(RUNNABLE))
    parser.add_argument(
        "--method",
        action="append",
        dest="methods",
        choices=list(METHODS),
        help=f"one of {', '.join(METHODS)}; ours if none is named",
    )
    parser.add_argument(
        "--repeats",
        type=int,
        help="trials of each set; without it as published, and the results are kept",
    )
    parser.add_argument(
        "--processes", type=int, default=2, help="trials at the same time; usually 2"
    )
    options = parser.parse_args(arguments)
    options.sets = options.sets or RUNNABLE
    options.methods = options.methods or list(USUAL)
    for name in options.sets:
        if name not in ROWS:
            parser.error(f"no data set {name!r}; there are {', '.join(RUNNABLE)}")
        if name not in RUNNABLE:
            parser.error(f"the data of {name!r} are not in the shared collection")
    if options.repeats is not None and options.repeats < 2:
        parser.error("--repeats must be at least 2, or there is no standard error")
    if options.processes < 1:
        parser.error("--processes must be at least 1")
    return options
