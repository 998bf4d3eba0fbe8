"""A line of a listing in three parts, which are shortened in different measure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from treewright.render.fitting.cuts import cut_apart
from treewright.render.fitting.safe_text import clip, display_width

# what stays of a part while another one can still be cut
_LEAST_HEAD = 20
_LEAST_TAIL = 12
_SHORTEST_TAIL = 8  # beside a head that is whole


@dataclass(frozen=True)
class Phrase:
    """A line: `front` is drawn, `head` leads to the node, `tail` is what it says.

    The first `shared` characters of the head are those of another branch, too. One of
    the `endings`, from long to short, stands at the end, and is not cut.
    """

    front: str
    head: str
    tail: str
    shared: int = 0
    endings: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.front + self.head + self.tail + "".join(self.endings[:1])

    @property
    def least_width(self) -> int:
        """Columns in which the branch can be told from others, and the node be seen."""
        ending = display_width("".join(self.endings[-1:]))
        # no more of a huge name needs to be measured
        head = min(display_width(self.head[: 4 * _LEAST_HEAD]), _LEAST_HEAD)
        tail = min(display_width(self.tail[: 4 * _LEAST_TAIL]), _LEAST_TAIL)
        return display_width(self.front) + head + tail + ending

    def clip(self, width: int, *, ascii: bool = False) -> str:
        """Return the line cut to a width: long heads first, then the tail."""
        text = str(self)
        if len(text) <= 4 * width and display_width(text) <= width:
            return text
        if self.endings:
            return self._clip_before_ending(width, ascii=ascii)
        room = max(width - display_width(self.front), 0)
        tail_width = display_width(self.tail[: 4 * width])
        head_width = display_width(self.head[: 4 * width])
        least = min(_LEAST_HEAD, room - min(tail_width, _LEAST_TAIL))
        if head_width <= min(_LEAST_HEAD, room - min(tail_width, _SHORTEST_TAIL)):
            least = head_width
        head_room = max(room - tail_width, least, 0)
        head = self.head[: 4 * width + 64 + self.shared]
        head = cut_apart(head, self.shared, head_room, ascii=ascii)
        tail = clip(self.tail, max(room - display_width(head), 0), ascii=ascii)
        return clip(self.front + head + tail, width, ascii=ascii)

    def _clip_before_ending(self, width: int, *, ascii: bool) -> str:
        """The line with the longest ending that leaves the others enough room."""
        before = replace(self, endings=())
        enough = min(before.least_width, display_width(str(before)[: 4 * width]))
        ending = self.endings[-1]
        for one in self.endings:
            if width - display_width(one) >= enough:
                ending = one
                break
        room = max(width - display_width(ending), 0)
        text = before.clip(room, ascii=ascii)
        dots = "..." if ascii else "…"
        if text.endswith(dots):  # once is enough
            ending = ending.removeprefix(f" {dots}")
        return clip(text + ending, width, ascii=ascii)
