"""C45RulesClassifier: golden rules, missing values, weights, keeping, bad input."""

from __future__ import annotations

import pickle

import numpy as np
import polars as pl
import pytest

import treewright as tw
from refusals import refused
from treewright.errors import DataError, ModelFileError, SettingError
from treewright.rules.rule_file import from_bytes, to_bytes
from treewright.tree.file.container import pack, unpack


@pytest.fixture(scope="module")
def tennis():
    return tw.datasets.tennis()


@pytest.fixture(scope="module")
def fitted(tennis):
    return tw.C45RulesClassifier().fit(*tennis)


def noise(n_rows=300, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n_rows)
    X = pl.DataFrame(
        {
            "a": np.round(y + rng.normal(size=n_rows), 1),
            "b": np.round(rng.normal(size=n_rows) - y, 1),
            "c": [f"v{x}" for x in (y + rng.integers(3, size=n_rows)) % 4],
        }
    )
    return X, y


def test_tennis(fitted):
    # every rule of the tree but "sunny and normal", which is right without "sunny"
    assert fitted.rules().formulas() == {
        "No": "(Outlook=Sunny and Humidity=High) or (Outlook=Rain and Wind=Strong)",
        "Yes": "(Outlook=Overcast) or (Humidity=Normal) or (Outlook=Rain and "
        "Wind=Weak)",
    }


def test_restaurant():
    X, y = tw.datasets.restaurant()
    rules = tw.C45RulesClassifier().fit(X, y).rules()
    # two leaves for No are no better described than by the default
    assert rules.formulas() == {"No": "never", "Yes": "(Patrons=Some)"}
    assert rules.rule_set.default == 0


def test_contact_lenses():
    # Cendrowska's table: every combination once, tears changing fastest
    rows = [
        (age, sight, bent, tears)
        for age in ("young", "pre-presbyopic", "presbyopic")
        for sight in ("myope", "hypermetrope")
        for bent in ("no", "yes")
        for tears in ("reduced", "normal")
    ]
    lenses = "soft hard soft hard soft hard soft none none hard soft none".split()
    y = [lens for right in lenses for lens in ("none", right)]
    names = ("age", "sight", "astigmatism", "tears")
    X = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    model = tw.C45RulesClassifier().fit(X, y)
    assert model.rules().formulas() == {
        "hard": "(tears=normal and astigmatism=yes and sight=myope)",
        "none": "(tears=reduced)",
        "soft": "(tears=normal and astigmatism=no)",
    }
    assert model.predict(X).tolist().count("hard") == 3  # one young one is missed


def test_probabilities_are_laplace_shares_of_the_covered_rows(fitted, tennis):
    X, _ = tennis
    shares = fitted.predict_proba(X)
    np.testing.assert_allclose(shares[0], [4 / 5, 1 / 5])  # of 3 rows, all No
    np.testing.assert_allclose(shares.sum(axis=1), 1)


def test_where_nothing_matches_the_default_answers(fitted):
    row = {name: [None] for name in ("Outlook", "Temperature", "Humidity", "Wind")}
    assert fitted.apply(row).tolist() == [-1]
    assert fitted.predict(row).tolist() == ["Yes"]
    # every training row is covered: the shares of all of them, (5 + 1) / (14 + 2)
    np.testing.assert_allclose(fitted.predict_proba(row), [[6 / 16, 10 / 16]])


def test_an_unknown_value_meets_no_condition(fitted):
    row = {"Outlook": [None], "Temperature": ["Hot"], "Humidity": ["High"]}
    assert fitted.apply({**row, "Wind": ["Weak"]}).tolist() == [-1]
    row["Humidity"] = ["Normal"]
    assert fitted.apply({**row, "Wind": ["Weak"]}).tolist() == [3]
    row["Outlook"] = ["Foggy"]  # never seen
    assert fitted.apply({**row, "Wind": ["Weak"]}).tolist() == [3]


def test_explain_names_the_rules_that_come_too_late(fitted):
    row = {"Outlook": "Rain", "Temperature": "Mild", "Humidity": "Normal"}
    assert fitted.explain({**row, "Wind": "Strong"}) == (
        "rule 2: Outlook = Rain and Wind = Strong\n"
        "→ PlayTennis No (2 training rows; 100 % of this class)\n"
        "also met, but later:\n"
        "  rule 4: Humidity = Normal → Yes"
    )


def test_a_weight_is_as_good_as_copies():
    X, y = noise(120)
    weights = np.random.default_rng(1).integers(1, 4, len(y))
    rows = np.repeat(np.arange(len(y)), weights)
    one = tw.C45RulesClassifier().fit(X, y, weights)
    other = tw.C45RulesClassifier().fit(X[rows.tolist()], y[rows])
    assert one.fingerprint() == other.fingerprint()


def test_rules_do_not_depend_on_threads_or_on_the_order_of_rows():
    X, y = noise()
    prints = {
        tw.C45RulesClassifier(n_jobs=jobs).fit(X, y).fingerprint() for jobs in (1, 2, 5)
    }
    back = tw.C45RulesClassifier().fit(X[::-1], y[::-1])
    assert {back.fingerprint()} == prints


def test_saved_loaded_and_pickled_rules_are_the_same(tmp_path):
    X, y = noise()
    model = tw.C45RulesClassifier(confidence=0.4, n_trees=2, random_state=3).fit(X, y)
    model.save(tmp_path / "rules.tw")
    for copy in (tw.load(tmp_path / "rules.tw"), pickle.loads(pickle.dumps(model))):
        assert copy.get_params() == model.get_params()
        assert copy.fingerprint() == model.fingerprint()
        assert np.array_equal(copy.predict_proba(X), model.predict_proba(X))
        assert copy.to_text() == model.to_text()
    assert to_bytes(model.model_) == (tmp_path / "rules.tw").read_bytes()


def test_dates_and_large_integers_are_kept(tmp_path):
    X, y = noise(80)
    days = np.datetime64("2020-01-01", "us") + (X["a"].to_numpy() * 864e8).astype(int)
    X = X.with_columns(day=days, big=2**60 + (10 * X["b"]).cast(pl.Int64))
    model = tw.C45RulesClassifier(n_trees=3).fit(X.select("day", "big"), y)
    model.save(tmp_path / "rules.tw")
    again = tw.load(tmp_path / "rules.tw")
    assert again.score(X.select("day", "big"), y) == model.score(
        X.select("day", "big"), y
    )
    assert "2020-" in model.to_text()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rule_answer", 9),
        ("rule_rate", 1.5),
        ("rule_rate", np.nan),
        ("rule_weights", -1.0),
        ("rule_weights", np.inf),
        ("rule_rows", 0),
        ("rule_size", -1),
        ("rule_size", 2**62),
        ("class_totals", np.nan),
        ("condition_feature", 4),
        ("condition_feature", -1),
        ("condition_asks", 3),
        ("condition_asks", 200),
        ("condition_size", 2**62),
        ("condition_codes", 77),
        ("condition_codes", -1),
    ],
)
def test_hostile_files_are_refused(fitted, name, value):
    header, arrays = unpack(to_bytes(fitted.model_))
    array = arrays[name].copy()
    array.flat[0] = value
    with pytest.raises(ModelFileError):
        from_bytes(pack(header, {**arrays, name: array}))


@pytest.mark.parametrize(
    "change", ["no array", "shape", "default", "count", "learner", "trees"]
)
def test_files_that_do_not_add_up_are_refused(fitted, change):
    header, arrays = unpack(to_bytes(fitted.model_))
    if change == "no array":
        del arrays["rule_rate"]
    elif change == "shape":
        arrays["rule_weights"] = arrays["rule_weights"][:-1]
    elif change == "default":
        header["rules"]["default"] = 2
    elif change == "count":
        header["rules"]["n_rules"] += 1
    elif change == "learner":
        header["model"]["learner"] = "cart"
    else:
        header["model"]["n_trees"] = 1
    with pytest.raises(ModelFileError):
        from_bytes(pack(header, arrays))


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("n_trees", 0),
        ("n_trees", 2.5),
        ("fisher", "yes"),
        ("redundancy", 0),
        ("redundancy", float("nan")),
        ("random_state", -1),
        ("dialect", "cart"),
        ("confidence", 2.0),
    ],
)
def test_settings_out_of_range_are_refused(tennis, parameter, value):
    with refused(SettingError, parameter, repr(value)):
        tw.C45RulesClassifier(**{parameter: value}).fit(*tennis)


def test_several_targets_are_refused(tennis):
    X, y = tennis
    with refused(DataError, "target", "2 columns", "C4.5rules"):
        tw.C45RulesClassifier().fit(X, pl.DataFrame({"a": y, "b": y}))


def test_a_table_of_one_class_gives_no_rule():
    model = tw.C45RulesClassifier().fit({"a": [1, 2, 3, 4]}, ["x"] * 4)
    assert len(model.rules_) == 0
    assert model.predict({"a": [7]}).tolist() == ["x"]
    assert model.notes_[0] == "no rule is better than the default; every row is x"


def test_a_rule_that_is_mostly_wrong_never_fires():
    # 30 classes: a rule may be better than the default and wrong for most rows
    rng = np.random.default_rng(5)
    y = rng.integers(30, size=600)
    x = (y // 5 * 10 + rng.integers(12, size=600)).astype(float)
    model = tw.C45RulesClassifier(min_samples_leaf=40).fit({"x": x}, y)
    assert (model.model_.rates <= 0.7).all()
    assert any("left out" in note for note in model.notes_)


def test_what_does_not_fit_into_memory_is_refused(monkeypatch, tennis):
    monkeypatch.setattr("treewright.rules.rule_rows.available_bytes", lambda: 3)
    with refused(DataError, "14 rows", "7 conditions", "12 bytes"):
        tw.C45RulesClassifier().fit(*tennis)


def test_rules_can_be_counted_on_other_rows_and_sorted():
    X, y = noise()
    model = tw.C45RulesClassifier().fit(X, y)
    listing = model.rules(X[:100], y[:100], sort="cover", min_cover=5)
    cells, _ = model.model_.encode(X[:100])
    by_hand = model.rules_.covers(cells).sum(axis=1)
    assert [listing.figures.weight[k] for k in listing.shown] == sorted(
        by_hand[by_hand >= 5], reverse=True
    )
    with refused(SettingError, "X", "without", "y"):
        model.rules(X)
