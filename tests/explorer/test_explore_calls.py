"""`treewright explore` and `model.explore`: what they write, and what they refuse."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import treewright as tw
from refusals import refused
from treewright.cli.main import main
from treewright.errors import FileReadError, SettingError


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("fit", "tennis", "-o", "tennis.tw")


def run(*words):
    result = CliRunner().invoke(main, list(map(str, words)))
    assert "Traceback" not in result.output
    return result


def test_page_is_written_beside_and_named_after_the_model():
    result = run("explore", "tennis.tw")
    assert result.exit_code == 0
    assert Path("tennis.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    first, last = result.stdout.splitlines()
    assert first.startswith("wrote tennis.html (")
    assert last.startswith("next: treewright explore tennis.tw DATA")


def test_rows_are_counted_and_embedded_only_if_asked_for():
    result = run("explore", "tennis.tw", "tennis", "-o", "a.html")
    words = " ".join(result.stdout.split())
    assert "counts of 14 rows (the training rows) and none of them in it" in words
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert '"embedded"' not in Path("a.html").read_text(encoding="utf-8")
    result = run("explore", "tennis.tw", "tennis", "--rows", "5", "-o", "a.html")
    assert "and 5 of them in it" in " ".join(result.stdout.split())
    assert '"embedded"' in Path("a.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tennis.tw", "--rows", "5"], "give DATA, too"),
        (["tennis.tw", "no_target.csv"], "lacks the target 'PlayTennis'"),
        (["tennis.tw", "-o", "tennis.tw"], "would overwrite the input"),
        (["tennis.tw", "-o", "no/such/a.html"], "there is no folder"),
        (["absent.tw"], "absent.tw"),
        (["no_target.csv"], "is a table, not a treewright model"),
        (["tennis.tw", "tennis", "--rows", "9999"], "9999"),
    ],
)
def test_bad_words_get_one_line(words, message):
    Path("no_target.csv").write_text(
        "Outlook,Temperature,Humidity,Wind\nRain,Hot,High,Weak\n"
    )
    result = run("explore", *words)
    assert result.exit_code in (1, 2)
    assert message in result.stderr
    assert not list(Path().glob("*.html"))


def test_estimator_writes_the_page_and_shows_it_in_a_notebook():
    table, labels = tw.datasets.tennis()
    model = tw.ID3Classifier().fit(table, labels)
    page = model.explore("tree.html", table, labels)
    assert Path("tree.html").read_text(encoding="utf-8") == page.html
    frame = page._repr_html_()
    assert frame.startswith('<iframe sandbox="allow-scripts')
    assert "<script" not in frame  # all of it is escaped
    assert repr(page).startswith("<explorer page in 'tree.html'")


def test_estimator_refuses_half_of_what_it_needs():
    table, labels = tw.datasets.tennis()
    model = tw.ID3Classifier().fit(table, labels)
    with refused(SettingError, "X", "y", "without"):
        model.explore(X=table)
    with refused(SettingError, "rows", "page", "X", "y"):
        model.explore(rows=5)
    with refused(SettingError, "rows", -1, "0 to 2000"):
        model.explore(X=table, y=labels, rows=-1)
    with refused(FileReadError, "no/such"):
        model.explore("no/such/tree.html")


@pytest.mark.slow
def test_page_in_a_notebooks_frame_works(open_page):
    table, labels = tw.datasets.tennis()
    frame = tw.ID3Classifier().fit(table, labels).explore()._repr_html_()
    page = open_page(f"<!doctype html><body data-ready>{frame}</body>")
    inside = page.frame_locator("iframe")
    inside.locator("body[data-ready]").wait_for(state="attached")
    assert inside.locator("[role=treeitem]").count() == 8


def test_next_command_repeats_how_the_table_is_read():
    rows = "".join(f"{k},5;{'ab'[k > 3]}\n" for k in range(8))
    Path("cells.csv").write_text(f"x;y\n{rows}", encoding="utf-8")
    how = ["--separator", ";", "--decimal", ","]
    run("fit", "cells.csv", "--target", "y", *how, "-o", "cells.tw")
    words = run("explore", "cells.tw", "cells.csv", *how, "-o", "a.html").stdout
    *_, following = " ".join(words.replace("\\\n", " ").split()).partition("next: ")
    assert following == (
        "treewright explore cells.tw cells.csv --rows 500 -o a.html --separator ';' "
        "--decimal , (rows that flow)"
    )
    words = run("explore", "cells.tw", "cells.csv", *how, "--rows", "5").stdout
    assert words.endswith("predict cells.tw cells.csv --separator ';' --decimal ,\n")


@pytest.mark.slow
def test_tree_of_a_forest_stays_the_one_that_was_asked_for():
    run("fit", "tennis", "--algorithm", "forest", "-o", "forest.tw")
    words = run("explore", "forest.tw", "--tree", "3").stdout
    assert "next: treewright explore forest.tw DATA --tree 3   (adds errors)" in words
