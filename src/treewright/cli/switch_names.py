"""What is said of a switch that does not exist, or does nothing, or is no switch."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any

import click

from treewright.cli.program import program
from treewright.cli.switches import SWITCHES
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.adaboost_settings import AdaBoostSettings
from treewright.learners.forest_settings import ForestSettings

_NAMES = [switch.name for switch in SWITCHES]
# parameters of the estimators that are options here
_OPTIONS = {
    "discretize": "--discretize",
    "cost_matrix": "--costs FILE.csv",
    "costs": "--costs FILE.csv",
    "class_weight": "--weights COL, a column with the weight of each row",
    "sample_weight": "--weights COL, a column with the weight of each row",
    "weights": "--weights COL",
    "feature_kinds": "--nominal, --numeric and --ordinal",
    "not_applicable": "--not-applicable",
    "drop_missing_target": "--drop-missing-target",
    "dialect": "--algorithm",
    "algorithm": "--algorithm",
    "n_jobs": "--jobs",
    "target": "--target",
    "missing_values": "--missing-values",
}
# what other programs call it
_ELSEWHERE = {
    **dict.fromkeys(
        ("ntree", "ntrees", "n_trees", "num_trees", "trees", "trials", "rounds"),
        "n_estimators",
    ),
    "mtry": "max_features",
    "seed": "random_state",
}
_OF_OTHERS = {
    **{field.name: "adaboost" for field in fields(AdaBoostSettings)},
    **{field.name: "forest" for field in fields(ForestSettings)},
    "n_estimators": "forest or adaboost",
    "s1": "cal3",
    "s2": "cal3",
    **dict.fromkeys(
        ("max_passes", "attribute_order", "when_exhausted"), "cal2 or cal3"
    ),
}
_Holds = Callable[[Dialect], bool]
_ERROR_BASED: tuple[_Holds, str] = (
    lambda d: d.pruning == "error_based",
    "pruning=error_based",
)
_COMPLEXITY: tuple[_Holds, str] = (
    lambda d: d.prunes_by_complexity or d.pruning == "cost_complexity",
    "pruning=cost_complexity",
)
# switches that do nothing unless another one is set
_NEEDED: dict[str, tuple[_Holds, str]] = {
    "confidence": _ERROR_BASED,
    "subtree_raising": _ERROR_BASED,
    "confidence_limit": _ERROR_BASED,
    "mostly_wrong": _ERROR_BASED,
    "prune_level": (lambda d: d.pruning == "chi_square", "pruning=chi_square"),
    "complexity_by": _COMPLEXITY,
    "weakest_links": _COMPLEXITY,
    "n_folds": (
        lambda d: d.alpha_choice == "cross_validation",
        "alpha_choice=cross_validation",
    ),
    "random_state": (
        lambda d: (
            d.validation_share is not None or d.alpha_choice == "cross_validation"
        ),
        "validation_share or alpha_choice=cross_validation",
    ),
    "zero_gain": (lambda d: d.criterion == "gain_ratio", "criterion=gain_ratio"),
    "min_split_information": (
        lambda d: d.criterion == "gain_ratio",
        "criterion=gain_ratio",
    ),
}


def refuse_unknown(settings: Mapping[str, Any], own: Collection[str] = ()) -> None:
    """Refuse a switch that does not exist, and name the option that is meant.

    Parameters
    ----------
    settings : mapping
        Names and values as they were typed.
    own : collection of str
        What the algorithm has besides the switches of a tree.
    """
    known = [*own, *_NAMES]
    for name in settings:
        if name in known:
            continue
        # what the algorithm has of its own is meant sooner than a switch of trees
        near = get_close_matches(name, own, n=1) or get_close_matches(name, known, n=1)
        if _ELSEWHERE.get(name) in known:
            hint = f"here it is called {_ELSEWHERE[name]!r}"
        elif name in _OPTIONS and name not in own:
            hint = f"use the option {_OPTIONS[name]}"
        elif name in _OF_OTHERS:
            hint = f"it goes with --algorithm {_OF_OTHERS[name]}"
        elif near:
            hint = f"did you mean {near[0]!r}?"
        else:
            hint = f"'{program()} fit --help' lists the switches"
        raise SettingError(f"unknown setting {name!r}; {hint}")


def refuse_idle(settings: Mapping[str, Any], dialect: Dialect) -> None:
    """Refuse a switch that was typed and changes nothing."""
    for name in settings:
        if name not in _NEEDED:
            continue
        holds, needed = _NEEDED[name]
        if not holds(dialect):
            raise SettingError(
                f"{name} is for {needed}, which is not set; set that too, or leave "
                f"{name} out"
            )


class SwitchCommand(click.Command):
    """A command that knows its switches when they are typed as options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line; say how a switch is typed."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            name = error.option_name.lstrip("-").replace("-", "_")
            takes = {switch.name: switch.takes for switch in SWITCHES}
            if name not in takes:
                raise
            raise click.UsageError(
                f"{error.option_name} is a switch, not an option; write --set "
                f"{name}=VALUE ({takes[name]})",
                ctx,
            ) from None
