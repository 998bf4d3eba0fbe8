"""Random streams: text and numbers with gaps, and classes that depend on them."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

NOMINAL = {"colour", "size"}
COLOURS = ["red", "green", "blue", "white"]
SIZES = ["small", "large"]


def made_rows(n_rows, seed, *, missing=0.1, classes=("no", "yes"), late=False):
    """Rows as dicts, and their classes; `late`: a colour and a class come up late."""
    random = np.random.default_rng(seed)
    rows, labels = [], []
    for number in range(n_rows):
        n_colours = 3 if late and number < n_rows // 2 else 4
        row = {
            "x": float(random.normal()),
            "colour": COLOURS[random.integers(n_colours)],
            "n": float(random.integers(6)),
            "size": SIZES[random.integers(2)],
        }
        score = 1.5 * row["x"] + 2.0 * (row["colour"] in ("red", "white"))
        score += row["n"] / 3 * (row["size"] == "small") + random.normal() * 0.4
        place = int(np.clip(score, 0, 2.999) / 3 * len(classes))
        if late and number < n_rows // 2:
            place = min(place, len(classes) - 2)
        for name in row:
            if random.random() < missing:
                row[name] = None
        rows.append(row)
        labels.append(classes[place])
    return rows, labels


@st.composite
def cuttings(draw, n_rows):
    """Where a stream is cut into batches."""
    places = draw(st.sets(st.integers(1, n_rows - 1), max_size=12))
    return [0, *sorted(places), n_rows]
