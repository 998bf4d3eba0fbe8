"""Models as JSON."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import handmade
import hostile
import numpy as np
import pytest

from treewright.render import to_json


def refuse(word):
    raise AssertionError(f"{word} is not strict JSON")


def read(model):
    return json.loads(to_json(model), parse_constant=refuse)


@pytest.mark.parametrize("name", handmade.ALL)
def test_text_is_strict_json_with_all_nodes(name):
    model = handmade.ALL[name]()
    data = read(model)
    assert data["format"] == "treewright-json"
    assert data["version"] == "1.0"
    assert len(data["trees"][0]["nodes"]) == model.trees[0].node_count


def test_nodes_speak_in_names():
    root, overcast, rain, *_ = read(handmade.tennis())["trees"][0]["nodes"]
    assert root["question"] == {"kind": "multiway", "feature": "Outlook"}
    assert root["children"] == [1, 2, 3]
    assert root["class_weights"] == [[["No", 5.0], ["Yes", 9.0]]]
    assert overcast["branch"] == "Outlook = Overcast"
    assert overcast["prediction"] == ["Yes"]
    assert overcast["reason"] == "pure"
    assert rain["parent"] == 0
    assert "reason" not in rain


def test_groups_have_the_values_of_each_branch():
    nodes = read(handmade.groups())["trees"][0]["nodes"]
    assert [node["question"] for node in nodes if "question" in node] == [
        {
            "kind": "groups",
            "feature": "colour",
            "values": [["red", "blue"], ["green"], ["grey"]],
        },
        {
            "kind": "groups",
            "feature": "shape",
            "values": [["square"], ["round", "flat"]],
            "missing_has_own_branch": True,
        },
    ]


def test_questions_have_values():
    nodes = read(handmade.subsets())["trees"][0]["nodes"]
    questions = [node["question"] for node in nodes if "question" in node]
    assert questions == [
        {"kind": "subset", "feature": "colour", "values": ["red", "blue"]},
        {"kind": "order", "feature": "size", "threshold": "medium"},
        {"kind": "subset", "feature": "colour", "values": ["green"]},
        {
            "kind": "cut",
            "feature": "age",
            "threshold": 0.3815,
            "missing_has_own_branch": True,
        },
        {"kind": "known", "feature": "colour"},
    ]


def test_missing_is_a_child_or_nothing():
    nodes = read(handmade.subsets())["trees"][0]["nodes"]
    assert nodes[3]["missing"] == nodes[3]["children"][2]
    assert nodes[1]["missing"] is None


def test_wide_thresholds_are_exact():
    nodes = read(handmade.wide())["trees"][0]["nodes"]
    thresholds = [node["question"]["threshold"] for node in nodes if "question" in node]
    assert thresholds == [2**60 + 1, "2026-01-31T12:30", 2**64 - 2, "90 seconds"]


def test_numbers():
    nodes = read(handmade.several_numbers())["trees"][0]["nodes"]
    assert nodes[1]["prediction"] == [1.0, -2.5]
    assert "class_weights" not in nodes[1]


def test_labels_beyond_json_become_text():
    model = handmade.tennis()
    target = replace(model.schema.target, classes=((math.inf, (1, np.int64(2))),))
    settings = {"a": math.nan, "b": np.float64(0.5), "c": (1, 2)}
    schema = replace(model.schema, target=target)
    data = read(replace(model, schema=schema, settings=settings))
    assert data["target"]["outputs"][0]["classes"] == ["inf", [1, 2]]
    assert data["settings"] == {"a": "nan", "b": 0.5, "c": [1, 2]}


@pytest.mark.parametrize("name", hostile.NAMES, ids=range(len(hostile.NAMES)))
def test_hostile_names_come_back(name):
    text = to_json(hostile.model(name))
    data = json.loads(text)
    assert data["features"][0]["name"] == name
    assert data["features"][0]["categories"][0] == name
    assert data["trees"][0]["nodes"][0]["question"]["feature"] == name
    text.encode()


def test_each_node_has_a_line():
    lines = to_json(handmade.tennis()).splitlines()
    assert sum(line.startswith('  {"id": ') for line in lines) == 8
