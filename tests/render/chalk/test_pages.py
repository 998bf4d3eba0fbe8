"""Pages that hold in every format: widths, languages, names that would like to act."""

from __future__ import annotations

import json
import re
import shutil
import string
import subprocess
from html.parser import HTMLParser

import pytest
from chalks import chalk_of, chalk_of_example
from hostile import NAMES

from refusals import refused
from treewright.errors import SettingError
from treewright.learners.dialects.c45 import C45
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.id3 import ID3
from treewright.render.chalk.languages import LANGUAGES, word_table
from treewright.render.chalk.written_chalk import FORMATS
from treewright.render.fitting.safe_text import display_width

SPECIAL = r"a_b%&#{}~^\ |`*_[x](y) $1$ -- '' " + '"'


def hostile_chalk(name):
    """Tennis with one name for a feature, a value, a class and the target."""
    X = {
        name: [name, name, "Rain", "Rain", "Sunny", name],
        f"{name} 2": [1.5, 2.5, 2.0, 3.0, 3.0, 1.0],
    }
    y = [name, name, "Yes", "No", "Yes", "No"]
    return chalk_of(
        X, y, C45.change(min_samples_leaf=1), rows=[{name: None, f"{name} 2": 1.0}]
    )


def test_words_are_there_in_every_language():
    for key, words in word_table().items():
        assert set(words) == set(LANGUAGES), key
        fields = {code: _fields(text) for code, text in words.items()}
        assert len(set(map(frozenset, fields.values()))) == 1, key


def _fields(text):
    return {field for _, field, *_ in string.Formatter().parse(text) if field}


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_line_is_too_wide(language, width):
    for example, dialect in (("watermelon", C45), ("restaurant", ID3)):
        chalk = chalk_of_example(example, dialect)
        for quiz in (False, True):
            text = chalk.to_text(language=language, width=width, quiz=quiz)
            # six blanks with numbers of three digits need more than 60
            most = max(width, 66) if quiz else width
            assert max(map(display_width, text.splitlines())) <= most


@pytest.mark.slow
@pytest.mark.parametrize("name", [*NAMES, SPECIAL], ids=range(len(NAMES) + 1))
def test_names_do_not_act(name):
    if not name.strip():
        pytest.skip("a column needs a name")
    chalk = hostile_chalk(name)
    for format in FORMATS:
        for quiz in (False, True):
            page = chalk.to_format(format, quiz=quiz)
            assert "\x1b" not in page and "\x00" not in page
            page.encode("utf-8")
    text = chalk.to_text()
    assert max(map(display_width, text.splitlines())) <= 100
    assert json.loads(chalk.to_json())["format"] == "treewright-chalk"
    tags = set(re.findall(r"</?([a-z]\w*)", chalk.to_html()))
    assert tags <= {*_TAGS}, tags - {*_TAGS}


_TAGS = (
    "html head meta title style body main h1 h2 h3 div span table thead tbody caption "
    "tr th td b sub sup pre details summary"
).split()


def test_ascii():
    chalk = chalk_of_example("watermelon", C45)
    assert chalk.to_text(ascii=True).isascii()
    assert chalk_of_example("tennis", ID3).to_text(ascii=True).isascii()


def test_html_fetches_nothing_and_is_balanced():
    page = chalk_of_example("tennis", C45).to_html(quiz=True)
    assert "default-src 'none'" in page
    for forbidden in ("<script", "http:", "https:", "url(", "src=", "@import"):
        assert forbidden not in page
    open_tags = []

    class Balance(HTMLParser):
        def handle_starttag(self, tag, attrs):
            if tag != "meta":
                open_tags.append(tag)

        def handle_endtag(self, tag):
            assert open_tags.pop() == tag

    Balance().feed(page)
    assert not open_tags


def test_a_quiz_does_not_tell():
    chalk = chalk_of_example("tennis", ID3)
    page, _, key = chalk.to_text(quiz=True).partition("\nKey\n")
    assert "0.2467" not in page and "0.2467" in key
    assert "largest" not in page and "> " not in page
    assert page.index("Temperature") < page.index("Humidity")  # in column order
    assert "Step 1: Outlook is taken: 0.0949 more than Humidity." in key
    latex = chalk.to_latex(quiz=True).partition(r"\clearpage")
    assert "0.2467" not in latex[0] and "0.2467" in latex[2]
    markdown = chalk.to_markdown(quiz=True).partition("<details>")
    assert "0.2467" not in markdown[0] and "0.2467" in markdown[2]


def test_many_features_and_classes():
    rows = range(40)
    X = {f"f{k}": [(row * (k + 3)) % 7 < 3 for row in rows] for k in range(45)}
    chalk = chalk_of(X, [f"class {row % 23}" for row in rows], CART.change(max_depth=2))
    text = chalk.to_text()
    assert "The best 30 of 39 features are shown." in text
    assert max(map(display_width, text.splitlines())) <= 100


def test_regression_and_frames():
    X = {"x": [1.0, 2.0, 3.0, 4.0], "c": ["a", "b", "a", "b"]}
    chalk = chalk_of(X, [1.0, 2.0, 30.0, 41.0], CART_NUMBERS, task="numbers")
    assert "4 rows   mean 18.500   variance 304.25" in chalk.to_text()
    assert chalk[0].formula("x") == "304.25 - 2/4*0.25 - 2/4*30.25 = 289.00"
    assert set(chalk.frames()) >= {0}
    assert chalk[0].branches.columns[-1] == "target"
    assert len(chalk[0].cuts) == 3


def test_unknown_format_lists_what_there_is():
    with refused(SettingError, "text, markdown, latex, html, json", "'word'"):
        chalk_of_example("tennis", ID3).to_format("word")


def test_notebooks_get_a_part_of_a_page():
    shown = chalk_of_example("tennis", ID3)._repr_html_()
    assert shown.startswith("<style>") and "<html" not in shown


ENGINES = [one for one in ("pdflatex", "xelatex", "tectonic") if shutil.which(one)]


@pytest.mark.skipif(not ENGINES, reason="no pdflatex, xelatex or tectonic here")
@pytest.mark.parametrize("quiz", [False, True])
def test_latex_compiles(tmp_path, quiz):
    chalks = {
        "c45": chalk_of_example("tennis", C45),
        "regression": chalk_of(
            {"x": [1.0, 2.0, 3.0]}, [1e-12, 2e-12, 3e-12], CART_NUMBERS, task="numbers"
        ),
        "special": hostile_chalk(SPECIAL),
        "letters": hostile_chalk("Größe ≤ ½ 🙂 Ж"),
        "chi_square": chalk_of_example("dungeon", ID3.change(chi_square_level=0.9)),
    }
    for name, chalk in chalks.items():
        file = tmp_path / f"{name}.tex"
        file.write_text(chalk.to_latex(quiz=quiz, language="de"), encoding="utf-8")
        engine = ENGINES[0]
        options = (
            [] if engine == "tectonic" else ["-interaction=batchmode", "-halt-on-error"]
        )
        run = subprocess.run(
            [engine, *options, file.name],
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        log = file.with_suffix(".log")
        said = log.read_text("utf-8", "replace")[-1500:] if log.exists() else run.stderr
        assert run.returncode == 0, said
        assert file.with_suffix(".pdf").exists()


@pytest.mark.skipif("pdflatex" not in ENGINES, reason="no pdflatex here")
def test_wide_latex_tables_stay_on_the_page(tmp_path):
    X = {"a feature with a long name": list("abcabcabc"), "x": [*range(9)]}
    dialect = CART.change(pruning="pessimistic")
    chalk = chalk_of(X, list("ppqqrrppq"), dialect)
    file = tmp_path / "wide.tex"
    file.write_text(chalk.to_latex(digits=12, listing=False), encoding="utf-8")
    command = ["pdflatex", "-interaction=batchmode", "-halt-on-error", file.name]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    log = file.with_suffix(".log").read_text("utf-8", "replace")
    tables = re.findall(r"Overfull \\hbox \((\d+)\.\d+pt too wide\) in paragraph", log)
    assert not [one for one in tables if int(one) > 20]


def test_cuts_of_very_many_features_are_those_of_the_best():
    rows = range(30)
    X = {f"f{k}": [(row * (k + 3)) % 11 for row in rows] for k in range(40)}
    chalk = chalk_of(X, [row % 3 for row in rows], CART.change(max_depth=1))
    step = chalk[0].step
    assert sum(bool(one.cuts) for one in step.candidates) == 30
    assert step.candidates[step.best].cuts
    shown = chalk.to_text(listing=False)
    assert shown.count("\n  Cuts of ") <= 30 * len(chalk)


def test_formulas_of_many_terms_are_broken_and_headings_stay_with_tables():
    X = {"a feature with a long name": [*"abcdefgh" * 3], "x": [*range(24)]}
    chalk = chalk_of(X, [*"pq" * 12], C45.change(min_samples_leaf=1, max_depth=1))
    latex = chalk.to_latex(listing=False)
    for line in re.findall(r".*log_2.*", latex):
        assert line.count("log_2") <= 4
    assert latex.count(r"\log_2 \tfrac{3}{24}") >= 8
    for cuts in re.findall(r"Cuts of .*\n.*", latex):
        assert cuts.endswith("\\par\n\\nopagebreak")


def test_formulas_scroll_in_a_box_of_their_own():
    page = chalk_of_example("tennis", C45).to_html()
    assert page.count('<table class="formulas">') == page.count(
        '<div class="sums"><table class="formulas">'
    )
    assert ".sums { overflow-x: auto; }" in page
