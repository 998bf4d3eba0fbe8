"""Each panel says what the tree and the rows say."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from explored_models import classes_of, mixed_table, numbers_of
from small_models import iris, iris_table, tennis

import treewright as tw
from treewright.learners.explored import page_parts

pytestmark = pytest.mark.slow


def table_of(locator) -> list[list[str]]:
    return [
        [cell.strip() for cell in row.locator("th, td").all_text_contents()]
        for row in locator.locator("tr").all()
        if row.is_visible()
    ]


def open_tab(page, name: str):
    page.get_by_role("tab", name=name).click()
    return page.locator("[role=tabpanel]:visible")


def test_card_has_path_classes_and_chalk(open_page):
    page = open_page(*tennis())
    page.locator("#node-2").click()
    card = page.locator("#panel-node")
    assert card.locator(".path").text_content() == (
        "If Outlook = Rain, then this is asked."
    )
    assert table_of(card.locator(".classes"))[1:] == [
        ["No", "2", "40 %"],
        ["Yes", "3", "60 %"],
    ]
    # the lecture's figures: Wind 0.9710, Temperature and Humidity 0.0200
    rows = table_of(card.locator(".chalk"))
    assert rows[1] == ["▸ Wind", "0.0000", "0.9710"]
    assert ["Temperature", "0.9510", "0.0200"] in rows
    assert "Wind is chosen" in card.locator(".verdict").text_content()


def test_click_on_a_candidate_shows_its_branches_and_formula(open_page):
    page = open_page(*tennis())
    page.get_by_role("button", name="Humidity").click()
    detail = page.locator(".detail:visible")
    assert table_of(detail.locator(".branches")) == [
        ["High", "7", "No 4Yes 3", "0.9852"],
        ["Normal", "7", "No 1Yes 6", "0.5917"],
    ]
    assert detail.locator(".formula").text_content() == (
        "0.9403 - 7/14*0.9852 - 7/14*0.5917 = 0.1518"
    )


def test_leaf_says_why_it_is_one(open_page):
    page = open_page(*tennis())
    page.locator("#node-1").click()
    card = page.locator("#panel-node")
    assert "leaf becausepure" in card.locator(".facts").text_content()
    assert card.locator(".path").text_content() == "If Outlook = Overcast, then Yes."


def test_page_without_rows_works_and_says_what_is_lacking(open_page):
    model = tw.ID3Classifier().fit(*tw.datasets.tennis())
    page = open_page(model.model_)
    card = page.locator("#panel-node").text_content()
    assert card.count("treewright explore MODEL DATA") == 2
    for name in ("Flow", "Lesson"):
        assert "treewright explore MODEL DATA" in open_tab(page, name).text_content()
    for name in ("What if", "Prune", "Rules", "Errors", "Outline"):
        assert len(open_tab(page, name).text_content()) > 30


def test_gain_curve_has_the_trees_gain_at_its_cut(open_page):
    model, parts = iris()
    page = open_page(model.model_, parts)
    words = page.locator(".cut-words").text_content()
    gain = float(model.tree_.gain[0])
    assert f"gain {gain:.4f} (the tree's cut)" in words
    assert page.locator("polyline.gain").count() == 1
    handle = page.get_by_role("slider", name="cut")
    assert float(handle.get_attribute("aria-valuenow")) == model.tree_.threshold[0]


def test_cut_can_be_dragged_and_moved_by_keys(open_page):
    model, parts = iris()
    page = open_page(model.model_, parts)
    handle = page.get_by_role("slider", name="cut")
    handle.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    # by hand: petal length has ... 1.7, 1.9, 3.0, 3.3, 3.5, 3.6 around the cut at 2.45
    assert float(handle.get_attribute("aria-valuenow")) == pytest.approx(3.55)
    table, labels = iris_table()
    left = np.array(table["petal length"]) <= 3.55
    small = [k for k in np.flatnonzero(left) if labels[k] == "versicolor"]
    words = page.locator(".cut-words").text_content()
    assert f"≤ 3.55 setosa 50versicolor {len(small)}virginica 0" in words
    assert "(the tree's cut: 0.3333)" in words
    box = page.locator("svg.cuts").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 12, box["y"] + 40)
    page.mouse.up()
    assert float(handle.get_attribute("aria-valuenow")) > 6


def test_bars_of_a_nominal_feature(open_page):
    page = open_page(*tennis())
    bars = page.locator(".category-bars")
    assert [row[0::2] for row in table_of(bars)] == [
        ["Overcast", "4"],
        ["Rain", "5"],
        ["Sunny", "5"],
    ]


def test_what_if_lights_the_path_and_answers(open_page):
    page = open_page(*tennis())
    panel = open_tab(page, "What if")
    panel.get_by_label("Outlook").select_option("Rain")
    panel.get_by_label("Wind").select_option("Strong")
    assert panel.locator(".big").text_content() == "No"
    lit = page.locator(".node.lit .head").all_text_contents()
    assert lit == ["Outlook", "Wind", "No"]
    change = panel.locator("#answer").text_content()
    assert "Nearest change that gives another answer: " in change
    panel.get_by_label("Outlook").select_option("(a value never seen)")
    assert page.locator(".node.lit").count() == 1
    assert panel.locator(".big").text_content() == "Yes"  # the root's


def test_what_if_takes_missing_numbers(open_page):
    model, parts = iris()
    page = open_page(model.model_, parts)
    panel = open_tab(page, "What if")
    panel.locator("input[type=number]").nth(1).fill("1.2")  # petal length
    assert panel.locator(".big").text_content() == "setosa"
    panel.get_by_label("petal length is missing").check()
    expected = model.predict(
        {
            "sepal length": [5.8],
            "sepal width": [3.0],
            "petal length": [None],
            "petal width": [1.3],
        }
    )
    assert panel.locator(".big").text_content() == expected[0]


def test_nearest_change_does_change_the_answer(open_page):
    model, parts = iris()
    page = open_page(model.model_, parts)
    words = open_tab(page, "What if").locator("#answer b").text_content()
    name, _, value = words.rpartition(" = ")
    row = {"sepal length": 5.8, "sepal width": 3.0, "petal length": 4.3}
    row["petal width"] = 1.3  # the medians, where the form starts
    before = model.predict({key: [cell] for key, cell in row.items()})
    row[name] = float(value)
    after = model.predict({key: [cell] for key, cell in row.items()})
    assert before[0] != after[0]


def test_rules_can_be_sorted_and_mark_their_leaf(open_page):
    model, parts = iris()
    page = open_page(model.model_, parts)
    panel = open_tab(page, "Rules")
    rules = panel.locator(".rule .if").all_text_contents()
    assert rules[0] == "petal length ≤ 2.45"
    assert len(rules) == model.get_n_leaves()
    panel.get_by_label("order").select_option("most rows")
    assert "50 rows" in panel.locator(".rule").first.text_content()
    panel.locator(".rule").nth(1).click()
    marked = page.locator(".node.marked")
    assert marked.count() == 1
    assert "47 rows" in marked.text_content()
    # two cuts on one feature are one condition
    assert any("2.45 < petal length ≤ 4.95" in rule for rule in rules)


def test_confusion_is_that_of_python(open_page):
    table, labels = iris_table()
    model = tw.CARTClassifier(max_depth=2).fit(table, labels)
    for part in (slice(None), slice(0, None, 3)):
        rows = {name: cells[part] for name, cells in table.items()}
        parts = page_parts(model.model_, rows, labels[part])
        assert parts.rows.are_training == (part == slice(None))
        page = open_page(model.model_, parts)
        panel = open_tab(page, "Errors")
        found = [row[1:] for row in table_of(panel.locator(".confusion"))[1:]]
        pairs = Counter(zip(labels[part], model.predict(rows), strict=True))
        names = model.classes_
        expected = [[str(pairs[one, other]) for other in names] for one in names]
        assert found == expected


def test_importances_are_those_of_the_estimator(open_page):
    model, parts = iris()
    page = open_page(model.model_, parts)
    rows = table_of(open_tab(page, "Errors").locator(".classes"))
    names = model.model_.schema.names
    shares = dict(zip(names, 100 * model.feature_importances_, strict=True))
    for name, share in rows:
        assert float(share.removesuffix(" %")) == pytest.approx(shares[name], abs=0.6)


def test_cell_of_the_confusion_marks_leaves(open_page):
    table, labels = iris_table()
    model = tw.CARTClassifier(max_depth=2).fit(table, labels)
    page = open_page(model.model_, page_parts(model.model_, table, labels))
    panel = open_tab(page, "Errors")
    panel.get_by_label("rows of versicolor predicted as virginica").click()
    marked = page.locator(".node.marked .head").all_text_contents()
    assert marked == ["virginica"]


def test_cell_of_the_confusion_lets_its_rows_flow(open_page):
    table, labels = iris_table()
    model = tw.CARTClassifier(max_depth=2).fit(table, labels)
    parts = page_parts(model.model_, table, labels, embedded=150)
    page = open_page(model.model_, parts)
    open_tab(page, "Errors").get_by_label("virginica predicted as versicolor").click()
    words = page.locator("#panel-flow .step-words")
    assert words.text_content().startswith(
        "5 rows of virginica predicted as versicolor, 5 at the end, 5 wrong"
    )
    page.get_by_role("button", name="all rows").click()
    assert words.text_content().startswith("150 rows, 150 at the end, 6 wrong")


def test_rows_flow_to_their_ends(open_page):
    model, parts = iris()
    page = open_page(model.model_, parts)
    panel = open_tab(page, "Flow")
    words = panel.locator(".step-words")
    assert "150 rows, 150 at the end, 0 wrong" in words.text_content()  # no motion
    blank = "document.createElement('canvas')"
    drawn = f"""() => {{
        const canvas = document.getElementById("overlay");
        const {{width, height}} = canvas;
        const empty = Object.assign({blank}, {{width, height}});
        return canvas.toDataURL() !== empty.toDataURL();
    }}"""
    assert page.evaluate(drawn)
    open_tab(page, "Rules")
    assert not page.evaluate(drawn)


def test_rows_move_step_by_step_where_motion_is_welcome(open_page):
    page = open_page(*tennis(), reduced_motion="no-preference")
    panel = open_tab(page, "Flow")
    words = panel.locator(".step-words")
    panel.get_by_role("button", name="Step").click()
    panel.get_by_role("button", name="Step").click()
    assert "14 at the end" in words.text_content()
    panel.get_by_role("button", name="Start again").click()
    panel.get_by_role("button", name="Pause").click()
    assert "14 at the end" not in words.text_content()


def test_no_row_is_embedded_unless_asked_for():
    table, labels = iris_table()
    model = tw.CARTClassifier().fit(table, labels)
    page = model.explore(X=table, y=labels)
    assert '"embedded"' not in page.html
    assert model.explore(X=table, y=labels, rows=7).html.count('"embedded"') == 1


def test_lesson_goes_step_by_step_and_hides_the_gains(open_page):
    page = open_page(*tennis())
    panel = open_tab(page, "Lesson")
    assert [row[-1] for row in table_of(panel.locator(".chalk"))[1:]] == ["?"] * 4
    assert page.locator(".node:visible").count() == 1
    assert page.locator(".unknown:visible").count() == 1  # nor a mark of what follows
    assert page.locator("#node-0 .head").is_hidden()  # it is the answer
    assert page.locator("#node-0 > title").text_content() == "?"
    panel.get_by_role("button", name="Reveal").click()
    assert table_of(panel.locator(".chalk"))[1] == ["▸ Outlook", "0.6935", "0.2467"]
    assert page.locator(".node:visible").count() == 4
    assert page.locator(".unknown:visible").count() == 3
    assert page.locator(".swatch:visible").count() == 0  # its colour is the answer
    panel.get_by_role("button", name="Next").click()
    assert "step 2 of 8" in panel.text_content()
    assert page.locator(".swatch:visible").count() == 1
    assert "Leaf: pure. It answers Yes." in panel.text_content()
    panel.get_by_role("button", name="Back").click()
    assert "step 1 of 8" in panel.text_content()
    open_tab(page, "Node")
    assert page.locator(".node:visible").count() == 8
    assert "Outlook" in page.locator("#node-0 > title").text_content()
    assert "?" not in page.locator("#node-1").get_attribute("aria-label")


def test_regression_page_has_all_panels(open_page):
    table = mixed_table()
    model = tw.CARTRegressor(missing="surrogates", min_samples_leaf=8)
    model.fit(table, numbers_of(table))
    parts = page_parts(model.model_, table, numbers_of(table), embedded=50)
    page = open_page(model.model_, parts)
    for name in ("What if", "Prune", "Rules", "Errors", "Flow", "Outline", "Node"):
        assert len(open_tab(page, name).text_content()) > 30
    gain = float(model.tree_.gain[0])
    shown = float(page.locator(".cut-words b").first.text_content())
    assert shown == pytest.approx(gain, rel=1e-3)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_narrow_dark_and_light_pages_fit(open_page, scheme):
    table = mixed_table()
    model = tw.C45Classifier().fit(table, classes_of(table))
    parts = page_parts(model.model_, table, classes_of(table), embedded=20)
    page = open_page(
        model.model_,
        parts,
        viewport={"width": 360, "height": 740},
        color_scheme=scheme,
    )
    for tab in page.locator("#tabs [role=tab]").all():
        tab.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    colours = """([name, part]) =>
        getComputedStyle(document.querySelector(name))[part]"""
    for ground, words, least in (("body", "body", 7), ("#head", "#summary", 4.5)):
        back = page.evaluate(colours, [ground, "backgroundColor"])
        ink = page.evaluate(colours, [words, "color"])
        assert contrast(back, ink) > least


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as the accessibility guidelines define it."""

    def luminance(colour: str) -> float:
        parts = [int(part) / 255 for part in colour[4:-1].split(",")[:3]]
        linear = [
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
            for part in parts
        ]
        return float(np.dot([0.2126, 0.7152, 0.0722], linear))

    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)
