"""Missing, not applicable and unseen are three things, from the table to the file."""

from __future__ import annotations

import copy
import json

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from refusals import refused
from treewright.data.encoding.encode import encode
from treewright.data.encoding.encode_rows import encode_rows
from treewright.errors import DataError, ModelFileError, SettingError
from treewright.tree.file.container import pack, unpack
from treewright.tree.file.save import from_bytes, to_bytes

SPOUSE = ["works", "n/a", "home", None, "n/a", "works", "home", "n/a"]
Y = ["v", "u", "v", "v", "u", "v", "w", "u"]
DECLARED = {"spouse": {"not_applicable": "n/a"}}


def encoded(cells, y=None, **settings):
    return encode({"spouse": cells}, y or ["a", "b"] * 4, task="classes", **settings)


def fitted(cells=SPOUSE, kinds=DECLARED, **settings):
    return tw.ID3Classifier(feature_kinds=kinds, **settings).fit({"spouse": cells}, Y)


def test_it_is_the_last_category_and_not_missing():
    columns = encoded(SPOUSE, feature_kinds=DECLARED)
    feature, column = columns.schema.features[0], columns.features[0]
    assert feature.categories == ("home", "works", "n/a")
    assert feature.not_applicable == "n/a"
    # 3 is the code of missing
    assert column.codes.tolist() == [1, 2, 0, 3, 2, 1, 0, 2]


def test_text_for_the_whole_table_is_for_the_columns_that_have_it():
    table = {"a": ["x", "n/a", "y"], "b": ["x", "y", "x"], "c": [1, 2, 3]}
    columns = encode(table, [0, 1, 1], task="classes", not_applicable={None: "n/a"})
    marks = [feature.not_applicable for feature in columns.schema.features]
    assert marks == ["n/a", None, None]
    assert columns.schema.features[2].kind == "numeric"


def test_column_that_was_named_has_the_category_though_no_row_does():
    columns = encoded(["x", "y"] * 4, feature_kinds=DECLARED)
    assert columns.schema.features[0].categories == ("x", "y", "n/a")


def test_declared_categories_keep_their_order_but_for_it():
    cells = pd.Categorical(["b", "n/a"] * 4, ["n/a", "c", "b"])
    frame = pd.DataFrame({"spouse": cells})
    columns = encode(frame, ["a", "b"] * 4, task="classes", feature_kinds=DECLARED)
    assert columns.schema.features[0].categories == ("c", "b", "n/a")


def test_numbers_as_categories_are_told_from_it():
    kinds = {"spouse": {"kind": "nominal", "not_applicable": "-1"}}
    columns = encoded([1, 2, -1, 10] * 2, feature_kinds=kinds)
    assert columns.schema.features[0].categories == (1, 2, 10, "-1")
    cells, _ = encode_rows(
        {"spouse": [10, -1, None, 5]}, columns.schema, unseen="stop", missing="majority"
    )
    np.testing.assert_array_equal(cells[:, 0], [2, 3, np.nan, -1])


@pytest.mark.parametrize(
    ("cells", "kind", "what"),
    [
        ([1.0, 2.0, -1.0, 4.0] * 2, None, "numeric"),
        (["1", "2", "-1", "4"] * 2, None, "numeric"),
        ([1, 2, "-1", 4] * 2, "numeric", "numeric"),
        (["a", "b", "-1", "a"] * 2, "ordinal", "ordinal"),
        (["a", "b", "-1", "a"] * 2, ["a", "b"], "ordinal"),
    ],
)
def test_numbers_and_orders_refuse_it(cells, kind, what):
    kinds = {"spouse": {"kind": kind, "not_applicable": "-1"}}
    with refused(DataError, "'spouse'", what, "'-1'", "row 2"):
        encoded(cells, feature_kinds=kinds)


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        (
            {"feature_kinds": {"spouse": {"na": "x"}}},
            ["feature_kinds['spouse']", "'na'", "'not_applicable'"],
        ),
        (
            {"feature_kinds": {"spouse": {"not_applicable": 7}}},
            ["not_applicable", 7, "'n/a'"],
        ),
        ({"not_applicable": {None: " "}}, ["not_applicable", "' '", "'n/a'"]),
        ({"not_applicable": {"spose": "x"}}, ["not_applicable", "'spose'", "'spouse'"]),
    ],
)
def test_wrong_settings_are_refused(settings, names):
    with refused(SettingError, *names):
        encoded(SPOUSE, **settings)


def test_missing_error_does_not_refuse_it():
    cells = [cell or "home" for cell in SPOUSE]
    model = fitted(cells, missing="error")
    assert model.predict({"spouse": ["n/a"]}).tolist() == ["u"]
    with refused(DataError, "'spouse'", "row 0", "missing='error'"):
        model.predict({"spouse": [None]})


def test_the_three_are_answered_each_in_its_way():
    model = fitted()
    # its own branch; that of missing values; the root, where v is heaviest
    rows = {"spouse": ["n/a", None, "abroad"]}
    assert model.predict(rows).tolist() == ["u", "v", "v"]
    assert model.apply(rows).tolist() == [3, 4, 0]
    assert model.notes_on(rows) == (
        "feature 'spouse': 1 row has a value not seen in training: 'abroad'",
    )


def test_undeclared_text_is_an_unseen_value():
    model = fitted(["x" if cell == "n/a" else cell for cell in SPOUSE], kinds=None)
    assert model.apply({"spouse": ["n/a"]}).tolist() == [0]


def test_listings_call_it_by_its_name():
    model = fitted()
    assert "├─ not applicable → u" in model.to_text()
    assert "spouse not applicable: u (3)" in model.to_text("lecture")
    assert "spouse = not applicable" in model.explain({"spouse": "n/a"})
    assert "n/a" not in model.to_text() + model.to_dot()
    data = json.loads(model.to_json())
    assert data["features"][0]["not_applicable"] == "n/a"
    cart = tw.CARTClassifier(feature_kinds=DECLARED).fit({"spouse": SPOUSE}, Y)
    assert "≠ not applicable" in cart.to_text()


def test_file_keeps_it(tmp_path):
    model = fitted()
    model.save(tmp_path / "m.tw")
    loaded = tw.load(tmp_path / "m.tw")
    assert loaded.model_.schema.features[0].not_applicable == "n/a"
    assert loaded.feature_kinds == DECLARED
    assert loaded.fingerprint() == model.fingerprint()
    assert loaded.to_text() == model.to_text()


def test_fingerprint_tells_it_from_a_category_of_that_name():
    assert fitted().fingerprint() != fitted(kinds=None).fingerprint()


@pytest.mark.parametrize(
    ("key", "value", "names"),
    [
        ("not_applicable", "home", ["'spouse'", "'home'", "last", "nominal"]),
        ("not_applicable", 3, ["'not_applicable'", "int", "str"]),
        ("kind", "ordinal", ["'spouse'", "'n/a'", "last", "nominal"]),
    ],
)
def test_file_that_contradicts_itself_is_refused(key, value, names):
    header, arrays = unpack(to_bytes(fitted().model_))
    header = copy.deepcopy(header)
    header["schema"]["features"][0][key] = value
    with refused(ModelFileError, *names):
        from_bytes(pack(header, arrays))
