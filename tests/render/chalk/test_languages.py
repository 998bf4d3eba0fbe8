"""A page in another language has no English words, whatever the dialect."""

from __future__ import annotations

import re

import pytest
from chalks import chalk_of

import treewright as tw
from treewright.learners.dialects.aima import AIMA
from treewright.learners.dialects.c45 import C45, J48, LECTURE
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.dialects.id3 import ID3
from treewright.learners.dialects.rpart import RPART
from treewright.prune.pruned import _PRUNERS
from treewright.render.chalk.languages import LANGUAGES, word_table
from treewright.tree.structure.tree import Reason

BARE_C45 = C45.change(min_samples_leaf=1)
MULTIWAY = ID3.change(numeric_splits="midpoint", missing="own_branch")
HELD_OUT = CART.change(pruning="reduced_error", validation_share=0.4)
DIALECTS = {
    "id3": MULTIWAY,
    "unclassified": MULTIWAY.change(empty_branch="unclassified"),
    "chi-square": MULTIWAY.change(chi_square_level=0.2),
    "aima": AIMA.change(numeric_splits="midpoint", missing="own_branch"),
    "majority": CART.change(missing="majority", max_depth=3),
    "learned": CART.change(missing="learned", min_samples_leaf=3),
    "few leaves": CART.change(max_leaf_nodes=4, min_samples_split=5),
    "poor gain": CART.change(min_gain=0.1),
    "impurity": CART.change(min_impurity=0.2),
    "errors": CART.change(criterion="classification_error"),
    "surrogates": RPART.change(min_samples_split=2, min_samples_leaf=1, cp=0.2),
    "c45": BARE_C45,
    "c50": BARE_C45.change(
        gain_guard="c50",
        threshold_cost="c50",
        grouping="c50",
        global_pruning=True,
        pool_small_branches=True,
        min_branch_weight=0.6,
        min_samples_leaf=2,
    ),
    "j48": J48.change(min_samples_leaf=1),
    "lecture": LECTURE,
    "pessimistic": CART.change(pruning="pessimistic"),
    "chi-square pruning": CART.change(pruning="chi_square", prune_level=0.3),
    "minimum gain": CART.change(pruning="minimum_gain", prune_gain=0.2),
    "cost complexity": CART.change(ccp_alpha=0.05),
    "wrong rows": CART.change(ccp_alpha=0.05, complexity_by="misclassification"),
    "held out": HELD_OUT,
    "cut sequence": HELD_OUT.change(pruning_order="best_first"),
    "numbers": CART_NUMBERS.change(ccp_alpha=0.001, missing="majority"),
    "medians": CART_NUMBERS.change(criterion="absolute_error", missing="own_branch"),
}
# names that are the same in every language: of learners, of mathematics
NAMES = "aima c45 cart id3 j48 lecture rpart log log2".split()
WORD = re.compile(r"[^\W\d_](?:\w|(?<=\w)-(?=\w))*")


def words_of(text):
    """The words of Latin letters, in small ones; of some length."""
    found = WORD.findall(re.sub(r"\{\w+\}", " ", text))
    return {one.lower() for one in found if one.isascii() or re.search("[äöüß]", one)}


def chalk_in(dialect):
    """Melons, whose names are Chinese, with holes, and rows that go astray."""
    X, y = tw.datasets.watermelon()
    cells = {name: X[name].to_list() for name in X.columns if name != "编号"}
    task = "numbers" if dialect.task == "numbers" else "classes"
    if task == "numbers":
        y = X["密度"]
        del cells["密度"]
    for name, row in (("色泽", 0), ("纹理", 3), ("触感", 8), ("含糖率", 5)):
        cells[name][row] = None
    cells["脐部"][9] = None
    rows = [{name: values[k] for name, values in cells.items()} for k in (1, 7)]
    rows += [dict.fromkeys(cells), {**rows[0], "纹理": "蓝"}, {**rows[0], "触感": None}]
    return chalk_of(cells, y, dialect, task=task, rows=rows)


@pytest.mark.slow
@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_english_word(dialect):
    dialect = DIALECTS[dialect]
    if dialect.missing == "error":
        dialect = dialect.change(missing="own_branch")
    chalk = chalk_in(dialect)
    for language in ("de", "zh", "ko"):
        own = {
            word for one in word_table().values() for word in words_of(one[language])
        }
        pages = [chalk.to_text(language=language, quiz=quiz) for quiz in (False, True)]
        body = chalk.to_html(language=language).partition("<body>")[2]
        pages.append(re.sub(r"<[^>]*>|&\w+;", " ", body))
        for page in pages:
            found = words_of(page) - own - {*NAMES}
            assert not {one for one in found if len(one) > 1}, language


def test_every_language_is_looked_at():
    assert [*LANGUAGES] == ["en", "de", "zh", "ko"]


def test_every_reason_and_rule_has_its_words():
    keys = {*word_table()}
    assert {f"reason_{one.name.lower()}" for one in Reason} <= keys
    for rule in [*_PRUNERS, "collapse", "global_pruning", "small_branches"]:
        assert {f"rule_{rule}", f"called_{rule}"} <= keys
