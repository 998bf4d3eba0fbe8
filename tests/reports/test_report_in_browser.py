"""The report's page in a browser: nothing acts, everybody can read it, it prints."""

from __future__ import annotations

import pytest

import treewright as tw

pytestmark = pytest.mark.slow

HOSTILE = [
    "</style><script>window.hit=1</script>",
    '"><svg onload=window.hit=1>',
    "<img src=x onerror=window.hit=1>",
    "x" * 5000,
    "\u05e9\u05dd \u202e name",
    "a|b `c` *d* [x](http://example.org)",
    "two\nlines\u0000",
]

# what each text stands on: the colours of all that is behind it, one over the other
CONTRAST = """() => {
  const parse = c => { const n = c.match(/[\\d.]+/g).map(Number);
    return n.length < 4 ? [...n, 1] : n; };
  const over = (top, under) => top.slice(0, 3).map(
    (x, k) => x * top[3] + under[k] * (1 - top[3]));
  const light = c => { const [r, g, b] = c.map(x => { x /= 255;
    return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const poor = [];
  for (const el of document.querySelectorAll("main *, nav *, h1, footer")) {
    if (el.closest("svg") || !el.textContent.trim() || el.children.length) continue;
    const layers = [];
    for (let at = el; at; at = at.parentElement)
      layers.push(parse(getComputedStyle(at).backgroundColor));
    let ground = [255, 255, 255];
    for (const layer of layers.reverse()) ground = over(layer, ground);
    const ink = over(parse(getComputedStyle(el).color), ground);
    const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) poor.push([el.tagName, el.textContent.slice(0, 30), ratio]);
  }
  return poor;
}"""


@pytest.mark.parametrize("width", [1200, 390, 320])
@pytest.mark.parametrize("which", ["classes", "numbers"])
def test_page_fits_the_window(open_report, request, which, width):
    text = request.getfixturevalue(which).to_html()
    page = open_report(text, viewport={"width": width, "height": 800})
    widest = page.evaluate("document.documentElement.scrollWidth")
    assert widest <= width
    # what is wider is scrolled on its own, and within reach of the keyboard
    for region in page.locator(".wide").all():
        assert region.get_attribute("tabindex") == "0"
        assert region.get_attribute("aria-label")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("which", ["classes", "numbers"])
def test_text_stands_out_from_its_ground(open_report, request, which, scheme):
    page = open_report(request.getfixturevalue(which).to_html(), color_scheme=scheme)
    assert page.evaluate(CONTRAST) == []
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_lines_of_a_chart_are_lines(open_report, classes, scheme):
    page = open_report(classes.to_html(), color_scheme=scheme)
    fills = page.evaluate(
        "[...document.querySelectorAll('.tw-chart .line')]"
        ".map(line => getComputedStyle(line).fill)"
    )
    assert set(fills) == {"none"}


@pytest.mark.parametrize("which", ["classes", "numbers"])
def test_page_can_be_read_aloud(open_report, request, which):
    page = open_report(request.getfixturevalue(which).to_html())
    assert page.locator("html").get_attribute("lang") == "en"
    levels = page.evaluate(
        "[...document.querySelectorAll('h1,h2,h3')].map(h=>h.tagName)"
    )
    assert levels[0] == "H1"
    assert set(levels[1:]) == {"H2"}
    for table in page.locator("table").all():
        assert table.locator("caption").inner_text()
        assert all(table.locator("thead th[scope=col]").all_inner_texts())
        n_rows = table.locator("tbody tr").count()
        assert table.locator("tbody th[scope=row]").count() == n_rows
    pictures = page.locator("svg").all()
    assert pictures
    for picture in pictures:
        assert picture.get_attribute("role") == "img"
        assert picture.get_attribute("aria-label")
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e=>e.id)")
    assert len(ids) == len(set(ids))
    for link in page.locator("nav a").all():
        assert page.locator(f"h2{link.get_attribute('href')}").count() == 1


def test_page_is_printed_light_and_whole(open_report, classes):
    page = open_report(classes.to_html(), color_scheme="dark")
    page.emulate_media(media="print", color_scheme="light")
    assert not page.locator("nav").is_visible()
    for picture in page.locator("figure svg").all():
        box = picture.bounding_box()
        assert box["x"] + box["width"] <= page.viewport_size["width"]
    assert len(page.pdf()) > 10_000


@pytest.mark.parametrize("name", ["CARTClassifier", "C45RulesClassifier"])
def test_hostile_names_stay_text(open_report, name):
    cells = [[HOSTILE[(row * (k + 1)) % 5] for row in range(70)] for k in range(7)]
    table = dict(zip(HOSTILE, cells, strict=True))
    labels = [HOSTILE[row % 5 % 3] for row in range(70)]
    found = tw.report(getattr(tw, name)(), table, labels, name=HOSTILE[0], folds=3)
    page = open_report(found.to_html(), viewport={"width": 390, "height": 800})
    assert page.evaluate("window.hit") is None
    assert page.locator("img, script, main a").count() == 0
    assert page.locator("style").count() == 1 + page.locator("svg").count()
    assert HOSTILE[0] in page.locator("h1").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate("document.title").count("<script>") == 1


def test_what_the_page_says_is_what_was_measured(open_report, classes):
    page = open_report(classes.to_html())
    found = classes.subject.evaluation
    row = page.locator("tr.strong").first.inner_text()
    assert f"{100 * found.error.value:.1f} %" in row
    cells = page.locator("section:has(#confusion) tbody td").all_inner_texts()
    shown = [float(cell.replace(",", "").replace("\u00b7", "0")) for cell in cells]
    assert shown == pytest.approx(found.confusion[:, :2].ravel().tolist())
