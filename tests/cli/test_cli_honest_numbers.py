"""What the report of `treewright fit` says its numbers are."""

from __future__ import annotations

import pytest

# x tells a from b, but for every tenth row
ROWS = "".join(
    f"{k},{'b' if (k >= 50) != (k % 10 == 3) else 'a'},{1 + k % 2}\n"
    for k in range(100)
)
TABLE = f"x,y,w\n{ROWS}"
PRICES = "size,price\n" + "".join(f"{k},{1000 * k + 120000}\n" for k in range(8))


def fit(run, *words):
    return run("fit", "t.csv", "--target", "y", "--ignore", "w", *words).stdout


def test_reduced_error_pruning_prints_the_held_out_error(run, write):
    write("t.csv", TABLE)
    words = ["--set", "pruning=reduced_error", "--set", "validation_share=0.3"]
    shown = fit(run, *words)
    assert "on 30 held-out rows" in shown
    # 100 rows of which 10 are on the other side: 3 of them are held out
    assert "10.0 %  3 of 30 (it was pruned by them)" in shown


def test_rows_given_back_say_nothing_again(run, write):
    write("t.csv", TABLE)
    words = ["--set", "pruning=reduced_error", "--set", "validation_share=0.3"]
    assert "held-out" not in fit(run, *words, "--set", "give_back=true")


@pytest.mark.parametrize(
    ("words", "who", "of"),
    [
        (["alpha_choice=cross_validation"], "in 10-fold cross-validation", "of 100"),
        (
            ["alpha_choice=validation", "validation_share=0.3"],
            "on 30 held-out rows",
            "of 30",
        ),
    ],
)
def test_chosen_alpha_is_printed_with_its_error(run, write, words, who, of):
    write("t.csv", TABLE)
    settings = [
        w for word in ["pruning=cost_complexity", *words] for w in ("--set", word)
    ]
    shown = " ".join(fit(run, *settings).split())
    assert "pruned with alpha 0." in shown
    assert f"with the least error {who}" in shown
    assert f"{of} (alpha was chosen by them)" in shown


def test_held_out_error_of_numbers(run, write):
    write("p.csv", PRICES)
    words = ["--set", "pruning=reduced_error", "--set", "validation_share=0.5"]
    shown = run("fit", "p.csv", "--target", "price", *words).stdout
    assert "on 4 held-out rows" in shown


def test_costs_are_compared_with_the_best_constant_answer(run, write):
    write("t.csv", TABLE)
    write("c.csv", "actual,a,b\na,0,1\nb,5,0\n")
    shown = fit(run, "--costs", "c.csv", "--set", "max_depth=1")
    lines = shown.splitlines()
    start = next(k for k, line in enumerate(lines) if "mean cost of a row" in line)
    # b for x > 48: 5 a's among 51, and 5 b's among 49 as a's would cost 25: all are b
    assert lines[start + 2].split()[:4] == ["always", "saying", "b", "0.5"]
    assert "50 in all" in lines[start + 2]


def test_weights_are_not_taken_for_counts(run, write):
    write("t.csv", TABLE)
    words = ["--weights", "w", "--set", "max_depth=1"]
    shown = run("fit", "t.csv", "--target", "y", *words).stdout
    assert "target y by weight: " in shown
    assert "100 training rows, weight " in shown
    assert "class columns and errors are sums of row weights (150 in all)" in shown
    assert "of 150 by weight" in shown


def test_counts_are_not_called_weights(run, write):
    write("t.csv", TABLE)
    assert "weight" not in fit(run, "--set", "max_depth=1")


def test_shares_of_rows_are_said(run, write):
    cells = [(k % 4, "ab"[(k % 4 > 1) != (k % 7 == 0)]) for k in range(40)]
    rows = "".join(f"{x if k % 5 else ''},{y}\n" for k, (x, y) in enumerate(cells))
    write("m.csv", f"x,y\n{rows}")
    shown = run(
        "fit", "m.csv", "--target", "y", "--algorithm", "c45", "--set", "pruning=none"
    ).stdout
    assert "wrong in shares of rows" in shown
    assert "of 40 in shares of rows" in shown


def test_numbers_taken_as_classes_are_remarked(run, write):
    write("p.csv", PRICES)
    words = ["p.csv", "--target", "price", "--algorithm"]
    shown = " ".join(run("fit", *words, "c45").stdout.split())
    assert (
        "price holds numbers with 8 different values, taken as 8 classes; "
        "--algorithm cart predicts numbers"
    ) in shown
    said = run("fit", *words, "c45", "--nominal", "price").stdout
    assert "taken as" not in said
    assert "taken as" not in run("fit", *words, "cart").stdout
