"""What the page predicts is what Python predicts, for every kind of model."""

from __future__ import annotations

import numpy as np
import pytest
from explored_models import MODELS, as_dicts, random_rows

pytestmark = pytest.mark.slow

CALLS = """rows => rows.map(row => [
    window.treewright.predict(row), PROBA ? window.treewright.predictProba(row) : null
])"""


def plain(answers: np.ndarray) -> list:
    """Python's answers as JSON has them: no class is null."""

    def one(answer):
        is_nothing = isinstance(answer, float) and np.isnan(answer)
        return None if is_nothing else answer

    if answers.ndim == 1:
        return [one(answer) for answer in answers.tolist()]
    return [[one(answer) for answer in row] for row in answers.tolist()]


@pytest.mark.parametrize("name", MODELS)
def test_answers_are_those_of_python(open_page, name):
    model = MODELS[name]()
    rows = random_rows(model)
    is_classes = model.model_.schema.target.kind == "classes"
    page = open_page(model.model_)
    found = page.evaluate(
        CALLS.replace("PROBA", "true" if is_classes else "false"), as_dicts(rows)
    )
    expected = plain(model.predict(rows))
    if is_classes:
        assert [answer for answer, _ in found] == expected
        shares = model.predict_proba(rows)
        shares = np.stack(shares, axis=1) if isinstance(shares, list) else shares
        np.testing.assert_allclose(
            np.array([share for _, share in found]), shares, rtol=0, atol=1e-12
        )
    else:
        np.testing.assert_allclose(
            [answer for answer, _ in found], expected, rtol=1e-12, atol=0
        )
    assert len({str(answer) for answer, _ in found}) > 1  # the rows tell it something
