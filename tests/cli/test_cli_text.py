"""`--text COL`: a column of texts, from fit to predict."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from treewright.data.datasets.made_news import make_news
from treewright.data.sparse import sparse_cells

NEWS = ("news.csv", "--target", "topic", "--text", "body", "--ignore", "id")


@pytest.fixture(autouse=True)
def news():
    made = make_news(150, 800, 2, length=40)
    with Path("news.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "body", "length", "topic"])
        for number, text in enumerate(made.texts()):
            body = "" if number == 3 else text
            writer.writerow([number, body, len(text), made.topics()[number]])
    return made


def test_trees_name_the_words_and_predict_from_texts(run):
    result = run("fit", *NEWS, "-o", "news.tw")
    assert result.exit_code == 0, result.output
    assert 'body: "' in result.stdout
    assert "text" in result.stdout
    assert "different words" in result.stdout
    predicted = run("predict", "news.tw", "news.csv")
    assert predicted.exit_code == 0
    assert predicted.stdout.count("topic") == 151
    assert "wrong (0.0 %)" in predicted.stderr
    rules = run("rules", "news.tw")
    assert 'body: "' in rules.stdout
    assert run("show", "news.tw").exit_code == 0


def test_a_table_of_texts_alone(run):
    words = ("--ignore", "id,length", "--target", "topic", "--text", "body")
    assert run("fit", "news.csv", *words, "-o", "m.tw").exit_code == 0
    Path("new.csv").write_text("body\nsome text\n\n12\n", encoding="utf-8")
    assert run("predict", "m.tw", "new.csv").exit_code == 0
    numbers = Path("numbers.csv")
    numbers.write_text("body\n11\n12\n", encoding="utf-8")
    result = run("predict", "m.tw", numbers)
    assert "held texts in training and holds numbers" in result.stderr
    chalked = run("chalk", "news.csv", *words, "--row", "2", "--set", "max_depth=1")
    assert chalked.exit_code == 0, chalked.output


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["cart", "forest", "adaboost", "c45", "rpart"])
def test_every_algorithm_that_cuts_numbers(run, algorithm):
    few = ("--set", "n_estimators=3") if algorithm in ("forest", "adaboost") else ()
    result = run("fit", *NEWS, "--algorithm", algorithm, *few, "-o", "m.tw")
    assert result.exit_code == 0, result.output
    assert run("predict", "m.tw", "news.csv").exit_code == 0


def test_words_are_learned_in_the_folds(run):
    words = ("--folds", "3", "--algorithm", "cart", "--text-min-rows", "3")
    result = run("evaluate", *NEWS, *words)
    assert result.exit_code == 0, result.output
    assert "--text-min-rows 3" in result.stdout
    # a word that only one row has can be asked about, but never helps elsewhere
    with Path("one.csv").open("w") as file:
        print("body,y", file=file)
        for row in range(40):
            print(f"only{row} same words,{'ab'[row % 2]}", file=file)
    words = ("one.csv", "--target", "y", "--text", "body", "--algorithm", "cart")
    result = run("evaluate", *words, "--text-min-rows", "1", "--folds", "4")
    assert result.exit_code == 0, result.output
    assert "0.0 %                 too good" in result.stdout  # on the training rows


def test_compare_with_other_learners(run):
    others = "cart,sklearn.naive_bayes:MultinomialNB"
    words = ("--algorithms", others, "--folds", "3", "--text-weights", "presence")
    result = run("compare", *NEWS, *words)
    assert result.exit_code == 0, result.output
    assert "MultinomialNB" in result.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--text", "length"), "'length', which holds numbers; name a column of texts"),
        (("--text", "bodi"), "--text names the column 'bodi', which the table does"),
        (("--text", "topic"), "--text names the column 'topic', which is the target"),
        (
            ("--text", "body", "--nominal", "body"),
            "--text names the column 'body', which is named by another option",
        ),
        (("--text", "body", "--text-min-rows", "999"), "is in 999 texts or more"),
        (("--text-weights", "share"), "--text-weights is about texts"),
        (("--text", "body", "--text", "body"), "names the column 'body' twice"),
        (
            ("--text", "body", "--discretize", "body=mdl"),
            "--discretize names 'body', and words of texts have no intervals",
        ),
    ],
)
def test_what_cannot_be_is_said(run, words, said):
    result = run("fit", "news.csv", "--target", "topic", *words)
    assert result.exit_code in (1, 2)
    assert said in " ".join(result.stderr.split())


def test_texts_without_words(run):
    Path("t.csv").write_text("body,y\n!,a\n?!,b\n", encoding="utf-8")
    result = run("fit", "t.csv", "--target", "y", "--text", "body")
    assert result.exit_code == 1
    assert "have no words" in " ".join(result.stderr.split())


@pytest.mark.parametrize("algorithm", ["id3", "aima", "cal2", "cal3"])
def test_algorithms_of_categories_say_what_to_do_with_texts(run, algorithm):
    result = run("fit", *NEWS, "--algorithm", algorithm)
    assert result.exit_code == 1
    said = " ".join(result.stderr.split())
    assert f"words of 'body' are counted, and {algorithm} splits nominal" in said
    assert "--ignore body instead of --text" in said
    assert 'body: "' not in said


def test_intervals_of_all_columns_are_not_those_of_words(run):
    words = (*NEWS, "--discretize", "quartiles", "--algorithm", "cart")
    result = run("fit", *words, "-o", "m.tw")
    assert result.exit_code == 0, result.output
    predicted = run("predict", "m.tw", "news.csv")
    assert predicted.exit_code == 0, predicted.output


def test_a_column_called_as_a_word(run):
    text = 'body,"body: ""good""",y\ngood day,1,a\ngood,2,b\nday,3,a\n'
    Path("t.csv").write_text(text, encoding="utf-8")
    result = run("fit", "t.csv", "--target", "y", "--text", "body")
    assert result.exit_code == 1
    said = " ".join(result.stderr.split())
    assert "so is the word 'good' of 'body' called; rename the column" in said


def test_check_speaks_of_words_as_one_can_follow(run):
    lines = [
        f"same thing {'cafe' if row % 2 else ''},{'ab'[row % 2]}" for row in range(60)
    ]
    Path("t.csv").write_text("\n".join(["body,y", *lines]), encoding="utf-8")
    result = run("check", "t.csv", "--target", "y", "--text", "body")
    said = " ".join(result.stdout.split())
    assert "take the word out of the texts of 'body'" in said
    assert "--ignore" not in said
    fewer = run(
        "check", "t.csv", "--target", "y", "--text", "body", "--text-max-words", "1"
    )
    assert "60 rows, 1 feature" in fewer.stdout


@pytest.mark.parametrize("command", ["check", "evaluate", "tune", "report", "chalk"])
@pytest.mark.parametrize(
    "words", [("--text-min-rows", "3"), ("--text-max-words", "3")], ids="".join
)
def test_settings_of_texts_without_texts_are_refused(run, command, words):
    result = run(command, "news.csv", "--target", "topic", *words)
    assert result.exit_code == 2
    assert f"{words[0]} is about texts" in result.stderr


@pytest.mark.parametrize(
    "algorithm", ["c45", "extra-trees", "c45rules", "rpart", "lecture"]
)
def test_what_must_be_dense_is_refused_before_it_is_divided(
    run, monkeypatch, algorithm
):
    monkeypatch.setattr(sparse_cells, "MAX_DENSE_CELLS", 1000)
    monkeypatch.setattr("treewright.estimators.judged.splitting.divide", None)
    result = run("evaluate", *NEWS, "--algorithm", algorithm)
    assert result.exit_code == 1
    said = " ".join(result.stderr.split())
    assert "needs a dense table, and 150 rows x" in said
    assert "--text-max-words" in said


@pytest.mark.parametrize("algorithm", ["cart", "forest", "adaboost"])
def test_what_takes_sparse_tables_is_not_refused(run, monkeypatch, algorithm):
    monkeypatch.setattr(sparse_cells, "MAX_DENSE_CELLS", 1000)
    monkeypatch.setattr(sparse_cells, "FEW_CELLS", 0)
    few = () if algorithm == "cart" else ("--set", "n_estimators=2")
    words = ("--algorithm", algorithm, "--ignore", "length", *few)
    result = run("evaluate", *NEWS, *words, "--folds", "2")
    assert result.exit_code == 0, result.output


@pytest.mark.slow
def test_check_compares_the_words_of_a_second_table(run):
    words = ("--target", "topic", "--text", "body", "--ignore", "id")
    found = run("check", "news.csv", "news.csv", *words).stdout
    assert "nothing to report" in " ".join(found.split())
    with Path("news.csv").open(newline="") as file, Path("other.csv").open("w") as out:
        writer = csv.writer(out)
        name, *rest = list(csv.reader(file))
        writer.writerow(name)
        common = " ".join(rest[0][1].split()[:5])
        writer.writerows([row[0], common, *row[2:]] for row in rest)
    drifted = run("check", "news.csv", "other.csv", *words)
    assert "drift" in drifted.stdout
    assert 'body: "' in drifted.stdout
    Path("none.csv").write_text("length,topic\n3,topic 1\n", encoding="utf-8")
    lacking = run("check", "news.csv", "none.csv", *words).stdout
    assert "the second table lacks 1 column: 'body'" in " ".join(lacking.split())
