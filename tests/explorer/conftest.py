"""The page in a browser, watched.

One browser (`tests/chromium.py`) serves all tests. Pages are opened from disk without a
network; whatever they ask for besides themselves, and whatever they complain about,
fails the test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from treewright.render.explorer import PageParts, explorer_page


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
