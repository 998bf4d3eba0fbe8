"""A browser for the tests of pages: Debian's chromium, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sync_playwright = None

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if sync_playwright is None:
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
