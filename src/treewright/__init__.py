"""treewright: decision trees that show their work.

    import treewright as tw
    X, y = tw.datasets.tennis()
    model = tw.ID3Classifier().fit(X, y)
    print(model.to_text())

Names are looked up on first use, so that importing the package costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treewright.checks.check import check
    from treewright.data import datasets
    from treewright.data.noise import with_noise
    from treewright.data.readers.read import read_table
    from treewright.estimators.adaboost import AdaBoostClassifier
    from treewright.estimators.c45 import C45Classifier
    from treewright.estimators.c45_rules import C45RulesClassifier
    from treewright.estimators.cal import CAL2Classifier, CAL3Classifier
    from treewright.estimators.forests import (
        ExtraTreesClassifier,
        ExtraTreesRegressor,
        RandomForestClassifier,
        RandomForestRegressor,
    )
    from treewright.estimators.hoeffding import (
        HoeffdingTreeClassifier,
        HoeffdingTreeRegressor,
    )
    from treewright.estimators.id3 import ID3Classifier
    from treewright.estimators.incremental import IncrementalTreeClassifier
    from treewright.estimators.judged.comparing import compare
    from treewright.estimators.judged.evaluating import evaluate
    from treewright.estimators.judged.reporting import report
    from treewright.estimators.judged.tuning import tune
    from treewright.estimators.parts.loading import load
    from treewright.estimators.trees import (
        CARTClassifier,
        CARTRegressor,
        TreeClassifier,
        TreeRegressor,
    )
    from treewright.grow.measures import (
        classification_error,
        conditional_entropy,
        entropy,
        gain_ratio,
        gini,
        information_gain,
        intrinsic_value,
    )
    from treewright.grow.prefix_code import prefix_code

__version__ = "0.1.0"

_HOMES = {
    "AdaBoostClassifier": "treewright.estimators.adaboost",
    "C45Classifier": "treewright.estimators.c45",
    "C45RulesClassifier": "treewright.estimators.c45_rules",
    "CAL2Classifier": "treewright.estimators.cal",
    "CAL3Classifier": "treewright.estimators.cal",
    "CARTClassifier": "treewright.estimators.trees",
    "CARTRegressor": "treewright.estimators.trees",
    "ExtraTreesClassifier": "treewright.estimators.forests",
    "ExtraTreesRegressor": "treewright.estimators.forests",
    "HoeffdingTreeClassifier": "treewright.estimators.hoeffding",
    "HoeffdingTreeRegressor": "treewright.estimators.hoeffding",
    "ID3Classifier": "treewright.estimators.id3",
    "IncrementalTreeClassifier": "treewright.estimators.incremental",
    "RandomForestClassifier": "treewright.estimators.forests",
    "RandomForestRegressor": "treewright.estimators.forests",
    "TreeClassifier": "treewright.estimators.trees",
    "TreeRegressor": "treewright.estimators.trees",
    "check": "treewright.checks.check",
    "classification_error": "treewright.grow.measures",
    "compare": "treewright.estimators.judged.comparing",
    "conditional_entropy": "treewright.grow.measures",
    "entropy": "treewright.grow.measures",
    "evaluate": "treewright.estimators.judged.evaluating",
    "gain_ratio": "treewright.grow.measures",
    "gini": "treewright.grow.measures",
    "information_gain": "treewright.grow.measures",
    "intrinsic_value": "treewright.grow.measures",
    "load": "treewright.estimators.parts.loading",
    "prefix_code": "treewright.grow.prefix_code",
    "read_table": "treewright.data.readers.read",
    "report": "treewright.estimators.judged.reporting",
    "tune": "treewright.estimators.judged.tuning",
    "with_noise": "treewright.data.noise",
}

__all__ = [
    "AdaBoostClassifier",
    "C45Classifier",
    "C45RulesClassifier",
    "CAL2Classifier",
    "CAL3Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "HoeffdingTreeClassifier",
    "HoeffdingTreeRegressor",
    "ID3Classifier",
    "IncrementalTreeClassifier",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "TreeClassifier",
    "TreeRegressor",
    "check",
    "classification_error",
    "compare",
    "conditional_entropy",
    "datasets",
    "entropy",
    "evaluate",
    "gain_ratio",
    "gini",
    "information_gain",
    "intrinsic_value",
    "load",
    "prefix_code",
    "read_table",
    "report",
    "tune",
    "with_noise",
]


def __getattr__(name: str) -> Any:
    if name == "datasets":
        return importlib.import_module("treewright.data.datasets")
    if name not in _HOMES:
        raise AttributeError(f"module 'treewright' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
