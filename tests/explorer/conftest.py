"""A browser for the tests of the page: Debian's chromium, driven by Playwright.

One browser serves all tests. Pages are opened from disk without a network; whatever
they ask for besides themselves, and whatever they complain about, fails the test.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from treewright.render.explorer import PageParts, explorer_page

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sync_playwright = None

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if sync_playwright is None:
        pytest.skip("the explorer is not tested: Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip(
            "the explorer is not tested: there is no chromium; install that package"
        )
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
        )
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Open a model, or a page's text, in a fresh window; watch what it does."""
    contexts, requests, errors = [], [], []

    def call(
        what: Any,
        parts: PageParts | None = None,
        *,
        hash: str = "",
        watch: bool = True,
        **options: Any,
    ) -> Any:
        text = what if isinstance(what, str) else explorer_page(what, parts)
        file = tmp_path / f"page{len(contexts)}.html"
        file.write_text(text, encoding="utf-8")
        options.setdefault("reduced_motion", "reduce")
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "console",
            lambda message: (
                errors.append(message.text)
                if watch and message.type in ("error", "warning")
                else None
            ),
        )
        page.goto(file.as_uri() + hash)
        page.wait_for_selector("body[data-ready]", state="attached")
        return page

    yield call
    for context in contexts:
        context.close()
    assert errors == []
    assert [url for url in requests if not url.startswith(("file:", "blob:"))] == []
