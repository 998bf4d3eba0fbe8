"""A tree of weighted sums on its page: questions, rules, rows, what if."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from treewright.learners.explored import page_parts
from treewright.tree.one_tree import one_tree
from treewright.tree.structure.branch_words import asked_name, branch_condition

pytestmark = pytest.mark.slow

RANDOM = np.random.default_rng(2)
TABLE = {name: RANDOM.normal(size=120) for name in ("long", "wide", "high")}
LABELS = np.where(TABLE["long"] > TABLE["wide"], "a", "b")


@pytest.fixture
def model():
    forest = tw.RandomForestClassifier(3, combined_features=2, random_state=0)
    return one_tree(forest.fit(TABLE, LABELS).model_, 1)


def test_page_names_sums_by_their_terms(open_page, model):
    page = open_page(model, page_parts(model, TABLE, LABELS))
    tree, schema = model.trees[0], model.schema
    name = asked_name(schema, tree, 0)
    assert name in page.locator("#node-0").get_attribute("aria-label")
    child = next(one for one in tree.children(0) if tree.n_children[one])
    page.locator(f"#node-{child}").click()
    condition = branch_condition(schema, tree, 0, child - int(tree.first_child[0]))
    words = page.locator("#panel-node .path").text_content()
    assert condition.feature in words
    assert condition.value in words
    for tab in page.get_by_role("tab").all():  # a page that complains fails the test
        tab.click()


def test_nearest_change_crosses_a_sum(open_page, model):
    page = open_page(model, page_parts(model, TABLE, LABELS))
    page.get_by_role("tab", name="What if").click()
    words = page.locator("[role=tabpanel]:visible").text_content()
    assert "Nearest change that gives another answer: " in words
