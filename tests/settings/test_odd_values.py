"""Values of settings that are written otherwise than usual, and mean the same."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import SettingError

FLAGS = ("zero_gain", "single_precision", "subtree_raising", "reuse_features")


@pytest.mark.parametrize("flag", FLAGS)
@pytest.mark.parametrize("value", [True, False])
def test_numpys_flags_and_0_and_1_are_flags(flag, value):
    X, y = tw.datasets.tennis()
    usual = tw.C45Classifier(**{flag: value}).fit(X, y)
    for written in (np.bool_(value), int(value), float(value), np.int64(value)):
        tree = tw.C45Classifier(**{flag: written}).fit(X, y)
        assert tree.fingerprint() == usual.fingerprint()
        assert tree.model_.settings[flag] is value


@pytest.mark.parametrize("value", [2, "yes", None.__class__, 0.5])
def test_other_things_are_no_flags(value):
    X, y = tw.datasets.tennis()
    with refused(SettingError, "zero_gain", "True", "False"):
        tw.C45Classifier(zero_gain=value).fit(X, y)


@pytest.mark.parametrize("kind", [tw.C45Classifier, tw.CARTClassifier])
def test_depth_beyond_all_bounds_is_none(kind):
    X, y = tw.datasets.tennis()
    deep = kind(max_depth=10**20).fit(X, y)
    assert deep.fingerprint() == kind().fit(X, y).fingerprint()


def test_of_two_settings_that_are_refused_the_first_is_named():
    from treewright.cli.options.algorithm import Recipe

    for first, second in (("pruning", "ccp_alpha"), ("ccp_alpha", "pruning")):
        typed = {"pruning": None, "ccp_alpha": 0.1}
        with refused(SettingError, first):
            Recipe("forest", {name: typed[name] for name in (first, second)})
