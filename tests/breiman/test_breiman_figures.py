"""Standard errors and tables, worked out by hand."""

from __future__ import annotations

import math

import pytest

from breiman.figures import Figure, read_results, write_results
from breiman.published import ABSENT, COLUMNS, ROWS
from breiman.report import (
    END,
    PAGE,
    START,
    cells_outside,
    figures_of,
    markdown,
    table,
    write_page,
)
from breiman.run import RUNNABLE
from conformance.datasets import DATA

# errors 10, 12, 14, 16: mean 13, deviation sqrt(20/3) = 2.582, of the mean 1.291
FIGURE = Figure.of([10.0, 12.0, 14.0, 16.0], n_test=100)
GLASS, LETTER = ROWS["glass"], ROWS["letter"]


def exactly(mean):
    return Figure(mean, 1.0, 100, 21)  # standard error 0.1, of the difference 0.1414


RESULTS = {
    "glass": {
        "forest": {
            "selection": exactly(21.0),  # 0.4 above 20.6: 2.8 standard errors
            "single": exactly(21.2),
            "one_tree": exactly(30.0),
        },
        "sklearn": {"selection": exactly(21.1)},
        "sklearn minus ours": {"selection": exactly(0.1)},
    }
}


def test_figure_is_mean_and_deviation():
    assert (FIGURE.mean, FIGURE.n_trials, FIGURE.n_test) == (13.0, 4, 100)
    assert FIGURE.deviation == pytest.approx(2.582, abs=1e-4)
    assert FIGURE.standard_error == pytest.approx(1.291, abs=1e-3)


def test_published_mean_is_taken_to_vary_as_ours_does():
    error = FIGURE.error_of_difference(GLASS)
    assert error == pytest.approx(1.826, abs=1e-3)
    assert FIGURE.distance(GLASS, "single") == pytest.approx((13 - 21.2) / 1.826, 1e-3)


def test_fixed_test_set_counts_one_published_run_and_the_test_rows():
    # 20/3 * (1 + 1/4) = 8.333, and 13 * 87 / 100 = 11.31
    error = FIGURE.error_of_difference(LETTER)
    assert error == pytest.approx(math.sqrt(8.333 + 11.31), abs=1e-3)
    alone = FIGURE.error_of_difference(LETTER, seeds_only=True)
    assert alone == pytest.approx(math.sqrt(8.333), abs=1e-3)


def test_figures_that_never_vary_are_far_from_any_other():
    same = Figure.of([3.0, 3.0], n_test=10)
    assert same.distance(GLASS, "single") == -math.inf


def test_table_marks_what_is_above_and_below():
    lines = table(RESULTS, {"glass": 12.3}).splitlines()
    assert len(lines) == 2
    assert lines[1].split("  ")[0] == "Glass"
    assert "21.0 ± 0.1 (>20.6)" in lines[1]
    assert "21.2 ± 0.1 (21.2)" in lines[1]
    assert "30.0 ± 0.1 (<36.9)" in lines[1]
    assert "- (22.0)" in lines[1]
    assert lines[1].endswith(" 12")


def test_what_is_worse_is_listed_with_other_programs():
    (line,) = cells_outside(RESULTS)
    assert line.startswith(
        "Glass, forest, F by out-of-bag: 21.00 against 20.6, 2.8 standard errors above"
        "; scikit-learn 21.10, +0.10 ± 0.10 from ours"
    )


def test_page_has_every_row_and_names_what_is_absent(tmp_path):
    lines = markdown(RESULTS).splitlines()
    assert len(lines) == 2 + len(ROWS) == 21
    assert "**21.0 ± 0.1 (>20.6)**" in lines[2]
    assert [line.split(" | ")[0][2:] for line in lines if "no data" in line] == [
        *ABSENT
    ]
    assert ABSENT == ("Vehicle", "Ecoli")
    page = tmp_path / "page.md"
    page.write_text(f"before\n{START}\nold\n{END}\nafter\n", encoding="utf-8")
    for _ in range(2):
        write_page(RESULTS, page)
        text = page.read_text(encoding="utf-8")
        assert text == f"before\n{START}\n{markdown(RESULTS)}\n{END}\nafter\n"


def test_results_are_kept_as_they_are(tmp_path):
    path = tmp_path / "results.json"
    assert read_results(path) == {}
    write_results(RESULTS, path)
    assert read_results(path) == RESULTS


def test_published_table_is_that_of_the_lecture_notes():
    sums = [round(sum(row.published(c) for row in ROWS.values()), 1) for c in COLUMNS]
    assert sums == [243.3, 230.3, 241.2, 476.8]
    notes = DATA.parent / "lectures" / "README.md"
    if not notes.is_file():
        pytest.skip("the shared lecture notes are not beside the repository")
    lines = notes.read_text(encoding="utf-8").splitlines()
    for row in ROWS.values():
        figures = " | ".join(f"{row.published(column):.1f}" for column in COLUMNS)
        assert f"| {row.title} | {figures} |" in lines


def test_page_and_kept_results_agree():
    results = read_results()
    assert list(results) == RUNNABLE
    assert all(figures_of(methods).keys() == {*COLUMNS} for methods in results.values())
    page = PAGE.read_text(encoding="utf-8")
    assert f"{START}\n{markdown(results)}\n{END}" in page


def test_page_explains_every_figure_that_is_worse():
    explained = PAGE.read_text(encoding="utf-8").split("## What is above, and why")[1]
    for line in cells_outside(read_results()):
        title, figure = line.split(":")[0].split(", ", 1)
        assert f"| {title}, {figure} |" in explained
