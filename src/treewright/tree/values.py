"""Labels and settings in JSON, with their types.

JSON has one kind of number and no tuples or dates. So text, integers, booleans and None
go in as they are, and everything else under a tag: `{"float": 0.5}`,
`{"float": "inf"}`, `{"tuple": [...]}`, `{"date": "2026-01-31"}`, `{"timedelta": 90}` in
microseconds, `{"datetime64": ["ns", 90]}` for NumPy's own.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from treewright.errors import DataError, ModelFileError

# Deeper tuples than this are a mistake, and would need deep recursion to read back.
_MAX_NESTING = 16
# Python itself refuses to print longer integers.
_MAX_INT_BITS = 10_000
_LOOSE_FLOATS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}

_NUMPY_TIMES = np.datetime64 | np.timedelta64
_UNITS = ("Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns")


def encode_value(value: Any, *, what: str) -> Any:
    """Return a value as JSON that keeps its type.

    - `value`: or a tuple, list or dict of these. NumPy scalars become the Python value
      that they equal, but for datetime64 and timedelta64, which may be finer.
    - `what`: what the value is, for the message: "class label", "category of 'colour'".
    - Raises `DataError`: for any other type.
    """
    return _encode(value, what, 0)


def decode_value(data: Any) -> Any:
    """Return the value that `encode_value` turned into `data`.

    Raises `ModelFileError`: if `data` is anything that `encode_value` does not write.
    """
    if data is None or isinstance(data, str | bool | int):
        return data
    if isinstance(data, dict) and len(data) == 1:
        [(tag, content)] = data.items()
        decode = _DECODERS.get(tag)
        if decode is not None:
            return decode(content)
    raise _no_model(data, "not a value")


def canonical_label(label: Any) -> str:
    """Return a text that is equal for equal labels and tells 1 from "1" and True."""
    try:
        return json.dumps(encode_value(label, what="label"), sort_keys=True)
    except DataError:
        # such a label cannot be saved, but it can be told from others
        shown = hex(label) if isinstance(label, int) else repr(label)
        return f"{type(label).__qualname__} {shown}"


def _encode(value: Any, what: str, depth: int) -> Any:
    """Encode at a nesting depth."""
    if isinstance(value, np.generic) and not isinstance(value, _NUMPY_TIMES):
        value = value.item()
    kind = type(value)
    if value is None or kind in (str, bool):
        return value
    if kind is int and value.bit_length() <= _MAX_INT_BITS:
        return value
    if kind is float:
        return {"float": value if math.isfinite(value) else repr(value)}
    if isinstance(value, datetime.date | datetime.timedelta | _NUMPY_TIMES):
        return _encode_time(value, what)
    if kind in (tuple, list, dict) and depth < _MAX_NESTING:
        items = [list(pair) for pair in value.items()] if kind is dict else value
        return {kind.__name__: [_encode(item, what, depth + 1) for item in items]}
    raise _refusal(value, what)


def _encode_time(value: Any, what: str) -> dict[str, Any]:
    """A date or duration, of Python or of NumPy."""
    if isinstance(value, _NUMPY_TIMES):
        return _encode_numpy_time(value, what)
    if isinstance(value, datetime.timedelta):
        return _encode_span(value, what)
    return _encode_date(value, what)


def _encode_date(value: datetime.date, what: str) -> dict[str, str]:
    """A date or time in ISO form, if that is the whole of it."""
    text = value.isoformat()
    if not isinstance(value, datetime.datetime):
        return {"date": text}
    # a subclass may be finer than microseconds, which Python's own type would drop, or
    # be no time at all (pandas' NaT)
    with contextlib.suppress(ValueError):
        if datetime.datetime.fromisoformat(text) == value:
            return {"datetime": text}
    raise _refusal(value, what)


def _encode_span(value: datetime.timedelta, what: str) -> dict[str, int]:
    """A duration in microseconds, if that is the whole of it."""
    number = value // datetime.timedelta(microseconds=1)
    # a subclass may be finer, or be no duration at all (pandas' NaT)
    if isinstance(number, int) and datetime.timedelta(microseconds=number) == value:
        return {"timedelta": number}
    raise _refusal(value, what)


def _encode_numpy_time(value: Any, what: str) -> dict[str, list[Any]]:
    """A NumPy date or duration as its unit and number."""
    unit, step = np.datetime_data(value.dtype)
    if np.isnat(value) or step != 1 or unit not in _UNITS:
        raise _refusal(value, what)
    return {type(value).__name__: [unit, int(value.astype(np.int64))]}


def _refusal(value: Any, what: str) -> DataError:
    """The error for a value that a model file has no words for."""
    return DataError(
        f"{what} {_short(value)} has type {type(value).__name__}, which a model file "
        "cannot hold; use text, numbers, booleans, dates or tuples of these"
    )


def _decode_float(content: Any) -> float:
    """A float, or one of the three spelled out."""
    if isinstance(content, float):
        return content
    if isinstance(content, str) and content in _LOOSE_FLOATS:
        return _LOOSE_FLOATS[content]
    raise _no_model(content, "not a float")


def _decode_items(content: Any) -> list[Any]:
    """The items of a tuple, list or dict."""
    if not isinstance(content, list):
        raise _no_model(content, "not a list")
    return [decode_value(item) for item in content]


def _decode_dict(content: Any) -> dict[Any, Any]:
    """A dict, from its list of pairs."""
    try:
        return dict(_decode_items(content))
    except (TypeError, ValueError) as error:
        if isinstance(error, ModelFileError):
            raise
        raise _no_model(content, "not a list of pairs") from None


def _decode_iso(read: Callable[[str], Any]) -> Callable[[Any], Any]:
    """A decoder of ISO text."""

    def decode(content: Any) -> Any:
        try:
            return read(content)
        except (TypeError, ValueError):
            raise _no_model(content, "not a date in ISO form") from None

    return decode


def _decode_span(content: Any) -> datetime.timedelta:
    """A duration, from its microseconds."""
    with contextlib.suppress(OverflowError):
        if type(content) is int:
            return datetime.timedelta(microseconds=content)
    raise _no_model(content, "not a duration")


def _decode_numpy_time(kind: str) -> Callable[[Any], Any]:
    """A decoder of NumPy dates or durations."""

    def decode(content: Any) -> Any:
        match content:
            case [str(unit), int(number)] if unit in _UNITS and abs(number) < 2**63:
                return np.int64(number).view(f"{kind}[{unit}]")
        raise _no_model(content, f"no {kind}")

    return decode


def _no_model(data: Any, why: str) -> ModelFileError:
    return ModelFileError(f"not a treewright model: {_short(data)} is {why}")


def _short(value: Any) -> str:
    """A value for a message, not longer than a line."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to print very long integers
        return "(a very long number)"
    return text if len(text) <= 60 else text[:59] + "…"


_DECODERS: dict[str, Callable[[Any], Any]] = {
    "float": _decode_float,
    "tuple": lambda content: tuple(_decode_items(content)),
    "list": _decode_items,
    "dict": _decode_dict,
    "date": _decode_iso(datetime.date.fromisoformat),
    "datetime": _decode_iso(datetime.datetime.fromisoformat),
    "timedelta": _decode_span,
    "datetime64": _decode_numpy_time("datetime64"),
    "timedelta64": _decode_numpy_time("timedelta64"),
}
