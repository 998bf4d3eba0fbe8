"""A made-up setting of a made-up learner is found wherever settings are.

The learner grows CART's tree and stops at a depth that its one setting says.
"""

from __future__ import annotations

import dataclasses
import inspect

import pytest

import treewright as tw
from refusals import refused
from treewright.cli.main import main as program
from treewright.errors import SettingError
from treewright.estimators import trees
from treewright.estimators.parts.parameters import (
    documented,
    keeps_arguments,
    parameters_of,
    signature_source,
)
from treewright.estimators.parts.tasks import ClassTask
from treewright.estimators.parts.tree_estimator import TreeEstimator
from treewright.grow.dialect import Dialect, TreeSettings
from treewright.learners import registry, setting_words
from treewright.learners.dialects.cart import CART
from treewright.learners.recipe import grow_tree
from treewright.learners.registry import ONE_TREE, Fitted, Learner
from treewright.settings.kinds import OneOf, Whole
from treewright.settings.row import Clash, row, shared


@dataclasses.dataclass(frozen=True)
class BonsaiSettings(TreeSettings):
    height: int = row(
        Whole(1, 9),
        "How high the tree may become.",
        default=2,
        tries=(1, 2, 3),
        clashes=(
            Clash(
                lambda s: s.height > 5 and s.pot == "small",
                "height is above 5, and pot='small' holds no such tree; use "
                "pot='large', or a smaller height",
            ),
        ),
    )
    pot: str = row(OneOf("small", "large"), "What it stands in.", default="small")
    missing: str = shared(Dialect, "missing")
    unseen: str = shared(Dialect, "unseen")


BONSAI = BonsaiSettings(name="bonsai", missing="majority")


def fit_bonsai(columns, trees, own, *, n_jobs, **more):
    model = grow_tree(columns, CART.change(max_depth=trees.height), n_jobs=n_jobs)
    settings = {**model.settings, **trees.settings()}
    return Fitted(dataclasses.replace(model, learner="bonsai", settings=settings))


@pytest.fixture
def bonsai(monkeypatch):
    learner = Learner(
        "bonsai",
        {"bonsai": {"classes": BONSAI}},
        fit_bonsai,
        frozenset({ONE_TREE}),
        estimators={"classes": "trees.BonsaiClassifier"},
    )
    monkeypatch.setitem(registry.LEARNERS, "bonsai", learner)
    return learner


@pytest.fixture
def estimator(bonsai, monkeypatch):
    body = {}
    owner = type(
        "BonsaiClassifier",
        (ClassTask, TreeEstimator),
        {
            "family": "cal",  # one that has every row
            "task": "classes",
            "learner": "bonsai",
            "dialect": BONSAI,
            "__doc__": "A small tree.\n\n    Parameters\n    ----------\n"
            "    {parameters}\n",
            "class_weight": None,
        },
    )
    source = inspect.cleandoc(signature_source(owner))
    names = {"keeps_arguments": keeps_arguments}
    exec(f"from __future__ import annotations\n{source}", names, body)
    owner.__init__ = body["__init__"]
    monkeypatch.setattr(trees, "BonsaiClassifier", owner, raising=False)
    return documented(owner)


def run(words, capsys):
    with pytest.raises(SystemExit) as end:
        program(words, prog_name="treewright")
    said = capsys.readouterr()
    return end.value.code, said.out, said.err


def test_value_is_checked(bonsai):
    with refused(SettingError, "height", 10):
        BONSAI.change(height=10)


def test_contradiction_is_refused_with_the_remedy(bonsai):
    with refused(SettingError, "height", "pot='small'", "pot='large'"):
        BONSAI.change(height=6)


def test_estimator_has_it_in_signature_stub_and_docstring(estimator):
    (height,) = (one for one in parameters_of(estimator) if one.name == "height")
    assert (height.annotation, height.default) == ("int", 2)
    assert inspect.signature(estimator).parameters["height"].default == 2
    assert "        height: int = 2,\n" in signature_source(estimator)
    assert "height : int, default=2" in estimator.__doc__
    assert "How high the tree may become." in estimator.__doc__


def test_estimator_obeys_and_checks_it(estimator):
    X, y = tw.datasets.tennis()
    assert estimator(height=1).fit(X, y).get_depth() == 1
    with refused(SettingError, "height", "'tall'"):
        estimator(height="tall").fit(X, y)


def test_file_keeps_it(estimator, tmp_path):
    X, y = tw.datasets.tennis()
    path = tmp_path / "bonsai.tw"
    estimator(height=3).fit(X, y).save(path)
    again = tw.load(path)
    assert type(again) is estimator
    assert again.height == 3


def test_tune_tries_it(estimator):
    X, y = tw.datasets.tennis()
    found = tw.tune(estimator(), X, y, folds=3)
    assert [one.settings for one in found.trials] == [
        {"height": 1},
        {"height": 2},
        {"height": 3},
    ]


def test_command_line_sets_it(bonsai, capsys):
    words = ["fit", "tennis", "--algorithm", "bonsai", "--set"]
    code, out, _ = run([*words, "height=1"], capsys)
    assert code == 0
    assert "algorithm bonsai, height=1" in out
    code, _, err = run([*words, "height=0"], capsys)
    assert code != 0
    assert "height is 0" in err
    code, _, err = run([*words, "heightt=1"], capsys)
    assert "did you mean 'height'" in err


def test_help_and_reference_page_list_it(bonsai):
    from treewright.cli.options.algorithm import switch_table

    assert "And for --algorithm bonsai:" in switch_table()
    assert "height                    a whole number from 1 to 9  [2]" in switch_table()
    line = (
        "| `height` | a whole number from 1 to 9 | 2 | How high the tree may become. |"
    )
    assert line in setting_words.page()


def test_setting_about_classes_is_refused_where_numbers_are_predicted(tmp_path, capsys):
    file = tmp_path / "prices.csv"
    file.write_text("size,price\n" + "".join(f"{n},{n * n}.5\n" for n in range(9)))
    code, _, err = run(
        ["fit", str(file), "--target", "price", "--set", "label_ties=first"], capsys
    )
    assert code != 0
    assert "label_ties" in err
