"""The state of a search: going on gives what an uninterrupted search gives."""

from __future__ import annotations

import contextlib
import json

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

import treewright as tw
from refusals import refused
from treewright.data.sparse import sparse_table
from treewright.errors import FileReadError, SettingError
from treewright.estimators.judged import searching
from treewright.evaluation.tuning import tuning_state
from treewright.evaluation.tuning.tuning_state import checksum

X, Y = load_iris(return_X_y=True)
HOW = {"space": {"max_depth": [1, 2], "min_samples_leaf": [1, 5]}, "inner_folds": 3}


class EnoughError(Exception):
    """Somebody wants no more."""


def stopping(after):
    """A progress that raises after so many fits."""
    calls = []

    def tell(done, total):
        calls.append(done)
        if done - calls[0] >= after:
            raise EnoughError

    return tell


def tuned(state, X=X, y=Y, estimator=None, **more):
    estimator = estimator or tw.CARTClassifier()
    return tw.tune(estimator, X, y, folds=3, **{**HOW, **more}, state=state)


@pytest.fixture
def state(tmp_path):
    return tmp_path / "iris.tune"


@pytest.fixture
def _often(monkeypatch):
    """The state is written after every fit, also where that takes no time."""
    monkeypatch.setattr(tuning_state, "_SECONDS", 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 3])
def test_interrupted_again_and_again_it_ends_the_same(state, n_jobs):
    whole = tuned(None).to_dict()
    n_rounds, n_done = 0, -1
    while True:
        n_rounds += 1
        try:
            found = tuned(state, progress=stopping(7), n_jobs=n_jobs)
        except EnoughError:
            kept = json.loads(state.read_text())
            assert len(kept["tried"]) + len(kept["answers"]) > n_done
            n_done = len(kept["tried"]) + len(kept["answers"])
        else:
            break
    assert n_rounds > 3
    assert found.to_dict() == whole


@pytest.mark.slow
@pytest.mark.usefixtures("_often")
def test_any_earlier_state_ends_the_same(state, monkeypatch):
    whole, kept = tuned(None).to_dict(), []
    write = tuning_state.write_atomically

    def keeping(path, data):
        kept.append(data)
        write(path, data)

    monkeypatch.setattr(tuning_state, "write_atomically", keeping)
    assert tuned(state, n_jobs=1).to_dict() == whole
    assert len(kept) > 40
    for data in kept[::9]:
        state.write_bytes(data)
        assert tuned(state).to_dict() == whole


def test_what_is_done_is_not_done_again(state):
    first = tuned(state)
    told = []
    again = tuned(state, progress=lambda done, total: told.append((done, total)))
    assert {done for done, _ in told} == {told[0][1]}
    assert again.to_dict() == first.to_dict()
    other_rule = tuned(state, rule="minimum")
    assert other_rule.to_dict() == tuned(None, rule="minimum").to_dict()


def test_forests_draw_the_same_when_they_go_on(state):
    forest = tw.RandomForestClassifier(n_estimators=3)
    space = {"min_samples_leaf": [1, 5]}
    whole = tuned(None, estimator=forest, space=space)
    with pytest.raises(EnoughError):
        tuned(state, estimator=forest, space=space, progress=stopping(5))
    again = tuned(state, estimator=forest, space=space)
    assert again.to_dict() == whole.to_dict()


def test_numbers_are_kept_to_the_last_bit(state):
    y = X[:, 3] * np.pi
    whole = tuned(None, X[:, :3], y, tw.CARTRegressor())
    tuned(state, X[:, :3], y, tw.CARTRegressor())
    again = tuned(state, X[:, :3], y, tw.CARTRegressor())
    assert again.nested.error == whole.nested.error
    assert again.trials == whole.trials


OTHERS = {
    "data": {"X": X + 1},
    "folds": {"random_state": 1},
    "settings": {"estimator": tw.CARTClassifier(criterion="entropy")},
    "things": {"space": {"max_depth": [3]}},
}


@pytest.mark.slow
@pytest.mark.parametrize("what", OTHERS)
def test_state_of_anything_else_is_refused(state, what):
    tuned(state)
    before = state.read_bytes()
    with refused(SettingError, state, what, "anew"):
        tuned(state, **OTHERS[what])
    assert state.read_bytes() == before


def test_weights_and_another_target_are_other_data(state):
    tuned(state)
    for more in ({"sample_weight": np.full(150, 2.0)}, {"y": Y[::-1]}):
        with refused(SettingError, state, "data"):
            tuned(state, **more)


def test_state_of_another_version_is_refused(state, monkeypatch):
    tuned(state)
    monkeypatch.setattr(tuning_state.metadata, "version", lambda name: "9.9")
    with refused(SettingError, state, "versions"):
        tuned(state)


def test_torn_state_is_refused(state):
    tuned(state)
    whole = state.read_bytes()
    for length in (0, 1, 20, len(whole) // 2, len(whole) - 1):
        state.write_bytes(whole[:length])
        what = "treewright tune" if length == 1 else "torn"  # one byte may be anything
        with refused(FileReadError, state, what, "anew"):
            tuned(state)
        assert state.read_bytes() == whole[:length]


def test_damaged_state_is_refused(state):
    tuned(state)
    data = json.loads(state.read_text())
    key = next(iter(data["tried"]))
    data["tried"][key][1] += 1
    state.write_text(json.dumps(data))
    with refused(FileReadError, state, "damaged", "checksum"):
        tuned(state)
    state.write_text(json.dumps({**data, "format": 2}))
    with refused(FileReadError, state, "format 2"):
        tuned(state)


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "[1, 2]", '{"kind": "x"}', "\udcff"])
def test_file_that_is_no_state_is_refused_and_kept(state, text):
    state.write_bytes(text.encode("utf-8", "surrogateescape"))
    with refused(FileReadError, state, "treewright tune"):
        tuned(state)
    assert state.read_bytes() == text.encode("utf-8", "surrogateescape")


def test_state_that_cannot_be_written_is_refused(tmp_path):
    with refused(FileReadError, tmp_path / "no_folder" / "x", "write"):
        tuned(tmp_path / "no_folder" / "x")
    with refused(FileReadError, tmp_path, "read"):
        tuned(tmp_path)


def test_order_of_the_space_changes_no_figure():
    """Trees that differ in their pruning are grown once, wherever they stand."""
    tree = tw.CARTClassifier(pruning="cost_complexity")
    cps, depths = [0, 0.05, 0.3], [1, None]
    one = tuned(None, estimator=tree, space={"cp": cps, "max_depth": depths})
    two = tuned(None, estimator=tree, space={"max_depth": depths, "cp": cps})

    def figures(found):
        return {
            (trial.settings["cp"], trial.settings["max_depth"]): (
                trial.loss,
                trial.size,
            )
            for trial in found.trials
        }

    assert figures(one) == figures(two)


def rewritten(state, data):
    """Write contents with the checksum that goes with them."""
    data = {name: part for name, part in data.items() if name != "checksum"}
    state.write_text(json.dumps({**data, "checksum": checksum(data)}))


PACKED = "eJxjYKAyAAAAUAAB"  # of other rows


def changes():
    """What somebody may do to a state and its checksum."""
    wrong = [None, 1, "x", [], {}, -1.0, 1e300, [1.0] * 3, ["1"] * 4, [0.0] * 4, True]
    for value in wrong:
        yield "tried", "0/0/0", value
        yield "answers", "0/0", value
    for key in (
        "",
        "0",
        "0/0",
        "9/0/0",
        "0/9/0",
        "0/0/99",
        "-1/0/0",
        "a/b/c",
        "0/0/0/0",
    ):
        yield "tried", key, [1.0, 0.0, 0.0, 1.0]
    answer = {"type": "<i8", "predicted": PACKED, "trained_loss": 0.0}
    for key in ("", "9/0", "0/99", "0/-2", "x/0", "0/0"):
        yield "answers", key, answer
    for name, values in {
        "type": ["O", "<f8", "<i2", 3, "nonsense"],
        "predicted": ["", "%%%", "AAAA", 3, None],
        "trained_loss": ["0", None, {}],
    }.items():
        for value in values:
            yield "answers", "0/0", {**answer, name: value}
    for part in ("tried", "answers", "identity"):
        yield part, None, []
        yield part, None, None


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A finished state."""
    path = tmp_path_factory.mktemp("whole") / "iris.tune"
    tuned(path)
    return json.loads(path.read_text())


@pytest.mark.slow
@pytest.mark.parametrize("change", list(changes()), ids=str)
def test_contents_that_cannot_be_are_said_to_be_damaged(state, whole, change):
    part, key, value = change
    data = json.loads(json.dumps(whole))
    if key is None:
        data[part] = value
    else:
        data[part][key] = value
    rewritten(state, data)
    with refused(FileReadError, state, "damaged", "anew"):
        tuned(state)


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity"])
def test_numbers_that_are_none_are_damage(state, whole, number):
    text = json.dumps(whole)
    figures = json.dumps(next(iter(whole["tried"].values())))
    other = figures.replace(figures.split(",")[1], f" {number}")
    state.write_text(text.replace(figures, other))
    assert state.read_text() != text
    with refused(FileReadError, state, "damaged", "anew"):
        tuned(state)


@pytest.mark.slow
@given(st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_done_to_the_bytes_is_taken_or_refused(state, whole, data):
    text = bytearray(json.dumps(whole).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        where = data.draw(st.integers(0, len(text) - 1))
        text[where : where + data.draw(st.integers(0, 3))] = data.draw(
            st.binary(max_size=3)
        )
    state.write_bytes(text)
    with contextlib.suppress(FileReadError, SettingError):
        tuned(state)


def test_state_of_a_sparse_table(state, monkeypatch):
    monkeypatch.setattr(sparse_table, "SMALL_CELLS", 0)
    first = tuned(state, sp.csr_matrix(X))
    assert tuned(state, sp.csr_matrix(X)).to_dict() == first.to_dict()
    other = X.copy()
    other[3, 2] += 1
    with refused(SettingError, state, "data"):
        tuned(state, sp.csr_matrix(other))


def test_a_table_is_looked_at_for_a_state_only(monkeypatch):
    def never(columns):
        raise AssertionError

    monkeypatch.setattr(searching, "hash_of_table", never)
    tuned(None)
