"""Step k of the slider is the tree that `prune` makes with the alpha of step k."""

from __future__ import annotations

import numpy as np
import pytest
from explored_models import as_dicts, classes_of, mixed_table, random_rows
from small_models import iris, iris_table

import treewright as tw
from treewright.learners.explored import page_parts
from treewright.render.explorer.pruning_steps import path_of_model

pytestmark = pytest.mark.slow

MODELS = {
    "cart": lambda table, y: tw.CARTClassifier().fit(table, y),
    "c45": lambda table, y: tw.C45Classifier(pruning=None).fit(table, y),
    "id3": lambda table, y: tw.TreeClassifier(
        criterion="entropy", nominal_splits="multiway", missing="own_branch"
    ).fit(table, y),
}

ANSWERS = """([step, rows]) => {
    window.treewright.setStep(step);
    const {leaves, predictShown} = window.treewright;
    return [leaves().length, rows.map(predictShown)];
}"""


@pytest.mark.parametrize("name", MODELS)
def test_step_is_the_pruned_tree(open_page, name):
    table = mixed_table()
    model = MODELS[name](table, classes_of(table))
    path = path_of_model(model.model_)
    assert len(path) > 5
    rows = random_rows(model, 60)
    page = open_page(model.model_)
    for step in (0, 1, 3, len(path) // 2, len(path) - 2, len(path) - 1):
        smaller = model.prune("cost_complexity", ccp_alpha=float(path.alphas[step]))
        n_leaves, answers = page.evaluate(ANSWERS, [step, as_dicts(rows)])
        assert n_leaves == smaller.get_n_leaves() == path.n_leaves[step]
        assert answers == smaller.predict(rows).tolist()


def test_slider_shrinks_the_tree_and_tells_errors(open_page):
    model, parts = iris()
    page = open_page(model.model_, parts)
    page.get_by_role("tab", name="Prune").click()
    whole = page.locator("[role=treeitem]").count()
    slider = page.get_by_role("slider", name="pruning step")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("[role=treeitem]").count() < whole
    page.keyboard.press("End")
    assert page.locator("[role=treeitem]").count() == 1
    words = page.locator("#panel-pruning .step-words").text_content()
    assert words.startswith("1 leaf, alpha")
    assert "training 67 %" in words
    assert "cross-validation" in words
    page.get_by_role("button", name="whole tree").click()
    assert page.locator("[role=treeitem]").count() == whole


def test_training_error_of_each_step_is_counted_right(open_page):
    table, labels = iris_table()
    model = tw.CARTClassifier().fit(table, labels)
    path = path_of_model(model.model_)
    page = open_page(model.model_)
    errors = page.evaluate(
        "JSON.parse(document.getElementById('payload').textContent).pruning.training"
    )
    for step, error in enumerate(errors):
        smaller = model.prune("cost_complexity", ccp_alpha=float(path.alphas[step]))
        assert error == pytest.approx(np.mean(smaller.predict(table) != labels))


def test_other_rows_get_a_curve_of_their_own():
    table, labels = iris_table()
    some = {name: cells[::2] for name, cells in table.items()}
    model = tw.CARTClassifier().fit(some, labels[::2])
    rest = {name: cells[1::2] for name, cells in table.items()}
    parts = page_parts(model.model_, rest, labels[1::2])
    assert parts.cross_validation is None
    assert not parts.rows.are_training
    page = model.explore(X=rest, y=labels[1::2])
    assert '"heldOut":{"error":[' in page.html


def test_cross_validation_is_that_of_the_estimator():
    table, labels = iris_table()
    model = tw.CARTClassifier().fit(table, labels)
    risk = page_parts(model.model_, table, labels).cross_validation
    chosen = tw.CARTClassifier(
        pruning="cost_complexity", alpha_choice="cross_validation"
    ).fit(table, labels)
    np.testing.assert_allclose(risk.risk, chosen.pruning_path_.validation_error)
