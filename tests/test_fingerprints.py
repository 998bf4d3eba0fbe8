"""What a change inside must not change: trees, model files, answers, printed pages.

`MODELS` is a list of models over all learners and most of their settings; of each the
fingerprint, the bytes of its saved file and its answers for the training rows are
compared with `golden/fingerprints.json`. `COMMANDS` is a list of command lines; of each
the printed text is compared. The golden file holds hashes: a test that fails prints
what to call to see the text or the tree itself.

    python tests/test_fingerprints.py --write           all hashes anew
    python tests/test_fingerprints.py --show NAME       a model's tree or a page

Only the public names are used here, so that nothing moves with the inside. A new row
below gets its hashes by `--write`, which must then leave the other lines as they were.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import json
import os
import re
import shlex
import signal
import sys
import tempfile
import tomllib
import warnings
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import polars as pl
import pytest
from scipy import sparse

import treewright as tw

HERE = Path(__file__).resolve().parent
GOLDEN = HERE / "golden" / "fingerprints.json"
SHARED = HERE.parents[1] / "shared" / "data"

Table = tuple[Any, Any]

# ---- tables --------------------------------------------------------------------------


def drawn(n: int, seed: int = 1) -> list[float]:
    """Numbers in [0, 1) of a generator that is the same everywhere, for ever."""
    state, out = seed, []
    for _ in range(n):
        state = (1103515245 * state + 12345) % 2**31
        out.append((state >> 8) / 2**23)
    return out


def garden(n_rows: int = 240, *, holes: bool = False) -> pl.DataFrame:
    """Plants: two numbers, a whole one, two categories; with holes one cell in nine."""
    light, water, soil, place, noise, hole = (
        drawn(n_rows, seed) for seed in (1, 2, 3, 4, 5, 6)
    )
    frame = pl.DataFrame(
        {
            "light": [round(10 * x, 2) for x in light],
            "water": [round(5 * x, 1) for x in water],
            "rows": [int(8 * x) for x in noise],
            "soil": [
                ("clay", "loam", "peat", "sand", "silt")[int(5 * x)] for x in soil
            ],
            "place": [("bed", "pot")[int(2 * x)] for x in place],
        }
    )
    if not holes:
        return frame
    cells = {
        name: [
            None if (9 * hole[row] + 0.37 * at) % 9 < 1 else cell
            for row, cell in enumerate(frame[name])
        ]
        for at, name in enumerate(frame.columns)
    }
    return pl.DataFrame(cells, schema=frame.schema)


def growth() -> list[float]:
    """How high the plants of the garden are: a number."""
    frame = garden()
    soils = {"clay": 3.0, "loam": 9.0, "peat": 6.0, "sand": 1.0, "silt": 7.0}
    wobble = drawn(len(frame), 7)
    return [
        round(
            soils[soil] + light * (1 if place == "bed" else 0.5) + water + 4 * more, 2
        )
        for light, water, _, soil, place, more in (
            (*row, more) for row, more in zip(frame.rows(), wobble, strict=True)
        )
    ]


def size() -> list[str]:
    """Small, middling or large: a class."""
    return ["small" if x < 9 else "middling" if x < 14 else "large" for x in growth()]


def words() -> Table:
    """Counts of words in texts, sparse, and whether a text is about trees."""
    dice = drawn(120 * 30, 11)
    counts = [int(4 * x) - 2 if x > 0.5 else 0 for x in dice]
    table = np.clip(np.array(counts, dtype=float).reshape(120, 30), 0, None)
    about = np.where(table[:, 3] + table[:, 7] > table[:, 11], "trees", "other")
    return sparse.csr_matrix(table), about


def shared(name: str, target: str) -> Callable[[], Table]:
    """Return what reads a table beside the repository."""

    def read() -> Table:
        file = SHARED / name
        if not file.is_file():
            pytest.skip(f"{name} is not in ../shared/data")
        frame = pl.read_csv(file, null_values=["?", "NA", ""], infer_schema_length=None)
        return frame.drop(target), frame[target]

    return read


def both() -> pl.DataFrame:
    return pl.DataFrame({"size": size(), "place": garden()["place"]})


data = tw.datasets
TABLES: dict[str, Callable[[], Table]] = {
    "tennis": data.tennis,
    "restaurant": data.restaurant,
    "watermelon": data.watermelon,
    "watermelon_missing": data.watermelon_missing,
    "cars": data.cars,
    "dungeon": data.dungeon,
    "patients": data.patients,
    "six_rows": data.six_rows,
    "stagger": lambda: data.stagger(240, random_state=1),
    "waveform": lambda: data.waveform(150, random_state=1),
    "twonorm": lambda: data.twonorm(100, random_state=1),
    "sea": lambda: data.sea(3000, random_state=1),
    "hyperplane": lambda: data.hyperplane(2000, random_state=1),
    "garden": lambda: (garden(), size()),
    "garden holes": lambda: (garden(holes=True), size()),
    "garden arrays": lambda: (garden()[:, :3].to_numpy(), np.array(size())),
    "garden both": lambda: (garden().drop("place"), both()),
    "growth": lambda: (garden(), growth()),
    "growth holes": lambda: (garden(holes=True), growth()),
    "growth both": lambda: (
        garden()[:, :3].to_numpy(),
        np.array([growth(), garden()["light"].to_list()]).T,
    ),
    "sea numbers": lambda: (
        data.sea(3000, random_state=1)[0],
        [sum(row) for row in data.sea(3000, random_state=1)[0].rows()],
    ),
    "words": words,
    "shared iris": shared("iris.csv", "class"),
    "shared votes": shared("votes.csv", "Class"),
    "shared glass": shared("glass.csv", "Type"),
    "shared credit": shared("credit-approval.csv", "class"),
    "shared mpg": shared("auto-mpg.csv", "class"),
}
table = cache(lambda name: TABLES[name]())

# ---- models --------------------------------------------------------------------------

COSTS = [[0, 1, 4], [1, 0, 1], [2, 1, 0]]  # of large, middling, small
A, C, F, R = (
    tw.AdaBoostClassifier,
    tw.C45Classifier,
    tw.CARTClassifier,
    tw.CARTRegressor,
)
T, N = tw.TreeClassifier, tw.TreeRegressor
RC, RR = tw.RandomForestClassifier, tw.RandomForestRegressor
EC, ER = tw.ExtraTreesClassifier, tw.ExtraTreesRegressor
HC, HR = tw.HoeffdingTreeClassifier, tw.HoeffdingTreeRegressor
SEED: dict[str, Any] = {"random_state": 3}
HELD_OUT = {"validation_share": 0.3, **SEED}
GROUPS = {"criterion": "gain_ratio", "nominal_splits": "multiway", "grouping": "c45"}

# (table, learner, settings); the name of a row is made of all three
MODELS: list[tuple[str, type[Any], dict[str, Any]]] = [
    # ID3
    ("tennis", tw.ID3Classifier, {}),
    ("restaurant", tw.ID3Classifier, {}),
    ("six_rows", tw.ID3Classifier, {"criterion": "gini"}),
    ("dungeon", tw.ID3Classifier, {"empty_branch": "unclassified"}),
    ("watermelon_missing", tw.ID3Classifier, {}),
    ("stagger", tw.ID3Classifier, {"chi_square_level": 0.05}),
    ("garden", tw.ID3Classifier, {"discretize": "mdl"}),
    # C4.5 and its dialects
    ("tennis", C, {}),
    ("tennis", C, {"dialect": "j48"}),
    ("tennis", C, {"dialect": "lecture"}),
    ("watermelon", C, {}),
    ("watermelon_missing", C, {}),
    ("cars", C, {"dialect": "lecture"}),
    ("garden", C, {}),
    ("garden", C, {"dialect": "j48"}),
    ("garden", C, {"dialect": "lecture"}),
    ("garden", C, {"grouping": "c45"}),
    ("garden", C, {"grouping": "c50", "gain_guard": "c50", "threshold_cost": "c50"}),
    ("garden", C, {"binary_splits": True, "dialect": "j48"}),
    ("garden", C, {"confidence": 0.05, "subtree_raising": False}),
    ("garden", C, {"pruning": None, "collapse": None}),
    ("garden", C, {"dialect": "j48", "pruning": "reduced_error", **HELD_OUT}),
    ("garden", C, {"cost_matrix": COSTS, "costs_in_growing": True}),
    ("garden holes", C, {}),
    ("garden holes", C, {"dialect": "j48"}),
    ("garden holes", C, {"dialect": "lecture", "min_share": 0.1}),
    ("waveform", C, {"probabilities": "laplace"}),
    # CART and rpart, classes and numbers
    ("garden", F, {}),
    ("garden", F, {"dialect": "rpart"}),
    ("garden holes", F, {}),
    ("garden holes", F, {"dialect": "rpart"}),
    ("garden arrays", F, {"criterion": "entropy", "max_leaf_nodes": 9}),
    ("garden", F, {"class_weight": "balanced", "max_depth": 4}),
    (
        "garden",
        F,
        {"pruning": "cost_complexity", "alpha_choice": "cross_validation", **SEED},
    ),
    ("growth", R, {"max_depth": 5}),
    ("growth", R, {"dialect": "rpart"}),
    ("growth holes", R, {"dialect": "rpart", "cp": 0.02}),
    ("growth", R, {"criterion": "absolute_error", "min_samples_leaf": 10}),
    # trees put together from settings: criteria, splits, stopping
    ("garden", T, {"criterion": "classification_error", "max_depth": 4}),
    ("garden", T, {"criterion": "gain_ratio", "nominal_splits": "multiway"}),
    ("garden", T, {"nominal_splits": "one_value", "numeric_splits": "lower_value"}),
    ("garden", T, {"criterion": "entropy", "chi_square_level": 0.01}),
    ("garden", T, GROUPS),
    ("garden", T, {"max_leaf_nodes": 7, "min_samples_leaf": 0.02}),
    ("garden", T, {"discretize": "quartiles", "max_depth": 5}),
    ("garden", T, {"discretize": {"light": "equal_width:4"}, "max_depth": 5}),
    ("garden", T, {"cost_matrix": COSTS, "max_depth": 4}),
    ("garden", T, {"cost_matrix": COSTS, "costs_in_growing": True, "max_depth": 4}),
    ("garden", T, {"class_weight": {"large": 3.0, "middling": 1.0, "small": 0.5}}),
    ("garden", T, {"probabilities": "m_estimate", "prior_weight": 5.0}),
    ("garden", T, {"feature_kinds": {"rows": "nominal"}, "max_depth": 5}),
    ("garden both", T, {"max_depth": 4}),
    ("words", T, {}),
    # prunings
    ("garden", T, {"pruning": "error_based", "confidence": 0.1}),
    ("garden", T, {"pruning": "reduced_error", **HELD_OUT}),
    ("garden", T, {"pruning": "pessimistic"}),
    ("garden", T, {"pruning": "minimum_gain", "prune_gain": 0.05}),
    ("garden", T, {"pruning": "chi_square", "prune_level": 0.01}),
    ("garden", T, {"pruning": "cost_complexity", "ccp_alpha": 0.01}),
    # ways with missing values
    ("garden holes", T, {"missing": "own_branch"}),
    ("garden holes", T, {"missing": "majority"}),
    ("garden holes", T, {"missing": "fractional", "max_depth": 6}),
    ("garden holes", T, {"missing": "learned"}),
    ("garden holes", T, {"missing": "most_common"}),
    ("garden holes", T, {"missing": "most_common_in_node"}),
    ("garden holes", T, {"missing": "most_common_in_class"}),
    ("garden holes", T, {"missing": "surrogates", "max_surrogates": 3}),
    # numbers
    ("growth", N, {"max_depth": 4}),
    ("growth", N, {"criterion": "absolute_error", "max_leaf_nodes": 12}),
    ("growth holes", N, {"missing": "surrogates", "max_depth": 5}),
    ("growth holes", N, {"missing": "learned", "max_depth": 5}),
    ("growth", N, {"pruning": "reduced_error", **HELD_OUT}),
    ("growth both", N, {"max_depth": 4}),
    # boosting
    ("garden", A, {"n_estimators": 8, **SEED}),
    ("garden", A, {"n_estimators": 6, "boosting": "m1", "dialect": "c45", **SEED}),
    ("garden", A, {"n_estimators": 6, "boosting": "c50", **SEED}),
    ("waveform", A, {"n_estimators": 5, "by": "resampling", "max_depth": 2, **SEED}),
    # forests
    ("garden", RC, {"n_estimators": 7, **SEED}),
    ("garden", RC, {"n_estimators": 5, "dialect": "c45", "voting": "votes", **SEED}),
    ("garden holes", RC, {"n_estimators": 5, "stratified": True, **SEED}),
    ("waveform", RC, {"n_estimators": 5, "combined_features": 3, **SEED}),
    ("garden", RC, {"n_estimators": 5, "max_samples": 0.5, "oob_score": True, **SEED}),
    ("growth", RR, {"n_estimators": 5, "max_features": 0.5, **SEED}),
    ("garden", EC, {"n_estimators": 6, **SEED}),
    ("twonorm", EC, {"n_estimators": 5, "voting": "votes", "max_depth": 5, **SEED}),
    ("growth", ER, {"n_estimators": 5, "min_samples_leaf": 3, **SEED}),
    # rules
    ("tennis", tw.C45RulesClassifier, {}),
    ("garden", tw.C45RulesClassifier, {}),
    ("garden", tw.C45RulesClassifier, {"fisher": True}),
    ("garden", tw.C45RulesClassifier, {"n_trees": 3, **SEED}),
    # CAL
    ("patients", tw.CAL2Classifier, {}),
    ("tennis", tw.CAL2Classifier, {}),
    ("tennis", tw.CAL3Classifier, {}),
    ("stagger", tw.CAL3Classifier, {"s1": 6, "s2": 0.8}),
    # row by row
    ("sea", HC, {}),
    ("sea", HC, {"leaf_prediction": "naive_bayes", "criterion": "gini", "tau": 0.1}),
    ("hyperplane", HC, {"leaf_prediction": "majority", "grace_period": 50}),
    ("sea numbers", HR, {}),
    ("sea numbers", HR, {"reduction": "deviation", "grace_period": 100}),
    ("garden", tw.IncrementalTreeClassifier, {}),
    ("tennis", tw.IncrementalTreeClassifier, {"dialect": "id3"}),
    # tables beside the repository
    ("shared iris", C, {}),
    ("shared iris", F, {}),
    ("shared votes", C, {}),
    ("shared glass", C, {"dialect": "j48"}),
    ("shared credit", F, {"dialect": "rpart"}),
    ("shared credit", tw.C45RulesClassifier, {}),
    ("shared mpg", R, {"dialect": "rpart"}),
]
# The same learners, given the rows in three parts
IN_PARTS: list[tuple[str, type[Any], dict[str, Any]]] = [
    ("sea", HC, {}),
    ("sea numbers", HR, {}),
    ("garden", tw.IncrementalTreeClassifier, {}),
]


def name_of(row: tuple[str, type[Any], dict[str, Any]]) -> str:
    where, learner, settings = row
    said = ", ".join(f"{name}={value!r}" for name, value in settings.items())
    return f"{learner.__name__}({said}) of {where}"


ROWS = {name_of(row): (row, False) for row in MODELS} | {
    f"{name_of(row)}, in parts": (row, True) for row in IN_PARTS
}


def fitted(name: str) -> Any:
    """Return the model of a row."""
    (where, learner, settings), in_parts = ROWS[name]
    X, y = table(where)
    model = learner(**settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not in_parts:
            return model.fit(X, y)
        classes = {} if where == "sea numbers" else {"classes": sorted(set(y))}
        third = len(y) // 3
        for start, stop in ((0, third), (third, 2 * third), (2 * third, len(y))):
            model.partial_fit(X[start:stop], y[start:stop], **classes)
    return model


def digest(content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()[:16]


def answers(model: Any, X: Any) -> str:
    """Return what a model says of rows, as text; of classes their shares, too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        said = [np.asarray(model.predict(X)).tolist()]
        if hasattr(model, "predict_proba"):
            shares = model.predict_proba(X)
            several = isinstance(shares, list)
            said += [one.tolist() for one in (shares if several else [shares])]
    return repr(said)


def without_version(saved: bytes) -> bytes:
    """Return a model file without the version that wrote it, and its checksum."""
    return re.sub(rb'\\"(treewright|checksum)\\":\\"[^"]*"', b"", saved)


def seen(name: str) -> dict[str, str]:
    """Return what is pinned of a model."""
    model = fitted(name)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.tw"
        model.save(file)
        saved = file.read_bytes()
        again = tw.load(file)
    X, _ = table(ROWS[name][0][0])
    said = answers(model, X)
    assert again.fingerprint() == model.fingerprint(), "load gives another model"
    assert answers(again, X) == said, "load gives another model"
    return {
        "fingerprint": model.fingerprint(),
        "file": digest(without_version(saved)),
        "answers": digest(said),
    }


# ---- command lines -------------------------------------------------------------------

# Written into the folder that the commands run in
FILES: dict[str, Callable[[], pl.DataFrame]] = {
    "garden.csv": lambda: garden().with_columns(pl.Series("size", size())),
    "holes.csv": lambda: garden(holes=True).with_columns(pl.Series("size", size())),
    "growth.csv": lambda: garden().with_columns(pl.Series("height", growth())),
}
# A line may be several commands; what the last one prints is pinned
COMMANDS = [
    "fit tennis",
    "fit restaurant --algorithm aima",
    "fit tennis --algorithm cal3 --set s1=4 --set s2=0.7",
    "fit tennis --algorithm forest --set random_state=1 --set n_estimators=20",
    "fit watermelon --ignore 编号 --algorithm c45",
    "fit garden.csv --target size --algorithm j48 --cv 5",
    "fit holes.csv --target size --algorithm rpart",
    "fit growth.csv --target height --set max_depth=3",
    "fit garden.csv --target size --algorithm adaboost --set n_estimators=5",
    "fit garden.csv --target size --algorithm c45rules",
    "fit garden.csv --target size --algorithm id3 --discretize mdl",
    "chalk tennis",
    "chalk tennis --algorithm c45 --language de --digits 3",
    "chalk watermelon --ignore 编号 --algorithm c45 --node 0 --format latex",
    "chalk tennis --algorithm cal3 --language ko",
    "chalk tennis --algorithm c45rules",
    "chalk six_rows --format markdown --quiz",
    "chalk tennis --algorithm forest --set random_state=1 --tree 3 --format html",
    "chalk watermelon_missing --algorithm lecture --language zh",
    "chalk garden.csv --target size --algorithm j48 --depth 1 --format json",
    "chalk growth.csv --target height --set max_depth=2",
    "rules tennis",
    "rules tennis --formula",
    "rules garden.csv --target size --algorithm c45rules --format json",
    "fit garden.csv --target size --algorithm c45 -o g.tw; rules g.tw --sort lift",
    "fit holes.csv --target size -o g.tw; rules g.tw holes.csv --worth --conflicts",
    "evaluate tennis --leave-one-out",
    "evaluate garden.csv --target size --algorithm c45 --folds 4 --seed 2",
    "evaluate growth.csv --target height --folds 3 --format json",
    "compare garden.csv --target size --algorithms c45,cart,id3 --discretize mdl "
    "--folds 3",
    "compare tennis restaurant watermelon --folds 3",
    "fit tennis -o t.tw; show t.tw --style lecture",
    "fit garden.csv --target size --algorithm c45 -o g.tw; show g.tw --format json",
    "fit garden.csv --target size --algorithm cart -o g.tw; show g.tw --format dot",
    "fit growth.csv --target height -o g.tw; show g.tw --max-depth 2 --format svg",
    "tune tennis --folds 3",
    "tune growth.csv --target height --folds 3 --space max_depth=2,3",
    "missing holes.csv --target size --folds 3",
    "differ garden.csv --target size --between c45 j48",
    "check holes.csv --target size",
    "stream garden.csv --target size --set grace_period=50",
    "fit garden.csv --target size --algorithm c45 -o g.tw; predict g.tw garden.csv",
    "demo",
    "fit --help",
]


def program() -> Callable[[], None]:
    """Return what the command `treewright` calls."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))
    module, name = project["project"]["scripts"]["treewright"].split(":")
    return getattr(importlib.import_module(module), name)


@contextmanager
def quiet_place() -> Iterator[None]:
    """Work in a folder with the files, at 80 columns, and put all back as it was."""
    interrupt, words = signal.getsignal(signal.SIGINT), sys.argv
    width = {"COLUMNS": "80", "TERM": "xterm"}
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for name, frame in FILES.items():
            frame().write_csv(name)
        with patch.dict(os.environ, width):
            try:
                yield
            finally:
                sys.argv = words
                signal.signal(signal.SIGINT, interrupt)
                signal.set_wakeup_fd(-1)  # the command's watch would end the tests


def run(words: list[str]) -> str:
    """Return what `treewright` prints when it is called with these words."""
    out, faults = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    sys.argv = ["treewright", *words]
    with (
        redirect_stdout(out),
        redirect_stderr(faults),
        pytest.raises(SystemExit) as end,
    ):
        program()()
    out.flush()
    faults.flush()
    assert not end.value.code, faults.buffer.getvalue().decode()
    return out.buffer.getvalue().decode()


def printed(line: str) -> str:
    """Return what a command line prints, without the times in it."""
    with quiet_place():
        pages = [run(shlex.split(command)) for command in line.split(";")]
    return without_times(pages[-1])


def without_times(text: str) -> str:
    """Return a page without seconds, rows per second, and how Python was started."""
    text = re.sub(r"^Usage: .*?treewright", "Usage: treewright", text)
    if "  seconds" in text:
        text = re.sub(r" +\d+\.\d\d(?=  |$)", " TIME", text, flags=re.MULTILINE)
    if "rows/s" in text:
        ending = r" +[\d,]+(?= rows a second|$)"
        text = re.sub(ending, " SPEED", text, flags=re.MULTILINE)
    return text


# ---- the tests -----------------------------------------------------------------------


def golden() -> dict[str, Any]:
    return json.loads(GOLDEN.read_text("utf-8"))


def test_golden_file_has_these_rows():
    assert list(golden()["models"]) == list(ROWS)
    assert list(golden()["commands"]) == COMMANDS


@pytest.mark.parametrize("name", ROWS)
def test_model_is_as_recorded(name):
    how = f'see it: python tests/test_fingerprints.py --show "{name}"'
    assert seen(name) == golden()["models"][name], how


@pytest.mark.parametrize("line", COMMANDS)
def test_page_is_as_recorded(line):
    how = f'see it: python tests/test_fingerprints.py --show "{line}"'
    assert digest(printed(line)) == golden()["commands"][line], how


def write() -> None:
    """Write all hashes anew; those of tables that are not here stay."""
    old = golden()["models"] if GOLDEN.exists() else {}
    models = {}
    for name in ROWS:
        try:
            models[name] = seen(name)
        except pytest.skip.Exception:
            models[name] = old[name]
    new = {
        "models": models,
        "commands": {line: digest(printed(line)) for line in COMMANDS},
    }
    text = json.dumps(new, indent=1, ensure_ascii=False)
    GOLDEN.write_text(text + "\n", encoding="utf-8")


def show(name: str) -> None:
    """Print a page, or what is pinned of a model and the tree itself."""
    if name not in ROWS:
        print(printed(name), end="")
        return
    print(json.dumps(seen(name), indent=1))
    model = fitted(name)
    print(model.to_text() if hasattr(model, "to_text") else model)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--write"]:
            write()
        case ["--show", name]:
            show(name)
        case _:
            sys.exit(__doc__)
