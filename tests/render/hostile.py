"""A model whose names are hostile to every output."""

from __future__ import annotations

from dataclasses import replace

import handmade

NAMES = [
    'quo"te',
    "back\\slash",
    "new\nline",
    "tab\tand\x1b[31mred\x00",
    "emoji 👩‍👩‍👧 🇩🇪",
    "</script><b>&amp;",
    "right\u202eleft",
    "half \ud800 pair",
    "e\u0301accent",
    "纹理",
    "",
    " ",
    "x" * 10_000,
    "//comment /* */ # {}[];->",
]


def model(name: str) -> handmade.Model:
    """Tennis with one name for the root's feature, a category, a class, the target."""
    tennis = handmade.tennis()
    outlook, *others = tennis.schema.features
    outlook = replace(outlook, name=name, categories=(name, "Rain", "Sunny"))
    target = handmade.Target("classes", (name,), ((name, "Yes"),))
    schema = handmade.Schema((outlook, *others), target)
    return replace(tennis, schema=schema, notes=(name,))
