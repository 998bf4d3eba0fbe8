"""The page of CAL2 and CAL3: read back, its steps are those of the lecture."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

import treewright as tw
from refusals import refused
from textbook_cal import Lecture
from treewright.render.chalk.languages import LANGUAGES, word_table
from treewright.render.fitting.safe_text import display_width

EXAMPLE = {"x1": [0, 0, 0, 1, 1], "x2": [0, 1, 1, 0, 1]}
CLASSES = [*"ABABA"]


def table(seed, n_rows=14):
    draw = random.Random(seed)
    X = {f"x{t}": [draw.choice("abc") for _ in range(n_rows)] for t in (1, 2, 3)}
    return X, [draw.choice("KL") for _ in range(n_rows)]


def told(X, y, **cal3):
    lecture = Lecture([*zip(*X.values(), strict=True)], y)
    return lecture.cal3(**cal3) if cal3 else lecture.cal2()


def pages():
    for seed in range(12):
        X, y = table(seed)
        yield tw.CAL2Classifier().fit(X, y).chalk(), told(X, y)
        cal3 = tw.CAL3Classifier(s1=3, s2=0.8).fit(X, y)
        yield cal3.chalk(), told(X, y, s1=3, s2=0.8)


def read(text):
    """The changes of a page: pass, row from 0, what, the tree after it."""
    found, in_pass, row, what = [], 0, 0, ""
    # what was broken goes back to its line
    text = re.sub(r"\n    (?! )", " ", text.partition("\n\nThe tree\n")[0])
    for line in text.splitlines():
        if heading := re.match(r"Pass (\d+)$", line):
            in_pass = int(heading[1])
        elif heading := re.match(r"row (\d+)   ", line):
            row, what = int(heading[1]) - 1, ""
        elif line.startswith("  tree: "):
            found.append((in_pass, row, what, line.removeprefix("  tree: ")))
        elif "no feature is left" in line and line.startswith("  x"):
            found.append((in_pass, row, "exhausted", None))
        else:
            what = kind_of(line)
    return found


def kind_of(line):
    kinds = {
        ": closed as ": "closed",
        " is wrong and becomes ": "split",
        ": * becomes ": "named",
        ": becomes ": "split",
        ": counted, now ": "counted",
    }
    return next((kind for words, kind in kinds.items() if words in line), "")


@pytest.mark.slow
def test_the_page_tells_what_the_lecture_does():
    for chalk, lecture in pages():
        found = read(chalk.to_text(width=80))
        assert [one[:3] for one in found] == [one[:3] for one in lecture.log]
        for mine, own in zip(found, lecture.log, strict=True):
            assert mine[3] is None or mine[3] == own[3]


def test_json_has_every_step():
    for chalk, lecture in pages():
        steps = json.loads(chalk.to_json())["steps"]
        short = [(one["pass"], one["row"] - 1, one["change"]) for one in steps]
        assert short == [one[:3] for one in lecture.log]


def test_a_decision_shows_its_shares():
    text = tw.CAL3Classifier().fit(EXAMPLE, CLASSES).chalk().to_text(digits=2)
    assert (
        "root: counted, now /A2 B2/, S1 = 4 reached. A 2/4 = 0.50, B 2/4 = 0.50; all "
        "below S2 = 0.7:\n    becomes x1(*, /B1/)\n" in text
    )
    assert "A 3/4 = 0.75, B 1/4 = 0.25; A has at least S2 = 0.7:" in text
    assert "Every leaf is closed in pass 6: done." in text


def test_rows_that_change_nothing_are_folded():
    X = {"x": ["a", "a", "b", *"ab" * 50]}
    y = ["A", "A", "B", *"AB" * 50]
    text = tw.CAL2Classifier().fit(X, y).chalk().to_text()
    assert "row 2   x=a   target=A\n  root: A is right\n" in text
    assert "Rows 5 to 103 change nothing." in text
    assert "Pass 2\n  Rows 1 to 103 change nothing.\n  Pass 2 has changed" in text


def test_a_long_page_is_cut_and_says_so():
    X, y = table(1, n_rows=60)
    X = {**X, "x4": [str(k % 7) for k in range(60)]}
    chalk = tw.CAL3Classifier(s1=30, s2=0.9, when_exhausted="go_on").fit(X, y).chalk()
    assert len(chalk) > 300
    text = chalk.to_text()
    assert f"{len(chalk):,} rows changed the tree; the first" in text
    assert f"{len(chalk) - 300:,} more changes are not shown" in text
    assert text.count("\nrow ") < 400


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [60, 80])
def test_no_line_is_too_wide_in_any_language(language, width):
    for chalk, _ in [*pages()][:4]:
        for quiz in (False, True):
            text = chalk.to_text(language=language, width=width, quiz=quiz)
            assert max(map(display_width, text.splitlines())) <= width


def test_other_languages_have_no_english_words():
    chalk = tw.CAL3Classifier(max_passes=1).fit(EXAMPLE, CLASSES).chalk()
    for language in ("de", "zh", "ko"):
        own = " ".join(one[language] for one in word_table().values())
        words = set(re.findall(r"[a-z]{3,}", chalk.to_text(language=language)))
        assert not {one for one in words if one not in own} - {"cal", "target"}


def test_a_quiz_tells_nothing_before_its_key():
    text = tw.CAL2Classifier().fit(EXAMPLE, [*"AABBA"]).chalk().to_text(quiz=True)
    question, _, key = text.partition("\nKey\n")
    assert "tree:" not in question
    assert "becomes" not in question.partition("Pass 1")[2]
    assert "Pass 1, row 3: root: A is wrong and becomes x1(B, *)" in key


def test_names_do_not_act():
    X = {"<b>": ["&", "$x$", "*"], "a|b": ["_", "\\", "#"]}
    chalk = tw.CAL2Classifier().fit(X, ["<i>", "{}", "<i>"]).chalk()
    assert "<b>" not in chalk.to_html().partition("<body>")[2]
    assert "&lt;b&gt;(" in chalk.to_html()
    assert r"\textless{}b\textgreater{}(" in chalk.to_latex()
    assert r"\<b" in chalk.to_markdown() or "&lt;b" in chalk.to_markdown()
    assert json.loads(chalk.to_json())["features"][0]["name"] == "<b>"
    assert "cal2" in repr(chalk)
    assert "becomes" in chalk._repr_html_()


def test_a_class_is_told_from_its_count():
    tree = tw.CAL3Classifier().fit(EXAMPLE, [1, 2, 1, 2, 1])
    assert "/1:2 2:1/" in tree.chalk().to_text()
    tree = tw.CAL3Classifier().fit(EXAMPLE, ["ja", "nein", "ja", "nein", "ja"])
    assert "/ja:2 nein:1/" in tree.chalk().to_text()


def test_other_rows_are_refused():
    tree = tw.CAL3Classifier().fit(EXAMPLE, CLASSES)
    with refused(ValueError, "chalk", "tree", "held-out"):
        tree.chalk(EXAMPLE, [*"AAAAB"])
    with refused(ValueError, "format", "markdown", "'pdf'"):
        tree.chalk().to_format("pdf")
    assert tree.chalk().to_format("markdown") == tree.chalk().to_markdown()


DOCS = Path(__file__).parents[3] / "docs" / "cal.md"


def trees_in_docs(heading):
    """The tree after each row of a table of `docs/cal.md`."""
    part = DOCS.read_text(encoding="utf-8").partition(f"## {heading}\n")[2]
    part = part.partition("\n## ")[0]
    lines = re.findall(r"^\| (\d) \| ([\d, to]+) \|.*\| `(.*)` \|$", part, re.MULTILINE)
    return {
        (int(n), int(re.findall(r"\d+", rows)[-1])): tree for n, rows, tree in lines
    }


def test_the_worked_examples_of_the_docs():
    cal2 = {"x1": [0, 1, 0, 1, 0], "x2": [0, 0, 1, 1, 0], "x3": [1, 0, 4, 2, 3]}
    for heading, lecture in (
        ("CAL2", told(cal2, [*"AABBA"])),
        ("CAL3", told(EXAMPLE, CLASSES, s1=4, s2=0.7)),
    ):
        shown = trees_in_docs(heading)
        assert len(shown) == 10
        after, tree = {}, "*"
        changes = {(number, row + 1): text for number, row, _, text in lecture.log}
        for number in range(1, lecture.passes + 1):
            for row in range(1, 6):
                tree = changes.get((number, row), tree)
                after[number, row] = tree
        assert shown == {place: after[place] for place in shown}
