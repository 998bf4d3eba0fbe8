"""What is said of a switch that does not exist, or does nothing, or is no switch."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import click

from treewright.cli.program import program
from treewright.errors import SettingError
from treewright.grow.dialect import Dialect
from treewright.learners.registry import Learner, learners

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


def refuse_unknown(settings: Mapping[str, Any], learner: Learner) -> None:
    """Refuse a setting that does not exist, and name the option that is meant."""
    own = [] if learner.own is None else [*learner.own.rows(), "dialect"]
    trees = learner.tree_settings(next(iter(learner.trees)), learner.tasks[0])
    known = [*own, *trees.rows()]
    for name in settings:
        if name in known:
            continue
        if name in Dialect.rows() and not isinstance(trees, Dialect):
            raise SettingError(trees.unknown(name))
        # what the algorithm has of its own is meant sooner than a setting of trees
        near = get_close_matches(name, own, n=1) or get_close_matches(name, known, n=1)
        others = [one.name for one in learners() if name in one.rows()]
        if _ELSEWHERE.get(name) in known:
            hint = f"here it is called {_ELSEWHERE[name]!r}"
        elif name in _OPTIONS and name not in own:
            hint = f"use the option {_OPTIONS[name]}"
        elif others:
            hint = f"it goes with --algorithm {' or '.join(others)}"
        elif near:
            hint = f"did you mean {near[0]!r}?"
        else:
            hint = f"'{program()} fit --help' lists the switches"
        raise SettingError(f"unknown setting {name!r}; {hint}")


class SwitchCommand(click.Command):
    """A command that knows its switches when they are typed as options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line; say how a switch is typed."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            name = error.option_name.lstrip("-").replace("-", "_")
            takes = {one.name: one.takes for one in Dialect.rows().values()}
            if name not in takes:
                raise
            raise click.UsageError(
                f"{error.option_name} is a switch, not an option; write --set "
                f"{name}=VALUE ({takes[name]})",
                ctx,
            ) from None
