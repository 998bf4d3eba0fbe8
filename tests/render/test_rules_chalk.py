"""Chalk of C4.5rules: the page of tennis, and its numbers computed anew."""

from __future__ import annotations

import json
import math
import os
import re
from pathlib import Path

import pytest

import treewright as tw
from refusals import refused
from textbook_rules import exception_bits, pessimistic
from treewright.errors import DataError, SettingError

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture(scope="module")
def chalk():
    return tw.C45RulesClassifier().fit(*tw.datasets.tennis()).chalk()


def test_page_of_tennis(chalk):
    page = GOLDEN / "tennis_rules_chalk.txt"
    if os.environ.get("TREEWRIGHT_UPDATE_GOLDEN"):
        page.write_text(f"{chalk}\n", encoding="utf-8")
    assert f"{chalk}\n" == page.read_text(encoding="utf-8")


def test_every_rate_follows_from_its_counts(chalk):
    lines = re.findall(r"^  .*?  +(\d+)  +(\d+)  (0\.\d+)  (0\.\d+)$", str(chalk), re.M)
    assert len(lines) == 16
    for n, e, share, rate in lines:
        assert float(share) == pytest.approx(int(e) / int(n), abs=6e-5)
        assert float(rate) == pytest.approx(pessimistic(int(n), int(e), 0.25), abs=6e-5)


def test_bits_follow_from_what_stands_above_them(chalk):
    # features of the 8 conditions of the candidates: outlook 4, humidity and wind 2
    # each: 1.5 bits; outlook has 5, 5 and 4 rows, humidity 7 and 7, wind 6 and 8
    def entropy(*counts):
        n = sum(counts)
        return -sum(k / n * math.log2(k / n) for k in counts)

    outlook, humidity, wind = entropy(5, 5, 4), entropy(7, 7), entropy(6, 8)
    rule_2 = 3 + outlook + wind  # log2 2 - log2 2! = 0
    rule_4 = 3 + outlook + humidity
    theory = 0.5 * (rule_2 + rule_4 - 1)
    exceptions = exception_bits(14, 5, 0, 0)
    assert (
        f"theory {theory:.4f} + exceptions {exceptions:.4f} = "
        f"{theory + exceptions:.4f} bits"
    ) in str(chalk)


def test_json_has_the_same_numbers(chalk):
    data = json.loads(chalk.to_json())
    assert data["classes"] == ["No", "Yes"]
    assert len(data["paths"]) == 5
    (look,) = [one for one in data["looks"] if one["dropped"] >= 0]
    assert data["conditions"][look["conditions"][look["dropped"]]] == "Outlook = Sunny"
    assert [one["verdict"] for one in data["generalised"]] == [""] * 5
    assert data["subsets"][0]["chosen"] == [0, 1]
    assert data["polishing"][-1]["dropped"] == -1


def test_other_rows_are_refused():
    X, y = tw.datasets.tennis()
    model = tw.C45RulesClassifier().fit(X, y)
    with refused(DataError, "rows", "rules", "fitted"):
        model.chalk(X[:9], y[:9])
    with refused(SettingError, "model.chalk(X, y)"):
        model.chalk(X)


def test_a_large_page_counts_what_it_leaves_out():
    X, y = tw.datasets.tennis()
    chalk = tw.C45RulesClassifier(n_trees=20).fit(X, y).chalk()
    text = chalk.to_text(max_rules=3, ascii=True, digits=2)
    assert "more rules, not shown" in text
    assert text.isascii()


def test_fisher_s_test_has_a_column_where_it_was_asked():
    X, y = tw.datasets.tennis()
    text = str(tw.C45RulesClassifier(fisher=True).fit(X, y).chalk())
    # overcast: 4 of 4 right, 5 of the other 10: C(5, 0) C(9, 4) / C(14, 4) = 126 / 1001
    assert re.search(r"without Outlook = Overcast +14  5  0.3571  0.4854  0.1259", text)
    assert "leave out Outlook = Overcast" in text


@pytest.mark.parametrize("fisher", [False, True])
def test_what_decided_about_a_condition_is_said_and_true(fisher):
    table = tw.read_table(
        Path(__file__).parents[1] / "rules" / "contact_lenses.csv", missing_values=()
    )
    X, y = table.drop("contact-lenses"), table["contact-lenses"]
    model = tw.C45RulesClassifier(fisher=fisher, min_samples_leaf=1).fit(X, y)
    chalk = model.chalk()
    said = re.findall(r"leave out (.*?): (.*)", str(chalk))
    dropped = [look for look in chalk.induction.looks if look.dropped >= 0]
    assert len(said) == len(dropped) > 0
    for _, why in said:
        numbers = [float(one) for one in re.findall(r"\d+\.\d+", why)]
        if "chance" in why:
            assert fisher
        else:
            assert numbers[0] <= numbers[1]
            assert why.startswith(("the rate ", "E/N "))
    assert max(map(len, str(chalk).splitlines()[:5])) <= 80
