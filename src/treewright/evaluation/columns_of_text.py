"""Cells of text in columns, two blanks apart."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from treewright.render.words import display_width, pad


def aligned(
    rows: Sequence[Sequence[str]], *, left: Collection[int] = (), indent: int = 2
) -> Iterator[str]:
    """Yield a line for each row; columns in `left` start at the left, others end right.

    Examples
    --------
    >>> list(aligned([["a", "12"], ["bc", "3"]], left={0}))
    ['  a   12', '  bc   3']
    """
    widths = [max(map(display_width, cells)) for cells in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            pad(cell, width, right=number not in left)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield (" " * indent + "  ".join(cells)).rstrip()
