"""Dates, durations and column names from training through the file to prediction."""

from __future__ import annotations

import datetime as dt
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score

from refusals import refused
from treewright import CARTClassifier, load, read_table
from treewright.errors import DataError

DATE_LABELS = {
    "dates": [dt.date(2020, 1, 1), dt.date(2021, 1, 1)],
    "datetimes": [dt.datetime(2020, 1, 1, 3), dt.datetime(2021, 1, 1)],
    "zoned datetimes": [
        dt.datetime(2020, 1, 1, tzinfo=dt.UTC),
        dt.datetime(2021, 1, 1, tzinfo=dt.UTC),
    ],
    "durations": [dt.timedelta(1), dt.timedelta(2)],
    "datetime64": np.array(["2020-01-01", "2021-01-01"], "M8[ns]"),
    "timedelta64": np.array([1, 2], "m8[s]"),
}


@pytest.mark.parametrize("labels", DATE_LABELS.values(), ids=DATE_LABELS)
def test_dates_and_durations_as_labels_come_back_as_given(labels, tmp_path):
    tree = CARTClassifier().fit([[1], [2]], labels)
    tree.save(tmp_path / "tree.tw")
    for one in (tree, load(tmp_path / "tree.tw")):
        for answer in (one.predict([[1], [2]]), one.classes_):
            assert answer.dtype == getattr(labels, "dtype", object)
            assert [type(label) for label in answer] == [type(v) for v in labels]
            assert list(answer) == list(labels)


@pytest.mark.parametrize("labels", DATE_LABELS.values(), ids=DATE_LABELS)
def test_dates_and_durations_as_labels_are_scored(labels):
    tree = CARTClassifier().fit([[1], [2]], labels)
    assert tree.score([[1], [2]], labels) == 1.0
    assert tree.score([[1], [1]], labels) == 0.5
    assert tree.score([[1], [1]], labels, sample_weight=[3, 1]) == 0.75


def test_cross_validation_takes_dates_as_labels():
    days = [dt.date(2020, 1, 1), dt.date(2021, 1, 1)] * 4
    assert cross_val_score(CARTClassifier(), [[1], [2]] * 4, days, cv=2).tolist() == [
        1.0,
        1.0,
    ]


NANOSECONDS = {
    "day": (np.array(["2020-01-01", "2021-02-03"], "M8[ns]"), "2020-01-01"),
    "time": (np.array(["2020-01-01T03:04", "2021"], "M8[ns]"), "2020-01-01T03:04"),
    "nanosecond": (
        np.array(["2020-01-01T00:00:00.000000001", "2021"], "M8[ns]"),
        "2020-01-01T00:00:00.000000001",
    ),
    "duration": (np.array([90 * 10**9, 10**12], "m8[ns]"), "0:01:30"),
    "short duration": (np.array([7, 10**12], "m8[ns]"), "7 nanoseconds"),
}


@pytest.mark.parametrize("case", NANOSECONDS)
def test_labels_in_nanoseconds_are_written_as_dates(case):
    labels, text = NANOSECONDS[case]
    tree = CARTClassifier().fit([[1], [2]], labels)
    assert f"≤ 1.5 → {text} " in tree.to_text()
    assert f"→ target {text} (" in tree.explain([1])
    assert f'label="{text}\\n' in tree.to_dot()
    data = json.loads(tree.to_json())
    assert data["target"]["outputs"][0]["classes"][0] == text
    assert data["trees"][0]["nodes"][1]["prediction"] == [text]


def test_labels_of_several_outputs_keep_their_types():
    days = np.array(["2020-01-01", "2021-01-01"], "M8[ns]")
    tree = CARTClassifier().fit([[1], [2]], pd.DataFrame({"day": days, "n": [0, 1]}))
    assert tree.predict([[2]]).tolist() == [[days[1], 1]]


def test_whether_the_table_had_names_survives_the_file(tmp_path):
    for table, named in (([[1], [2]], False), ({"x0": [1, 2]}, True)):
        CARTClassifier().fit(table, [0, 1]).save(tmp_path / "tree.tw")
        tree = load(tmp_path / "tree.tw")
        assert tree.model_.schema.has_names is named
        assert hasattr(tree, "feature_names_in_") is named


def test_the_clock_of_dates_survives_the_file(tmp_path):
    moments = [dt.datetime(year, 1, 1, tzinfo=dt.UTC) for year in (2020, 2021)]
    CARTClassifier().fit({"at": moments}, [0, 1]).save(tmp_path / "tree.tw")
    tree = load(tmp_path / "tree.tw")
    assert tree.predict({"at": moments}).tolist() == [0, 1]
    with refused(DataError, "'at'", "give", "zone"):
        tree.predict({"at": [dt.datetime(2020, 1, 1)]})


def test_dates_of_a_csv_file_are_cut_and_predicted_from_any_source(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("since,y\n2020-01-01,old\n2020-01-03,old\n2020-01-07,new\n")
    frame = read_table(path)
    tree = CARTClassifier().fit(frame.select("since"), frame["y"])
    assert "2020-01-05" in tree.to_text()
    frame.write_parquet(tmp_path / "rows.parquet")
    days = frame["since"].to_list()
    sources = [
        read_table(path).select("since"),
        read_table(tmp_path / "rows.parquet").select("since"),
        pd.DataFrame({"since": pd.to_datetime(days)}),
        {"since": list(map(str, days))},
    ]
    for source in sources:
        assert tree.predict(source).tolist() == ["old", "old", "new"]
    assert "new" in tree.explain({"since": "2020-06-01"})


def test_explain_with_names_needs_a_model_with_names():
    tree = CARTClassifier().fit([[1, 3], [2, 4]], [0, 1])
    assert tree.explain({"x0": 1, "x1": 3}) == tree.explain([1, 3])
    with refused(DataError, "'price', 'age'", "'x0', 'x1'"):
        tree.explain({"price": 1, "age": 3})
