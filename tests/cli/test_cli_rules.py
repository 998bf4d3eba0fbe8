"""`treewright rules`: of tables, of saved trees and of forests."""

from __future__ import annotations

import csv
import io
import json

import pytest

import treewright as tw

SEED = ("--set", "random_state=1", "--set", "n_estimators=12")
TENNIS = "(Outlook=Overcast) or (Outlook=Rain and Wind=Weak)"


def test_a_table_gives_the_rules_that_python_gives(run):
    result = run("rules", "tennis")
    assert result.exit_code == 0, result.stderr
    rules = tw.ID3Classifier().fit(*tw.datasets.tennis()).rules()
    assert result.stdout.startswith(f"{rules}\nalgorithm id3, because every feature")
    assert "\n\nnext: treewright fit tennis -o tree.tw\n" in result.stdout


def test_a_model_is_sorted_and_cut_as_asked(run, tennis_model):
    result = run("rules", tennis_model, "--sort", "lift", "--class", "No")
    lines = [line for line in result.stdout.splitlines() if "→" in line]
    assert [line.split()[0] for line in lines] == ["4", "2"]
    assert "3 rules of other classes left out" in result.stdout
    assert f"next: treewright explore {tennis_model}" in result.stdout
    assert "→ Yes" in run("rules", tennis_model, "--min-cover", "4").stdout


def test_the_formula_is_that_of_the_lectures(run, tennis_model):
    shown = run("rules", tennis_model, "--formula").stdout.splitlines()
    assert shown[1] == f"Yes: {TENNIS} or (Outlook=Sunny and Humidity=Normal)"
    only = run("rules", tennis_model, "--formula", "--class", "Yes").stdout
    assert only.splitlines()[0] == shown[1]
    refused = run("rules", tennis_model, "--formula", "--format", "json")
    assert "--formula is text" in refused.stderr


def test_files_are_written_as_their_names_say(run, tennis_model, tmp_path):
    for name in ("rules.csv", "rules.json", "rules.md", "rules.txt"):
        result = run("rules", tennis_model, "-o", name)
        assert result.exit_code == 0
        assert result.stdout == ""
        assert f"wrote {name}" in result.stderr
    rows = [*csv.DictReader(io.StringIO((tmp_path / "rules.csv").read_text()))]
    assert [row["rows"] for row in rows] == ["4", "2", "3", "3", "2"]
    data = json.loads((tmp_path / "rules.json").read_text())
    assert [one["then"] for one in data["rules"]] == ["Yes", "No", "Yes", "No", "Yes"]
    assert "| Outlook = Overcast | Yes |" in (tmp_path / "rules.md").read_text()
    assert (tmp_path / "rules.txt").read_text().startswith("5 rules for PlayTennis")
    assert run("rules", tennis_model, "-o", tennis_model).exit_code == 2


def test_rows_are_counted(run, tennis_model, write):
    write(
        "new.csv",
        "Outlook,Temperature,Humidity,Wind,PlayTennis\nSunny,,High,Weak,Yes\n",
    )
    result = run("rules", tennis_model, "new.csv", "--format", "csv")
    rows = [*csv.DictReader(io.StringIO(result.stdout))]
    assert [row["wrong"] for row in rows] == ["0.0", "0.0", "0.0", "1.0", "0.0"]
    write("bare.csv", "Outlook,Temperature,Humidity,Wind\nSunny,,High,Weak\n")
    refused = run("rules", tennis_model, "bare.csv")
    assert refused.exit_code == 1
    assert "lacks the target 'PlayTennis'" in refused.stderr


def test_a_forest_is_grown_and_read(run):
    result = run("rules", "tennis", "--algorithm", "forest", *SEED, "--max-rules", "3")
    assert result.exit_code == 0, result.stderr
    forest = tw.RandomForestClassifier(12, random_state=1).fit(*tw.datasets.tennis())
    assert result.stdout.startswith(str(forest.rules(max_rules=3)))
    assert "random_state=1" in result.stdout


def test_a_saved_forest_needs_rows(run):
    assert (
        run("fit", "tennis", "--algorithm", "forest", *SEED, "-o", "f.tw").exit_code
        == 0
    )
    refused = run("rules", "f.tw")
    assert refused.exit_code == 2
    assert "treewright rules f.tw DATA" in refused.stderr
    result = run("rules", "f.tw", "tennis", "--max-rules", "2")
    assert "rules and forest agree on" in result.stdout
    assert "next: treewright predict f.tw DATA" in result.stdout
    assert "one for each leaf" in run("rules", "f.tw", "--tree", "3").stdout


@pytest.mark.slow
def test_boosted_trees_are_refused_in_one_line(run):
    run("fit", "tennis", "--algorithm", "adaboost", "-o", "a.tw")
    result = run("rules", "a.tw", "tennis")
    assert result.exit_code == 2
    assert "AdaBoost correct each other" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_numbers_are_listed_by_mean(run, price_model):
    result = run("rules", price_model, "--sort", "mean")
    assert result.exit_code == 0, result.stderr
    assert "spread" in result.stdout
    assert (
        "cannot be sorted by 'lift'"
        in run("rules", price_model, "--sort", "lift").stderr
    )


def test_options_that_change_nothing_are_refused(run, tennis_model):
    for words, said in (
        ((tennis_model, "--target", "Wind"), "--target is for growing a tree"),
        ((tennis_model, "--algorithm", "id3"), "--algorithm is for growing"),
        ((tennis_model, "--set", "max_depth=2"), "--set is for growing"),
        ((tennis_model, "--max-rules", "2"), "--max-rules is for forests"),
        (("tennis", "--max-rules", "2"), "--max-rules is for --algorithm forest"),
        (("tennis", "--tree", "1"), "--tree is for a saved forest"),
        (("tennis", "tennis"), "tennis is a table"),
        (("absent.tw", "tennis"), "there is no file 'absent.tw'"),
    ):
        result = run("rules", *words)
        assert result.exit_code == (1 if words[0] == "absent.tw" else 2), words
        assert said in result.stderr


def test_a_narrow_terminal_loses_columns_and_no_condition(run, tennis_model):
    narrow = run("rules", tennis_model, "--width", "40").stdout
    assert max(map(len, narrow.split("\nnext")[0].splitlines())) <= 40
    assert narrow.count("Outlook =") == 5
    plain = run("rules", tennis_model, TERM="dumb").stdout
    assert plain.isascii()
