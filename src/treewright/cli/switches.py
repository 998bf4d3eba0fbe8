"""The switches of `--set`, as `treewright fit --help` lists them.

Written out, because they have to be readable; a test compares them with `Dialect`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from treewright.cli.wrapping import wrapped

_WIDTH = 76
_NAME_WIDTH = 26
_AMOUNT = "a number from 0 up"


@dataclass(frozen=True)
class Switch:
    """A switch, what it takes, and what holds if it is not set."""

    name: str
    takes: str
    default: str


SWITCHES = (
    Switch(
        "criterion",
        "entropy, gini, classification_error; for numbers squared_error, "
        "absolute_error",
        "id3, aima: entropy; cart: gini, for numbers squared_error",
    ),
    Switch("nominal_splits", "multiway, subset", "id3, aima: multiway; cart: subset"),
    Switch("numeric_splits", "refuse, midpoint", "id3, aima: refuse; cart: midpoint"),
    Switch("reuse_features", "true, false", "id3, aima: false; cart: true"),
    Switch(
        "missing",
        "error, own_branch, majority",
        "id3, aima: own_branch; cart: majority",
    ),
    Switch("unseen", "stop, missing, error", "stop"),
    Switch("max_depth", "a whole number from 1 up, none", "none"),
    Switch("max_leaf_nodes", "a whole number from 2 up, none", "none"),
    Switch("min_samples_split", "rows from 2 up, or a share as 0.1", "2"),
    Switch("min_samples_leaf", "rows from 1 up, or a share as 0.1", "1"),
    Switch("min_weight_leaf", _AMOUNT, "0"),
    Switch("min_weight_fraction_leaf", "a number from 0 to 0.5", "0"),
    Switch("min_impurity", _AMOUNT, "0"),
    Switch("min_gain", _AMOUNT, "0"),
    Switch("min_impurity_decrease", _AMOUNT, "0"),
)


def switch_table() -> str:
    """Return the table as a part of an epilog, whose lines click does not join."""
    return "\n".join(
        ("\b", "Switches for --set NAME=VALUE, with [default]:", *_lines())
    )


def _lines() -> Iterator[str]:
    for switch in SWITCHES:
        text = f"{switch.takes}  [{switch.default}]"
        name = switch.name
        for line in wrapped(text, _WIDTH - _NAME_WIDTH):
            yield f"  {name:<{_NAME_WIDTH}}{line}"
            name = ""
