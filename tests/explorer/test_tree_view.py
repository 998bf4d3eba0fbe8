"""The tree: what is drawn, folding, search, keyboard, links, exports."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from small_models import iris, noise, tennis

import treewright as tw

pytestmark = pytest.mark.slow

ITEMS = "[role=treeitem]"


def test_small_tree_is_drawn_whole(open_page):
    model, parts = tennis()
    page = open_page(model, parts)
    assert page.locator(ITEMS).count() == model.trees[0].node_count
    heads = page.locator(f"{ITEMS} .head").all_text_contents()
    assert sorted(heads) == sorted(
        ["Outlook", "Wind", "Humidity", "Yes", "Yes", "Yes", "No", "No"]
    )
    labels = page.locator(".answer text").all_text_contents()
    assert sorted(labels) == sorted(
        ["Overcast", "Rain", "Sunny", "Strong", "Weak", "High", "Normal"]
    )
    assert page.locator("#notice").is_hidden()


def test_no_two_nodes_overlap(open_page):
    page = open_page(noise(60).model_)
    for direction in ("down", "right"):
        boxes = page.evaluate(
            """() => [...document.querySelectorAll(".node .box")].map((box) => {
                const {left, top, right, bottom} = box.getBoundingClientRect();
                return [left, top, right, bottom];
            })"""
        )
        assert len(boxes) == 119
        for k, (left, top, right, bottom) in enumerate(boxes):
            for other in boxes[k + 1 :]:
                apart = left >= other[2] or other[0] >= right
                assert apart or top >= other[3] or other[1] >= bottom, direction
        page.get_by_title("Top-down or left to right").click()


def test_large_tree_is_folded_and_says_so(open_page):
    model = noise(500)
    page = open_page(model.model_)
    shown = page.locator(ITEMS).count()
    assert 20 <= shown <= 150
    notice = page.locator("#notice").text_content()
    assert f"{shown} of 999 nodes shown" in notice
    assert "too large to draw whole" in notice
    page.get_by_role("tab", name="Outline").click()
    lines = page.locator(".outline .line")
    assert lines.count() < 100  # only those in view
    page.locator(".outline").evaluate("box => box.scrollTop = box.scrollHeight")
    page.wait_for_timeout(200)
    last = page.locator(".outline .line").last
    last.click()
    node = last.get_attribute("data-node")
    assert page.locator(f"#node-{node}").get_attribute("aria-selected") == "true"


def test_no_more_is_opened_than_can_be_drawn(open_page):
    page = open_page(noise(800).model_)
    page.get_by_title("Open all nodes").click()
    assert 1000 < page.locator(ITEMS).count() <= 1500
    assert page.locator("#say").text_content().startswith("Too many nodes")


def test_tree_of_thousands_of_levels_opens(open_page):
    # alternating classes: the best cut is always the first, see test_deep_trees.py
    n_rows = 5000
    model = tw.CARTClassifier(criterion="entropy")
    model.fit({"x": np.arange(n_rows)}, np.arange(n_rows) % 2)
    assert model.get_depth() > 4000
    page = open_page(model.model_)
    assert f"depth {model.get_depth():d}" in page.locator("#summary").text_content()
    for name in ("Rules", "Prune", "Outline", "What if", "Node"):
        page.get_by_role("tab", name=name).click()
    deepest = int(model.tree_.depths().argmax())
    page.evaluate("node => { location.hash = `node=${node}`; }", deepest)
    page.wait_for_timeout(300)
    assert page.locator("#card-head").text_content().endswith(f"node {deepest}")
    assert page.locator(ITEMS).count() < 30  # the way down is not drawn
    page.get_by_role("button", name="back to the root").click()
    assert page.locator(".node.selected").get_attribute("id") == "node-0"


def test_handle_folds_and_opens(open_page):
    page = open_page(*tennis())
    page.locator("#node-0 .fold").click()
    assert page.locator(ITEMS).count() == 1
    assert page.locator("#node-0").get_attribute("aria-expanded") == "false"
    assert page.locator("#node-0 .fold").text_content() == "+7"
    page.locator("#node-0 .fold").click()
    assert page.locator(ITEMS).count() == 8


def test_search_tells_where_a_feature_is_used(open_page):
    page = open_page(*tennis())
    page.keyboard.press("/")
    page.keyboard.type("humid")
    assert page.locator(".node.marked .head").all_text_contents() == ["Humidity"]
    assert page.locator(".outline .line").count() == 1
    page.locator("#search").fill("yes")
    assert page.locator(".node.marked").count() == 3


def test_keyboard_alone_walks_folds_and_opens_the_card(open_page):
    page = open_page(*tennis())
    page.locator("#node-0").focus()
    seen = []
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowLeft", "End", "Home"):
        page.keyboard.press(key)
        seen.append(
            page.evaluate("document.activeElement.querySelector('.head').textContent")
        )
    assert seen == ["Yes", "Wind", "No", "Wind", "Yes", "Outlook"]
    page.keyboard.press("ArrowLeft")  # folds
    assert page.locator(ITEMS).count() == 1
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "card-head"
    assert page.locator("#card-head").text_content().startswith("Wind?")
    page.locator("#tab-node").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-what-if"
    assert page.locator("#panel-what-if").is_visible()


def test_one_item_takes_the_tab_key_and_focus_is_seen(open_page):
    page = open_page(*tennis())
    assert page.locator(f"{ITEMS}[tabindex='0']").count() == 1
    page.locator("#node-0").focus()
    page.keyboard.press("ArrowDown")
    width = page.evaluate(
        "getComputedStyle(document.activeElement.querySelector('.box')).strokeWidth"
    )
    assert width == "3.5px"


def test_wheel_zooms_and_dragging_moves(open_page):
    page = open_page(*tennis())
    before = page.locator("#picture > g").get_attribute("transform")
    page.mouse.move(400, 500)
    page.mouse.wheel(0, -300)
    zoomed = page.locator("#picture > g").get_attribute("transform")
    scale = [float(re.search(r"scale\((.*)\)", t)[1]) for t in (before, zoomed)]
    assert scale[1] > scale[0]
    page.mouse.down()
    page.mouse.move(450, 520)
    page.mouse.up()
    assert page.locator("#picture > g").get_attribute("transform") != zoomed


def test_address_keeps_what_is_shown(open_page):
    page = open_page(*tennis())
    page.locator("#node-2").click()
    page.get_by_role("tab", name="Rules").click()
    page.locator("#node-3 .fold").click()
    page.wait_for_timeout(400)  # it is written after a pause
    fragment = page.evaluate("location.hash")
    model, parts = tennis()
    again = open_page(model, parts, hash=fragment)
    assert again.locator(ITEMS).count() == page.locator(ITEMS).count() == 6
    assert again.locator(".node.selected").get_attribute("id") == "node-2"
    assert again.locator("#panel-rules").is_visible()


@pytest.mark.parametrize("fragment", ["#node=99999&step=x&panel=no", "#open=zz.-1.!"])
def test_address_that_says_nothing_is_ignored(open_page, fragment):
    model, parts = tennis()
    page = open_page(model, parts, hash=fragment)
    assert page.locator(ITEMS).count() == 8


def test_picture_can_be_saved(open_page, tmp_path):
    model, parts = iris()
    page = open_page(model.model_, parts)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save SVG").click()
    download.value.save_as(tmp_path / "tree.svg")
    root = ElementTree.parse(tmp_path / "tree.svg").getroot()
    texts = ["".join(text.itertext()) for text in root.iter() if "text" in text.tag]
    assert "petal length" in texts
    assert "setosa" in texts


def test_rules_can_be_saved(open_page, tmp_path):
    page = open_page(*tennis())
    page.get_by_role("tab", name="Rules").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as text").click()
    text = download.value.path().read_text(encoding="utf-8")
    assert (
        "if Outlook = Sunny and Humidity = High then No   (3 rows, none wrong)" in text
    )
    assert text.count("\nif ") == 5


def test_tree_that_can_be_read_whole_is_whole_at_first(open_page):
    random = np.random.default_rng(3)
    table = {name: random.normal(size=90) for name in ("a long name", "another name")}
    answers, scales = random.integers(0, 2, 90), []
    for n_leaves in (8, 14, 17, 20, 26):
        model = tw.CARTClassifier(max_leaf_nodes=n_leaves).fit(table, answers)
        page = open_page(model.model_, viewport={"width": 1280, "height": 800})
        first = scale_of(page)
        left, right = page.evaluate(
            """() => {
                const boxes = [...document.querySelectorAll(".node .box")];
                const frames = boxes.map((box) => box.getBoundingClientRect());
                return [Math.min(...frames.map(({left}) => left)),
                    Math.max(...frames.map(({right}) => right))];
            }"""
        )
        width = page.locator("#picture").evaluate("picture => picture.clientWidth")
        # if one side is cut off, there is no room left on the other
        assert left >= 0 or right >= width - 18
        assert right <= width or left <= 18
        page.get_by_title("Fit the tree into view").click()
        scales.append(scale_of(page))
        assert first == max(scales[-1], 0.5)
    assert any(0.5 < scale < 0.55 for scale in scales)


def scale_of(page):
    transform = page.locator("#picture > g").get_attribute("transform")
    return float(re.search(r"scale\((.*)\)", transform)[1])


def test_double_blanks_are_shown(open_page):
    table = {"town": ["New  York"] * 3 + ["Rome"] * 3}
    model = tw.ID3Classifier().fit(table, [0, 0, 0, 1, 1, 1])
    page = open_page(model.model_)
    wide, narrow = page.evaluate(
        """() => {
            const label = [...document.querySelectorAll(".answer text")]
                .find((text) => text.textContent === "New  York");
            const wide = label.getComputedTextLength();
            label.textContent = "New York";
            return [wide, label.getComputedTextLength()];
        }"""
    )
    assert wide > narrow
    page.get_by_role("tab", name="Rules").click()
    assert "New  York" in page.locator("#panel-rules").inner_text()
