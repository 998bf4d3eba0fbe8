"""The reference programs: our estimator for each, and what is compared.

A program here is one kind of tree: C4.5 prints a pruned and an unpruned one, rpart was
recorded with three settings, and each of these has an entry. `Fields` says under which
names the records keep a figure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import treewright as tw
from conformance.datasets import Dataset

Make = Callable[[Dataset], Any]
Names = Mapping[str, str]


@dataclass(frozen=True)
class Fields:
    """Where the figures stand in a record: ours on the left, theirs on the right.

    Attributes
    ----------
    at, holdout_at : tuple of str
        The way to the part of the record about all rows, and about the split.
    whole, holdout : mapping
        Figures of the tree of all rows; of the tree of the split's training rows.
    folds : mapping
        Figures with a list of ten in the record.
    totals : mapping
        Figures that are recorded as one number for all folds.
    """

    at: tuple[str, ...]
    holdout_at: tuple[str, ...]
    whole: Names
    holdout: Names = field(default_factory=dict)
    folds: Names = field(default_factory=dict)
    totals: Names = field(default_factory=dict)


@dataclass(frozen=True)
class Program:
    """One kind of tree of a reference program.

    Attributes
    ----------
    name : str
        What it is called on the command line.
    make : callable
        Our estimator for a data set, not yet fitted.
    fields : Fields
        What is compared.
    tree, holdout_tree : str or None
        The names of its printed trees.
    empty_is_unclassified : bool
        A row that comes to a leaf without training rows is counted apart.
    drops_empty_rows : bool
        Rows without any known input are left out of the training.
    has_complexity_table : bool
        Whether rpart's table of complexities is compared.
    """

    name: str
    make: Make
    fields: Fields
    tree: str | None = None
    holdout_tree: str | None = None
    empty_is_unclassified: bool = False
    drops_empty_rows: bool = False
    has_complexity_table: bool = False


def _c45(**settings: Any) -> Make:
    """Return what makes a C4.5 tree with these settings."""
    return lambda dataset: _learner("C45Classifier")(**settings)


def _id3(dataset: Dataset) -> Any:
    # Weka's Id3 makes a leaf where nothing gains more than its tolerance of 1e-6, and
    # of equally frequent classes it answers the first, and without training rows none
    return tw.ID3Classifier(
        min_gain=1e-6, label_ties="first", empty_branch="unclassified"
    )


def _rpart(**settings: Any) -> Make:
    """Return what makes a tree of rpart with these settings."""

    def make(dataset: Dataset) -> Any:
        classes = dataset.task == "classification"
        learner = _learner("CARTClassifier" if classes else "CARTRegressor")
        kinds = dict.fromkeys(dataset.ordinal, "ordinal")
        return learner(dialect="rpart", feature_kinds=kinds, **settings)

    return make


def _learner(name: str) -> Any:
    """Return an estimator by name; an AttributeError if there is none."""
    return getattr(tw, name)


_TREE = {"size": "size", "leaves": "leaves", "train_errors": "train_errors"}
_TEST = {"test_errors": "test_errors", "test_unclassified": "test_unclassified"}


def _weka(record: str) -> Fields:
    """Return where the figures of a Weka program stand."""
    return Fields(
        at=(record,),
        holdout_at=(record, "holdout"),
        whole=_TREE,
        holdout={**_TREE, **_TEST},
        folds={
            "test_errors": "cv_fold_errors",
            "size": "cv_fold_tree_sizes",
            "leaves": "cv_fold_leaves",
        },
        totals={"test_unclassified": "cv_unclassified"},
    )


_C45 = Fields(
    at=("c45r8",),
    holdout_at=("c45r8", "holdout"),
    whole=_TREE,
    holdout={**_TREE, **_TEST},
    folds={"test_errors": "cv_fold_errors", "size": "cv_fold_sizes"},
)
_UNPRUNED = {"size": "unpruned_size", "train_errors": "unpruned_train_errors"}
_C45_UNPRUNED = Fields(
    at=("c45r8",),
    holdout_at=("c45r8", "holdout"),
    whole=_UNPRUNED,
    holdout={**_UNPRUNED, "test_errors": "unpruned_test_errors"},
    folds={"test_errors": "cv_fold_unpruned_errors"},
)
_RPART_TREE = {
    "leaves": "leaves",
    "train_errors": "train_errors",
    "train_rmse": "train_rmse",
}
_RPART = Fields(
    at=("rpart", "default"),
    holdout_at=("rpart", "default_holdout"),
    whole=_RPART_TREE,
    holdout={
        "leaves": "leaves",
        "test_errors": "test_errors",
        "test_rmse": "test_rmse",
    },
    folds={"test_errors": "cv_fold_errors"},
    totals={"test_rmse": "cv_rmse"},
)


def _rpart_part(part: str) -> Fields:
    return Fields(at=("rpart", part), holdout_at=(), whole=_RPART_TREE)


_J48 = {"dialect": "j48"}
_R8 = {"dialect": "c45"}
_ERROR_BASED = {"pruning": "error_based"}

PROGRAMS = {
    program.name: program
    for program in (
        Program(
            "j48",
            _c45(**_J48, **_ERROR_BASED, subtree_raising=True),
            _weka("j48"),
            tree="j48",
            holdout_tree="j48_holdout_train",
        ),
        Program(
            "j48_unpruned",
            _c45(**_J48, pruning=None),
            _weka("j48_unpruned"),
            tree="j48_unpruned",
        ),
        Program(
            "j48_no_subtree_raising",
            _c45(**_J48, **_ERROR_BASED, subtree_raising=False),
            _weka("j48_no_subtree_raising"),
        ),
        Program(
            "j48_binary_splits",
            _c45(**_J48, **_ERROR_BASED, subtree_raising=True, binary_splits=True),
            _weka("j48_binary_splits"),
        ),
        Program(
            "c45r8",
            _c45(**_R8, **_ERROR_BASED, subtree_raising=True),
            _C45,
            tree="c45r8",
            holdout_tree="c45r8_holdout_train",
        ),
        Program(
            "c45r8_unpruned",
            _c45(**_R8, pruning=None),
            _C45_UNPRUNED,
            tree="c45r8_unpruned",
        ),
        Program("id3", _id3, _weka("id3"), tree="id3", empty_is_unclassified=True),
        Program("rpart", _rpart(), _RPART, tree="rpart", drops_empty_rows=True),
        Program(
            "rpart_cp0",
            _rpart(cp=0.0),
            _rpart_part("cp0"),
            drops_empty_rows=True,
            has_complexity_table=True,
        ),
        Program(
            "rpart_full",
            _rpart(cp=0.0, min_samples_split=2, min_samples_leaf=1, max_depth=30),
            _rpart_part("full"),
            drops_empty_rows=True,
        ),
    )
}
