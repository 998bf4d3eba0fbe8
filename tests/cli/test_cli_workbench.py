"""`treewright rules MODEL ROWS` as a workbench: looks, edits, and what is refused."""

from __future__ import annotations

import pytest

import treewright as tw

NAMES = "Outlook,Temperature,Humidity,Wind,PlayTennis\n"


@pytest.fixture
def bench():
    X, y = tw.datasets.tennis()
    return tw.ID3Classifier().fit(X, y).rules().workbench(X, y)


def test_pages_are_those_of_python(run, tennis_model, bench):
    shown = run("rules", tennis_model, "tennis", "--conflicts", "--worth", "--unused")
    assert shown.exit_code == 0, shown.stderr
    pages = (bench.conflicts(), bench.worth(), bench.unused())
    assert shown.stdout == "\n\n".join(map(str, pages)) + "\n"


def test_rows_are_numbered_as_they_stand_in_the_table(run, tennis_model, write):
    write(
        "new.csv",
        f"{NAMES}Sunny,Hot,High,Weak,No\nRain,Hot,High,Weak,\nRain,,High,Weak,No\n",
    )
    shown = run("rules", tennis_model, "new.csv", "--row", 3, "--rows-of", 3)
    assert "row 3 is answered by\n  rule 3  Outlook = Rain, Wind = Weak" in shown.stdout
    assert "(wrong: the row is No)" in shown.stdout
    assert "wrong (1): 3" in shown.stdout
    assert "1 row without a target left out" in shown.stderr
    refused = run("rules", tennis_model, "new.csv", "--row", 2)
    assert refused.exit_code == 2
    assert "there is no row 2; rows go from 1 to 3, those without" in refused.stderr


def test_an_edit_is_shown_and_saved(run, tennis_model, bench):
    shown = run("rules", tennis_model, "tennis", "--drop", 3)
    assert shown.stdout.startswith(f"{bench.drop(3)}\n")
    assert f"next: treewright rules {tennis_model} tennis --drop 3 -o NEW.tw" in (
        " ".join(shown.stdout.replace("\\\n", "").split())
    )
    saved = run("rules", tennis_model, "tennis", "--drop", 3, "-o", "new.tw")
    assert saved.stdout.startswith("rule 3 dropped: errors 0 to 0")
    assert "wrote new.tw" in saved.stderr
    assert tw.load("new.tw").rules_.rules == bench.drop(3).rule_set.rules
    again = run("rules", "new.tw", "tennis", "--merge", "1,4", "-o", "newer.tw")
    assert again.exit_code == 0, again.stderr
    assert (
        "note: edited by hand: rules 1 and 4 merged" in run("show", "newer.tw").stdout
    )
    assert run("predict", "newer.tw", "tennis").exit_code == 0


def test_several_drops_go_by_the_numbers_of_the_model(run, tennis_model, bench):
    shown = run(
        "rules", tennis_model, "tennis", "--drop", "1", "--drop", "2.1", "--drop", "4"
    )
    wanted = bench.drop(2, 1).drop_all([1, 4])
    assert shown.stdout.startswith(f"{wanted}\n")
    moved = run("rules", tennis_model, "tennis", "--order", "5,4,3,2,1")
    assert moved.stdout.startswith(f"{bench.reorder([5, 4, 3, 2, 1])}\n")


REFUSED = {
    "rule 3 is dropped as a whole and in part": ("--drop", "3", "--drop", "3.1"),
    "--drop has the same number twice": ("--drop", "3", "--drop", "3"),
    "--drop 'x' is not 3 or 3.1": ("--drop", "x"),
    "--drop 1.2.3: name a rule (3)": ("--drop", "1.2.3"),
    "there is no rule 9": ("--drop", "9"),
    "rule 1 has one condition": ("--drop", "1.1"),
    "--merge 1: name two rules": ("--merge", "1"),
    "rules 1 and 2 answer differently": ("--merge", "1,2"),
    "the order lacks rule 4": ("--order", "1,2,3"),
    "--drop and --merge together": ("--drop", "1", "--merge", "1,3"),
    "--sort is for the list of rules": ("--worth", "--sort", "lift"),
    "--class is for the list of rules": ("--worth", "--class", "No"),
    "--format is for the list of rules": ("--worth", "--format", "json"),
    "edited rules are saved as a model": ("--drop", "1", "-o", "x.txt"),
    "--algorithm is for growing": ("--worth", "--algorithm", "c45"),
    "has one tree; leave it out": ("--worth", "--max-rules", "3"),
}


@pytest.mark.slow
@pytest.mark.parametrize("words", REFUSED)
def test_refused_edits_write_nothing(run, tennis_model, words, tmp_path):
    before = {path.name for path in tmp_path.iterdir()}
    given = REFUSED[words]
    extra = () if "-o" in given or "--worth" in given else ("-o", "new.tw")
    refused = run("rules", tennis_model, "tennis", *given, *extra)
    assert refused.exit_code == 2
    assert words in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} == before


def test_a_model_and_rows_are_needed(run, tennis_model):
    for words in (("tennis",), (tennis_model,)):
        refused = run("rules", *words, "--conflicts")
        assert refused.exit_code == 2
        assert "treewright rules MODEL.tw ROWS --conflicts" in refused.stderr


def test_rules_of_forests_and_rule_sets(run):
    run("fit", "tennis", "--algorithm", "c45rules", "-o", "rules.tw")
    shown = run("rules", "rules.tw", "tennis", "--worth")
    assert "now: 0 of 14 rows wrong" in shown.stdout
    refused = run("rules", "rules.tw", "tennis", "--worth", "--max-rules", 2)
    assert "--max-rules is for forests" in refused.stderr
    seed = ("--set", "random_state=1", "--set", "n_estimators=9")
    run("fit", "tennis", "--algorithm", "forest", *seed, "-o", "forest.tw")
    shown = run("rules", "forest.tw", "tennis", "--max-rules", 2, "--conflicts")
    assert shown.exit_code == 0, shown.stderr
    written = run(
        "rules", "forest.tw", "tennis", "--tree", 1, "--unused", "-o", "x.txt"
    )
    assert "wrote x.txt" in written.stderr
