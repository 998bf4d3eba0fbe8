"""The header of a model file: everything but the arrays, as plain JSON data.

What only some models have is a section of its own, which is there only if they have it:
answers that are not the heaviest class and the plain shares, votes, intervals (whose
borders are JSON numbers, which say a float or an integer exactly), out-of-bag figures.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from treewright.data.intervals import Intervals
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
from treewright.tree.file.arrays import compact_data, cuts_of_arrays, surrogates_data
from treewright.tree.file.container import FORMAT
from treewright.tree.file.strict_json import take, take_list
from treewright.tree.measured_forest import Measures
from treewright.tree.model import Model
from treewright.tree.predict.vote import Smoothing
from treewright.tree.predict.voting import Voting
from treewright.tree.structure.tree import NodeKind, Tree
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
# Only in files of rule sets (`rules/rule_file.py`), which have no trees.
RULES = "rules"
_OPTIONAL = (_INTERVALS, _ANSWERS, SURROGATES, *_KINDS, _VOTING, COMPACT)
_KNOWN_KEYS = {"format", "treewright", "checksum", "required", *_SECTIONS, *_OPTIONAL}
# Only in files of forests that were measured; a reader may leave it out, because
# answers do not depend on it.
MEASURES = "measures"
_KNOWN_KEYS |= {MEASURES, RULES}
# Only in `learners/streams/checkpoint.py`: what going on with learning needs.
STREAM = "stream"
_KNOWN_KEYS |= {STREAM}

# the types in which numbers are compared
STORAGE = re.compile(
    r"float64|int64|uint64|(datetime64|timedelta64)\[\d{0,6}(Y|M|W|D|h|m|s|ms|us|ns)\]"
)


class RuleSetFileError(ModelFileError):
    """A file holds a rule set where trees are wanted."""


def header_of_model(model: Model) -> dict[str, Any]:
    """Return the header that describes a model."""
    settings = {
        name: encode_value(value, what=f"the setting {name}")
        for name, value in model.settings.items()
    }
    counts = {name: _n_nodes(model.trees, kind) for name, kind in _KINDS.items()}
    extra: dict[str, Any] = {
        _INTERVALS: _intervals_data(model.schema.features),
        _ANSWERS: _answers_data(model),
        SURROGATES: surrogates_data(model.trees),
        **{name: {"n_nodes": n} if n else {} for name, n in counts.items()},
        _VOTING: _voting_data(model),
        COMPACT: compact_data(model.trees) if model.trees else {},
    }
    extra = {name: section for name, section in extra.items() if section}
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


def facts_of_header(header: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a model says of itself besides schema and trees, by its fields."""
    facts = take(header, "model", dict)
    settings = take(facts, "settings", dict)
    return {
        **{name: take(facts, name, str) for name in ("learner", "unseen", "missing")},
        "settings": {name: decode_value(value) for name, value in settings.items()},
        "notes": tuple(take_list(facts, "notes", str)),
    }


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
        features = _with_intervals(features, take_list(header, _INTERVALS, dict))
    target = _target(take(data, "target", dict))
    if _ANSWERS in header:
        target = _with_costs(target, take(header, _ANSWERS, dict))
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


def _answers_data(model: Model) -> dict[str, Any]:
    """What is not plain about a model's answers."""
    data: dict[str, Any] = {}
    if model.schema.target.costs is not None:
        data["costs"] = [list(map(float, row)) for row in model.schema.target.costs]
    if model.smoothing != Smoothing():
        data["probabilities"] = model.smoothing.kind
        data["prior_weight"] = float(model.smoothing.prior_weight)
    return data


def _with_costs(target: Target, section: Mapping[str, Any]) -> Target:
    """The target with the costs that a section has; they are checked later."""
    if "costs" not in section:
        return target
    rows = take(section, "costs", list)
    for row in rows:
        if type(row) is not list or any(type(cost) is not float for cost in row):
            raise ModelFileError("not a treewright model: costs that are not numbers")
    return replace(target, costs=tuple(map(tuple, rows)))


def smoothing_of_header(header: Mapping[str, Any]) -> Smoothing:
    """Return how shares become probabilities."""
    section = take({"answers": {}, **header}, "answers", dict)
    if "probabilities" not in section:
        return Smoothing()
    kind = take(section, "probabilities", str)
    return Smoothing(kind, take(section, "prior_weight", float))


def _voting_data(model: Model) -> dict[str, Any]:
    """How the trees vote; nothing if as ever."""
    voting = model.voting
    if voting == Voting():
        return {}
    data: dict[str, Any] = {"kind": voting.kind}
    if voting.weights is not None:
        data["weights"] = [float(weight) for weight in voting.weights]
    return data


def voting_of_header(header: Mapping[str, Any]) -> Voting:
    """Return how the trees vote; kind and weights are checked later."""
    if "voting" not in header:
        return Voting()
    section = take(header, "voting", dict)
    weights = None
    if "weights" in section:
        weights = tuple(take_list(section, "weights", float))
    return Voting(take(section, "kind", str), weights)


def _intervals_data(features: Sequence[Feature]) -> list[dict[str, Any]]:
    """The intervals of the features that have some."""
    return [
        {
            "feature": number,
            "borders": list(own.borders),
            "codes": list(own.codes),
            **{name: getattr(own, name) for name in ("storage", "zoned", "named")},
        }
        for number, own in enumerate(feature.intervals for feature in features)
        if own is not None
    ]


def _with_intervals(
    features: Sequence[Feature], section: Sequence[dict[str, Any]]
) -> list[Feature]:
    """The features with the intervals that a section describes."""
    out = list(features)
    for entry in section:
        number = take(entry, "feature", int)
        if not 0 <= number < len(out) or out[number].intervals is not None:
            raise ModelFileError(
                f"not a treewright model: intervals of feature {number}, which is not "
                "there or has some already"
            )
        out[number] = replace(out[number], intervals=_intervals(entry))
    return out


def _intervals(entry: dict[str, Any]) -> Intervals:
    """Intervals from JSON data; `validate_schema` checks what they say."""
    storage = take(entry, "storage", str)
    borders: list[float] | list[int]
    if storage == "float64":
        borders = take_list(entry, "borders", float)
    else:
        borders = take_list(entry, "borders", int)
        low, high = (0, 2**64) if storage == "uint64" else (-(2**63), 2**63)
        held = all(low <= border < high for border in borders)
        if not held or not STORAGE.fullmatch(storage):
            raise ModelFileError(
                f"not a treewright model: borders that are not stored as {storage!r}"
            )
    return Intervals(
        tuple(borders),
        tuple(take_list(entry, "codes", int)),
        storage,
        take(entry, "zoned", bool),
        take(entry, "named", bool),
    )


Floats = npt.NDArray[np.float64]


def measures_data(measures: Measures) -> dict[str, Any]:
    """Return the figures as JSON data; null for one that is not known."""
    return {name: _plain(figures) for name, figures in vars(measures).items()}


def measures_of_header(header: Mapping[str, Any], schema: Schema) -> Measures | None:
    """Return the figures that a header has, checked against the schema."""
    if MEASURES not in header:
        return None
    data = take(header, MEASURES, dict)
    n_features = len(schema.features)
    is_classes = schema.target.kind == "classes"
    widths = [len(labels) for labels in schema.target.classes] if is_classes else []
    numbers = {
        name: _array(take(data, name, list), n, name)
        for name, n in (
            ("importances", n_features),
            ("standard_errors", n_features),
            ("strength", len(widths)),
            ("correlation", len(widths)),
        )
    }
    return Measures(
        float(_array([data.get("error", "")], 1, "error")[0]),
        numbers["importances"],
        numbers["standard_errors"],
        _read_tables(data, "class_importances", n_features, widths),
        _read_tables(data, "class_standard_errors", n_features, widths),
        tuple(numbers["strength"].tolist()),
        tuple(numbers["correlation"].tolist()),
    )


def _plain(figures: Any) -> Any:
    """A number, or numbers as deep as they are nested."""
    if isinstance(figures, tuple | np.ndarray):
        return [_plain(one) for one in figures]
    return float(figures) if math.isfinite(figures) else None


def _read_tables(
    data: Mapping[str, Any], name: str, n_rows: int, widths: list[int]
) -> tuple[Floats, ...]:
    tables = take(data, name, list)
    if len(tables) != len(widths) or not all(
        type(table) is list
        and len(table) == n_rows
        and all(type(row) is list for row in table)
        for table in tables
    ):
        raise _misshapen(name)
    return tuple(
        np.array([_array(row, width, name) for row in table]).reshape(n_rows, width)
        for table, width in zip(tables, widths, strict=True)
    )


def _array(numbers: list[Any], n: int, name: str) -> Floats:
    if len(numbers) != n or any(
        number is not None and type(number) is not float for number in numbers
    ):
        raise _misshapen(name)
    return np.array([np.nan if each is None else each for each in numbers], np.float64)


def _misshapen(name: str) -> ModelFileError:
    return ModelFileError(
        f"not a treewright model: {name!r} of its measures is not the numbers that its "
        "features and classes ask for"
    )
