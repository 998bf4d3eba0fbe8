"""`treewright rules MODEL ROWS`: totals, notes about odd rows, what to do next."""

from __future__ import annotations

import json
import math

import pytest

SEED = ("--set", "random_state=1", "--set", "n_estimators=12")
ODD = """Outlook,Temperature,Humidity,Wind,PlayTennis
Hagel,Hot,High,Weak,Yes
Sunny,Hot,High,Weak,Vielleicht
Sunny,Hot,High,Weak,No
"""
LEARNERS = {
    "tree": (),
    "rule set": ("--algorithm", "c45rules"),
    "forest": ("--algorithm", "forest", *SEED),
}


@pytest.fixture(params=LEARNERS)
def model(run, write, request):
    words = LEARNERS[request.param]
    assert run("fit", "tennis", *words, "-o", "m.tw").exit_code == 0
    write("odd.csv", ODD)
    return "m.tw"


@pytest.mark.slow
def test_values_and_classes_never_seen_are_noted_as_by_predict(run, model):
    noted = run("predict", model, "odd.csv").stderr
    line = "feature 'Outlook': 1 row has a value not seen in training: 'Hagel'"
    assert line in noted
    said = run("rules", model, "odd.csv").stderr
    assert said.count(line) == 1
    assert "note: 1 row of a class not seen in training" in said


def test_totals_have_all_rows(run, model):
    result = run("rules", model, "odd.csv", "--format", "json")
    data = json.loads(result.stdout)
    assert (data["n_rows"], data["rows"]) == (3, "rows")
    said = data["remarks"][0]
    assert said.startswith(f"3 rows, {data['wrong']:g} wrong (")
    assert data["wrong"] >= 1  # the class that training never saw
    if data["uncovered"]:
        default = data["otherwise"]
        assert f"met no rule and get{'s' * (data['uncovered'] == 1)} '{default}'" in (
            said
        )


def test_a_row_that_meets_no_rule_counts_by_its_answer(run, tennis_model, write):
    write("odd.csv", ODD)
    shown = run("rules", tennis_model, "odd.csv").stdout
    assert "3 rows, 1 wrong (33.3 %); 1 row met no rule and gets 'Yes'" in shown


def test_json_says_how_rules_answer(run, model):
    data = json.loads(run("rules", model, "odd.csv", "--format", "json").stdout)
    is_tree = "each leaf" in data["title"]
    assert data["answer"] == ("only match" if is_tree else "first match")


def test_a_forest_without_the_target_is_told_to_add_it(run, write):
    run("fit", "tennis", *LEARNERS["forest"], "-o", "f.tw")
    write("bare.csv", "Outlook,Temperature,Humidity,Wind\nSunny,Hot,High,Weak\n")
    said = run("rules", "f.tw", "bare.csv").stderr
    assert "lacks the target 'PlayTennis'" in said
    assert "leave ROWS out" not in said


def test_numbers_have_the_mean_of_the_rows_and_the_error(run, price_model, write):
    write("new.csv", "size,colour,price\n1,red,13\n4,blue,30\n")
    data = json.loads(run("rules", price_model, "new.csv", "--format", "json").stdout)
    means = [one["mean"] for one in data["rules"] if one["rows"]]
    answers = [one["then"] for one in data["rules"] if one["rows"]]
    assert means == [13, 30]
    squares = [(a - b) ** 2 for a, b in zip(means, answers, strict=True)]
    assert data["error"] == pytest.approx(math.sqrt(sum(squares) / 2))
    text = run("rules", price_model, "new.csv").stdout
    assert "mean" in text.split("→")[0]
    assert "2 rows; root of the mean squared error" in text


def test_the_forest_has_seen_its_training_rows(run):
    grown = run("rules", "tennis", *LEARNERS["forest"], "--width", "200").stdout
    assert "% (it has seen them)" in grown
    run("fit", "tennis", *LEARNERS["forest"], "-o", "f.tw")
    saved = run("rules", "f.tw", "tennis", "--width", "200").stdout
    error = run("show", "f.tw").stdout.split("error")[1].split("%")[0]
    assert f"(in training out of bag {float(error):.1f} %)" in saved


def test_made_rows_are_not_called_training_rows(run):
    run("fit", "tennis", *LEARNERS["forest"], "-o", "f.tw")
    made = run("distil", "f.tw", "tennis", "-o", "d.tw")
    assert made.exit_code == 0, made.stderr
    shown = run("rules", "d.tw").stdout
    assert " made rows, " in shown
    assert "training rows" not in shown


def test_sorted_rules_do_not_say_that_the_first_answers(run):
    run("fit", "tennis", *LEARNERS["rule set"], "-o", "r.tw")
    assert "the first that a row meets answers" in run("rules", "r.tw").stdout
    for words in (("--sort", "cover"), ("--class", "Yes")):
        shown = run("rules", "r.tw", *words).stdout
        assert "the rule with the lowest number that a row meets answers" in shown
        assert "the first" not in shown
    formula = run("rules", "r.tw", "--formula", "--width", "120").stdout
    assert "the one with the lowest number answers; otherwise Yes" in formula


def test_next_lines_give_the_same_again(run):
    shown = run("rules", "tennis", *LEARNERS["forest"]).stdout
    end = shown.split("next: ")[1].replace("\\\n", "").split()
    assert end[-2:] == ["-o", "forest.tw"]
    assert "random_state=1" in end
    shown = run("rules", "tennis", "--algorithm", "forest").stdout
    seed = shown.split("random_state=")[1].split()[0]
    assert f"--set random_state={seed}" in shown.split("next: ")[1]
    shown = run("rules", "tennis", *LEARNERS["rule set"]).stdout
    assert shown.rstrip().endswith("-o rules.tw")


def test_rules_of_a_saved_forest_lead_to_more_of_them_or_to_one_tree(run, write):
    run("fit", "tennis", *LEARNERS["forest"], "-o", "f.tw")
    shown = run("rules", "f.tw", "tennis").stdout
    assert "next: treewright distil f.tw tennis -o tree.tw" in shown
    rows = "".join(f"{k},{k // 5 % 2}\n" for k in range(200))
    write("steps.csv", f"x,y\n{rows}")
    words = ("--target", "y", "--set", "criterion=gini")
    made = run("fit", "steps.csv", *LEARNERS["forest"], *words, "-o", "g.tw")
    assert made.exit_code == 0, made.stderr
    shown = run("rules", "g.tw", "steps.csv").stdout
    assert "next: treewright rules g.tw steps.csv --max-rules 20" in shown


def test_a_long_list_says_how_to_shorten_it(run, write):
    rows = "".join(f"{k},{k % 2}\n" for k in range(50))
    write("long.csv", f"x,y\n{rows}")
    words = ("long.csv", "--target", "y", "--algorithm", "cart")
    shown = run("rules", *words, "--set", "criterion=gini")
    assert shown.exit_code == 0, shown.stderr
    assert "--sort cover --min-cover 10" in shown.stdout.split("next: ")[1]


def test_names_and_formats_that_disagree_are_refused(run, tennis_model, tmp_path):
    unknown = run("rules", tennis_model, "-o", "s.xlsx")
    assert unknown.exit_code == 2
    assert ".txt, .md, .json, .csv" in unknown.stderr
    other = run("rules", tennis_model, "--format", "csv", "-o", "s.json")
    assert other.exit_code == 2
    assert "contradict" in other.stderr
    assert not (tmp_path / "s.xlsx").exists()
    assert run("rules", tennis_model, "-o", "plain").exit_code == 0


def test_a_class_of_numbers_is_refused_without_a_formula(run, price_model):
    result = run("rules", price_model, "--class", "5")
    assert result.exit_code == 2
    assert "formula" not in result.stderr


def test_nothing_left_is_said(run, tennis_model):
    shown = run("rules", tennis_model, "--min-cover", "99").stdout
    assert "no rule is left to show" in shown
    assert "5 rules of fewer than 99 rows left out" in shown
