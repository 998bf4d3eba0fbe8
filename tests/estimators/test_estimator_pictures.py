"""Pictures of fitted estimators, and what a notebook shows."""

from __future__ import annotations

from xml.etree import ElementTree

import matplotlib as mpl
import pytest
import sklearn
from matplotlib.figure import Figure
from sklearn.exceptions import NotFittedError

import treewright as tw
from treewright.render.picture import View, to_html, to_svg

mpl.use("Agg")


@pytest.fixture
def tennis():
    return tw.ID3Classifier().fit(*tw.datasets.tennis())


def test_svg_and_html_are_those_of_the_model(tennis):
    view = View(max_depth=1, min_share=0.2, focus=0, max_nodes=9)
    options = {"max_depth": 1, "min_share": 0.2, "focus": 0, "max_nodes": 9}
    assert tennis.to_svg(direction="right", **options) == to_svg(
        tennis.model_, view, direction="right"
    )
    assert tennis.to_html(**options) == to_html(tennis.model_, view)


def test_png_and_plot(tennis, tmp_path):
    tennis.to_png(tmp_path / "t.png", scale=1)
    assert (tmp_path / "t.png").read_bytes()[1:4] == b"PNG"
    axes = Figure().add_subplot()
    assert tennis.plot(axes, max_depth=1) is axes


@pytest.mark.parametrize("name", ["to_svg", "to_html", "plot"])
def test_unfitted_tree_has_no_picture(name):
    with pytest.raises(NotFittedError):
        getattr(tw.CARTClassifier(), name)()


def test_notebook_shows_the_fitted_tree(tennis):
    bundle = tennis._repr_mimebundle_()
    assert bundle["text/plain"] == "ID3Classifier()"
    assert tennis.to_svg() in bundle["text/html"]
    assert tennis._repr_html_() == bundle["text/html"]
    assert bundle["image/svg+xml"] == tennis._repr_svg_() == tennis.to_svg()
    ElementTree.fromstring(bundle["text/html"])


def test_notebook_shows_the_diagram_of_an_unfitted_one():
    bundle = tw.CARTClassifier()._repr_mimebundle_()
    assert "sk-top-container" in bundle["text/html"]
    assert "image/svg+xml" not in bundle
    assert tw.CARTClassifier()._repr_svg_() is None


def test_notebook_shows_text_if_scikit_learn_is_told_so(tennis):
    with sklearn.config_context(display="text"):
        assert tennis._repr_mimebundle_() == {"text/plain": "ID3Classifier()"}
        assert not hasattr(tennis, "_repr_html_")


def test_text_of_a_part(tennis):
    lines = tennis.to_text(focus=2).splitlines()
    assert lines[0] == "node 2, where Outlook = Rain"
    assert lines[-1].startswith("the whole tree: 5 leaves, depth 2")
    assert "(#2)" in tennis.to_text(min_share=0.5)
    assert "n4" in tennis.to_dot(focus=2)
