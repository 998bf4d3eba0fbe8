"""Random forests, and extra trees: forests whose cuts are drawn.

Each is a signature over `learners/forest/forest.py`; `forest_estimator.py` and
`tasks.py` do the work.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from treewright.estimators.parts.forest_estimator import ForestEstimator
from treewright.estimators.parts.parameters import (
    ClassWeight,
    Discretize,
    FeatureKinds,
    documented,
    keeps_arguments,
)
from treewright.estimators.parts.tasks import ClassTask, NumberTask
from treewright.learners.dialects.cart import CART, CART_NUMBERS
from treewright.learners.forest.forest_settings import MaxFeatures
from treewright.learners.registry import LEARNERS

_DIALECT = (
    'Whose trees they are: "cart" (as None), "rpart", and for classes "id3", '
    '"aima", "c45", "j48", "lecture"; unpruned. A parameter that is None is as the '
    "dialect says."
)


@documented
class RandomForestClassifier(ClassTask, ForestEstimator):
    """Many trees for classes, each from its own rows, that vote.

    Parameters
    ----------
    {parameters}

    Notes
    -----
    Each tree is grown from rows drawn with replacement, as many as there are. A node
    looks at a few features, drawn at random; where all of them have a single value,
    more are drawn until one has not. Trees are not pruned. The answer is the class with
    the largest mean share, as in scikit-learn; with `voting="votes"` it is the class
    that most trees name, as in Breiman's program.

    `max_features="oob"` is Breiman's Forest-RI: forests with 1 and with
    int(log2 M + 1) features are grown, and the one with the smaller out-of-bag error is
    kept. `max_features=None` is bagging.

    `combined_features=3` is Forest-RC (section 5 of the paper): a node draws
    `max_features` weighted sums of 3 features each and takes the best cut of these, so
    that borders need not be parallel to the axes. Weights are uniform between -1 and 1
    and divided by the feature's standard deviation in the table. Features that have a
    single value at the node are not drawn. All must be numbers, none missing.

    A tree depends on the seed and on its number alone: the forest is the same for any
    number of threads, and its first trees are those of a smaller forest.

    References
    ----------
    Breiman, L. (2001). Random forests. Machine Learning 45, 5-32.

    Examples
    --------
    >>> import treewright as tw
    >>> X, y = tw.datasets.tennis()
    >>> forest = tw.RandomForestClassifier(n_estimators=10, random_state=0).fit(X, y)
    >>> forest.predict(X[:3])
    array(['No', 'No', 'Yes'], dtype=object)
    """

    family, task, learner = "forest", "classes", "forest"
    dialect, dialects = CART, LEARNERS["forest"].dialects("classes")
    own = LEARNERS["forest"].own
    dialect_text = _DIALECT

    @keeps_arguments
    def __init__(
        self,
        n_estimators: int = 100,
        *,
        dialect: str | None = None,
        max_features: MaxFeatures = "sqrt",
        combined_features: int | None = None,
        bootstrap: bool = True,
        max_samples: float | None = None,
        stratified: bool = False,
        voting: str = "mean",
        random_state: Any = None,
        criterion: str | None = None,
        missing: str | None = None,
        unseen: str | None = None,
        probabilities: str | None = None,
        prior_weight: float | None = None,
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float | None = None,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        oob_score: bool = False,
        cost_matrix: Any = None,
        class_weight: ClassWeight = None,
        warm_start: bool = False,
        switches: Mapping[str, Any] | None = None,
        feature_kinds: FeatureKinds = None,
        discretize: Discretize = None,
        drop_missing_target: bool = False,
        strict: bool = False,
        n_jobs: int | None = None,
    ) -> None: ...


@documented
class RandomForestRegressor(NumberTask, ForestEstimator):
    """Many trees for numbers, each from its own rows; the answer is their mean.

    Parameters
    ----------
    {parameters}

    Notes
    -----
    As `RandomForestClassifier`, but a node looks at all features, as in scikit-learn;
    Breiman's program looks at a third of them (`max_features=1/3`).

    References
    ----------
    Breiman, L. (2001). Random forests. Machine Learning 45, 5-32.

    Examples
    --------
    >>> import treewright as tw
    >>> forest = tw.RandomForestRegressor(n_estimators=20, random_state=0)
    >>> forest.fit([[1], [2], [3], [4]], [1.0, 1.0, 5.0, 5.0]).predict([[1]]) < 3
    array([ True])
    """

    family, task, learner = "forest", "numbers", "forest"
    dialect, dialects = CART_NUMBERS, LEARNERS["forest"].dialects("numbers")
    own = LEARNERS["forest"].own
    defaults = MappingProxyType({"max_features": 1.0})
    dialect_text = _DIALECT

    @keeps_arguments
    def __init__(
        self,
        n_estimators: int = 100,
        *,
        dialect: str | None = None,
        max_features: MaxFeatures = 1.0,
        combined_features: int | None = None,
        bootstrap: bool = True,
        max_samples: float | None = None,
        random_state: Any = None,
        criterion: str | None = None,
        missing: str | None = None,
        unseen: str | None = None,
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float | None = None,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        oob_score: bool = False,
        warm_start: bool = False,
        switches: Mapping[str, Any] | None = None,
        feature_kinds: FeatureKinds = None,
        discretize: Discretize = None,
        drop_missing_target: bool = False,
        strict: bool = False,
        n_jobs: int | None = None,
    ) -> None: ...


@documented
class ExtraTreesClassifier(ClassTask, ForestEstimator):
    """Many trees for classes whose cuts are drawn at random, and that vote.

    Parameters
    ----------
    {parameters}

    Notes
    -----
    Each tree is grown from all rows. A node draws features until `max_features` of them
    have more than one value there, and for each of them one cut, anywhere between its
    least and its largest value at the node; the best of these few cuts is taken. Of a
    nominal feature any set of its values is drawn, where the dialect makes two
    branches; of its other values a fair coin decides. A branch per value (id3, c45)
    leaves nothing to draw. Trees are not pruned; the answer is the class with the
    largest mean share, or that most trees name (`voting="votes"`).

    Cuts lie where they were drawn, whatever the dialect does else. Rows without a value
    follow the dialect's rule; "most_common_in_node" and "most_common_in_class" are
    refused. A tree depends on the seed and on its number alone, as in
    `RandomForestClassifier`.

    References
    ----------
    Geurts, P., Ernst, D. and Wehenkel, L. (2006). Extremely randomized trees. Machine
    Learning 63, 3-42.

    Examples
    --------
    >>> import treewright as tw
    >>> X, y = tw.datasets.cars()
    >>> forest = tw.ExtraTreesClassifier(n_estimators=10, random_state=0).fit(X, y)
    >>> forest.predict(X[:2])
    array(['günstig', 'teuer'], dtype=object)
    """

    random_cuts = True
    family, task, learner = "forest", "classes", "extra-trees"
    dialect, dialects = CART, LEARNERS["extra-trees"].dialects("classes")
    own = LEARNERS["extra-trees"].own
    dialect_text = _DIALECT

    @keeps_arguments
    def __init__(
        self,
        n_estimators: int = 100,
        *,
        dialect: str | None = None,
        max_features: MaxFeatures = "sqrt",
        bootstrap: bool = False,
        max_samples: float | None = None,
        stratified: bool = False,
        voting: str = "mean",
        random_state: Any = None,
        criterion: str | None = None,
        missing: str | None = None,
        unseen: str | None = None,
        probabilities: str | None = None,
        prior_weight: float | None = None,
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float | None = None,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        oob_score: bool = False,
        cost_matrix: Any = None,
        class_weight: ClassWeight = None,
        warm_start: bool = False,
        feature_kinds: FeatureKinds = None,
        drop_missing_target: bool = False,
        strict: bool = False,
        n_jobs: int | None = None,
    ) -> None: ...


@documented
class ExtraTreesRegressor(NumberTask, ForestEstimator):
    """Many trees for numbers whose cuts are drawn at random; the answer is their mean.

    Parameters
    ----------
    {parameters}

    Notes
    -----
    As `ExtraTreesClassifier`, but a node looks at all features, one drawn cut of each.

    References
    ----------
    Geurts, P., Ernst, D. and Wehenkel, L. (2006). Extremely randomized trees. Machine
    Learning 63, 3-42.

    Examples
    --------
    >>> import treewright as tw
    >>> forest = tw.ExtraTreesRegressor(n_estimators=20, random_state=0)
    >>> forest.fit([[1], [2], [3], [4]], [1.0, 1.0, 5.0, 5.0]).predict([[1]])
    array([1.])
    """

    random_cuts = True
    family, task, learner = "forest", "numbers", "extra-trees"
    dialect, dialects = CART_NUMBERS, LEARNERS["extra-trees"].dialects("numbers")
    own = LEARNERS["extra-trees"].own
    defaults = MappingProxyType({"max_features": 1.0})
    dialect_text = _DIALECT

    @keeps_arguments
    def __init__(
        self,
        n_estimators: int = 100,
        *,
        dialect: str | None = None,
        max_features: MaxFeatures = 1.0,
        bootstrap: bool = False,
        max_samples: float | None = None,
        random_state: Any = None,
        criterion: str | None = None,
        missing: str | None = None,
        unseen: str | None = None,
        max_depth: int | None = None,
        min_samples_split: float | None = None,
        min_samples_leaf: float | None = None,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        oob_score: bool = False,
        warm_start: bool = False,
        feature_kinds: FeatureKinds = None,
        drop_missing_target: bool = False,
        strict: bool = False,
        n_jobs: int | None = None,
    ) -> None: ...
