"""The parameters of estimators: made of rows, kept by constructors, told in docstrings.

scikit-learn's rule is that a constructor stores its arguments as they are, and `fit`
checks them. `parameters_of` says which parameters an estimator has; its constructor is
written out in the source, for editors and readers, by `make generated`, and a test
compares the two. `keeps_arguments` makes it store its arguments, and `documented` puts
the rows' texts into the docstring of the class.
"""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeAlias, TypeVar

from treewright.data.schema import FeatureKind, Label
from treewright.errors import SettingError
from treewright.settings.kinds import Anything, Flag, OneOf
from treewright.settings.row import Setting, Settings, row, unknown_name

ClassWeight: TypeAlias = (
    str | Mapping[Label, float] | Sequence[Mapping[Label, float] | str] | None
)
FeatureKinds: TypeAlias = Mapping[str, FeatureKind | Sequence[Label]] | None
Discretize: TypeAlias = str | Mapping[str | None, Any] | None

# None as a value, where None itself is "as the dialect says"
NO = "none"
# "as the dialect says", where None is a value that people expect to mean itself
AS_DIALECT = "dialect"

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class FaceSettings(Settings):
    """What estimators have besides the settings of the learners."""

    binary_splits: bool | None = row(
        OneOf(None, True, False),
        'True is nominal_splits="one_value": one value of a nominal feature against '
        'the rest (J48 -B); False is "multiway".',
        default=None,
        doc="bool or None",
        on="c45",
    )
    oob_score: bool = row(
        Flag(),
        "Ask each tree about the rows that it has not seen: gives `oob_error_`, "
        "`oob_curve_` and `oob_decision_function_` (or `oob_prediction_`).",
        default=False,
        on="forest",
    )
    cost_matrix: Any = row(
        Anything("dict of dict, array or None"),
        "What wrong answers cost: `cost_matrix[actual][predicted]`. A leaf answers the "
        "class with the least expected cost. Of a dict, mistakes that are not named "
        "cost 1; the rows (actual) and columns (predicted) of an array are in the "
        "order of the sorted classes. The right class costs 0.",
        default=None,
        classes_only=True,
        on="tree c45 id3 cart forest",
    )
    class_weight: ClassWeight = row(
        Anything('None, "balanced", dict or list of dict'),
        "Weight of each class, by which row weights are multiplied; classes that are "
        'not named have weight 1. "balanced" gives every class the same total. For '
        "several outputs a list with an entry for each.",
        default=None,
        classes_only=True,
        on="tree c45 id3 cart forest adaboost c45rules",
    )
    warm_start: bool = row(
        Flag(),
        "Whether `fit` goes on with the forest that is there and adds trees up to "
        "`n_estimators`. Table and other parameters must be the same; then it is "
        "the forest that would have been grown at once. A number of features that "
        "out-of-bag rows have chosen stays.",
        default=False,
        on="forest",
    )
    switches: Mapping[str, Any] | None = row(
        Anything("dict or None"),
        "Further switches of the trees, by name: those of `TreeClassifier` and "
        "`TreeRegressor` that are not parameters here and not about pruning, "
        'for example {"nominal_splits": "one_value"}.',
        default=None,
        on="RandomForestClassifier RandomForestRegressor",
    )
    feature_kinds: FeatureKinds = row(
        Anything("dict or None"),
        'Kinds of columns that are not as found: "numeric", "nominal", "ordinal", or '
        "the list of an ordinal column's categories from small to large. Or a dict "
        'with such a "kind" and the text of "not_applicable" cells, which become a '
        "category of their own: "
        '`{"spouse": {"not_applicable": "n/a"}}`. Columns '
        "without names are called x0, x1, ...",
        default=None,
        on="tree c45 id3 cart forest adaboost c45rules cal hoeffding incremental",
    )
    discretize: Discretize = row(
        Anything("None, str or dict"),
        "Numeric columns are divided into intervals, which are then asked about like "
        'categories, by a method for all of them: "equal_width" (4 intervals; '
        '"equal_width:k" for another number), "quartiles", "quantiles:k", "mdl" (by '
        'entropy, as many as pay; Fayyad and Irani), or "cv" (for each column the one '
        "with the least cross-validated error). Or a dict from columns to a method, a "
        "list of borders (lower < x <= upper), or named ranges, {'infant': (0, 2), "
        "'toddler': (3, 5)}, which take both ends; a value in none of them is unseen. "
        "The key None stands for all other numeric columns.",
        default=None,
        on="tree c45 id3 c45rules cal RandomForestClassifier RandomForestRegressor",
    )
    drop_missing_target: bool = row(
        Flag(),
        "Whether rows without a target are left out; otherwise they are an error.",
        default=False,
        on="tree c45 id3 cart forest adaboost c45rules cal hoeffding incremental",
    )
    strict: bool = row(
        Flag(),
        "Whether a column that mixes text and numbers is an error; otherwise its cells "
        "are compared as text.",
        default=False,
        on="tree c45 id3 cart forest adaboost c45rules cal",
    )
    n_jobs: int | None = row(
        Anything("int or None"),
        "Threads. None and -1 use the cores that the process may use, -2 all but one "
        "of them. The tree is the same for any number.",
        default=None,
        on="tree c45 id3 cart forest adaboost c45rules cal",
    )


class UnknownParameterError(SettingError, TypeError):
    """A constructor was given a parameter that it does not have."""


def keeps_arguments(init: Callable[P, None]) -> Callable[P, None]:
    """Return a constructor that stores its arguments as attributes and does no more.

    An argument that the signature does not have is refused with the nearest name.
    """
    _, *parameters = inspect.signature(init).parameters.values()
    known = [one.name for one in parameters]
    defaults = {one.name: one.default for one in parameters}

    @functools.wraps(init)
    def keep(*args: P.args, **kwargs: P.kwargs) -> None:
        estimator: Any = args[0]
        refuse_unknown(type(estimator), kwargs, known)
        init(*args, **kwargs)  # which does nothing but refuse a wrong number of them
        given = {**defaults, **dict(zip(known, args[1:], strict=False)), **kwargs}
        for name, value in given.items():
            setattr(estimator, name, value)

    return keep


def refuse_unknown(owner: type, given: Iterable[str], known: list[str]) -> None:
    """Raise if a name is not among the known parameters; suggest the nearest."""
    for name in given:
        if name not in known:
            message = unknown_name(f"parameter of {owner.__name__}", name, known)
            raise UnknownParameterError(message)


def documented(owner: type[T]) -> type[T]:
    """Fill in the `{parameters}` of a class's docstring from the rows."""
    if owner.__doc__ is None:  # python -OO
        return owner
    block = "\n".join(map(_entry, parameters_of(owner)))
    owner.__doc__ = owner.__doc__.replace(
        "    {parameters}\n", textwrap.indent(block, "    ") + "\n"
    )
    return owner


@dataclass(frozen=True)
class Parameter:
    """A parameter of an estimator: a row, as this estimator shows it."""

    name: str
    annotation: str
    default: Any
    doc: str
    text: str


# families of estimators that have every setting of their trees
EVERY_ROW = ("tree", "c45", "cal", "hoeffding")


def parameters_of(owner: Any) -> list[Parameter]:
    """Return the parameters of an estimator, made of the rows of its settings.

    Its own settings come first, then those of its trees, then what all estimators have.
    """
    own = {} if owner.own is None else owner.own.rows()
    found = [_own(one, owner) for one in own.values() if _is_shown(one, owner, own)]
    if owner.dialect_text:
        found.insert(1 if "n_estimators" in own else 0, _dialect_parameter(owner))
    every = owner.dialect.rows() if owner.family in EVERY_ROW else {}
    found += [
        _of_trees(one, owner)
        for one in owner.dialect.rows().values()
        if one.name not in own and _is_shown(one, owner, every)
    ]
    return found + [
        Parameter(one.name, one.annotation, one.default, one.doc, one.text)
        for one in FaceSettings.rows().values()
        if _is_shown(one, owner, {})
    ]


def _is_shown(one: Setting, owner: Any, every: Mapping[str, Any]) -> bool:
    if one.classes_only and owner.task == "numbers":
        return False
    names = {owner.family, owner.__name__}
    if one.name in every:
        return not names & {*one.hidden}
    return bool(names & {*one.on, *one.as_dialect})


def _own(one: Setting, owner: Any) -> Parameter:
    annotation, default = one.annotation, getattr(owner.own, one.name)
    if one.name == "random_state":  # a generator, too; None: another one each time
        annotation, default = "Any", None if one.usually else default
    default = owner.defaults.get(one.name, default)
    return Parameter(one.name, annotation, default, one.doc, one.text)


def _of_trees(one: Setting, owner: Any) -> Parameter:
    names = {owner.family, owner.__name__}
    annotation, doc = one.annotation, one.doc
    if owner.family != "c45" and not names & {*one.as_dialect}:
        usual = getattr(owner.dialect, one.name)
        return Parameter(one.name, annotation, usual, doc, one.text)
    default = None
    if owner.family == "c45" and "None" in annotation:  # where None is a value itself
        values = [getattr(each, one.name) for each in owner.dialects.values()]
        default = None if values.count(None) == len(values) else AS_DIALECT
    if default == AS_DIALECT and "str" not in annotation:
        annotation = annotation.replace(" | None", " | str | None")
    if "None" not in annotation:
        annotation, doc = f"{annotation} | None", f"{doc} or None"
    return Parameter(one.name, annotation, default, doc, one.text)


def _dialect_parameter(owner: Any) -> Parameter:
    default = owner.dialect_default
    annotation = "str" if default is not None else "str | None"
    doc = "str or None" if default is None else OneOf(*owner.dialects).doc
    return Parameter("dialect", annotation, default, doc, owner.dialect_text)


def signature_source(owner: Any) -> str:
    """Return the constructor of an estimator as source, to be checked in."""
    lines = ["    @keeps_arguments", "    def __init__(", "        self,"]
    for place, one in enumerate(parameters_of(owner)):
        if place == 0 and one.name != "n_estimators":
            lines.append("        *,")
        default = repr(one.default).replace("'", '"')
        lines.append(f"        {one.name}: {one.annotation} = {default},")
        if place == 0 and one.name == "n_estimators":
            lines.append("        *,")
    return "\n".join([*lines, "    ) -> None: ...", ""])


def _entry(parameter: Parameter) -> str:
    """Return a numpydoc entry: name, type, default and text."""
    body = textwrap.fill(
        parameter.text, 80, initial_indent="    ", subsequent_indent="    "
    )
    default = f"default={parameter.default!r}"
    return f"{parameter.name} : {parameter.doc}, {default}\n{body}"
