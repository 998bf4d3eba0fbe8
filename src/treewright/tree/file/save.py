"""Model files: `save` and `load`, `to_bytes` and `from_bytes`.

Loading trusts nothing: the container and its checksum are checked first, then the
header, then every invariant of the schema and the trees, in one pass. Nothing in a file
is executed. The parts are in `container.py`, `header.py`, `arrays.py`, `validate.py`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from typing import Any, TypeVar

import numpy.typing as npt

from treewright.errors import FileReadError, ModelFileError
from treewright.tree.file.arrays import (
    arrays_of_compact,
    arrays_of_cuts,
    arrays_of_surrogates,
    arrays_of_trees,
    compact_data,
    compact_of_arrays,
    trees_of_arrays,
    with_surrogates,
)
from treewright.tree.file.atomic_write import write_atomically
from treewright.tree.file.container import pack, unpack
from treewright.tree.file.header import (
    COMPACT,
    SURROGATES,
    check_kinds,
    check_sections,
    facts_of_header,
    header_of_model,
    measures_of_header,
    schema_of_header,
    smoothing_of_header,
    voting_of_header,
)
from treewright.tree.file.strict_json import take
from treewright.tree.file.validate import validate_model
from treewright.tree.model import Model

T = TypeVar("T")


def save(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a file, which is the old one or the new one at any moment.

    Raises `DataError`: if a class label or a category has a type that a file cannot
    hold. Raises `FileReadError`: if the file cannot be written; a file that was there
    is kept.
    """
    write_atomically(path, to_bytes(model))


def load(path: str | os.PathLike[str]) -> Model:
    """Read a model from a file.

    Raises
    ------
    ModelFileError
        If the file is not a whole and valid model of a format that is known here.
    FileReadError
        If there is no such file, or it may not be read.
    """
    return read_with(path, from_bytes)


def read_with(path: str | os.PathLike[str], read: Callable[[bytes], T]) -> T:
    """Return what `read` makes of a file's bytes; its errors name the file."""
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise ModelFileError("not a treewright model: a folder")
        if not stat.S_ISREG(mode):
            raise ModelFileError("not a treewright model: not a regular file")
        # read whole, not mapped: a file may change while it is being read
        with open(path, "rb") as file:
            data = file.read()
        return read(data)
    except ModelFileError as error:
        raise type(error)(f"{os.fspath(path)!r}: {error}") from None
    except OSError as error:
        reason = error.strerror or error
        raise FileReadError(f"cannot read {os.fspath(path)!r}: {reason}") from error


def to_bytes(model: Model) -> bytes:
    """Return the bytes of a model's file; equal models give equal bytes."""
    return pack(*parts_of(model))


def parts_of(model: Model) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Return header and arrays of a model's file."""
    validate_model(model)
    own = arrays_of_compact if compact_data(model.trees) else arrays_of_trees
    arrays = {
        **own(model.trees),
        **arrays_of_cuts(model.schema.features),
        **arrays_of_surrogates(model.trees),
    }
    return header_of_model(model), arrays


def from_bytes(data: bytes) -> Model:
    """Return the model whose file has these bytes, or raise `ModelFileError`."""
    return model_of_parts(*unpack(data))


def model_of_parts(
    header: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]
) -> Model:
    """Return the model of a header and arrays, or raise `ModelFileError`."""
    check_sections(header)
    facts = take(header, "model", dict)
    sizes = {name: take(facts, name, int) for name in ("n_trees", "n_nodes")}
    if COMPACT in header:
        trees = compact_of_arrays(take(header, COMPACT, dict), arrays, **sizes)
    else:
        trees = trees_of_arrays(arrays, **sizes)
    check_kinds(header, trees)
    surrogates = take({SURROGATES: {}, **header}, SURROGATES, dict)
    schema = schema_of_header(header, arrays)
    model = Model(
        schema=schema,
        trees=with_surrogates(trees, surrogates, arrays),
        **facts_of_header(header),
        smoothing=smoothing_of_header(header),
        voting=voting_of_header(header),
        measures=measures_of_header(header, schema),
    )
    validate_model(model)
    return model
