"""Cells of text in columns, two blanks apart."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from treewright.render.fitting.safe_text import display_width, pad
from treewright.render.fitting.wrapping import wrapped


def aligned(
    rows: Sequence[Sequence[str]], *, left: Collection[int] = ()
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
        yield ("  " + "  ".join(cells)).rstrip()


def fitted(
    rows: Sequence[Sequence[str]], width: int, *, left: Collection[int] = ()
) -> Iterator[str]:
    """Yield the same, or where that is too wide a paragraph for each row.

    The first row has the titles, the first column the names of the rows.

    Examples
    --------
    >>> list(fitted([["", "error"], ["training", "12 %"]], 16, left={0}))
    ['  training:', '    error 12 %']
    """
    lines = list(aligned(rows, left=left))
    if max(map(display_width, lines)) <= width:
        yield from lines
        return
    titles, *others = rows
    for name, *cells in others:
        pairs = zip(titles[1:], cells, strict=True)
        words = (f"{title} {cell}".strip() for title, cell in pairs if cell)
        yield from wrapped(f"  {name}:", width, indent=4)
        yield from wrapped(f"    {', '.join(words)}", width, indent=4)
