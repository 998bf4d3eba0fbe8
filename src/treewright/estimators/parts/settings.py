"""From an estimator's parameters to the engine's settings, checked as `fit` begins."""

from __future__ import annotations

import functools
import inspect
import numbers
import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np

from treewright.data.machine import thread_count
from treewright.errors import SettingError
from treewright.estimators.parts.parameters import AS_DIALECT, NO, FaceSettings
from treewright.grow.dialect import Dialect, TreeSettings
from treewright.learners.dialects.unpruned import UNPRUNED
from treewright.learners.registry import LEARNERS

# Parameters besides the switches that belong to the model; n_jobs does not, because
# the same model comes out of any number of threads.
_KEPT = (
    "class_weight",
    "cost_matrix",
    "feature_kinds",
    "discretize",
    "drop_missing_target",
    "strict",
)


def checked_dialect(estimator: Any) -> Any:
    """Return the estimator's tree settings, with its parameters as their values."""
    parameters = _parameters(estimator)
    kind: Any = type(estimator)
    own = _own_rows(kind)
    usual = chosen_dialect(estimator, parameters)
    rows = usual.rows()
    switches = {
        name: value
        for name, value in parameters.items()
        if name in rows and name not in own
    }
    if parameters.get("switches") is not None:
        switches.update(_more_switches(estimator, parameters["switches"]))
    if "dialect" in parameters and isinstance(usual, Dialect):
        # what is None is as the dialect says
        is_free = _may_be_none(kind)
        switches.update(_binary_splits(parameters))
        switches = {
            name: None if isinstance(value, str) and value == NO else value
            for name, value in switches.items()
            if not (value is None and name in is_free)
            and not (isinstance(value, str) and value == AS_DIALECT)
        }
        if usual.cp is not None and switches.get("ccp_alpha", 0.0) != 0.0:
            switches.setdefault("cp", None)  # one says what a leaf costs
        if switches.get("criterion", usual.criterion) != "gain_ratio":
            switches.setdefault("gain_guard", None)  # it compares gain ratios
        if switches.get("missing", usual.missing) != "surrogates":
            switches.setdefault("surrogate_sets", rows["surrogate_sets"].default)
    dialect = usual.change(**switches)
    if dialect.task != usual.task:
        raise SettingError(
            f"criterion is {parameters['criterion']!r}, which is for {dialect.task}, "
            f"and {type(estimator).__name__} is for {usual.task}; choose another "
            "criterion or the other estimator"
        )
    return dialect


def _more_switches(estimator: Any, given: Any) -> dict[str, Any]:
    """Return the switches that were given by name, as a dict."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise SettingError(
            f"switches is {given!r}; it must be None or a dict from names to values"
        )
    kind: Any = type(estimator)
    own = _names(kind)
    for name in given:
        if name in own:
            raise SettingError(f"{name} is a parameter; set it there, not in switches")
        if name not in Dialect.rows():
            raise SettingError(f"switches: there is no switch {name!r}")
        if name in UNPRUNED:
            raise SettingError(
                f"switches: {name} is about pruning, and the trees of a forest are not "
                "pruned; leave it out"
            )
    return {name: NO if value is None else value for name, value in given.items()}


def _binary_splits(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Return what `binary_splits` says about nominal features."""
    wanted, splits = parameters.get("binary_splits"), parameters.get("nominal_splits")
    if wanted is None:
        return {}
    if not isinstance(wanted, bool | np.bool_):
        raise SettingError(
            f"binary_splits is {wanted!r}; it must be None, True or False"
        )
    meant = "one_value" if wanted else "multiway"
    if splits not in (None, meant):
        raise SettingError(
            f"binary_splits={wanted} is nominal_splits={meant!r}, and nominal_splits "
            f"is {splits!r}; set one of them"
        )
    return {"nominal_splits": meant}


def _parameters(estimator: Any) -> dict[str, Any]:
    """Return `estimator.get_params(deep=False)`, which looks at the signature anew."""
    kind: Any = type(estimator)
    return {name: getattr(estimator, name) for name in _names(kind)}


def own_settings(estimator: Any) -> Any:
    """Return what is set besides the trees, checked; None if there is no such thing."""
    kind = type(estimator)
    if kind.own is None:
        return None
    parameters = _parameters(estimator)
    rows = kind.own.rows()
    given = {name: parameters[name] for name in rows if name in parameters}
    given["random_state"] = seed_of(parameters["random_state"])
    return kind.own.change(**given)


def seed_of(random_state: Any) -> int:
    """Return the seed of the draws: as given, or of the system's entropy."""
    if random_state is None:
        return secrets.randbits(32)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**32))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    seed: int = random_state  # its row checks it
    return seed


def _own_rows(kind: Any) -> Mapping[str, Any]:
    return {} if kind.own is None else kind.own.rows()


@functools.cache
def _names(estimator: Any) -> tuple[str, ...]:
    """Return the names of the parameters."""
    return tuple(estimator._get_param_names())


@functools.cache
def _may_be_none(estimator: type) -> set[str]:
    """Return the parameters whose None stands for what the dialect says."""
    parameters = inspect.signature(estimator).parameters.values()
    return {one.name for one in parameters if one.default is None}


def chosen_dialect(
    estimator: Any, parameters: Mapping[str, Any] | None = None
) -> TreeSettings:
    """Return the dialect before any switch of it is changed."""
    usual: TreeSettings = type(estimator).dialect
    known: Mapping[str, TreeSettings] = type(estimator).dialects
    if parameters is None:
        parameters = _parameters(estimator)
    name = parameters.get("dialect")
    if name is None:
        learner = LEARNERS.get(type(estimator).learner)
        if learner is None or learner.whose is None:
            return usual
        name = learner.whose(parameters)
    if not isinstance(name, str) or name not in known:
        wanted = ", ".join(map(repr, (None, *known)))
        raise SettingError(f"dialect is {name!r}; it must be one of {wanted}")
    return known[name]


def check_data_parameters(estimator: Any) -> None:
    """Refuse parameters that are no switches and are out of their range."""
    kind: Any = type(estimator)
    names = _names(kind)
    for one in FaceSettings.rows().values():
        if one.name in names and one.name != "binary_splits":
            value = getattr(estimator, one.name)
            if value is not one.default:
                one.kind(one.name, value)
    kinds = estimator.feature_kinds
    if kinds is not None and not isinstance(kinds, Mapping):
        raise SettingError(
            f"feature_kinds is {kinds!r}; it must be None or a dict from column names "
            "to kinds"
        )
    n_jobs = estimator.n_jobs
    is_whole = isinstance(n_jobs, numbers.Integral) and not isinstance(n_jobs, bool)
    if n_jobs is not None and not is_whole:
        raise SettingError(f"n_jobs is {n_jobs!r}; it must be None or a whole number")
    thread_count(n_jobs)


def kept_parameters(estimator: Any) -> dict[str, Any]:
    """Return the parameters besides the switches that a model file keeps."""
    kind: Any = type(estimator)
    names = _names(kind)
    return {n: _plain(getattr(estimator, n)) for n in _KEPT if n in names}


def _plain(value: Any) -> Any:
    """Return mappings and sequences as dicts and lists, all the way down."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        return value
    return [_plain(item) for item in value]
