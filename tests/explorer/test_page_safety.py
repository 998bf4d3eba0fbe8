"""Nothing in the page acts that came with the data; it asks for nothing."""

from __future__ import annotations

import json
import re

import pytest

import treewright as tw
from refusals import refused
from treewright.learners.explored import page_parts
from treewright.render.explorer import explorer_page
from treewright.render.explorer.explorer_page import (
    POLICY,
    exports,
    in_order,
    joined,
    script_json,
    script_text,
)

HOSTILE = [
    "</script><img src=x onerror=window.hit=1>",
    "<!--<script>window.hit=1</script>",
    '"><svg onload=window.hit=1>',
    "{{}} ${window.hit=1} /*SCRIPT*/ POLICY {}",
    "a\u2028b\u0000c\ud800",
]


def imports(text):
    """The modules that a module imports, and the names of each."""
    found = re.findall(
        r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', text, re.MULTILINE
    )
    return [
        (module, [name.strip() for name in names.split(",") if name.strip()])
        for names, module in found
    ]


def hostile_model():
    names = HOSTILE[:4]
    cells = [[HOSTILE[(k + f) % 4] for k in range(24)] for f in range(4)]
    labels = [HOSTILE[k % 3] for k in range(24)]
    table = dict(zip(names, cells, strict=True))
    model = tw.ID3Classifier().fit(table, labels)
    return model, page_parts(model.model_, table, labels, embedded=24)


@pytest.mark.slow
def test_hostile_names_stay_text(open_page):
    model, parts = hostile_model()
    page = open_page(model.model_, parts)
    for name in page.locator("#tabs [role=tab]").all():
        name.click()
    page.locator("#search").fill("<img")
    page.wait_for_timeout(100)
    assert page.evaluate("window.hit") is None
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2
    heads = page.locator(".node title").all_text_contents()
    assert any("</script><img" in head for head in heads)
    row = {name: HOSTILE[0] for name in model.model_.schema.names}
    expected = model.predict({name: [cell] for name, cell in row.items()})
    assert page.evaluate("row => window.treewright.predict(row)", row) == expected[0]


@pytest.mark.parametrize("name", HOSTILE)
def test_json_in_a_page_cannot_end_its_element(name):
    text = script_json({"name": name})
    assert "<" not in text
    assert ">" not in text
    assert text.isascii()
    assert json.loads(text)["name"] == name


def test_page_has_the_policy_and_no_address():
    page = explorer_page(tw.ID3Classifier().fit(*tw.datasets.tennis()).model_)
    assert f'content="{POLICY}"' in page
    addresses = set(re.findall(r"https?://[^\s\"']+", page))
    assert addresses == {"http://www.w3.org/2000/svg"}
    assert not re.findall(r"\b(?:src|href)=", page)


@pytest.mark.slow
def test_policy_stops_requests(open_page):
    model = tw.ID3Classifier().fit(*tw.datasets.tennis()).model_
    page = open_page(model, watch=False)  # chromium complains, as it should
    fetched = """() => fetch("data:text/plain,x").then(() => true, () => false)"""
    assert page.evaluate(fetched) is False


def test_page_without_data_is_small():
    page = explorer_page(tw.ID3Classifier().fit(*tw.datasets.tennis()).model_)
    assert len(page.encode()) < 300_000


def test_every_import_is_exported():
    for name in in_order("main", script_text):
        for other, names in imports(script_text(name)):
            assert set(names) <= set(exports(script_text(other))), (name, other)


def test_scripts_are_small_files():
    for name in in_order("main", script_text):
        assert len(script_text(name).splitlines()) <= 400, name


def test_no_import_is_idle():
    for name in in_order("main", script_text):
        text = script_text(name)
        for _, names in imports(text):
            for used in names:
                assert len(re.findall(rf"\b{used}\b", text)) > 1, (name, used)


def test_modules_that_import_each_other_are_refused():
    texts = {
        "one": 'import { b } from "./two.js";\nexport const a = 1;\n',
        "two": 'import { a } from "./one.js";\nexport const b = 1;\n',
    }
    with refused(ValueError, "one.js", "two.js"):
        joined("one", texts.__getitem__)
