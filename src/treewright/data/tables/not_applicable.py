"""Not applicable: cells that cannot have a value, as the spouse of who has none.

It is neither missing (there is a value, and it is not known) nor unseen (there is a
value, and training never met it). The user declares the text that stands for it. In a
nominal feature it is a category of its own, the last one, and the feature keeps which
text that is; so the engine needs to know nothing of it. Numbers and ordered categories
have no place for it and are refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from treewright.data.complaints import first_row, short
from treewright.data.labels import text
from treewright.data.schema import FeatureKind, Label
from treewright.data.tables.raw import Labels, Mask, Numbers, RawColumn
from treewright.errors import DataError, SettingError

NotApplicable = Mapping[str | None, str]
_KEYS = ("kind", "not_applicable")


def read_settings(
    feature_kinds: Mapping[str, Any] | None, given: NotApplicable | None
) -> tuple[dict[str, FeatureKind | Sequence[Label] | None], dict[str | None, str]]:
    """Return the kinds of columns, and for each the text that is not applicable.

    The entry of a column may be a kind, or a dict with "kind" and "not_applicable".
    """
    kinds: dict[str, FeatureKind | Sequence[Label] | None] = {}
    texts: dict[str | None, str] = dict(given or {})
    for name, setting in (feature_kinds or {}).items():
        if not isinstance(setting, Mapping):
            kinds[name] = setting
            continue
        for key in setting:
            if key not in _KEYS:
                raise SettingError(
                    f"feature_kinds[{name!r}] has {short(key)}; a dict there may have "
                    "'kind' and 'not_applicable'"
                )
        kinds[name] = setting.get("kind")
        if setting.get("not_applicable") is not None:
            texts[name] = setting["not_applicable"]
    for mark in texts.values():
        if not isinstance(mark, str) or not mark.strip():
            raise SettingError(
                f"not_applicable is {short(mark)}; it must be the text of such cells, "
                "for example 'n/a'"
            )
    return kinds, texts


def cells_with(raw: RawColumn, mark: str) -> Mask:
    """Return which cells hold the text that means not applicable."""
    if isinstance(raw, Labels):
        found = [text(label) == mark for label in raw.labels]
        return raw.through(np.array(found, np.bool_), False)
    try:
        number = float(mark)
    except ValueError:
        return np.zeros(len(raw), bool)
    equal: Mask = (raw.values == number) & ~raw.is_missing() & (not raw.unit)
    return equal


def without_cells(raw: RawColumn, mask: Mask) -> RawColumn:
    """Return the column in which these cells are missing."""
    if isinstance(raw, Numbers):
        return replace(raw, missing=raw.is_missing() | mask)
    gone = set(np.unique(raw.codes[mask]).tolist())
    kept = [code for code in range(len(raw.labels)) if code not in gone]
    return raw.in_order(kept).compact()


def with_last_category(labels: Labels, mask: Mask, mark: str) -> Labels:
    """Return the column with one more category, for these cells."""
    codes = np.where(mask, len(labels.labels), labels.codes)
    return replace(labels, codes=codes, labels=(*labels.labels, mark))


def are_numbers(labels: Labels) -> bool:
    """Tell whether every label is written as a number, so that text hides numbers."""
    if not labels.labels or labels.declared:
        return False
    return all(map(_is_number, labels.labels))


def _is_number(label: Label) -> bool:
    if isinstance(label, bool):
        return False
    try:
        float(text(label))
    except ValueError:
        return False
    return True


def refuse_other_kind(name: str, kind: str, mask: Mask, mark: str) -> None:
    """Raise: only nominal features have a place for what is not applicable."""
    where = f", first in {first_row(mask)}" if mask.any() else ""
    why = "number to compare" if kind == "numeric" else "place in the order"
    raise DataError(
        f"feature {name!r} is {kind}, and {mark!r} (not applicable){where} has no "
        f"{why}; declare it nominal (feature_kinds={{{name!r}: 'nominal'}}, on the "
        "command line --nominal), or empty these cells and say in a column of its own "
        "whether it applies"
    )
