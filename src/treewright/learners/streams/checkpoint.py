"""Checkpoints: a model file that also has what a tree needs to go on learning.

The model is the tree as it is now, so everything that reads models reads checkpoints.
Beside it stand the section "stream" of the header, and arrays whose names begin with
"stream.". Loading trusts nothing: the compiled tree is made of arrays that are checked
against each other and against columns and classes.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.data.schema import Label
from treewright.data.stream.stream_table import StreamFeature, StreamTable
from treewright.errors import DataError, ModelFileError
from treewright.learners.streams.hoeffding import (
    HOEFFDING,
    HOEFFDING_NUMBERS,
    HoeffdingSettings,
)
from treewright.learners.streams.hoeffding_learner import HoeffdingLearner
from treewright.learners.streams.hoeffding_model import model_of
from treewright.tree.file.atomic_write import write_atomically
from treewright.tree.file.container import pack, unpack
from treewright.tree.file.header import STREAM
from treewright.tree.file.save import model_of_parts, parts_of, read_with
from treewright.tree.file.strict_json import take, take_list
from treewright.tree.model import Model
from treewright.tree.values import decode_value, encode_value

_PREFIX = "stream."
_DTYPES = {
    **dict.fromkeys(("parent", "feature", "missing", "child"), "int32"),
    **dict.fromkeys(("n_rows", "child_start", "value_start", "block_start"), "int64"),
    **dict.fromkeys(("threshold", "gain", "right_plain", "right_bayes"), "float64"),
    **dict.fromkeys(("seen", "looked", "value", "block"), "float64"),
    "awake": "uint8",
}
_KINDS = ("", "numeric", "nominal")
Facts = Mapping[str, Any]


def save_checkpoint(
    learner: HoeffdingLearner,
    path: str | os.PathLike[str],
    model: Model | None = None,
    facts: Facts | None = None,
) -> None:
    """Write a checkpoint, which is the old file or the new one at any moment.

    `learner`: a tree that has learned some rows. `model`: its model, if there is one
    already. `facts`: what else is to be known when learning goes on, as plain JSON
    data.
    """
    write_atomically(path, checkpoint_bytes(learner, model, facts))


def checkpoint_bytes(
    learner: HoeffdingLearner, model: Model | None = None, facts: Facts | None = None
) -> bytes:
    """Return the bytes of a checkpoint; equal learners give equal bytes."""
    header, arrays = parts_of(model_of(learner) if model is None else model)
    header[STREAM] = {**_section(learner), "facts": dict(facts or {})}
    own = {f"{_PREFIX}{name}": one for name, one in learner.core.arrays().items()}
    return pack(header, {**arrays, **own})


def load_checkpoint(
    path: str | os.PathLike[str],
) -> tuple[Model, HoeffdingLearner | None, Facts]:
    """Read a model, and, if the file is a checkpoint, the tree that learns.

    Raises `ModelFileError`: if the file is not whole and valid. Raises `FileReadError`:
    if there is no such file, or it may not be read.
    """
    return read_with(path, checkpoint_from_bytes)


def checkpoint_from_bytes(data: bytes) -> tuple[Model, HoeffdingLearner | None, Facts]:
    """Return the same from the bytes of a file."""
    header, arrays = unpack(data)
    model = model_of_parts(header, arrays)
    if STREAM not in header:
        return model, None, {}
    section = take(header, STREAM, dict)
    learner = HoeffdingLearner(
        _dialect(model),
        feature_kinds=model.settings.get("feature_kinds"),
        drop_missing_target=bool(model.settings.get("drop_missing_target", False)),
    )
    learner.table = _table(section, learner.dialect.max_categories)
    learner.target = replace(
        learner.target,
        name=take(section, "target", str),
        codes=_codes(take(section, "classes", list)),
    )
    _check_beside_model(learner, model)
    learner.core = _core_of(learner, arrays)
    return model, learner, take(section, "facts", dict)


def _section(learner: HoeffdingLearner) -> dict[str, Any]:
    table = learner.table
    assert table is not None
    return {
        "target": learner.target.name,
        "classes": _labels(learner.target.codes, "class label"),
        "has_names": table.has_names,
        "features": [
            {
                "name": feature.name,
                "kind": feature.kind,
                "declared": feature.is_declared,
                "full": feature.is_full,
                "categories": _labels(
                    feature.codes, f"category of feature {feature.name!r}"
                ),
            }
            for feature in table.features
        ],
    }


def _table(section: Facts, max_categories: int) -> StreamTable:
    features = []
    for entry in take_list(section, "features", dict):
        kind = take(entry, "kind", str)
        if kind not in _KINDS:
            raise ModelFileError(f"damaged checkpoint: a feature of kind {kind!r}")
        codes = _codes(take(entry, "categories", list))
        if kind != "nominal" and codes:
            raise ModelFileError("damaged checkpoint: categories of numbers")
        features.append(
            StreamFeature(
                take(entry, "name", str),
                kind,
                take(entry, "declared", bool),
                codes,
                take(entry, "full", bool),
            )
        )
    return StreamTable(
        tuple(features), take(section, "has_names", bool), max_categories
    )


def _core_of(learner: HoeffdingLearner, arrays: Facts) -> Any:
    """Return the compiled tree of a file's arrays."""
    assert learner.table is not None
    own: dict[str, npt.NDArray[Any]] = {}
    for name, dtype in _DTYPES.items():
        array = arrays.get(f"{_PREFIX}{name}")
        if array is None or array.dtype != dtype or array.ndim != 1:
            raise ModelFileError(f"damaged checkpoint: no list {name!r} of {dtype}")
        own[name] = np.ascontiguousarray(array)
    core = learner.new_core(learner.table)
    codes = [
        len(one.codes) if one.kind == "nominal" else 0 for one in learner.table.features
    ]
    try:
        core.fill(own, len(learner.target.codes), codes)
    except ValueError as error:
        raise ModelFileError(f"damaged checkpoint: {error}") from None
    return core


def _check_beside_model(learner: HoeffdingLearner, model: Model) -> None:
    """Refuse a checkpoint whose model is about other columns or classes."""
    assert learner.table is not None
    same = (
        learner.table.names == model.schema.names
        and learner.target.kind == model.schema.target.kind
        and set(learner.target.codes) == {*sum(model.schema.target.classes, ())}
        and all(
            set(one.codes) == set(feature.categories)
            for one, feature in zip(
                learner.table.features, model.schema.features, strict=True
            )
        )
    )
    if not same:
        raise ModelFileError(
            "damaged checkpoint: what it learns is not what its model is about"
        )


def _dialect(model: Model) -> HoeffdingSettings:
    """Return the switches that the model's settings say."""
    of_classes = model.schema.target.kind == "classes"
    usual = HOEFFDING if of_classes else HOEFFDING_NUMBERS
    known = usual.rows()
    found = {name: model.settings[name] for name in known if name in model.settings}
    try:
        dialect = usual.change(**found)
    except (ValueError, TypeError) as error:
        raise ModelFileError(f"damaged checkpoint: {error}") from None
    if model.learner != usual.name:
        raise ModelFileError(
            f"damaged checkpoint: {model.learner!r} does not learn row by row"
        )
    if dialect.task != usual.task:
        raise ModelFileError("damaged checkpoint: a criterion for another target")
    return dialect


def _labels(codes: Mapping[Label, int], what: str) -> list[Any]:
    return [encode_value(label, what=what) for label in codes]


def _codes(data: list[Any]) -> dict[Label, int]:
    """Return labels by their place."""
    try:
        codes = {decode_value(entry): place for place, entry in enumerate(data)}
    except (TypeError, DataError):
        raise ModelFileError("damaged checkpoint: a label that is a list") from None
    if len(codes) != len(data):
        raise ModelFileError("damaged checkpoint: a label stands twice")
    return codes
