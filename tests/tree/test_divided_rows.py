"""Models whose nodes send a row without a value down every branch, in shares."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from refusals import refused
from treewright.data.encoding.encode import encode
from treewright.errors import ModelFileError
from treewright.estimators.parts.explain import explain_row
from treewright.learners.dialects.c45 import C45
from treewright.learners.dialects.cart import CART_NUMBERS
from treewright.learners.dialects.id3 import ID3
from treewright.learners.recipe import grow_tree
from treewright.render import to_dot, to_json, to_text
from treewright.tree.file.save import from_bytes, to_bytes
from treewright.tree.file.validate import validate_model
from treewright.tree.predict import place, vote
from treewright.tree.structure.tree import EVERY_BRANCH

# Quinlan (1993), chapter 3: the weather table with one outlook unknown
OUTLOOK = ["sunny"] * 5 + [None] + ["overcast"] * 3 + ["rain"] * 5
HUMIDITY = [70, 90, 85, 95, 70, 90, 78, 65, 75, 80, 70, 80, 80, 96]
WINDY = ["t", "t", "f", "f", "f", "t", "f", "t", "f", "t", "t", "f", "f", "f"]
WEATHER = {"outlook": OUTLOOK, "humidity": HUMIDITY, "windy": WINDY}
PLAY = ["Play", *["Don't"] * 3, *["Play"] * 5, "Don't", "Don't", *["Play"] * 3]
ROW = {"outlook": None, "humidity": 70, "windy": "t"}


@pytest.fixture(scope="module")
def model():
    return grow_tree(encode(WEATHER, PLAY, task="classes"), C45)


def with_branch(model, node, branch, **arrays):
    tree = model.trees[0]
    missing = tree.missing_branch.copy()
    missing[node] = branch
    tree = replace(tree, missing_branch=missing, **arrays)
    return replace(model, trees=(tree,))


def test_listing_is_that_of_the_book(model):
    # the row without an outlook is 5/13 sunny, 3/13 overcast and 5/13 rain
    assert to_text(model, "lecture").splitlines() == [
        "outlook overcast: Play (3.23)",
        "outlook rain",
        "| windy f: Play (3)",
        "| windy t: Don't (2.38/0.38)",
        "outlook sunny",
        "| humidity <= 75: Play (2)",
        "| humidity > 75: Don't (3.38/0.38)",
    ]


def test_listings_say_where_missing_values_go(model):
    words = "missing values: all branches, in shares"
    assert to_text(model).splitlines()[-1] == words
    assert f'graph [label="{words}"' in to_dot(model)
    nodes = json.loads(to_json(model))["trees"][0]["nodes"]
    assert [node["missing"] for node in nodes if "missing" in node] == ["every"] * 3


def test_explanation_has_the_share_of_each_part(model):
    # of 3.38 + 2 sunny rows 2 have at most 75: 5/13 x 5.38 / 14 and so on
    assert explain_row(model, ROW).splitlines() == [
        "outlook is missing: goes down all branches, in shares",
        "  23.1 %: outlook = overcast → target Play (4 training rows; 100 % of this "
        "class; pure)",
        "  38.5 %: outlook = rain, windy = t → target Don't (3 training rows; 83.9 % "
        "of this class; no split leaves enough rows on each side)",
        "  38.5 %: outlook = sunny, humidity <= 75 → target Play (2 training rows; "
        "100 % of this class; pure)",
        "→ target Play (the mean over the parts; 67.7 % of this class)",
    ]


def test_decision_path_has_the_nodes_of_all_parts(model):
    rows = {name: [ROW[name], WEATHER[name][0]] for name in ROW}
    indptr, nodes = model.decision_path(rows)
    tree = model.trees[0]
    overcast, rain, sunny = tree.children(0)
    windy = tree.children(rain)[1]
    at_most = tree.children(sunny)[0]
    assert nodes[: indptr[1]].tolist() == [0, overcast, rain, sunny, windy, at_most]
    assert nodes[indptr[1] :].tolist() == [0, sunny, at_most]


def test_model_file_keeps_the_rule(model):
    back = from_bytes(to_bytes(model))
    assert (back.trees[0].missing_branch[0]) == EVERY_BRANCH
    table = {name: [cell] for name, cell in ROW.items()}
    assert np.array_equal(back.predict_proba(table), model.predict_proba(table))


def test_fingerprint_tells_dividing_from_stopping(model):
    assert with_branch(model, 0, -1).fingerprint() != model.fingerprint()
    assert with_branch(model, 0, 0).fingerprint() != model.fingerprint()


def test_leaf_cannot_divide_rows(model):
    with refused(ModelFileError, "tree 0", "node 1", "question", "value"):
        validate_model(with_branch(model, 1, EVERY_BRANCH))


def test_branches_without_weight_cannot_divide_rows(model):
    tree = model.trees[0]
    weight = tree.weight.copy()
    weight[list(tree.children(0))] = 0.0
    with refused(ModelFileError, "tree 0", "node 0", "branch", "weight"):
        validate_model(with_branch(model, 0, EVERY_BRANCH, weight=weight))


@pytest.mark.parametrize("most_parts", [1, 7, 100])
@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_rows_divided_in_blocks_get_the_same_answers(monkeypatch, task, most_parts):
    random = np.random.default_rng(8)
    names = np.array([None, *"abcdefgh"], object)
    table = {
        "first": names[random.integers(0, 9, 200)],
        "second": names[random.integers(0, 9, 200)],
        "number": np.where(random.random(200) < 0.3, np.nan, random.normal(size=200)),
    }
    target = random.integers(0, 3, 200) if task == "classes" else random.random(200)
    dialect = C45.change(pruning=None)
    if task == "numbers":
        dialect = CART_NUMBERS.change(missing="fractional", min_samples_leaf=5)
    model = grow_tree(encode(table, target, task=task), dialect)

    def answers():
        found = [model.predict(table), model.apply(table), *model.decision_path(table)]
        if task == "classes":
            found.append(model.predict_proba(table))
        return [array.tobytes() for array in found]

    at_once = answers()
    monkeypatch.setattr(place, "MOST_PARTS", most_parts)
    monkeypatch.setattr(vote, "MOST_PARTS", most_parts)
    divided = model.ends(model.encode(table)[0]).divided[0]
    assert divided is not None
    assert len(list(divided.blocks())) > 1
    assert answers() == at_once


def test_blocks_bound_the_parts_that_are_held(monkeypatch):
    names = np.array([f"v{k}" for k in range(50)], object)
    table = {"name": np.append(names, [None] * 50)}
    target = np.arange(100) % 2
    dialect = ID3.change(missing="fractional")
    model = grow_tree(encode(table, target, task="classes"), dialect)
    monkeypatch.setattr(place, "MOST_PARTS", 500)
    divided = model.ends(model.encode(table)[0]).divided[0]
    assert divided is not None
    sizes = [len(parts.row) for parts in divided.blocks()]
    assert sum(sizes) == 50 * 50
    assert max(sizes) <= 500
