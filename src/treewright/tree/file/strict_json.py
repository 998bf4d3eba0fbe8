"""JSON read without forgiveness: what the standard reader lets pass is refused here.

Refused are duplicate keys, NaN and Infinity, numbers too large for a float, and nesting
deeper than any header needs, which is found without recursion.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

from treewright.errors import ModelFileError

_MAX_NESTING = 64
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")

T = TypeVar("T")


def canonical_json(data: Any) -> str:
    """Return the one text of JSON data: sorted keys, ASCII, no blanks."""
    return json.dumps(
        data, sort_keys=True, ensure_ascii=True, allow_nan=False, separators=(",", ":")
    )


def parse_json(text: str) -> Any:
    """Return the data in a JSON text, or raise `ModelFileError`."""
    _check_nesting(text)
    try:
        return json.loads(
            text,
            object_pairs_hook=_unique_pairs,
            parse_constant=_no_constant,
            parse_float=_finite,
        )
    except ModelFileError:
        raise
    except ValueError as error:
        raise ModelFileError(
            f"not a treewright model: its header is not valid JSON ({error})"
        ) from None


def take(data: Mapping[str, Any], key: str, kind: type[T]) -> T:
    """Return `data[key]`, which must be exactly of a type: no text for a number."""
    if key not in data:
        raise ModelFileError(f"not a treewright model: its header has no {key!r}")
    value = data[key]
    if type(value) is not kind:
        raise ModelFileError(
            f"not a treewright model: {key!r} in its header is a "
            f"{type(value).__name__}, not a {kind.__name__}"
        )
    return value


def take_list(data: Mapping[str, Any], key: str, kind: type[T]) -> list[T]:
    """Return `data[key]`, which must be a list with items of exactly one type."""
    items = take(data, key, list)
    for item in items:
        if type(item) is not kind:
            raise ModelFileError(
                f"not a treewright model: {key!r} in its header holds a "
                f"{type(item).__name__}, not only {kind.__name__}"
            )
    return items


def _check_nesting(text: str) -> None:
    """Refuse brackets nested deeper than `_MAX_NESTING`."""
    depth = 0
    for bracket in _BRACKET.finditer(_STRING.sub("", text)):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > _MAX_NESTING:
            raise ModelFileError(
                "not a treewright model: its header nests brackets deeper than "
                f"{_MAX_NESTING} levels"
            )


def _unique_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, if no key stands in it twice."""
    data = dict(pairs)
    if len(data) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ModelFileError(
                    f"not a treewright model: its header says {key!r} twice"
                )
            seen.add(key)
    return data


def _no_constant(word: str) -> NoReturn:
    """Refuse NaN, Infinity and -Infinity."""
    raise ModelFileError(
        f"not a treewright model: its header says {word}, which is not JSON"
    )


def _finite(text: str) -> float:
    """A float, if it is one."""
    number = float(text)
    if not math.isfinite(number):
        raise ModelFileError(
            f"not a treewright model: {text} in its header is too large for a float"
        )
    return number
