"""Trees with groups of values are pruned in every way, at the fit and after it."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import treewright as tw
from treewright.tree.structure.tree import NodeKind

RANDOM = np.random.default_rng(5)
N_ROWS = 400
TOWNS = np.array(list("abcdefgh"))
TABLE = pl.DataFrame(
    {
        "town": TOWNS[RANDOM.integers(0, 8, N_ROWS)],
        "street": TOWNS[RANDOM.integers(0, 5, N_ROWS)],
        "size": RANDOM.integers(0, 9, N_ROWS).astype(float),
    }
).with_columns(
    pl.when(pl.Series(RANDOM.random(N_ROWS) < 0.1)).then(None).otherwise("town")
)
KNOWN = TABLE["town"].fill_null("a").is_in(list("ceg")).to_numpy()
CLASSES = np.where(RANDOM.random(N_ROWS) < 0.25, RANDOM.random(N_ROWS) < 0.5, KNOWN)
GROW, HELD = slice(0, None, 2), slice(1, None, 2)
SWITCHES = {
    "error_based": {"confidence": 0.1},
    "pessimistic": {},
    "chi_square": {"prune_level": 1e-3},
    "minimum_gain": {"prune_gain": 0.05},
    "reduced_error": {},
    "cost_complexity": {"ccp_alpha": 0.01},
}
GROWN = {"grouping": "c45", "pruning": None, "collapse": None}


def rows_for(how: str) -> tuple[pl.DataFrame, np.ndarray] | tuple[()]:
    if how == "reduced_error":
        return TABLE[HELD], CLASSES[HELD]
    return (TABLE[GROW], CLASSES[GROW]) if how == "error_based" else ()


@pytest.fixture(scope="module")
def grown() -> tw.C45Classifier:
    return tw.C45Classifier(**GROWN).fit(TABLE[GROW], CLASSES[GROW])


@pytest.mark.parametrize("how", SWITCHES)
def test_pruning_a_fitted_tree_is_fitting_with_pruning(grown, how):
    less = grown.prune(how, *rows_for(how), **SWITCHES[how])
    fitted = tw.C45Classifier(**GROWN | {"pruning": how} | SWITCHES[how])
    validation = rows_for(how) if how == "reduced_error" else None
    fitted.fit(TABLE[GROW], CLASSES[GROW], validation=validation)
    assert less.fingerprint() == fitted.fingerprint()
    assert 1 < less.get_n_leaves() < grown.get_n_leaves()
    assert NodeKind.GROUPS in less.tree_.kind


@pytest.mark.parametrize("how", SWITCHES)
def test_pruned_tree_is_saved_and_answers_as_before(grown, how, tmp_path):
    less = grown.prune(how, *rows_for(how), **SWITCHES[how])
    less.save(tmp_path / "less.tw")
    again = tw.load(tmp_path / "less.tw")
    assert again.fingerprint() == less.fingerprint()
    assert again.grouping == "c45"
    np.testing.assert_array_equal(
        again.predict_proba(TABLE[HELD]), less.predict_proba(TABLE[HELD])
    )
