"""The section of a model file about costs and corrected probabilities."""

from __future__ import annotations

import copy
from dataclasses import replace

import handmade
import pytest

from refusals import refused
from treewright.errors import ModelFileError
from treewright.tree.file.container import pack, unpack
from treewright.tree.file.save import from_bytes, to_bytes
from treewright.tree.predict.vote import Smoothing

COSTS = ((0.0, 5.0), (1.0, 0.0))


def with_answers(costs=COSTS, smoothing=None):
    model = handmade.tennis()
    target = replace(model.schema.target, costs=costs)
    return replace(
        model,
        schema=replace(model.schema, target=target),
        smoothing=smoothing or Smoothing("m_estimate", 3.0),
    )


def changed(change):
    header, arrays = unpack(to_bytes(with_answers()))
    header = copy.deepcopy(header)
    change(header)
    return pack(header, arrays)


def test_plain_answers_need_no_section():
    header, _ = unpack(to_bytes(handmade.tennis()))
    assert header["required"] == ["model", "schema"]
    assert "answers" not in header


def test_section_is_required_where_it_is_there():
    header, _ = unpack(to_bytes(with_answers()))
    assert header["required"] == ["model", "schema", "answers"]
    assert header["answers"] == {
        "costs": [[0.0, 5.0], [1.0, 0.0]],
        "probabilities": "m_estimate",
        "prior_weight": 3.0,
    }


@pytest.mark.parametrize(
    ("costs", "smoothing"),
    [
        (COSTS, Smoothing()),
        (None, Smoothing("laplace")),
        (COSTS, Smoothing("m_estimate", 0.5)),
    ],
)
def test_answers_come_back(costs, smoothing):
    back = from_bytes(to_bytes(with_answers(costs, smoothing)))
    assert back.schema.target.costs == costs
    assert back.smoothing == smoothing


@pytest.mark.parametrize(
    ("key", "value", "names"),
    [
        ("costs", [[0.0, 5.0]], ("costs", "2 rows", "2 numbers")),
        ("costs", [[0.0, 5.0], [1.0]], ("costs", "2 rows", "2 numbers")),
        ("costs", [[0.0, -5.0], [1.0, 0.0]], ("costs", "finite", "negative")),
        ("costs", [[2.0, 5.0], [1.0, 0.0]], ("class", "cost 0")),
        ("costs", [[0.0, "5"], [1.0, 0.0]], ("costs", "not", "numbers")),
        ("costs", "none", ("header", "'costs'", "str", "list")),
        ("probabilities", "best", ("raw, laplace, m_estimate", "'best'")),
        ("probabilities", 1, ("header", "'probabilities'", "int", "str")),
        ("prior_weight", -1.0, ("prior_weight", -1.0)),
    ],
)
def test_wrong_section_is_refused(key, value, names):
    def change(header):
        header["answers"][key] = value

    with refused(ModelFileError, *names):
        from_bytes(changed(change))


def test_costs_are_for_classes():
    model = handmade.regression()
    target = replace(model.schema.target, costs=COSTS)
    with refused(ModelFileError, "costs", "classes", "1 output"):
        to_bytes(replace(model, schema=replace(model.schema, target=target)))
    with refused(ModelFileError, "probabilities", "'laplace'", "numbers"):
        to_bytes(replace(model, smoothing=Smoothing("laplace")))
