"""A browser for the tests of pages: Debian's chromium, driven by Playwright.

One for all test folders, which is why `conftest.py` beside this file has it: Playwright
does not start twice.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    try:
        # not before: it takes longer to load than most tests do
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.skip("pages are not tested: Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("pages are not tested: there is no chromium; install that package")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
        )
        yield started
        started.close()
