"""What a report says, whatever is reported on."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loan_table import loans

import treewright as tw
from refusals import refused
from treewright.errors import SettingError
from treewright.evaluation.errors.verdict import verdict
from treewright.reports.figure_words import OfRows
from treewright.reports.model_report import report_form
from treewright.reports.subject import MANY_ROWS, usual_division

SECTIONS = ["data", "error", "tree", "rules", "features", "confusion"]
SECTIONS += ["curves", "care", "making"]


def words_of(report) -> str:
    return re.sub(r"<[^>]*>", "", report.to_html())


@pytest.mark.slow
def test_parts_are_in_order(classes):
    assert [one.key for one in classes.document.sections] == SECTIONS
    assert classes.document.short


@pytest.mark.slow
def test_same_input_gives_the_same_bytes():
    X, y = tw.datasets.tennis()
    forest = tw.RandomForestClassifier(7, random_state=0)
    pages = {
        tw.report(forest, X, y, folds=3, n_jobs=jobs).to_html() for jobs in (1, 2, None)
    }
    assert len(pages) == 1


def test_error_is_that_of_evaluate(classes):
    found = tw.evaluate(tw.CARTClassifier(), *loans(), folds=5)
    assert classes.subject.evaluation.error == found.error
    text = words_of(classes)
    base = re.search(r"Of ([\d,]+) new rows, about (\d+)", text)
    assert int(base[2]) == round(int(base[1]) * found.error.value)
    assert f"{100 * found.baseline:.1f} %" in text
    assert f"{100 * found.training_error:.1f} %" in text


def test_model_is_that_of_fit(classes):
    fitted = tw.CARTClassifier().fit(*loans())
    assert fitted.model_.fingerprint() in classes.to_html()


@pytest.mark.slow
def test_forest_has_permutation_importances(numbers):
    values = numbers.subject.importances.values
    assert np.array_equal(values, numbers.subject.model.measures.importances)
    assert "shuffled" in words_of(numbers)


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator",
    [
        tw.ID3Classifier(),
        tw.C45Classifier(),
        tw.C45RulesClassifier(),
        tw.AdaBoostClassifier(4),
        tw.RandomForestClassifier(5, random_state=1),
        tw.ExtraTreesClassifier(5, random_state=1),
    ],
    ids=lambda one: type(one).__name__,
)
def test_every_estimator_has_a_report(estimator, tmp_path):
    found = tw.report(estimator, *tw.datasets.tennis(), name="tennis", folds=3)
    assert [one.key for one in found.document.sections] == SECTIONS
    for one in found.document.pictures:
        ET.fromstring(one.svg)
    text = words_of(found)
    assert "nan" not in re.sub(r"[^a-z ]", " ", text.lower()).split()
    assert "Yes" in text
    found.save(tmp_path / "t.md")
    if isinstance(estimator, tw.AdaBoostClassifier):
        assert "There are none:" in text
        assert [one.title for one in found.document.sections][2] == "The boosted trees"
        assert "the boosted trees had not seen" in text
        assert "the forest" not in text


@pytest.mark.slow
def test_markdown_has_its_pictures_beside_it(numbers, tmp_path):
    files = numbers.save(tmp_path / "my rents.md")
    text = (tmp_path / "my rents.md").read_text(encoding="utf-8")
    named = re.findall(r"\]\(<([^>]*)>\)", text)
    assert sorted(named) == sorted(one.name for one in tmp_path.glob("*.svg"))
    assert len(files) == 1 + len(named)
    assert "<svg" not in text
    for one in named:
        ET.parse(tmp_path / one)


def test_markdown_tables_have_as_many_cells_in_each_line():
    table = {"a|b": ["x|y", "`z`", "*w*"] * 8, "c": list(range(24))}
    labels = ["p|q", "<b>", "r"] * 8
    text = tw.report(tw.CARTClassifier(), table, labels, folds=3).to_markdown()
    blocks = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert len(blocks) > 5
    for block in blocks:
        counts = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(counts) == 1
    assert "<b>" not in text


def test_weights_count_and_are_said():
    X, y = tw.datasets.tennis()
    heavy = [3.0 if label == "No" else 1.0 for label in y]
    found = tw.report(tw.CARTClassifier(), X, y, sample_weight=heavy, folds=3)
    assert found.subject.by_weight
    assert "62.5 %" in words_of(found)  # 5 x 3 of 15 + 9


@pytest.mark.slow
def test_large_trees_are_folded_and_their_rules_counted():
    draw = np.random.default_rng(0)
    X = {f"x{k}": draw.random(600).tolist() for k in range(3)}
    y = draw.choice(["a", "b"], 600).tolist()
    found = tw.report(tw.CARTClassifier(), X, y, folds=3)
    n_leaves = found.subject.model.trees[0].n_leaves
    assert n_leaves > 100
    text = words_of(found)
    assert f"And {n_leaves - 10:,} more; all of them:" in text
    assert "are folded" in text
    assert verdict(found.subject.evaluation) == "no"
    assert "no clear gain" in text
    assert len(found.to_html()) < 200_000


@pytest.mark.slow
def test_many_columns_and_many_classes_are_shortened():
    draw = np.random.default_rng(0)
    X = {f"x{k}": draw.random(200).tolist() for k in range(120)}
    y = [f"k{k % 60}" for k in range(200)]
    found = tw.report(tw.CARTClassifier(max_depth=3), X, y, folds=2)
    text = words_of(found)
    assert "the 40 of 120 that count most" in text
    assert "40 other classes" in text
    assert "the 20 most common of 60" in text
    assert "The most common mistakes" in text


def test_two_rows_and_a_constant_number_have_a_page():
    found = tw.report(tw.CARTClassifier(), {"a": [1, 2]}, ["x", "y"])
    assert "too few rows to leave some of them out" in words_of(found)
    found = tw.report(tw.CARTRegressor(), {"a": [1, 2, 3, 4]}, [5.0] * 4, folds=2)
    assert "There is nothing to gain" in words_of(found)
    assert "The tree asks nothing" in words_of(found)


def test_findings_of_the_checks_are_there():
    draw = np.random.default_rng(1)
    x = draw.random(80)
    y = ["a" if one < 0.5 else "b" for one in x]
    table = {"x": x.tolist(), "same": [7] * 80, "noise": draw.random(80).tolist()}
    found = tw.report(tw.CARTClassifier(), table, y, folds=3)
    kinds = {finding.kind for finding in found.subject.findings}
    assert "constant" in kinds
    text = words_of(found)
    assert all(kind in text for kind in kinds)


def test_ways_with_missing_values_are_compared_for_single_trees(classes, numbers):
    assert "'treewright missing' tries every way" in words_of(classes)
    assert "treewright missing" not in words_of(numbers)
    assert "**missing**: " in numbers.to_markdown()


def test_only_single_trees_are_warned_of_learning_by_heart(classes, numbers):
    assert "learned by heart" in words_of(classes)
    assert "learned by heart" not in words_of(numbers)


@pytest.mark.slow
def test_few_whole_numbers_may_be_classes():
    draw = np.random.default_rng(2)
    x = draw.random(60)
    found = tw.report(tw.CARTRegressor(), {"x": x}, np.floor(4 * x), folds=3)
    assert "target has 4 different whole numbers" in words_of(found)
    assert "CARTClassifier" in words_of(found)
    found = tw.report(tw.CARTRegressor(), {"x": x}, 4 * x, folds=3)
    assert "different whole numbers" not in words_of(found)


def test_only_estimators_of_treewright_are_reported_on():
    from sklearn.tree import DecisionTreeClassifier

    with refused(SettingError, "DecisionTreeClassifier", "evaluate"):
        tw.report(DecisionTreeClassifier(), [[1], [2]], ["a", "b"])


@pytest.mark.parametrize(
    ("path", "form"),
    [("a.html", "html"), ("a.HTM", "html"), ("b.md", "markdown"), ("c", None)],
)
def test_the_ending_says_the_format(path, form):
    if form is None:
        with refused(SettingError, repr(path), ".html", ".md"):
            report_form(path)
    else:
        assert report_form(path) == form


def test_of_many_rows_a_share_is_held_out():
    assert usual_division(MANY_ROWS) == {}
    assert usual_division(MANY_ROWS + 1) == {"hold_out": 0.3}


shares = st.floats(0, 1)


@given(shares, shares, shares)
def test_rows_in_words_never_look_surer_than_they_are(one, two, three):
    low, share, high = sorted((one, two, three))
    rows = OfRows.of(share)
    first, last = map(
        lambda text: int(text.replace(",", "")),
        re.findall(r"[\d,]+", rows.between(low, high)),
    )
    assert first <= rows.base * low + 1e-6
    assert last >= rows.base * high - 1e-6
    assert first <= int(rows.near(share).replace(",", "")) <= last
    assert share == 0 or share < 1e-5 or rows.near(share) != "0"


@pytest.mark.slow
def test_rules_promise_nothing_that_held_out_rows_refute():
    draw = np.random.default_rng(0)
    X = {"a": draw.normal(size=200), "b": draw.normal(size=200)}
    y = np.where(np.array(X["a"]) + draw.normal(size=200) > 0, "up", "down")
    grown = tw.report(tw.CARTClassifier(), X, y).to_markdown()
    assert "| expect" not in grown
    assert "and flatter: of new rows" in grown
    pruned = tw.report(tw.CARTClassifier(max_leaf_nodes=2), X, y).to_markdown()
    assert "expect" in pruned
    assert "flatter" not in pruned
