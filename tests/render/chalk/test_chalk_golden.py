"""The pages of the worked examples, and the figures that the lectures print.

To write the pages anew: TREEWRIGHT_WRITE_GOLDEN=1 pytest tests/render/chalk
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from chalks import chalk_of_example

from treewright.learners.dialects.aima import AIMA
from treewright.learners.dialects.c45 import C45, LECTURE
from treewright.learners.dialects.id3 import ID3

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "chalk"
# 纹理 is missing in the second row: it goes down all three branches
SHARES = [
    dict(zip("色泽 根蒂 敲声 纹理 脐部 触感".split(), row.split(), strict=True))
    for row in ("青绿 蜷缩 浊响 清晰 凹陷 硬滑", "乌黑 稍蜷 浊响 ? 稍凹 硬滑")
]
SHARES[1]["纹理"] = None
PAGES = {
    "tennis_id3": (lambda: chalk_of_example("tennis", ID3), {}),
    "tennis_c45": (lambda: chalk_of_example("tennis", C45), {}),
    "tennis_quiz": (lambda: chalk_of_example("tennis", ID3), {"quiz": True}),
    "six_rows": (lambda: chalk_of_example("six_rows", ID3), {}),
    "dungeon_de": (lambda: chalk_of_example("dungeon", ID3), {"language": "de"}),
    "restaurant_aima": (lambda: chalk_of_example("restaurant", AIMA), {}),
    "watermelon_zh": (
        lambda: chalk_of_example("watermelon", LECTURE.change(criterion="entropy")),
        {"language": "zh"},
    ),
    "watermelon_missing": (
        lambda: chalk_of_example("watermelon_missing", C45, rows=SHARES),
        {},
    ),
}


@pytest.mark.parametrize("page", PAGES)
def test_page(page):
    make, look = PAGES[page]
    text = make().to_text(**look) + "\n"
    file = GOLDEN / f"{page}.txt"
    if os.environ.get("TREEWRIGHT_WRITE_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def gains(chalk, node=0):
    step = next(one for one in chalk if one.step.node == node)
    return {one.feature: round(one.gain, 3) for one in step.step.candidates}


def test_six_rows_figures():
    chalk = chalk_of_example("six_rows", ID3)
    assert round(chalk[0].step.rows.impurity, 3) == 0.918
    assert gains(chalk) == {"x1": 0.044, "x2": 0.252, "x3": 0.126}
    assert "x2 is taken" in chalk[0].to_text()


def test_dungeon_figures():
    chalk = chalk_of_example("dungeon", ID3)
    assert round(chalk[0].step.rows.impurity, 3) == 1.459
    assert gains(chalk) == {"Distanz": 1.0, "HP": 0.792, "Mana": 0.541}
    assert "HP = mittel   0 rows" in chalk.to_text()


def test_tennis_figures():
    chalk = chalk_of_example("tennis", C45)
    assert round(chalk[0].step.rows.impurity, 3) == 0.940
    wanted = {"Outlook": 0.247, "Humidity": 0.152, "Wind": 0.048, "Temperature": 0.029}
    assert gains(chalk) == wanted
    table = chalk[0].table
    bits = dict(zip(table["feature"], table["split_information"].round(3), strict=True))
    wanted = {"Outlook": 1.577, "Humidity": 1.0, "Wind": 0.985, "Temperature": 1.557}
    assert bits == wanted


def test_restaurant_figures():
    chalk = chalk_of_example("restaurant", AIMA)
    found = gains(chalk)
    wanted = {"Patrons": 0.541, "Type": 0.0, "WaitEstimate": 0.208, "Hungry": 0.196}
    assert {feature: found[feature] for feature in wanted} == wanted
    full = next(one for one in chalk if one.step.path == ("Patrons = Full",))
    tied = {"Price", "Reservation", "Type", "WaitEstimate"}
    assert set(full.step.ties) == tied
    assert set(gains(chalk, full.step.node)[one] for one in tied) == {0.252}
    assert "Hungry is taken: as good as Price, Reservation" in full.to_text()


def test_watermelon_figures():
    chalk = chalk_of_example("watermelon", LECTURE)
    assert round(chalk[0].step.rows.impurity, 3) == 0.998
    wanted = {"色泽": 0.108, "根蒂": 0.143, "敲声": 0.141, "纹理": 0.381, "脐部": 0.289,
              "触感": 0.006, "密度": 0.262, "含糖率": 0.349}  # fmt: skip
    assert gains(chalk) == wanted
    cuts = chalk[0].cuts
    for feature, threshold in (("密度", 0.3815), ("含糖率", 0.126)):
        own = cuts.filter(cuts["feature"] == feature)
        best = own.row(own["gain"].arg_max(), named=True)
        assert best["threshold"] == pytest.approx(threshold)


def test_watermelon_missing_figures():
    chalk = chalk_of_example("watermelon_missing", C45, rows=SHARES)
    wanted = {"色泽": 0.252, "根蒂": 0.171, "敲声": 0.145, "纹理": 0.424, "脐部": 0.289,
              "触感": 0.006}  # fmt: skip
    assert gains(chalk) == wanted
    shares = [round(15 * part.share, 6) for part in chalk.walks[1].parts]
    assert shares == [3, 7, 5]
    assert chalk[0].formula("纹理").startswith("15/17*(0.9968 - ")
