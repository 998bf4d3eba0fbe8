"""The small tables whose rules are kept as golden pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import treewright as tw

GOLDEN = Path(__file__).parents[1] / "golden" / "rules"


def tennis() -> Any:
    return tw.ID3Classifier().fit(*tw.datasets.tennis())


def restaurant() -> Any:
    return tw.ID3Classifier().fit(*tw.datasets.restaurant())


def contact_lenses() -> Any:
    table = tw.read_table(Path(__file__).parent / "contact_lenses.csv")
    name = "contact-lenses"
    return tw.C45Classifier(dialect="j48").fit(table.drop(name), table[name])


MODELS = {
    "tennis": tennis,
    "restaurant": restaurant,
    "contact_lenses": contact_lenses,
}
