"""Colours that can be told apart, measured with the formulas of CIE and WCAG."""

from __future__ import annotations

import itertools

import handmade
import pytest

from treewright.render.picture.colours import (
    CLASS_COLOURS,
    GROUND,
    OTHER,
    SLOT_COLOURS,
    class_slots,
    link_colour,
    luminance,
    text_colour_on,
)


def lightness(colour):
    """L* of CIE 1976, 0 for black and 100 for white."""
    level = luminance(colour)
    return 116 * level ** (1 / 3) - 16 if level > 0.008856 else 903.3 * level


def contrast(one, other):
    """The ratio of WCAG 2, 1 to 21."""
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_luminance_of_known_colours():
    assert luminance("#ffffff") == pytest.approx(1)
    assert luminance("#000000") == 0
    assert lightness("#777777") == pytest.approx(50, abs=0.5)


@pytest.mark.parametrize("ground", [0, 1], ids=["light", "dark"])
def test_neighbouring_classes_differ_in_grey(ground):
    levels = [lightness(pair[ground]) for pair in CLASS_COLOURS]
    for one, other in itertools.pairwise(levels):
        assert abs(one - other) >= 9


@pytest.mark.parametrize("ground", [0, 1], ids=["light", "dark"])
def test_first_three_classes_all_differ_in_grey(ground):
    levels = [lightness(pair[ground]) for pair in CLASS_COLOURS[:3]]
    for one, other in itertools.combinations(levels, 2):
        assert abs(one - other) >= 9


@pytest.mark.parametrize("ground", [0, 1], ids=["light", "dark"])
def test_text_can_be_read(ground):
    for name in ("ink", "muted"):
        for behind in ("ground", "panel"):
            assert contrast(GROUND[name][ground], GROUND[behind][ground]) >= 4.5
    for pair in SLOT_COLOURS:
        assert contrast(text_colour_on(pair[ground]), pair[ground]) >= 4.5
        pale = link_colour(0, 0.13, ground)
        assert contrast(GROUND["muted"][ground], pale) >= 4.5


@pytest.mark.parametrize("ground", [0, 1], ids=["light", "dark"])
def test_classes_are_seen_on_the_ground(ground):
    for pair in SLOT_COLOURS:
        assert abs(lightness(pair[ground]) - lightness(GROUND["ground"][ground])) >= 12


def test_many_classes_give_colours_to_the_heaviest():
    labels = tuple(f"k{k}" for k in range(20))
    target = handmade.Target("classes", ("y",), (labels,))
    weights = [float(k % 7) for k in range(20)]
    tree = handmade.build(handmade.Node(weights), target)
    slots = class_slots(target, tree, 0)[0]
    coloured = [code for code, slot in enumerate(slots) if slot != OTHER]
    assert len(coloured) == OTHER - 1
    assert min(weights[code] for code in coloured) >= max(
        weights[code] for code in range(20) if code not in coloured
    )
    assert [slots[code] for code in coloured] == list(range(OTHER - 1))


def test_few_classes_have_the_colours_in_their_order():
    model = handmade.cart()
    assert class_slots(model.schema.target, model.trees[0], 0) == [[0, 1, 2]]
