"""A report in a browser, and the tables that reports are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from loan_table import loans

import treewright as tw


@pytest.fixture(scope="session")
def classes() -> Any:
    """The report on a tree of classes."""
    return tw.report(tw.CARTClassifier(), *loans(), name="loans.csv", folds=5)


@pytest.fixture(scope="session")
def numbers() -> Any:
    """The report on a forest of numbers."""
    table, y = loans()
    x = [0 if one is None else one for one in table["income"]]
    target = [one + 20 * (label == "yes") for one, label in zip(x, y, strict=True)]
    forest = tw.RandomForestRegressor(15, random_state=3)
    return tw.report(forest, table, target, name="rents", folds=5)


@pytest.fixture
def open_report(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Open the text of a page in a fresh window; whatever it asks for fails."""
    contexts, requests, errors = [], [], []

    def call(text: str, **options: Any) -> Any:
        file = tmp_path / f"page{len(contexts)}.html"
        file.write_text(text, encoding="utf-8")
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text))
        page.goto(file.as_uri())
        return page

    yield call
    for context in contexts:
        context.close()
    assert errors == []
    assert [url for url in requests if not url.startswith("file:")] == []
