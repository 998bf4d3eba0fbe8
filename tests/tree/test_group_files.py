"""Groups of values in model files: kept exactly, announced, and checked."""

from __future__ import annotations

import handmade
import numpy as np
import pytest

from refusals import refused
from treewright.errors import ModelFileError
from treewright.tree import from_bytes, to_bytes
from treewright.tree.file.container import pack, unpack

GOOD = to_bytes(handmade.groups())


def changed(**sections):
    """Return the file with other sections in its header; None takes one out."""
    header, arrays = unpack(GOOD)
    header |= sections
    return pack({name: x for name, x in header.items() if x is not None}, arrays)


def test_groups_come_back_as_they_were():
    tree = from_bytes(GOOD).trees[0]
    assert tree.groups(0) == [[0, 2], [1], [3]]
    assert tree.groups(1) == [[1], [0, 2]]
    assert to_bytes(from_bytes(GOOD)) == GOOD


def test_section_is_required_only_where_there_are_groups():
    header, arrays = unpack(GOOD)
    assert header["groups"] == {"n_nodes": 2}
    assert "groups" in header["required"]
    assert arrays["set_codes"].tolist() == [0, 1, 0, 2, 1, 0, 1]
    plain, _ = unpack(to_bytes(handmade.subsets()))
    assert "groups" not in plain


@pytest.mark.parametrize("section", [{"n_nodes": 1}, {"n_nodes": 3}, {"n_nodes": -1}])
def test_another_number_of_nodes_is_refused(section):
    with refused(ModelFileError, "2 nodes", "groups", section["n_nodes"]):
        from_bytes(changed(groups=section))


def test_groups_that_were_not_announced_are_refused():
    with refused(ModelFileError, "2 nodes", "groups", 0):
        from_bytes(changed(groups=None, required=["model", "schema"]))


@pytest.mark.parametrize(
    ("section", "names"),
    [
        ({}, ("no 'n_nodes'",)),
        ({"n_nodes": "2"}, ("'n_nodes'", "str", "int")),
        ({"n_nodes": None}, ("'n_nodes'", "NoneType", "int")),
        ([], ("'groups'", "list", "dict")),
    ],
)
def test_section_of_another_form_is_refused(section, names):
    with refused(ModelFileError, "header", *names):
        from_bytes(changed(groups=section))


@pytest.mark.parametrize("codes", [[0, 1, 0, 7], [0, 0, 0, 0], [0, -1, 0, 1]])
def test_branches_that_do_not_exist_are_refused(codes):
    header, arrays = unpack(GOOD)
    arrays["set_codes"] = np.array([*codes, 1, 0, 1], np.int32)
    with refused(ModelFileError, "tree 0", "node 0"):
        from_bytes(pack(header, arrays))
