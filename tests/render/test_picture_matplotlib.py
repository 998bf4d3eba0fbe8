"""The same picture on matplotlib's axes, and as PNG."""

from __future__ import annotations

import struct
import sys

import handmade
import hostile
import matplotlib as mpl
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from refusals import lacking, refused
from treewright.errors import SettingError
from treewright.render.picture import View, plot_tree, scene_of, to_png
from treewright.render.picture.matplotlib_axes import png_bytes
from treewright.render.picture.shapes import PlacedWords

mpl.use("Agg")


def size_of(png):
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", png[16:24])


@pytest.mark.slow
@pytest.mark.parametrize("name", handmade.ALL)
def test_png_has_the_size_of_the_scene(name):
    scene = scene_of(handmade.ALL[name]())
    width, height = size_of(png_bytes(scene, scale=1))
    assert abs(width - scene.width) <= 1
    assert abs(height - scene.height) <= 1


@pytest.mark.slow
def test_scale_multiplies_the_size():
    scene = scene_of(handmade.tennis())
    width, _ = size_of(png_bytes(scene, scale=2))
    assert abs(width - 2 * scene.width) <= 2


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no installed font")  # of all machines, it depends
@pytest.mark.parametrize("name", hostile.NAMES, ids=range(len(hostile.NAMES)))
def test_hostile_names_are_drawn(name):
    assert png_bytes(scene_of(hostile.model(name)), scale=0.5)


def test_signs_that_no_font_has_are_told():
    # a sign of the private area: no font has a drawing for it
    model = hostile.model("\u0f04")
    with pytest.warns(UserWarning) as caught:
        png_bytes(scene_of(model))
    [told] = caught
    assert lacking(str(told.message), ("font", "SVG", "HTML")) == []


def test_dollars_do_not_make_formulas():
    assert png_bytes(scene_of(hostile.model(r"$\frac{1}{$ $x^2$")), scale=0.5)


@pytest.mark.slow
def test_same_bytes_every_time():
    scene = scene_of(handmade.tennis())
    assert png_bytes(scene, scale=1) == png_bytes(scene, scale=1)


def test_png_is_written(tmp_path):
    path = tmp_path / "tree.png"
    to_png(handmade.tennis(), path, View(max_depth=1), scale=1)
    assert size_of(path.read_bytes())
    assert [file.name for file in tmp_path.iterdir()] == ["tree.png"]


def test_axes_have_the_words_of_the_scene():
    axes = Figure().add_subplot()
    assert plot_tree(handmade.cart(), ax=axes) is axes
    drawn = [text.get_text() for text in axes.findobj(Text) if text.get_text()]
    scene = scene_of(handmade.cart())
    said = [shape.text for shape in scene.shapes if isinstance(shape, PlacedWords)]
    assert sorted(drawn) == sorted(said)
    # y grows downwards, and the whole scene is seen
    assert axes.get_ylim() == (scene.height, 0)
    assert axes.get_xlim() == (0, scene.width)


def test_new_axes_have_the_size_of_the_scene():
    from matplotlib import pyplot

    axes = plot_tree(handmade.cart())
    scene = scene_of(handmade.cart())
    size = axes.get_figure().get_size_inches() * 100
    assert size == pytest.approx([scene.width, scene.height])
    pyplot.close(axes.get_figure())


def test_words_fit_their_boxes_in_the_font_that_draws_them():
    """The estimate of `measure.py` against the widths of the font itself."""
    scene = scene_of(handmade.cart())
    figure = Figure(figsize=(scene.width / 100, scene.height / 100), dpi=100)
    axes = figure.add_axes((0, 0, 1, 1))
    plot_tree(handmade.cart(), ax=axes)
    figure.canvas.draw()
    for text in axes.findobj(Text):
        box = text.get_window_extent()
        middle = ((box.x0 + box.x1) / 2, scene.height - (box.y0 + box.y1) / 2)
        for frame in scene.frames:
            inside_x = frame.x <= middle[0] <= frame.x + frame.width
            inside_y = frame.y <= middle[1] <= frame.y + frame.height
            if inside_x and inside_y:
                assert box.x0 >= frame.x
                assert box.x1 <= frame.x + frame.width


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for draw in (png_bytes, lambda scene: plot_tree(handmade.tennis())):
        with refused(SettingError, "pip install matplotlib"):
            draw(scene_of(handmade.tennis()))


def test_picture_that_is_too_large_is_refused():
    scene = scene_of(handmade.chain(400), view=View(max_nodes=None))
    with refused(SettingError, "PNG", "pixels", "SVG"):
        png_bytes(scene)


@pytest.mark.parametrize("scale", [0, -1, 21, float("nan")])
def test_scale_that_cannot_be(scale):
    with refused(SettingError, "scale", 20, scale):
        png_bytes(scene_of(handmade.tennis()), scale=scale)
