"""What a check finds: one line for each thing, the heaviest first."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field

from treewright.data.complaints import counted
from treewright.render.fitting.safe_text import visible
from treewright.render.fitting.wrapping import wrapped

MOST_OF_A_KIND = 10  # findings that the text shows
_MIN_ROOM = 24


@dataclass(frozen=True)
class Finding:
    """One thing to look at."""

    kind: str  # what it is; docs/check.md lists the kinds
    columns: tuple[str, ...]  # the columns that it is about, named as in the data
    n_rows: int  # how many rows it is about
    weight: float  # how much it matters, from 0 to 1
    # what was found, where and how much of it; and what helps
    what: str
    todo: str
    # the numbers of the text, by name
    figures: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}; {self.todo}"


@dataclass(frozen=True)
class Report:
    """All findings about a table, the heaviest first.

    Examples
    --------
    >>> import treewright as tw
    >>> report = tw.check({"a": [1, 1, 1], "b": [1, 2, 3]}, ["no", "yes", "no"])
    >>> [(finding.kind, finding.columns) for finding in report]
    [('constant', ('a',))]
    """

    n_rows: int
    n_features: int
    targets: tuple[str, ...]
    findings: tuple[Finding, ...]

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __str__(self) -> str:
        return self.to_text()

    @property
    def summary(self) -> str:
        """The table and the number of findings, in one line."""
        rows, features = (
            counted(self.n_rows, "row"),
            counted(self.n_features, "feature"),
        )
        target = ", ".join(map(repr, self.targets))
        found = (
            f"{counted(len(self), 'thing')} to look at" if self else "nothing to report"
        )
        return f"{rows}, {features}, target {target}: {found}"

    def __bool__(self) -> bool:
        return bool(self.findings)

    def to_text(
        self, *, width: int = 80, ascii: bool = False, name: str | None = None
    ) -> str:
        """Return the findings as text.

        `width`: columns of a line. `ascii`: keep to ASCII. `name`: what the table is
        called.
        """
        head = self.summary if name is None else f"{name}: {self.summary}"
        return "\n".join(self._lines(head, width, ascii))

    def _lines(self, head: str, width: int, ascii: bool) -> Iterator[str]:
        yield from wrapped(visible(head, ascii=ascii), width, indent=2)
        if not self:
            return
        kinds = max(len(finding.kind) for finding in self)
        beside = width - kinds - 2 >= _MIN_ROOM
        shown: Counter[str] = Counter()
        for finding in self:
            shown[finding.kind] += 1
            if shown[finding.kind] > MOST_OF_A_KIND:
                continue
            yield ""
            text = visible(f"{finding.what}; {finding.todo}", ascii=ascii)
            if not beside:
                yield from wrapped(f"{finding.kind}: {text}", width, indent=2)
                continue
            start = f"{finding.kind:{kinds}}  "
            for line in wrapped(text, width - kinds - 2):
                yield f"{start}{line}"
                start = " " * (kinds + 2)

        for kind, number in shown.items():
            if number > MOST_OF_A_KIND:
                more = f"and {number - MOST_OF_A_KIND:,} more of the kind {kind!r}"
                yield ""
                yield from wrapped(f"{more} (all of them as JSON)", width, indent=2)

    def to_json(self) -> str:
        """Return the findings as JSON: rows, features, target, and their fields."""
        data = {
            "n_rows": self.n_rows,
            "n_features": self.n_features,
            "target": list(self.targets),
            "findings": [asdict(finding) for finding in self],
        }
        return json.dumps(data, indent=2, ensure_ascii=False)
