"""`python -m conformance`: the table of data sets and programs, and what differs."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from conformance.causes import NOT_FOUND, cause_of
from conformance.compare import Verdict, compare, is_recorded
from conformance.datasets import NoDataError, load, n_rows, recorded_results
from conformance.programs import PROGRAMS

DESCRIPTION = "Compare our trees with those of the reference programs."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line asks for; return the exit code."""
    try:
        options = _options(arguments)
    except NoDataError as error:
        print(error, file=sys.stderr)
        return 1
    verdicts: list[Verdict] = []
    code = 0
    try:
        verdicts.extend(_verdicts(options))
    except KeyboardInterrupt:
        print("stopped; what was compared until then:", file=sys.stderr)
        code = 130  # as a shell says it
    print(table(verdicts))
    for line in listing(verdicts, details=options.details):
        print(line)
    print(summary(verdicts))
    return code


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    sets = list(recorded_results())
    parser = argparse.ArgumentParser(prog="conformance", description=DESCRIPTION)
    parser.add_argument("--set", action="append", metavar="NAME", help="a data set")
    parser.add_argument(
        "--program",
        action="append",
        metavar="NAME",
        help=f"one of {', '.join(PROGRAMS)}",
    )
    parser.add_argument("--max-rows", type=int, help="leave out larger data sets")
    parser.add_argument(
        "--no-folds", action="store_true", help="leave out the ten folds"
    )
    parser.add_argument(
        "--details", action="store_true", help="list every difference, not the first"
    )
    options = parser.parse_args(arguments)
    options.set = options.set or sets
    options.program = options.program or list(PROGRAMS)
    for what, given, known in (
        ("data set", options.set, sets),
        ("program", options.program, list(PROGRAMS)),
    ):
        unknown = [name for name in given if name not in known]
        if unknown:
            parser.error(f"no {what} {unknown[0]!r}; there are {', '.join(known)}")
    return options


def _verdicts(options: argparse.Namespace) -> Iterator[Verdict]:
    """Compare, small sets first, and say on stderr what is under way."""
    limit = options.max_rows or sys.maxsize
    for name in sorted(options.set, key=n_rows):
        programs = [PROGRAMS[program] for program in options.program]
        programs = [program for program in programs if is_recorded(name, program)]
        if not programs or n_rows(name) > limit:
            continue
        dataset = load(name)
        for program in programs:
            print(f"{name}: {program.name}", file=sys.stderr, flush=True)
            yield compare(program, dataset, folds=not options.no_folds)


def table(verdicts: Sequence[Verdict]) -> str:
    """Return data sets by programs; the words of a program's name stand stacked.

    A question mark stands beside a difference whose cause is not found.
    """
    programs = list(dict.fromkeys(verdict.program for verdict in verdicts))
    sets = list(dict.fromkeys(verdict.dataset for verdict in verdicts))
    states = {
        (v.dataset, v.program): f"{v.state} ?" if NOT_FOUND in cause(v) else v.state
        for v in verdicts
    }
    heads = [program.split("_") for program in programs]
    height = max(map(len, heads), default=0)
    rows = [
        ["", *(head[line] if line < len(head) else "" for head in heads)]
        for line in range(height)
    ]
    rows += [
        [name, *(states.get((name, program), "") for program in programs)]
        for name in sets
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def listing(verdicts: Sequence[Verdict], *, details: bool) -> Iterator[str]:
    """Yield the differences in words, the first of each or all, and their causes."""
    absent: dict[str, dict[str, None]] = {}
    for verdict in verdicts:
        if verdict.state == "absent":
            absent.setdefault(verdict.differences[0], {})[verdict.program] = None
    for reason, programs in absent.items():
        yield f"absent, {', '.join(programs)}: {reason}"
    for verdict in verdicts:
        if verdict.state not in ("differs", "fails"):
            continue
        first, *others = verdict.differences
        more = f" (and {len(others)} more)" if others and not details else ""
        yield f"{verdict.dataset}, {verdict.program}: {first}{more}"
        if details:
            yield from (f"    {other}" for other in others)
        if verdict.state == "differs":
            yield f"    cause: {cause(verdict)}"


def cause(verdict: Verdict) -> str:
    """Return why the trees differ; nothing if they do not."""
    if verdict.state != "differs":
        return ""
    return cause_of(verdict.dataset, verdict.program, verdict.differences)


def summary(verdicts: Sequence[Verdict]) -> str:
    """Return the last line: how many comparisons show no difference."""
    counts = Counter(verdict.state for verdict in verdicts)
    apart = ", ".join(
        f"{state} {counts[state]}"
        for state in ("differs", "fails", "absent")
        if counts[state]
    )
    line = f"same {counts['same']} of {len(verdicts)}"
    line = f"{line} ({apart})" if apart else line
    unclear = sum(NOT_FOUND in cause(verdict) for verdict in verdicts)
    return f"{line}; {NOT_FOUND}: {unclear}" if unclear else line
