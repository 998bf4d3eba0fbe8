"""Pieces of work that threads share, with a word about how much is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import TypeVar

from treewright.data.machine import with_threads

T = TypeVar("T")


def shared_out(
    pieces: Sequence[Callable[[], T]],
    *,
    n_threads: int,
    tell: Callable[[float, int], object],
) -> list[T]:
    """Return what the pieces of work give, in their order.

    `pieces`: the work. What one of them raises is raised here, at once. `n_threads`:
    how many are done at the same time. `tell`: told how many are done, and of how many;
    a few times a second.
    """
    if n_threads <= 1 or len(pieces) == 1:
        results: list[T] = []
        for piece in pieces:
            results.append(piece())
            tell(len(results), len(pieces))
        return results
    pool = ThreadPoolExecutor(n_threads)
    try:
        futures = [pool.submit(_alone, piece) for piece in pieces]
        open_ones = set(futures)
        while open_ones:
            done, open_ones = wait(open_ones, 0.1, FIRST_COMPLETED)
            for future in done:
                future.result()  # what went wrong is raised at once
            tell(len(futures) - len(open_ones), len(futures))
    except BaseException:
        # Ctrl-C, or a piece that is refused: nobody waits for the others
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
    return [future.result() for future in futures]


def _alone(piece: Callable[[], T]) -> T:
    """Do a piece of work with one thread, because others have theirs."""
    with with_threads(1):
        return piece()
