"""How refusals are worded: some of every kind, in full, on one page.

`CALLS` are calls that are refused, from all over the Python face; `golden/refusals.txt`
has each with the message that it gets. Whoever rewords a message sees there how it
reads among the others:

    python tests/test_refusals.py --write               the page anew

The other tests tell a refusal by what it names (`refusals.py`), so that wording may
change here alone. Only the public names are used, and a call is shown as it is made.
"""

from __future__ import annotations

import datetime as dt
import difflib
import sys
import tempfile
import warnings
from contextlib import chdir
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

import treewright as tw
from treewright.errors import TreewrightError

GOLDEN = Path(__file__).resolve().parent / "golden" / "refusals.txt"

# ---- what the calls are about --------------------------------------------------------

TABLES = {
    "garden": {
        "light": [1.5, 2.5, 3.5, 4.5, 5.5, 6.5],
        "soil": ["clay", "loam", "clay", "peat", "loam", "peat"],
    },
    "size": ["small", "large", "small", "large", "small", "large"],
    "height": [1.0, 2.5, 2.0, 4.0, 3.0, 5.5],
}


def names() -> dict[str, Any]:
    """Return what a call may use, and write the files that it may read."""
    garden, size, day = TABLES["garden"], TABLES["size"], dt.date(2026, 1, 1)
    forest = tw.RandomForestClassifier(3, random_state=0).fit(garden, size)
    forest.save("forest.tw")
    whole = Path("forest.tw").read_bytes()
    Path("cut.tw").write_bytes(whole[: len(whole) // 2])
    Path("notes.tw").write_text("water the garden\n")
    Path("rows.csv").write_text("light,soil\n1,clay\n2,loam\n")
    Path("umlaut.csv").write_bytes("soil\nlöss\n".encode("latin-1"))
    return {
        **{name: getattr(tw, name) for name in tw.__all__},
        **TABLES,
        "np": np,
        "tree": tw.CARTClassifier().fit(garden, size),
        "nameless": tw.CARTClassifier().fit([[1], [2], [3]], ["a", "b", "a"]),
        "dated": tw.CARTClassifier().fit({"day": [day, day]}, ["a", "b"]),
        "forest": forest,
        "loaded": tw.load("forest.tw"),
        "stream": tw.HoeffdingTreeClassifier().partial_fit(garden, size),
        "growing": tw.IncrementalTreeClassifier().fit(garden, size),
    }


# ---- the calls -----------------------------------------------------------------------

CALLS = {
    "Settings of a wrong value": [
        "CARTClassifier(max_depth=-1).fit(garden, size)",
        "CARTClassifier(class_weight={'tiny': 2}).fit(garden, size)",
        "CARTRegressor(criterion='gini').fit(garden, height)",
        "C45Classifier(dialect='c5').fit(garden, size)",
        "datasets.sea(noise=2)",
    ],
    "Names that there are not": [
        "CARTClassifier(max_dpeth=3)",
        "CAL2Classifier(class_weight='balanced')",
        "compare([tree, forest], garden, size, fold=3)",
    ],
    "Settings that contradict each other": [
        "C45Classifier(binary_splits=True, nominal_splits='multiway')"
        ".fit(garden, size)",
        "C45Classifier().fit(garden, {'size': size, 'other': size})",
        "CARTClassifier(costs_in_growing=True).fit(garden, size)",
        "AdaBoostClassifier(boosting='c50', by='resampling').fit(garden, size)",
        "RandomForestClassifier(oob_score=True, bootstrap=False).fit(garden, size)",
        "evaluate(tree, garden, size, folds=3, hold_out=0.3)",
    ],
    "Tables": [
        "CARTClassifier().fit([1.5, 2.5], ['a', 'b'])",
        "CARTClassifier(strict=True).fit({'soil': [1, 'clay']}, ['a', 'b'])",
        "CARTClassifier(missing='error').fit({'light': [1, None]}, ['a', 'b'])",
        "ID3Classifier().fit(garden, size)",
        "read_table('nothing.csv')",
        "read_table('umlaut.csv')",
    ],
    "Targets": [
        "CARTClassifier().fit(garden, None)",
        "CARTClassifier().fit(garden, size[:4])",
        "CARTClassifier().fit(garden, [*size[:5], None])",
        "CARTClassifier().fit(garden, np.sqrt(height))",
        "CARTRegressor().fit(garden, size)",
    ],
    "Weights and costs": [
        "CARTClassifier().fit(garden, size, sample_weight=[1, 1, -1, 1, 1, 1])",
        "CARTClassifier(cost_matrix=[[0, 1, 2], [1, 0, 2]]).fit(garden, size)",
        "CARTClassifier(cost_matrix={'smal': {'large': 2}}).fit(garden, size)",
    ],
    "Kinds of features": [
        "CARTClassifier(feature_kinds={'Soil': 'nominal'}).fit(garden, size)",
        "CARTClassifier(feature_kinds={'soil': 'colour'}).fit(garden, size)",
        "CARTClassifier(feature_kinds={'soil': ['clay', 'loam']}).fit(garden, size)",
    ],
    "Intervals": [
        "ID3Classifier(discretize='halves').fit(garden, size)",
        "ID3Classifier(discretize={'light': [5, 2]}).fit(garden, size)",
        "ID3Classifier(discretize={'light': {'dim': (0, 3), 'sunny': (2, 9)}})"
        ".fit(garden, size)",
        "TreeRegressor(discretize='mdl').fit(garden, height)",
    ],
    "Tables that do not fit the model": [
        "tree.predict({'light': [1.5]})",
        "tree.predict([[1, 'clay', 3]])",
        "tree.predict({'light': ['bright'], 'soil': ['clay']})",
        "nameless.predict({'light': [1]})",
        "dated.predict({'day': [7.5]})",
        "CARTClassifier(unseen='error').fit(garden, size)"
        ".predict({'light': [1], 'soil': ['mud']})",
    ],
    "Model files, and estimators that know too little": [
        "load('nothing.tw')",
        "load('notes.tw')",
        "load('cut.tw')",
        "load('rows.csv')",
        "CARTClassifier().predict(garden)",
        "forest.oob_error_",
        "loaded.add_trees(2)",
        "tree.chalk(garden, size[::-1])",
        "tree.prune(garden, size)",
    ],
    "Forests": [
        "forest.tree(3)",
        "forest.merge(tree)",
    ],
    "Row by row": [
        "stream.partial_fit({'light': ['bright'], 'soil': ['clay']}, ['small'])",
        "stream.compact()",
        "growing.partial_fit({'light': ['bright'], 'soil': ['clay']}, ['small'])",
        "growing.forget({'light': [9.5], 'soil': ['clay']}, ['small'])",
    ],
    "Evaluating, comparing, tuning": [
        "evaluate(tree, garden, size, folds=7)",
        "evaluate(tree, garden, ['small'] * 6)",
        "evaluate(CARTClassifier, garden, size)",
        "tune(tree, garden, size, space={'max_depth': 3})",
        "compare([], garden, size)",
        "tune(stream, garden, size)",
    ],
    "Warnings, which refuse nothing": [
        "tree.predict({'light': [1.5], 'soil': ['clay'], 'place': ['bed']})",
        "ID3Classifier().fit([[0.5, 1], [1.5, 2]], ['a', 'b'])",
    ],
}


def refusal(call: str, known: dict[str, Any]) -> str:
    """Return the kind and the message of what a call raises, or warns of."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            eval(call, dict(known))
    except (TreewrightError, AttributeError, UserWarning) as error:
        return f"{type(error).__name__}: {error}"
    raise AssertionError(f"not refused: {call}")


@cache
def messages() -> dict[str, str]:
    """Return what each call gets."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        known = names()
        return {call: refusal(call, known) for call in chain(*CALLS.values())}


def page() -> str:
    """Return all calls, each with its message below it."""
    lines = [f"{name} = {table}" for name, table in TABLES.items()]
    for about, calls in CALLS.items():
        lines += ["", "", about, "=" * len(about)]
        for call in calls:
            lines += ["", call, f"    {messages()[call]}"]
    return "\n".join(lines) + "\n"


# ---- the tests -----------------------------------------------------------------------


def test_page_is_as_recorded():
    recorded, now = GOLDEN.read_text("utf-8").splitlines(), page().splitlines()
    lines = difflib.unified_diff(recorded, now, "recorded", "now", lineterm="")
    difference = "\n".join(lines)
    how = "if these are better words: python tests/test_refusals.py --write"
    assert not difference, f"{how}\n{difference}"


def test_a_message_is_one_line():
    assert [call for call, said in messages().items() if "\n" in said] == []


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--write"]:
            GOLDEN.write_text(page(), encoding="utf-8")
        case _:
            sys.exit(__doc__)
