"""--jobs: how many threads a command uses, in whatever it does."""

from __future__ import annotations

import click

from treewright.data.machine import thread_count, with_threads


def _keep_to_it(
    context: click.Context, option: click.Parameter, jobs: int | None
) -> int | None:
    """Let all that the command calls use so many threads, walking and pruning too."""
    context.with_resource(with_threads(thread_count(jobs)))
    return jobs


jobs_option = click.option(
    "--jobs",
    type=int,
    metavar="N",
    callback=_keep_to_it,
    help="Threads.  [default: all cores]",
)
