"""`treewright report`: a page to send on, and what stands in its way."""

from __future__ import annotations

import re
import shlex

import pytest

import treewright as tw
from treewright.cli.main import _COMMANDS

# y follows x but for one row in five; w is a weight, g a group
TABLE = "x,k,w,g,y\n" + "".join(
    f"{row % 17},{'ab'[row % 2] if row % 9 else ''},{1 + row % 3},p{row // 4},"
    f"{'yes' if (row % 17 > 8) != (row % 5 == 0) else 'no'}\n"
    for row in range(60)
)


@pytest.fixture(autouse=True)
def table(tmp_path):
    (tmp_path / "t.csv").write_text(TABLE)


def test_page_is_written_and_the_next_command_said(run, tmp_path):
    result = run("report", "tennis")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("Of 100 new rows, about 21 would be answered wrongly")
    assert any(line.startswith("wrote tennis-report.html (") for line in lines)
    assert lines[-1] == "next: treewright fit tennis -o tennis.tw"
    page = (tmp_path / "tennis-report.html").read_text(encoding="utf-8")
    assert "Predicting <bdi>PlayTennis</bdi> from <bdi>tennis</bdi>" in page
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", page)


def test_page_says_how_to_make_it_again(run, tmp_path):
    words = ["t.csv", "--target", "y", "--algorithm", "c45", "--set", "max_depth=3"]
    words += ["--ignore", "g", "--folds", "3", "--seed", "7", "-o", "a.html"]
    assert run("report", *words).exit_code == 0
    first = (tmp_path / "a.html").read_bytes()
    command = re.search(rb"<code>(treewright report [^<]*)</code>", first)[1].decode()
    again = run(*command.split()[1:])
    assert again.exit_code == 0
    assert (tmp_path / "a.html").read_bytes() == first
    assert b"max_depth" in first
    assert b"3-fold cross-validation" in first


def test_figures_are_those_of_evaluate(run, tmp_path):
    words = ["t.csv", "--target", "y", "--ignore", "g,w"]
    run("report", *words, "-o", "a.md")
    evaluated = run("evaluate", *words).stdout
    error = re.search(r"on held-out rows +([\d.]+ %)", evaluated)[1]
    page = (tmp_path / "a.md").read_text(encoding="utf-8")
    assert f"**{error}**" in page
    recall = re.search(r"^  yes +\d+ +[\d.]+ % +([\d.]+ %)", evaluated, re.MULTILINE)[1]
    assert re.search(rf"\| yes +\| +\d+ \| +{recall} \|", page)


def test_model_is_that_of_fit(run, tmp_path):
    words = ["t.csv", "--target", "y", "--ignore", "g,w"]
    run("report", *words, "-o", "a.md")
    run("fit", *words, "-o", "a.tw")
    fingerprint = tw.load(tmp_path / "a.tw").model_.fingerprint()
    assert fingerprint in (tmp_path / "a.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("--target", "y", "--weights", "w", "--group", "g"),
        ("--target", "x", "--ignore", "g,w"),
        ("--target", "x", "--ignore", "g", "--hold-out", "0.3", "--algorithm", "rpart"),
        ("--target", "y", "--algorithm", "forest", "--set", "n_estimators=5"),
        ("--target", "y", "--algorithm", "extra-trees", "--set", "n_estimators=5"),
        ("--target", "y", "--algorithm", "adaboost", "--set", "n_estimators=3"),
        ("--target", "y", "--algorithm", "c45rules"),
        ("--target", "y", "--algorithm", "id3", "--discretize", "mdl"),
    ],
    ids=lambda words: "_".join(words[2:6]),
)
def test_every_kind_of_model_has_a_page(run, tmp_path, words):
    if "id3" in words:
        text = re.sub(r",,", ",c,", TABLE)
        (tmp_path / "t.csv").write_text(text)
    for page in ("a.html", "a.md"):
        result = run("report", "t.csv", *words, "-o", page)
        assert result.exit_code == 0, result.stderr
        assert result.stdout.splitlines()[-1].strip()
        assert "next: treewright " in result.stdout
        assert (tmp_path / page).stat().st_size > 3000


def test_columns_that_are_left_out_are_named(run, tmp_path):
    run("report", "t.csv", "--target", "y", "--ignore", "g", "--weights", "w")
    page = (tmp_path / "t-report.html").read_text(encoding="utf-8")
    assert "Left out: <bdi>g</bdi>." in page
    assert "Rows count by the column <bdi>w</bdi>." in page


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (("t.csv", "--target", "y", "-o", "no/a.html"), "there is no folder", 1),
        (("t.csv", "--target", "y", "-o", "a.pdf"), "use .html for a page, .md", 2),
        (("t.csv", "--target", "z"), "there is no target column 'z'", 1),
        (("t.csv", "--target", "y", "--folds", "99"), "folds", 1),
        (("none.csv", "--target", "y"), "there is no file 'none.csv'", 1),
        (("tennis", "--target", "Wind", "--target", "Outlook"), "one is evaluated", 1),
    ],
)
def test_one_line_says_what_is_wrong(run, tmp_path, words, said, code):
    result = run("report", *words)
    assert result.exit_code == code
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert [one.name for one in tmp_path.iterdir()] == ["t.csv"]


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", [(), ("--algorithm", "lecture")])
def test_commands_of_the_page_and_the_next_one_run(run, tmp_path, algorithm):
    text = "".join(
        f"{row},{row % 7 * 3},7,{row // 4},{'' if row == 3 else (row * 7) % 3}\n"
        for row in range(150)
    )
    (tmp_path / "n.csv").write_text(f"a,b,same,g,y\n{text}")
    words = ["n.csv", "--target", "y", "--group", "g", "--drop-missing-target"]
    result = run("report", *words, *algorithm, "-o", "n.md")
    assert result.exit_code == 0, result.stderr
    last = result.stdout[result.stdout.index("next: ") :].replace("\\\n", " ")
    page = (tmp_path / "n.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    commands = [line for block in blocks for line in block.splitlines()]
    assert len(commands) > 1
    for command in (*commands, last.removeprefix("next: ").split("   (")[0]):
        again = run(*shlex.split(command)[1:])
        assert again.exit_code == 0, (command, again.stderr)


def test_one_class_is_one_line(run, tmp_path):
    (tmp_path / "one.csv").write_text("a,y\n1,yes\n")
    result = run("report", "one.csv", "--target", "y")
    assert result.exit_code == 1
    assert "one class only" in result.stderr


@pytest.mark.slow
def test_an_existing_page_is_replaced_and_the_input_is_not(run, tmp_path):
    (tmp_path / "a.html").write_text("old")
    assert run("report", "tennis", "-o", "a.html").exit_code == 0
    assert (tmp_path / "a.html").read_text(encoding="utf-8") != "old"
    (tmp_path / "t.md").write_text(TABLE)
    result = run("report", "t.md", "--target", "y", "-o", "t.md")
    assert result.exit_code != 0
    assert (tmp_path / "t.md").read_text() == TABLE


def test_command_is_listed(run):
    assert "report" in _COMMANDS
    assert "treewright report tennis" in run("report", "--help").stdout
