"""The header of a model file: everything but the arrays, as plain JSON data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy.typing as npt

from treewright.data.schema import (
    WORD_WEIGHTS,
    Feature,
    FeatureKind,
    Label,
    Schema,
    Target,
    TargetKind,
    Word,
)
from treewright.errors import ModelFileError
from treewright.tree.answer_data import answers_data, voting_data, with_costs
from treewright.tree.arrays import cuts_of_arrays
from treewright.tree.compact_data import compact_data
from treewright.tree.container import FORMAT
from treewright.tree.interval_data import STORAGE, intervals_data, with_intervals
from treewright.tree.measure_data import MEASURES, measures_data
from treewright.tree.model import Model
from treewright.tree.strict_json import take, take_list
from treewright.tree.surrogate_data import surrogates_data
from treewright.tree.tree import NodeKind, Tree
from treewright.tree.values import decode_value, encode_value

# Sections that a reader must understand; a later minor version may only add others.
_SECTIONS = ("model", "schema")
# Only in files whose features have intervals; an older reader would take the numbers
# for categories, so it must refuse the file.
_INTERVALS = "intervals"
# Only in files of models whose answers are not the plain shares of the classes, and
# the heaviest of them.
_ANSWERS = "answers"
# Only in files of models that send rows without a value by other questions.
SURROGATES = "surrogates"
# Only in files of trees with groups of values: an older reader does not know them.
_GROUPS = "groups"
# Likewise of trees with weighted sums of features.
_COMBINATIONS = "combinations"
_KINDS = {_GROUPS: NodeKind.GROUPS, _COMBINATIONS: NodeKind.COMBINATION}
# Only in files of models whose trees do not all vote alike, with their shares.
_VOTING = "voting"
# Only in files of trees without training statistics, which have other arrays.
COMPACT = "compact"
# Only in files of rule sets (`rules/save.py`), which have no trees.
RULES = "rules"
_OPTIONAL = (_INTERVALS, _ANSWERS, SURROGATES, *_KINDS, _VOTING, COMPACT)
_KNOWN_KEYS = {"format", "treewright", "checksum", "required", *_SECTIONS, *_OPTIONAL}
# Only in files of forests that were measured; a reader may leave it out.
_KNOWN_KEYS |= {MEASURES, RULES}
# Only in checkpoints (`learners/hoeffding_file.py`): what goes on with learning needs.
STREAM = "stream"
_KNOWN_KEYS |= {STREAM}


class RuleSetFileError(ModelFileError):
    """A file holds a rule set where trees are wanted."""


def header_of_model(model: Model) -> dict[str, Any]:
    """Return the header that describes a model."""
    settings = {
        name: encode_value(value, what=f"the setting {name}")
        for name, value in model.settings.items()
    }
    intervals = intervals_data(model.schema.features)
    extra: dict[str, Any] = {_INTERVALS: intervals} if intervals else {}
    answers = answers_data(model)
    if answers:
        extra[_ANSWERS] = answers
    surrogates = surrogates_data(model.trees)
    if surrogates:
        extra[SURROGATES] = surrogates
    for name, kind in _KINDS.items():
        n_nodes = _n_nodes(model.trees, kind)
        if n_nodes:
            extra[name] = {"n_nodes": n_nodes}
    voting = voting_data(model)
    if voting:
        extra[_VOTING] = voting
    compact = compact_data(model.trees) if model.trees else {}
    if compact:
        extra[COMPACT] = compact
    required = [*_SECTIONS, *extra]
    if model.measures is not None:
        extra[MEASURES] = measures_data(model.measures)
    return {
        **extra,
        "treewright": program_version(),
        "required": required,
        "model": {
            "learner": model.learner,
            "settings": settings,
            "unseen": model.unseen,
            "missing": model.missing,
            "notes": list(model.notes),
            "n_trees": len(model.trees),
            "n_nodes": sum(tree.node_count for tree in model.trees),
        },
        "schema": {
            "features": [_feature_data(feature) for feature in model.schema.features],
            "target": _target_data(model.schema.target),
            "notes": list(model.schema.notes),
            **({} if model.schema.has_names else {"has_names": False}),
        },
    }


def check_sections(header: Mapping[str, Any], *, rules: bool = False) -> None:
    """Refuse a file with parts that must be understood and are not known here.

    `rules` tells whether a rule set is wanted, rather than trees.
    """
    if RULES in header and not rules:
        raise RuleSetFileError("a rule set, and trees are needed here")
    known = (*_SECTIONS, *_OPTIONAL, *((RULES,) if rules else ()))
    for name in take_list(header, "required", str):
        if name not in known:
            raise ModelFileError(
                f"this treewright does not know the section {name!r} that the model "
                "file requires; install a newer one"
            )
        kind: type[Any] = list if name == _INTERVALS else dict
        take(header, name, kind)
    unknown = sorted(set(header) - _KNOWN_KEYS)
    if unknown and header["format"] == FORMAT:
        raise ModelFileError(
            f"not a treewright model: {unknown[0]!r} has no place in its header"
        )


def check_kinds(header: Mapping[str, Any], trees: Sequence[Tree]) -> None:
    """Refuse trees with groups of values or sums, if the header does not say so."""
    for name, kind in _KINDS.items():
        section = take({name: {"n_nodes": 0}, **header}, name, dict)
        stated, found = take(section, "n_nodes", int), _n_nodes(trees, kind)
        if stated != found:
            what = "groups of values" if name == _GROUPS else "combinations"
            raise ModelFileError(
                f"damaged model file: {found} nodes ask about {what} where the "
                f"header promises {stated}"
            )


def _n_nodes(trees: Sequence[Tree], kind: NodeKind) -> int:
    """How many nodes ask a kind of question."""
    return sum(int((tree.kind == kind).sum()) for tree in trees)


def schema_of_header(
    header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]
) -> Schema:
    """Return the schema that a header describes, with the cuts from the arrays."""
    data = take(header, "schema", dict)
    features = [
        _feature(entry, number, arrays)
        for number, entry in enumerate(take_list(data, "features", dict))
    ]
    if _INTERVALS in header:
        features = with_intervals(features, take_list(header, _INTERVALS, dict))
    target = _target(take(data, "target", dict))
    if _ANSWERS in header:
        target = with_costs(target, take(header, _ANSWERS, dict))
    notes = tuple(take_list(data, "notes", str))
    has_names = take({"has_names": True, **data}, "has_names", bool)
    return Schema(tuple(features), target, notes, has_names)


def _feature_data(feature: Feature) -> dict[str, Any]:
    """A feature as JSON data."""
    what = f"category of feature {feature.name!r}"
    absent = feature.not_applicable
    return {
        "name": feature.name,
        "kind": feature.kind,
        "categories": _encode_labels(feature.categories, what),
        "storage": feature.storage,
        **({"zoned": True} if feature.zoned else {}),
        **({} if absent is None else {"not_applicable": absent}),
        **({} if feature.word is None else {"word": vars(feature.word)}),
    }


def _target_data(target: Target) -> dict[str, Any]:
    """The target as JSON data."""
    return {
        "kind": target.kind,
        "names": list(target.names),
        "classes": [
            _encode_labels(labels, f"class label of target {name!r}")
            for name, labels in zip(target.names, target.classes, strict=False)
        ],
    }


def _feature(
    data: dict[str, Any], number: int, arrays: Mapping[str, npt.NDArray[Any]]
) -> Feature:
    """A feature from JSON data."""
    name, kind = take(data, "name", str), take(data, "kind", str)
    storage = take(data, "storage", str)
    if kind not in get_args(FeatureKind) or not STORAGE.fullmatch(storage):
        raise ModelFileError(
            f"not a treewright model: feature {number} is {kind!r} stored as "
            f"{storage!r}"
        )
    categories = _decode_labels(take(data, "categories", list))
    zoned = take({"zoned": False, **data}, "zoned", bool)
    absent = take(data, "not_applicable", str) if "not_applicable" in data else None
    feature = Feature(name, kind, categories, storage, zoned=zoned)  # type: ignore[arg-type]
    feature = replace(feature, not_applicable=absent, word=_word(data))
    if not feature.is_wide:
        return feature
    cuts = cuts_of_arrays(arrays, number, storage)
    return replace(feature, cuts=cuts)


def _word(data: dict[str, Any]) -> Word | None:
    """The word of a text that a feature counts, from JSON data."""
    if "word" not in data:
        return None
    own = take(data, "word", dict)
    word = Word(*(take(own, name, str) for name in ("column", "text", "weights")))
    if word.weights not in WORD_WEIGHTS:
        raise ModelFileError(f"not a treewright model: words by {word.weights!r}")
    return word


def _target(data: dict[str, Any]) -> Target:
    """The target from JSON data."""
    kind = take(data, "kind", str)
    if kind not in get_args(TargetKind):
        raise ModelFileError(f"not a treewright model: a target of kind {kind!r}")
    classes = tuple(_decode_labels(each) for each in take_list(data, "classes", list))
    names = tuple(take_list(data, "names", str))
    return Target(kind, names, classes)  # type: ignore[arg-type]


def _encode_labels(labels: Sequence[Label], what: str) -> list[Any]:
    """Labels as JSON data."""
    return [encode_value(label, what=what) for label in labels]


def _decode_labels(data: list[Any]) -> tuple[Label, ...]:
    """Labels from JSON data."""
    labels = tuple(decode_value(entry) for entry in data)
    for label in labels:
        try:
            hash(label)
        except TypeError:
            raise ModelFileError(
                "not a treewright model: a label that is a list or a table"
            ) from None
    return labels


def program_version() -> str:
    """Version of treewright; nobody else's business if it is not installed."""
    from importlib import metadata  # noqa: PLC0415 - slow to import

    try:
        return metadata.version("treewright")
    except metadata.PackageNotFoundError:
        return "unknown"
