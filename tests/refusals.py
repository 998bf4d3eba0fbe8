"""A refusal, told by its kind and by what it names, and not by its prose.

    with refused(SettingError, "max_depth", -1):
        CART.change(max_depth=-1)

How refusals are worded is pinned in `golden/refusals.txt` alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


def lacking(text: str, names: tuple[object, ...]) -> list[str]:
    """Those of some names that a text does not have as whole words."""
    return [
        name
        for name in map(str, names)
        if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
    ]


@contextmanager
def refused(kind: type[BaseException], *names: object) -> Iterator[Any]:
    """What is inside raises such an error, and its message has all these names.

    `names`: settings, columns, values, files and options that are wrong or that are the
    remedy, as they are typed; in any order.
    """
    with pytest.raises(kind) as found:
        yield found
    message = str(found.value)
    assert lacking(message, names) == [], message


@contextmanager
def warned(kind: type[Warning], *names: object) -> Iterator[Any]:
    """What is inside warns once, and such a warning has all these names."""
    with pytest.warns(kind) as found:
        yield found
    [message] = [str(one.message) for one in found]
    assert lacking(message, names) == [], message
