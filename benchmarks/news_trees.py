"""Are trees good for bag-of-words news classification? A number.

    python benchmarks/news_trees.py

Made-up news (`treewright.data.datasets.made_news`), and real texts that are on every
machine where this runs: the docstrings of installed packages, whose class is the
package they are of. They are read, never kept. All learners answer the same five folds;
words are found in the training rows of each.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from measure import heading, table
from treewright import CARTClassifier, RandomForestClassifier
from treewright.data.datasets.made_news import make_news
from treewright.evaluation.error_intervals import wilson

PACKAGES = ("numpy", "scipy", "sklearn", "pandas", "matplotlib", "polars")
MOST_EACH = 300
SHORTEST = 200  # letters
LEARNERS = {
    "a tree (CART, not pruned)": (CountVectorizer(min_df=2), CARTClassifier()),
    "a tree of at most 50 leaves": (
        CountVectorizer(min_df=2),
        CARTClassifier(max_leaf_nodes=50),
    ),
    "a forest of 100 trees": (
        CountVectorizer(min_df=2),
        RandomForestClassifier(n_estimators=100, random_state=0),
    ),
    "naive Bayes (scikit-learn)": (CountVectorizer(min_df=2), MultinomialNB()),
    "logistic regression (scikit-learn)": (
        TfidfVectorizer(min_df=2),
        LogisticRegression(max_iter=1000, C=10.0),
    ),
}


def docstrings(package: str) -> Iterator[str]:
    """Yield the docstrings of a package, without its name."""
    seen = set()
    for module in _modules(package):
        members = [module, *(value for _, value in _members(module))]
        for one in members:
            text = inspect.getdoc(one) if callable(one) or one is module else None
            if text and len(text) >= SHORTEST and text not in seen:
                seen.add(text)
                yield text.lower().replace(package, " ")


def _modules(package: str) -> Iterator[Any]:
    root = importlib.import_module(package)
    yield root
    for found in sorted(pkgutil.iter_modules(root.__path__), key=lambda one: one.name):
        if found.name.startswith("_") or found.name in ("tests", "conftest", "testing"):
            continue
        try:
            yield importlib.import_module(f"{package}.{found.name}")
        except Exception:
            continue


def _members(module: Any) -> list[tuple[str, Any]]:
    names = sorted(name for name in dir(module) if not name.startswith("_"))
    found = []
    for name in names:
        value = getattr(module, name, None)
        if not (inspect.isclass(value) or inspect.isroutine(value)):
            continue
        found.append((name, value))
        if inspect.isclass(value):
            found += [
                (key, one)
                for key, one in sorted(vars(value).items())
                if inspect.isroutine(one) and not key.startswith("_")
            ]
    return found


def packages() -> tuple[list[str], Any]:
    """Docstrings of the packages that are installed, and whose they are."""
    texts, classes = [], []
    rng = np.random.default_rng(0)
    for package in PACKAGES:
        try:
            own = sorted(set(docstrings(package)))
        except ImportError:
            continue
        chosen = rng.permutation(len(own))[:MOST_EACH]
        texts += [own[k] for k in sorted(chosen)]
        classes += [package] * len(chosen)
    return texts, np.array(classes)


def errors(
    vectoriser: Any, learner: Any, texts: list[str], y: Any
) -> tuple[int, float]:
    """How many rows are wrong in five folds, and the seconds."""
    start, wrong = time.perf_counter(), 0
    rows = np.array(texts, dtype=object)
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(rows, y):
        pipeline = make_pipeline(clone(vectoriser), clone(learner))
        pipeline.fit(rows[train], y[train])
        wrong += int((pipeline.predict(rows[test]) != y[test]).sum())
    return wrong, time.perf_counter() - start


def main() -> None:
    """Print both tables."""
    warnings.simplefilter("ignore")  # what importing all of a package warns of
    news = make_news(2000, 20_000, 6, own_share=0.06, n_own_words=1000)
    for what, (texts, y) in {
        "made-up news": (news.texts(), np.array(news.topics())),
        "docstrings": packages(),
    }.items():
        n_words = len(CountVectorizer(min_df=2).fit(texts).vocabulary_)
        heading(
            f"{what}: {len(texts):,} texts, {n_words:,} words in two or more, "
            f"{len(set(y))} classes"
        )
        rows = []
        for name, (vectoriser, learner) in LEARNERS.items():
            wrong, seconds = errors(vectoriser, learner, texts, y)
            low, high = wilson(wrong / len(texts), len(texts), 0.95)
            interval = f"{100 * low:.1f} - {100 * high:.1f}"
            share = f"{100 * wrong / len(texts):.1f} %"
            rows.append((name, share, interval, f"{seconds:.0f}"))
            print(f"  {name}", flush=True)  # a sign of life
        table(("learner", "error", "95 % interval", "seconds"), rows)


if __name__ == "__main__":
    main()
