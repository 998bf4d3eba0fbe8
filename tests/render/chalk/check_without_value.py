"""Where the rows without a value go: how many there are, and to which branch."""

from __future__ import annotations

import re

from intervals import weight

_SAID = re.compile(r"Without (.*?)(?: \((?:weight )?(\S+)(?: rows?)?\))?: (.*)\.$")


def check_without_value(step) -> None:
    """Check the sentence of a step, if it has one."""
    for found in filter(None, map(_SAID.match, step.part.sentences)):
        split = step.splits[found[1]]
        if found[2]:
            rows = split.missing or split.own_missing
            step.same(weight(found[2]), rows.weight, found[0])
        named = re.search(r"branch, (.*)$", found[3])
        if not named or not step.node.branches:
            continue
        (taken,) = [one for one in step.node.branches if one.name == named[1]]
        if "the heaviest branch" in found[3]:
            others = [one.rows.weight.low for one in step.node.branches]
            assert taken.rows.weight.high >= max(others), found[0]
