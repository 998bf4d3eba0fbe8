"""CAL2 and CAL3 against the lecture: its examples, and its text on random tables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from refusals import refused
from textbook_cal import Lecture, written
from treewright.errors import DataError
from treewright.grow.chalk.cal_record import CALRecord
from treewright.learners.cal.cal2 import CAL2
from treewright.learners.cal.cal3 import CAL3
from treewright.learners.cal.cal_grow import grow_cal
from treewright.render.chalk.cal_chalk import Replay
from treewright.tree.file.validate import validate_model
from treewright.tree.structure.tree import NodeKind, Reason

# the examples of the lecture: columns, classes
CAL2_EXAMPLE = (
    {"x1": [0, 1, 0, 1, 0], "x2": [0, 0, 1, 1, 0], "x3": [1, 0, 4, 2, 3]},
    [*"AABBA"],
)
CAL3_EXAMPLE = ({"x1": [0, 0, 0, 1, 1], "x2": [0, 1, 1, 0, 1]}, [*"ABABA"])
# its exercise for CAL2, worked out by hand below
EXERCISE = (
    {"x1": [*"aaabab"], "x2": [*"abaaab"], "x3": [*"aabbcb"]},
    ["1", "2", "1", "1", "1", "2"],
)


def linear(model, node=0):
    """A model's tree as the lectures write it; for small trees."""
    tree = model.trees[0]
    if tree.kind[node] == NodeKind.LEAF:
        code = int(tree.label[node, 0])
        return "*" if code < 0 else str(model.schema.target.classes[0][code])
    first, count = int(tree.first_child[node]), int(tree.n_children[node])
    inner = ", ".join(linear(model, first + k) for k in range(count))
    return f"{model.schema.names[tree.feature[node]]}({inner})"


def fitted(X, y, kind=tw.CAL2Classifier, **parameters):
    return kind(**parameters).fit(X, y)


def test_example_of_cal2():
    tree = fitted(*CAL2_EXAMPLE)
    assert linear(tree.model_) == "x1(x2(A, B), x2(A, B))"
    assert tree.score(*CAL2_EXAMPLE) == 1.0
    assert tree.notes_[-1] == (
        "cal2 ended after 3 passes, 15 steps: the last pass changed nothing"
    )


def test_example_of_cal3():
    tree = fitted(*CAL3_EXAMPLE, tw.CAL3Classifier, s1=4, s2=0.7)
    assert linear(tree.model_) == "x1(A, x2(B, A))"
    assert tree.score(*CAL3_EXAMPLE) == pytest.approx(1 - 0.2)
    # pass 6 ends at row 4, which closes the last leaf: 5 * 5 + 4 steps
    assert (
        tree.notes_[-1] == "cal3 ended after 6 passes, 29 steps: every leaf is closed"
    )


def test_exercise_of_cal2():
    # 1; row 2: x1(2, *); 3: x1(x2(1, *), *); 4: x1(x2(1, *), 1); 6: ... x2(*, 2)
    # pass 2: row 2: x1(x2(1, 2), x2(*, 2)); row 4: x1(x2(1, 2), x2(1, 2))
    assert linear(fitted(*EXERCISE).model_) == "x1(x2(1, 2), x2(1, 2))"


def test_exercise_of_cal2_with_a_row_that_contradicts():
    X, y = EXERCISE
    X = {"x1": [*X["x1"], "a"], "x2": [*X["x2"], "a"], "x3": [*X["x3"], "b"]}
    y = [*y, "2"]
    # pass 1, row 7: x1(x2(x3(*, 2, *), *), x2(*, 2)); row 3 then wants a 1 where row 7
    # has put a 2, after all three features, so that row 5 is not seen again
    stopped = fitted(X, y)
    assert linear(stopped.model_) == "x1(x2(x3(1, 2, *), 2), x2(*, 2))"
    assert "row 3 needs another question, and no feature is left" in stopped.notes_[0]
    assert stopped.predict({"x1": ["a"], "x2": ["a"], "x3": ["c"]})[0] is None
    went_on = fitted(X, y, when_exhausted="go_on")
    # rows 3 and 7 are one of each class, and there are more of 1 in the node above
    assert linear(went_on.model_) == "x1(x2(x3(1, 1, 1), 2), x2(1, 2))"


def test_patients_of_the_lecture():
    X = {
        "Husten": ["nein", "ja", "nein", "ja", "ja"],
        "Fieber": ["nein", "nein", "ja", "nein", "ja"],
    }
    y = ["gesund", "gesund", "krank", "krank", "krank"]
    cal2 = fitted(X, y)
    assert linear(cal2.model_) == "Husten(Fieber(*, gesund), Fieber(krank, gesund))"
    assert cal2.predict({"Husten": ["ja"], "Fieber": ["nein"]}) == ["gesund"]
    cal3 = fitted(X, y, tw.CAL3Classifier, s1=4, s2=0.6)
    lecture = Lecture([*zip(*X.values(), strict=True)], y)
    told = lecture.cal3(4, 0.6)
    assert cal3.notes_[0].startswith(f"cal3 ended after {told.passes} passes")
    assert [*cal3.predict(X)] == [lecture.answer(row) for row in lecture.rows]


def test_another_order_of_features():
    tree = fitted(*CAL2_EXAMPLE, attribute_order=["x2"])
    assert linear(tree.model_) == "x2(A, B)"
    record = CALRecord()
    dialect = CAL2.change(attribute_order=("x3", "x1"))
    grow_cal(tree._columns_of(*CAL2_EXAMPLE, None), dialect, record)
    assert record.order == (2, 0, 1)


TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.tuples(
            *[st.sampled_from("abc") for _ in range(width)], st.sampled_from("KLM")
        ),
        min_size=1,
        max_size=25,
    )
)


def replayed(record):
    """Every change of a record, and the tree after it, in the lectures' notation."""
    replay, found = Replay(record), []
    for step in record.steps:
        replay.apply(step)
        text = "".join(getattr(one, "text", one) for one in replay.notation())
        found.append((step.in_pass, step.row, str(step.change), text))
    return found


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(TABLES, st.booleans(), st.integers(1, 12))
def test_cal2_is_the_lectures(rows, goes_on, passes):
    cells, classes = [row[:-1] for row in rows], [row[-1] for row in rows]
    X = {f"x{t + 1}": [row[t] for row in cells] for t in range(len(cells[0]))}
    lecture = Lecture(cells, classes, goes_on=goes_on, passes=passes)
    told = lecture.cal2()
    dialect = CAL2.change(
        when_exhausted="go_on" if goes_on else "stop", max_passes=passes
    )
    same_as_told(X, classes, dialect, lecture, told)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(
    TABLES,
    st.booleans(),
    st.integers(1, 6),
    st.sampled_from([0.51, 0.6, 0.7, 0.75, 0.9, 1]),
    st.sampled_from([1, 2, 5, 1000]),
)
def test_cal3_is_the_lectures(rows, goes_on, s1, s2, passes):
    cells, classes = [row[:-1] for row in rows], [row[-1] for row in rows]
    X = {f"x{t + 1}": [row[t] for row in cells] for t in range(len(cells[0]))}
    lecture = Lecture(cells, classes, goes_on=goes_on, passes=passes)
    told = lecture.cal3(s1, s2)
    dialect = CAL3.change(
        when_exhausted="go_on" if goes_on else "stop",
        max_passes=passes,
        s1=s1,
        s2=s2,
    )
    same_as_told(X, classes, dialect, lecture, told)
    assert passes < 1000 or told.passes <= s1 * (len(cells[0]) + 1)


def same_as_told(X, classes, dialect, lecture, told):
    columns = tw.CAL2Classifier()._columns_of(X, classes, None)
    record = CALRecord()
    model = grow_cal(columns, dialect, record)
    assert replayed(record) == told.log
    if told.log:
        assert told.log[-1][3] == written(told.root)
    assert (str(record.ending), record.n_passes) == (told.why, told.passes)
    validate_model(model)
    answers = model.predict(X)
    assert [*answers] == [lecture.answer(row) for row in lecture.rows]
    counted_at_its_nodes(model, X, classes, answers)


def counted_at_its_nodes(model, X, classes, answers):
    """Nodes have their training rows, and questions those of their branches."""
    tree = model.trees[0]
    ends, n_rows = np.unique(model.apply(X), return_counts=True)
    leaves = tree.kind == NodeKind.LEAF
    assert tree.n_rows[ends].tolist() == n_rows.tolist()
    assert tree.n_rows[leaves].sum() == len(classes)
    for node in np.flatnonzero(~leaves):
        first, count = tree.first_child[node], tree.n_children[node]
        assert tree.n_rows[first : first + count].sum() == tree.n_rows[node]
        assert tree.weight[first : first + count].sum() == tree.weight[node]
    right = sum(said == known for said, known in zip(answers, classes, strict=True))
    text = tw.CAL2Classifier()
    text.model_ = model
    assert f"{len(classes) - right} wrong" in text.to_text()


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(TABLES, st.data(), st.integers(1, 5))
def test_a_weight_is_a_number_of_rows(rows, data, s1):
    cells, classes = [row[:-1] for row in rows], [row[-1] for row in rows]
    times = data.draw(
        st.lists(st.integers(1, 4), min_size=len(rows), max_size=len(rows))
    )
    X = {f"x{t + 1}": [row[t] for row in cells] for t in range(len(cells[0]))}
    longer = {name: np.repeat(values, times) for name, values in X.items()}
    for kind, given_switches in (
        (tw.CAL2Classifier, {}),
        (tw.CAL3Classifier, {"s1": s1, "when_exhausted": "go_on"}),
    ):
        weighed = kind(**given_switches).fit(X, classes, sample_weight=times)
        copied = kind(**given_switches).fit(longer, np.repeat(classes, times))
        assert linear(weighed.model_) == linear(copied.model_)
        assert weighed.tree_.value.tolist() == copied.tree_.value.tolist()


def test_a_huge_weight_takes_no_time():
    tree = fitted(*CAL3_EXAMPLE, tw.CAL3Classifier).fit(
        *CAL3_EXAMPLE, sample_weight=[1, 10**12, 1, 1, 10**12]
    )
    assert tree.tree_.weight[0] == 2 * 10**12 + 3


def test_a_missing_value_is_a_value_of_its_own():
    X = {"x": ["a", None, "b"], "z": ["c", "d", "d"]}
    tree = fitted(X, ["A", "B", "A"])
    assert linear(tree.model_) == "x(A, A, B)"
    assert tree.predict({"x": [None], "z": ["c"]}) == ["B"]
    with refused(DataError, "'x'", "row 1", "missing='error'"):
        fitted(X, ["A", "B", "A"], missing="error")


def test_a_feature_with_one_value_is_not_asked_about():
    tree = fitted({"one": ["a", "a"], "two": ["b", "c"]}, ["A", "B"])
    assert linear(tree.model_) == "two(A, B)"
    assert "not asked about, because it has one value: 'one'" in tree.notes_


def test_whole_numbers_are_categories_and_others_are_refused():
    y = [*"AB" * 15]
    with refused(DataError, "'x'", "cal2", "discretize='quartiles'"):
        fitted({"x": [*range(30)]}, y)  # more than 20 different ones
    with refused(DataError, "'x'", "cal2", "discretize='quartiles'"):
        fitted({"x": [0.5, 1.0] * 15}, y)
    tree = fitted({"x": [1.0, 2.0] * 15}, y)
    assert tree.predict({"x": [2, 1]}).tolist() == ["B", "A"]
    assert tree.predict({"x": [1.5]}).tolist() == ["A"]  # unseen: stops at the root
    halves = fitted({"x": [*range(30)]}, y[:15] + y[15:], discretize="quartiles")
    assert halves.model_.schema.features[0].intervals is not None


def test_a_tree_that_gets_too_large_is_refused(monkeypatch):
    monkeypatch.setattr("treewright.learners.cal.cal_walk.MOST_NODES", 20)
    names = [f"n{k}" for k in range(16)]
    X = {"x": [*"ab" * 8], "name": names}
    y = [*"AABB" * 4]
    with refused(DataError, "20 nodes", "'name'", "16 branches", "attribute_order"):
        fitted(X, y)
    assert fitted(X, y, attribute_order=["name"]).score(X, y) == 1.0


def test_dates_are_refused():
    dates = np.array(["2020-01-01", "2020-01-02"], "datetime64[us]")
    with refused(DataError, "'x'", "cal2", "discretize='quartiles'"):
        fitted({"x": dates}, ["A", "B"])


def test_ordered_categories_have_a_branch_each():
    tree = fitted(
        {"x": ["S", "M", "L"]}, ["A", "B", "A"], feature_kinds={"x": ["S", "M", "L"]}
    )
    assert linear(tree.model_) == "x(A, B, A)"


def test_leaves_say_why_they_are_leaves():
    stopped = fitted(*CAL2_EXAMPLE, max_passes=1)
    assert linear(stopped.model_) == "x1(x2(A, *), B)"
    reasons = [Reason(code).name for code in stopped.tree_.reason.tolist()]
    assert reasons == ["NONE", "NONE", "STOPPED", "PURE", "STOPPED"]
    assert "1 training row ends at a leaf without a class" in stopped.notes_
    open_ones = fitted(*CAL3_EXAMPLE, tw.CAL3Classifier, max_passes=2)
    reasons = {Reason(code).name for code in open_ones.tree_.reason.tolist()}
    assert reasons == {"NONE", "UNDECIDED", "STOPPED"}
    closed = fitted(*CAL3_EXAMPLE, tw.CAL3Classifier)
    assert [Reason(code).name for code in closed.tree_.reason.tolist()][1] == "CLOSED"
