"""ARFF, Weka's format: declared features, then rows, dense or sparse.

Nominal declarations keep their order and the values that do not occur. A fault is
named by its line and token.
"""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treewright.data.complaints import counted, quoted
from treewright.data.readers.byte_blocks import read_lines
from treewright.data.readers.read_options import ReadOptions
from treewright.data.readers.table_file import TableFile, describe
from treewright.data.tables.frames import refuse_duplicates
from treewright.errors import FileReadError

if TYPE_CHECKING:
    import polars as pl

_QUOTED = r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\""
_CELL = re.compile(rf"\s*({_QUOTED}|[^,]*?)\s*(?:,|$)", re.DOTALL)
_DECLARATION = re.compile(rf"@attribute\s+({_QUOTED}|\S+)\s*(.*)", re.IGNORECASE)
_SPARSE_CELL = re.compile(rf"(\d+)\s+({_QUOTED}|.*)", re.DOTALL)
_DATE_SIGNS = {
    "yyyy": "%Y",
    "yy": "%y",
    "MM": "%m",
    "dd": "%d",
    "HH": "%H",
    "mm": "%M",
    "ss": "%S",
}
_ROWS_OF_BLOCK = 4096
_DEFAULT_DATE = "yyyy-MM-dd'T'HH:mm:ss"


@dataclass(frozen=True)
class Declared:
    """One declared feature."""

    name: str
    kind: str  # {"nominal", "numeric", "integer", "string", "date"}: its type
    values: tuple[str, ...] = ()  # nominal: the declared values, in order
    date_format: str = ""  # date: how it is written, as `strptime` wants it


@dataclass(frozen=True)
class _Place:
    """A line of the file, for messages."""

    path: Path
    line: int

    def fail(self, what: str, remedy: str) -> FileReadError:
        return FileReadError(f"{self.path}, line {self.line}: {what}; {remedy}")


def read_arff(path: Path, options: ReadOptions) -> TableFile:
    """Read an ARFF file."""
    lines = enumerate(read_lines(path, options.encoding), start=1)
    content = (
        (_Place(path, number), line.strip())
        for number, line in lines
        if line.strip() and not line.lstrip().startswith("%")
    )
    features = list(_declarations(content))
    if not features:
        raise FileReadError(f"{path} declares no @attribute; is it an ARFF file?")
    refuse_duplicates([feature.name for feature in features])
    blocks = list(_blocks(content, features))
    if not blocks:
        raise FileReadError(f"{path} has 0 rows after @data; at least 1 is needed")
    return _table(features, blocks)


def _blocks(
    content: Iterator[tuple[_Place, str]], features: Sequence[Declared]
) -> Iterator[pl.DataFrame]:
    """Yield the rows, some thousands at a time: cells as objects take much memory."""
    import polars as pl  # noqa: PLC0415 - the package loads without polars

    parsers = [_parser(feature) for feature in features]
    while rows := list(itertools.islice(content, _ROWS_OF_BLOCK)):
        columns: list[list[Any]] = [[] for _ in features]
        for place, line in rows:
            for column, parse, token in zip(
                columns, parsers, _tokens(place, line, features), strict=True
            ):
                column.append(None if token == "?" else parse(place, token))
        yield pl.DataFrame(list(map(_series, features, columns)))


def _declarations(content: Iterator[tuple[_Place, str]]) -> Iterator[Declared]:
    """Yield the declared features; stops behind @data."""
    for place, line in content:
        word = line.split()[0].lower()
        if word == "@data":
            return
        if word == "@attribute":
            yield _declared(place, line)
        elif word != "@relation":
            raise place.fail(
                f"{word!r} is not expected before @data",
                "use @relation, @attribute, or % for a comment",
            )


def _declared(place: _Place, line: str) -> Declared:
    match = _DECLARATION.fullmatch(line)
    name, kind = (match[1], match[2].strip()) if match else ("", "")
    if kind.startswith("{") and kind.endswith("}"):
        values = tuple(map(_unquote, _split(kind[1:-1])))
        if len(set(values)) != len(values):
            raise place.fail(
                f"{_unquote(name)!r} declares a value twice: {quoted(values, 20)}",
                "declare each once",
            )
        return Declared(_unquote(name), "nominal", values)
    word, _, rest = kind.partition(" ")
    if word.lower() in ("numeric", "real", "integer", "string"):
        return Declared(_unquote(name), word.lower().replace("real", "numeric"))
    if word.lower() == "date":
        written = _unquote(rest.strip()) or _DEFAULT_DATE
        return Declared(_unquote(name), "date", date_format=_strptime_format(written))
    raise place.fail(
        f"type {kind!r} of {_unquote(name)!r} is not known",
        "use numeric, integer, real, string, date or {a, b, c}",
    )


def _strptime_format(written: str) -> str:
    """Return a Java date pattern in the signs of `strptime`."""
    pattern = re.compile("|".join(_DATE_SIGNS) + "|'([^']*)'")
    return pattern.sub(lambda match: _DATE_SIGNS.get(match[0], match[1] or ""), written)


def _split(cells: str) -> list[str]:
    """Return the cells between commas, with their quotes."""
    if not cells.strip():
        return []
    if "'" not in cells and '"' not in cells:
        return [cell.strip() for cell in cells.split(",")]
    found: list[str] = _CELL.findall(cells)
    # The pattern also matches nothing at the very end, which is a cell after a comma.
    return found if cells.rstrip().endswith(",") else found[:-1] or found


def _unquote(token: str) -> str:
    if len(token) > 1 and token[0] == token[-1] and token[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", token[1:-1])
    return token


def _tokens(place: _Place, line: str, features: Sequence[Declared]) -> list[str]:
    """Return the cells of a row, one per feature."""
    if line.startswith("{") and line.endswith("}"):
        return _sparse_tokens(place, line[1:-1], features)
    tokens = _split(line) if "," in line else line.split()
    if len(tokens) != len(features):
        raise place.fail(
            f"{counted(len(tokens), 'value')} where {len(features)} are declared, "
            f"the last one is {tokens[-1]!r}",
            "give one value per @attribute, ? if it is missing",
        )
    return tokens


def _sparse_tokens(
    place: _Place, cells: str, features: Sequence[Declared]
) -> list[str]:
    """Return the cells of a sparse row; those left out are 0 or the first value."""
    tokens = [f.values[0] if f.values else "0" for f in features]
    for cell in _split(cells):
        match = _SPARSE_CELL.fullmatch(cell)
        if match is None or int(match[1]) >= len(features):
            raise place.fail(
                f"{cell!r} is not a position below {len(features)} with a value",
                "write {0 value, 3 value}",
            )
        tokens[int(match[1])] = match[2]
    return tokens


def _parser(feature: Declared) -> Callable[[_Place, str], Any]:
    """Return the function that turns a token of this feature into its value."""
    known = set(feature.values)
    met: dict[str, str] = {}  # tokens as they are written

    def nominal(place: _Place, token: str) -> str:
        value = met.get(token)
        if value is None:
            value = _unquote(token)
            if value not in known:
                raise place.fail(
                    f"{value!r} is not a declared value of {feature.name!r}",
                    f"declared are {quoted(feature.values, 20)}",
                )
            met[token] = value
        return value

    def number(place: _Place, token: str) -> float:
        try:
            return float(token)
        except ValueError:
            raise place.fail(
                f"{token!r} is not a number, as {feature.name!r} declares",
                "correct it, or write ? if it is missing",
            ) from None

    def date(place: _Place, token: str) -> dt.datetime:
        try:
            return dt.datetime.strptime(_unquote(token), feature.date_format)
        except ValueError:
            raise place.fail(
                f"{token!r} is not a date of the form {feature.date_format!r}, as "
                f"{feature.name!r} declares",
                "correct it, or write ? if it is missing",
            ) from None

    def string(_: _Place, token: str) -> str:
        return _unquote(token)

    parsers: dict[str, Callable[[_Place, str], Any]] = {
        "nominal": nominal,
        "date": date,
        "string": string,
    }
    return parsers.get(feature.kind, number)


def _table(features: Sequence[Declared], blocks: list[pl.DataFrame]) -> TableFile:
    import polars as pl  # noqa: PLC0415 - the package loads without polars

    frame = pl.concat(blocks, rechunk=True)
    whole = [
        pl.col(feature.name).cast(pl.Int64)
        for feature in features
        if feature.kind == "integer" and _is_whole(frame[feature.name])
    ]
    frame = frame.with_columns(whole)
    report = [
        describe(one, f"{one.null_count():,} '?' read as missing" * one.has_nulls())
        for one in frame
    ]
    return TableFile(frame, tuple(report))


def _is_whole(series: pl.Series) -> bool:
    return bool((series == series.round()).all())


def _series(feature: Declared, cells: list[Any]) -> pl.Series:
    import polars as pl  # noqa: PLC0415 - the package loads without polars

    dtypes: dict[str, Any] = {
        "nominal": pl.Enum(feature.values),
        "string": pl.String(),
        "date": pl.Datetime("us"),
    }
    dtype = dtypes.get(feature.kind, pl.Float64())
    return pl.Series(feature.name, cells, dtype=dtype)
