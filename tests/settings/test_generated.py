"""What is made of the rows of settings and checked in is up to date."""

from __future__ import annotations

import importlib.util
import inspect
from pathlib import Path

import pytest

import treewright as tw
from treewright.estimators.parts.parameters import parameters_of

ROOT = Path(__file__).parents[2]
ESTIMATORS = [name for name in tw.__all__ if hasattr(getattr(tw, name), "family")]


def generate():
    path = ROOT / "tools" / "generate.py"
    spec = importlib.util.spec_from_file_location("generate", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_files_are_up_to_date():
    stale = [
        path.relative_to(ROOT).as_posix()
        for path, text in generate().generated().items()
        if path.read_text(encoding="utf-8") != text
    ]
    assert stale == [], "run 'make generated'"


@pytest.mark.parametrize("name", ESTIMATORS)
def test_signature_is_that_of_the_rows(name):
    owner = getattr(tw, name)
    signature = inspect.signature(owner).parameters
    assert [(one.name, one.default) for one in parameters_of(owner)] == [
        (one.name, one.default) for one in signature.values()
    ]


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_parameter_is_in_the_docstring(name):
    owner = getattr(tw, name)
    for one in parameters_of(owner):
        assert f"\n    {one.name} : " in owner.__doc__
