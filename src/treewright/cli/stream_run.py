"""The loop of `treewright stream`: read, answer and learn, print, keep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from treewright.cli.stream_ending import Ending
from treewright.cli.stream_figures import Figures, next_mark
from treewright.cli.stream_input import Batch, Input
from treewright.cli.stream_state import StreamState
from treewright.data.complaints import counted
from treewright.errors import TreewrightError

_EVERY = 100_000


@dataclass(frozen=True)
class Keeping:
    """Where and how often checkpoints are written."""

    path: str | None
    every: int | None

    def next_after(self, n_rows: int) -> int:
        """Return the number of rows at which the next one is due."""
        every = self.every or _EVERY
        return (n_rows // every + 1) * every


def learn_stream(
    source: Input,
    state: StreamState,
    figures: Figures,
    keeping: Keeping,
    ending: Ending,
) -> None:
    """Learn until the rows, or somebody's patience, end; then keep the last state."""
    rows = source.batches(state.plan, state.settled, state.n_skipped)
    kept_at = state.n_read
    try:
        for batch in _until_ended(rows, ending):
            for piece in _pieces(batch, state, keeping):
                _learn(piece, state)
                figures.look()
                if state.preq.n_rows == next_mark(state.preq.n_rows - 1):
                    figures.line(n_leaves(state))
                if keeping.path and state.n_read == keeping.next_after(
                    state.n_read - 1
                ):
                    state.save(keeping.path)
                    kept_at = state.n_read
                if ending.code:
                    break
    except TreewrightError as error:
        figures.clear()
        if state.learner.n_rows and keeping.path:
            state.save(keeping.path)
            n_learned = counted(state.learner.n_rows, "row")
            raise type(error)(
                f"{error} ({n_learned} before it: {keeping.path})"
            ) from None
        raise
    if state.learner.n_rows:
        figures.line(n_leaves(state))
        if keeping.path and kept_at != state.n_read:
            state.save(keeping.path)


def n_leaves(state: StreamState) -> int:
    """Return the number of leaves."""
    return int((state.learner.core.arrays()["feature"] < 0).sum())


def _until_ended(rows: Iterator[Batch], ending: Ending) -> Iterator[Batch]:
    """Yield batches until there are no more, or somebody wants an end."""
    while not ending.code:
        batch = ending.until(lambda: next(rows, None))
        if batch is None:
            return
        yield batch


def _pieces(batch: Batch, state: StreamState, keeping: Keeping) -> Iterator[Batch]:
    """Yield the batch in pieces that end where a line or a checkpoint is due."""
    start = 0
    while start < len(batch):
        due = [next_mark(state.preq.n_rows) - state.preq.n_rows]
        if keeping.path:
            due.append(keeping.next_after(state.n_read) - state.n_read)
        length = min([*due, len(batch) - start])
        yield batch.slice(start, length)
        start += length


def _learn(batch: Batch, state: StreamState) -> None:
    learned = state.learner.learn(
        batch.features, batch.target, batch.weights, batch.where
    )
    state.preq.add(learned.answers, learned.truth)
    state.n_read += len(batch)
