"""Models of every kind that the page has to walk as Python does, and random rows."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np

import treewright as tw
from treewright.data.schema import Feature, Schema

Rows = dict[str, list[Any]]


def mixed_table(*, missing: bool = True, n_rows: int = 240, seed: int = 1) -> Rows:
    """Numbers and text that depend on each other, with or without gaps."""
    random = np.random.default_rng(seed)
    size = random.normal(10, 3, n_rows).round(2)
    mass = (size * 2 + random.normal(0, 2, n_rows)).round(1)
    colour = random.choice(["red", "green", "blue", "grey"], n_rows)
    town = random.choice(["Aix", "Bonn", "Cork", "Delft", "Évora", "Fürth"], n_rows)
    table: Rows = {
        "size": size.tolist(),
        "mass": mass.tolist(),
        "colour": colour.tolist(),
        "town": town.tolist(),
    }
    if missing:
        for cells in table.values():
            for row in random.choice(n_rows, n_rows // 8, replace=False):
                cells[row] = None
    return table


def classes_of(table: Rows, seed: int = 2) -> list[str]:
    """Three classes that the table half explains."""
    random = np.random.default_rng(seed)
    answers = []
    for size, colour, town in zip(
        table["size"], table["colour"], table["town"], strict=True
    ):
        score = (size or 9) + 3 * (colour == "red") - 2 * (town in ("Aix", "Cork"))
        score += random.normal(0, 1.5)
        answers.append("low" if score < 8 else "middle" if score < 11.5 else "high")
    return answers


def numbers_of(table: Rows) -> list[float]:
    return [
        (size or 8) ** 1.5 + 4 * (colour == "blue")
        for size, colour in zip(table["size"], table["colour"], strict=True)
    ]


def fitted(make: Callable[[], Any], *, missing: bool = True) -> Any:
    table = mixed_table(missing=missing)
    return make().fit(table, classes_of(table))


def _id3() -> Any:
    return tw.ID3Classifier().fit(*tw.datasets.tennis())


def _aima() -> Any:
    table = mixed_table(missing=False)
    some = {name: table[name] for name in ("colour", "town")}
    kinds = {"criterion": "entropy", "nominal_splits": "multiway"}
    model = tw.TreeClassifier(**kinds, empty_branch="parent_class", unseen="missing")
    return model.fit(some, classes_of(table))


def _regression() -> Any:
    table = mixed_table()
    return tw.CARTRegressor(missing="surrogates", min_samples_leaf=4).fit(
        table, numbers_of(table)
    )


def _fractional_regression() -> Any:
    table = mixed_table()
    return tw.TreeRegressor(missing="fractional", min_samples_leaf=6).fit(
        table, numbers_of(table)
    )


def _costs() -> Any:
    table = mixed_table()
    costs = [[0, 1, 5], [4, 0, 1], [1, 2, 0]]
    model = tw.C45Classifier(cost_matrix=costs, probabilities="laplace", pruning=None)
    return model.fit(table, classes_of(table))


def _several_outputs() -> Any:
    table = mixed_table(missing=False)
    answers = list(zip(classes_of(table, 2), classes_of(table, 3), strict=True))
    return tw.CARTClassifier(min_samples_leaf=3).fit(table, answers)


def _unclassified() -> Any:
    table = mixed_table(missing=False)
    some = {name: table[name] for name in ("colour", "town")}
    return tw.ID3Classifier(empty_branch="unclassified").fit(
        {name: cells[:18] for name, cells in some.items()}, classes_of(table)[:18]
    )


def _wide() -> Any:
    random = np.random.default_rng(5)
    big = (2**60 + random.integers(0, 200, 150)).astype(np.int64)
    day = np.datetime64("2024-01-01") + random.integers(0, 400, 150)
    late = day > np.datetime64("2024-06-17")
    labels = np.where((big - 2**60) > 90, "a", np.where(late, "b", "c"))
    table = {"big": big, "day": day, "truth": (big % 2 == 0)}
    return tw.CARTClassifier().fit(table, labels)


def _two_trees() -> Any:
    """Two trees that vote, of which one divides rows."""
    table = mixed_table()
    model = tw.C45Classifier(pruning=None).fit(table, classes_of(table))
    other = tw.C45Classifier(missing="own_branch", max_depth=2, min_samples_leaf=9)
    second = other.fit(table, classes_of(table, 4)).model_.trees[0]
    trees = (model.model_.trees[0], second)
    model.model_ = dataclasses.replace(model.model_, trees=trees)
    return model


def _sums() -> Any:
    random = np.random.default_rng(2)
    table = {name: random.normal(size=90) for name in ("long", "wide", "high")}
    labels = np.where(table["long"] > table["wide"], "a", "b")
    return tw.RandomForestClassifier(3, combined_features=2, random_state=0).fit(
        table, labels
    )


MODELS: dict[str, Callable[[], Any]] = {
    "id3": _id3,
    "sums": _sums,
    "aima": _aima,
    "c45": lambda: fitted(tw.C45Classifier),
    "j48": lambda: fitted(lambda: tw.C45Classifier(dialect="j48")),
    "c45_unpruned": lambda: fitted(lambda: tw.C45Classifier(pruning=None)),
    "grouping": lambda: fitted(lambda: tw.C45Classifier(grouping="c45", pruning=None)),
    "surrogates": lambda: fitted(lambda: tw.CARTClassifier(missing="surrogates")),
    "own_branch": lambda: fitted(lambda: tw.CARTClassifier(missing="own_branch")),
    "own_branch_multiway": lambda: fitted(
        lambda: tw.TreeClassifier(
            criterion="entropy", nominal_splits="multiway", missing="own_branch"
        )
    ),
    "learned": lambda: fitted(lambda: tw.CARTClassifier(missing="learned")),
    "majority": lambda: fitted(lambda: tw.CARTClassifier(probabilities="m_estimate")),
    "discretised": lambda: fitted(
        lambda: tw.ID3Classifier(discretize="mdl"), missing=False
    ),
    "regression": _regression,
    "fractional_regression": _fractional_regression,
    "costs": _costs,
    "several_outputs": _several_outputs,
    "unclassified": _unclassified,
    "wide": _wide,
    "two_trees": _two_trees,
}


def random_rows(model: Any, n_rows: int = 1000, seed: int = 7) -> Rows:
    """Rows of a model's features with values at, beside and far from the cuts."""
    random = np.random.default_rng(seed)
    schema: Schema = model.model_.schema
    rows: Rows = {}
    for number, feature in enumerate(schema.features):
        known = _values(model, number, feature)
        cells = [known[k] for k in random.integers(0, len(known), n_rows)]
        if model.model_.missing != "error":
            for row in random.choice(n_rows, n_rows // 6, replace=False):
                cells[row] = None
        rows[feature.name] = cells
    return rows


def _values(model: Any, number: int, feature: Feature) -> list[Any]:
    """Values that a feature might have, some of them never seen."""
    tree = model.model_.trees[0]
    if feature.storage.startswith("datetime64"):
        return [
            f"2024-{month:02}-{day:02}" for month in range(1, 13) for day in (1, 17)
        ]
    if feature.is_wide:
        return [str(2**60 + k) for k in range(-3, 220)]
    if feature.holds_numbers:
        cuts = tree.threshold[(tree.feature == number) & (tree.kind == 1)].tolist()
        if feature.intervals is not None:
            cuts = [float(cut) for cut in feature.intervals.cuts]
        around = [math.nextafter(cut, math.inf) for cut in cuts]
        return [*cuts, *around, *np.linspace(-5, 40, 60).tolist(), 0.0]
    labels = list(feature.categories)
    unseen = [] if model.model_.unseen == "error" else ["never seen"]
    return labels * 3 + unseen


def as_dicts(rows: Rows) -> list[dict[str, Any]]:
    """The rows one by one, as the page takes them."""
    return [
        dict(zip(rows, cells, strict=True))
        for cells in zip(*rows.values(), strict=True)
    ]
