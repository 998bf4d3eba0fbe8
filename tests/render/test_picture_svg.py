"""SVG and HTML: valid, escaped, on their own, the same bytes every time."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import handmade
import hostile
import pytest

import treewright as tw
from treewright.render.fitting.safe_text import visible
from treewright.render.picture import View, to_html, to_svg
from treewright.render.picture.svg import escaped

GOLDEN = Path(__file__).parents[1] / "golden"
SVG = "{http://www.w3.org/2000/svg}"


def parsed(model, **options):
    return ElementTree.fromstring(to_svg(model, **options))


def texts(root):
    return [element.text for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", ["tennis", "cart", "regression"])
def test_golden(name):
    """The file is a picture: look at it in a browser before changing it."""
    text = to_svg(handmade.ALL[name]())
    path = GOLDEN / f"{name}.svg"
    if os.environ.get("TREEWRIGHT_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", handmade.ALL)
@pytest.mark.parametrize("way", ["down", "right"])
def test_trees_of_every_kind_are_valid(name, way):
    model = handmade.ALL[name]()
    root = parsed(model, direction=way)
    width, height = float(root.get("width")), float(root.get("height"))
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    assert width > 0
    assert height > 0
    n_links = len(list(root.iter(f"{SVG}path")))
    assert n_links == model.trees[0].node_count - 1


@pytest.mark.parametrize("name", hostile.NAMES, ids=range(len(hostile.NAMES)))
def test_hostile_names_are_text(name):
    model = hostile.model(name)
    text = to_svg(model)
    text.encode()
    root = ElementTree.fromstring(text)
    allowed = {"svg", "title", "style", "rect", "path", "text"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == allowed
    shown = visible(name if name.strip() else f'"{name}"')
    start = shown[:15]
    assert any(line.startswith(start) for line in texts(root))
    assert any(start in (title.text or "") for title in root.iter(f"{SVG}title"))
    # but for huge ones, which are cut, the whole name is there for who points at it
    if len(shown) < 100:
        assert any(shown in (title.text or "") for title in root.iter(f"{SVG}title"))


def test_every_name_of_the_schema_is_escaped():
    model = hostile.model("<&\">'")
    text = to_svg(model)
    assert "<&" not in text
    assert "&lt;&amp;&quot;&gt;'" in text


def test_characters_that_xml_forbids_are_shown():
    everything = "".join(map(chr, [*range(0x20), 0x7F, 0xD800, 0xDFFF, 0xFFFE, 0xFFFF]))
    text = escaped(everything)
    assert ElementTree.fromstring(f"<a>{text}</a>").text.count("\\") == 36


@pytest.mark.parametrize("make", [to_svg, to_html])
def test_nothing_is_fetched_and_nothing_runs(make):
    text = make(hostile.model("</script><script>alert(1)</script>"))
    assert "<script" not in text
    assert not re.search(r"\b(href|src|url|import|onload|onclick)\b\s*[=(]", text)
    addresses = set(re.findall(r"https?://[^\s\"'<]+", text))
    assert addresses == {"http://www.w3.org/2000/svg"}


def test_same_bytes_every_time():
    assert to_svg(handmade.subsets()) == to_svg(handmade.subsets())


def test_dark_ground_has_other_colours():
    sheet = parsed(handmade.tennis()).find(f"{SVG}style").text
    light, dark = sheet.split("@media (prefers-color-scheme:dark)")
    names = re.compile(r"\.treewright \.(\w+)\{((?:fill|stroke):#[^}]*)\}")
    lights, darks = dict(names.findall(light)), dict(names.findall(dark))
    assert lights.keys() == darks.keys()
    assert lights["ground"] != darks["ground"]
    assert lights["c0"] != darks["c0"]


def test_rules_hold_in_the_picture_only():
    sheet = parsed(handmade.tennis()).find(f"{SVG}style").text
    rules = re.findall(r"^([^@}{]+)\{", sheet, re.MULTILINE)
    assert rules
    assert all(rule.strip().startswith(".treewright") for rule in rules)


def test_pointing_at_a_node_tells_all_of_it():
    titles = [title.text for title in parsed(handmade.cart()).iter(f"{SVG}title")]
    assert titles[0] == "Decision tree for species"
    assert (
        "node 3: leaf\n54 rows (36 %)\nspecies: versicolor (versicolor 49, "
        "virginica 5)\na leaf because: max_depth reached"
    ) in titles
    assert "petal length ≤ 2.45\n33.3 % of 150 rows" in titles
    assert (
        "petal width ≤ 1.75\n54 % of 100 rows\nrows without a value go here, too"
    ) in titles


def test_long_set_is_cut_in_the_label_and_whole_in_the_title():
    model = handmade.subsets()
    colours = tuple(f"colour number {k}" for k in range(4))
    first, *others = model.schema.features
    feature = handmade.Feature(first.name, first.kind, colours)
    schema = handmade.Schema((feature, *others), model.schema.target)
    root = parsed(handmade.Model(schema, model.trees, "cart"))
    labels = [line for line in texts(root) if "in {" in line]
    assert all(len(label) <= 24 for label in labels)
    assert len(set(labels)) == 2
    whole = "colour in {colour number 0, colour number 2}"
    assert any(whole in title.text for title in root.iter(f"{SVG}title"))


class Page(HTMLParser):
    """Which tags a page has, and the content of its policy."""

    def __init__(self):
        super().__init__()
        self.tags, self.policy = [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        found = dict(attrs)
        if found.get("http-equiv") == "Content-Security-Policy":
            self.policy = found["content"]


def test_page_holds_the_picture_and_a_strict_policy():
    model = handmade.tennis()
    text = to_html(model, View(max_depth=1))
    page = Page()
    page.feed(text)
    assert page.policy == "default-src 'none'; style-src 'unsafe-inline'"
    assert page.tags.count("svg") == 1
    assert to_svg(model, View(max_depth=1)) in text
    assert "<title>Decision tree for PlayTennis</title>" in text


def test_double_blanks_are_kept():
    table = {"town": ["New  York"] * 3 + ["Rome"] * 3}
    model = tw.ID3Classifier().fit(table, [0, 0, 0, 1, 1, 1]).model_
    space = "{http://www.w3.org/XML/1998/namespace}space"
    kept = {one.text: one.get(space) for one in parsed(model).iter(f"{SVG}text")}
    assert kept["New  York"] == "preserve"
    assert kept["Rome"] is None
