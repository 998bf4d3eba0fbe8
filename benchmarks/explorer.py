"""The explorer in a browser: how soon it is ready, how fast the slider answers."""

from __future__ import annotations

import shutil
import statistics
import tempfile
from pathlib import Path

import numpy as np

from measure import Goal, heading, table
from treewright import CARTClassifier

SIZES = (1_000, 20_000)  # nodes
GOALS = {1_000: 0.5, 20_000: 1.5}
READY = 'performance.getEntriesByName("ready")[0].startTime / 1000'
SLIDE = """() => {
    const times = [];
    for (let step = 0; step < 20; step++) {
        const before = performance.now();
        window.treewright.setStep(step * 5);
        times.push((performance.now() - before) / 1000);
    }
    return times.sort((one, other) => one - other)[10];
}"""


def page_of(n_nodes: int, folder: Path) -> Path:
    """Write the page of a tree of random rows."""
    random = np.random.default_rng(0)
    rows = random.normal(size=(4 * n_nodes, 10))
    labels = random.integers(0, 2, len(rows))
    model = CARTClassifier(max_leaf_nodes=n_nodes // 2).fit(rows, labels)
    file = folder / f"{n_nodes}.html"
    model.explore(file)
    return file


def run(*, quick: bool, repeats: int) -> list[Goal]:
    """Open each page some times."""
    repeats = 3 if quick else max(5, repeats)
    heading(f"Explorer: a page in chromium, median of {repeats}")
    chromium = shutil.which("chromium")
    if chromium is None:
        print("left out: there is no chromium here")
        return []
    from playwright.sync_api import sync_playwright

    lines, goals = [], []
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"]
        )
        for n_nodes in SIZES:
            file = page_of(n_nodes, Path(name))
            ready, slides = [], []
            for _ in range(repeats):
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                page.goto(file.as_uri())
                page.wait_for_selector("body[data-ready]", state="attached")
                ready.append(page.evaluate(READY))
                slides.append(page.evaluate(SLIDE))
                page.close()
            times = statistics.median(ready), statistics.median(slides)
            size = file.stat().st_size / 1e6
            lines.append(
                (f"{n_nodes:,} nodes", *(f"{t:.3f}" for t in times), f"{size:.2f}")
            )
            goals.append(
                Goal(f"{n_nodes:,} nodes ready", times[0], "<=", GOALS[n_nodes], " s")
            )
            goals.append(Goal("  a step of the slider", times[1], "<=", 0.05, " s"))
        browser.close()
    table(("", "ready (s)", "slider step (s)", "file (MB)"), lines)
    return goals
