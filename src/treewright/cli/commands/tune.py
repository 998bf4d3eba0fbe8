"""`treewright tune`: settings that suit a table, and what they are honestly worth."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.commands.evaluate import head_lines
from treewright.cli.commands.fit import fit_training
from treewright.cli.console import Console, check_can_write, say, write_output
from treewright.cli.early import INTERRUPTED_WORDS
from treewright.cli.interrupts import say_when_interrupted
from treewright.cli.options.algorithm import (
    Recipe,
    chosen_words,
    parse_value,
    switch_command,
)
from treewright.cli.options.common import count_option, form_option
from treewright.cli.options.dividing import Dividing, outer_options
from treewright.cli.options.learning import learning_from
from treewright.cli.options.training import (
    Again,
    Training,
    again_options,
    growing_options,
    learner_options,
    read_training,
)
from treewright.errors import SettingError
from treewright.evaluation.tuning.spaces import (
    Settings,
    Space,
    checked_space,
    settings_in,
    usual_settings,
)
from treewright.grow.dialect import Dialect
from treewright.learners.registry import BAGS, LEARNERS, NODE_BY_NODE, RULES, Learner
from treewright.learners.shared_growth import shared_growth
from treewright.render.sign_of_life import busy

if TYPE_CHECKING:
    from treewright.evaluation.tuning.tuning_result import Tuning
    from treewright.evaluation.tuning.tuning_search import Contender


def parse_space(
    ctx: click.Context, param: click.Parameter, texts: Sequence[str]
) -> Space | None:
    """Return the space that was typed as NAME=V1,V2; several with ';' or again."""
    space: dict[str, list[Any]] = {}
    for text in (part for each in texts for part in each.split(";")):
        if not text.strip():
            continue
        name, equals, values = text.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name:
            raise click.BadParameter(
                f"{text.strip()!r} has no '='; write NAME=VALUE,VALUE, for example "
                "max_depth=3,5,none",
                ctx,
                param,
            )
        if name in space:
            raise click.BadParameter(
                f"{name!r} stands there twice; write all its values once", ctx, param
            )
        space[name] = [parse_value(one.strip()) for one in values.split(",") if one]
    if not texts:
        return None
    try:
        return checked_space(space)
    except SettingError as error:
        raise click.BadParameter(str(error), ctx, param) from None


@switch_command(
    "tune",
    "treewright tune iris.csv --target class --algorithm c45",
    "treewright tune iris.csv --target class --algorithm cart -o iris.tw",
    "treewright tune iris.csv --target class --algorithm cart \\",
    '    --space "max_depth=2,3,none; min_samples_leaf=1,5"',
    "treewright tune big.csv --target y --algorithm forest --state big.tune",
)
@click.argument("data")
@learner_options()
@click.option(
    "--space",
    multiple=True,
    metavar="NAME=V1,V2",
    callback=parse_space,
    help="What to try instead of the usual: values of switches, several with ';', as "
    "'max_depth=3,none; min_samples_leaf=1,5'.",
)
@click.option(
    "--rule",
    type=click.Choice(["one_se", "minimum"]),
    default="one_se",
    help="Take the simplest within one standard error of the least error, or the least."
    "  [default: one_se]",
)
@outer_options
@count_option(
    "--inner-folds", "K", 2, "Folds that settings are compared on.  [default: 5]"
)
@growing_options
@click.option(
    "--state",
    metavar="FILE",
    help="Keep what is done in this file, and go on from it if it is there.",
)
@form_option()
@click.option(
    "-o",
    "--output",
    metavar="MODEL.tw",
    help="Fit with the settings that were chosen, and save the model in this file.",
)
@again_options
def command(
    again: Again,
    space: Space | None,
    rule: str,
    dividing: Dividing,
    inner_folds: int | None,
    state: str | None,
    form: str,
    output: str | None,
) -> None:
    """Look for settings of an algorithm that suit DATA, with an honest error.

    Every setting of a small space is tried by cross-validation, and the simplest within
    one standard error of the best is chosen. The least error of many is too good to be
    true; so the search is done again without each of some outer folds, which what it
    chose then answers for. DATA is as for 'treewright fit'.
    """
    dividing.check_options()
    algorithm, settings = again.algorithm, again.settings
    subject = TunedLearner(algorithm, settings, dividing.seed)
    tried = None if space is None else settings_in(subject.checked(space))
    if tried is None and algorithm is not None:
        tried = usual_settings(algorithm, settings, subject.recipe)
    recipes = [subject.recipe(one) for one in ({}, *(tried or ()))]
    check_can_write(output, *again.inputs)
    check_can_write(state, *again.inputs, option="--state")
    if state is not None and state == output:
        raise SettingError("-o and --state name the same file; choose another name")
    dividing.check(again.columns)
    # one that refuses missing values, if one does, reads for all
    reader = next((one for one in recipes if one.refuses_missing), recipes[0])
    training = read_training(dividing.leaving_out(again), reader)
    if algorithm is None:
        subject = subject.named(training)
        name = str(subject.algorithm)
        tried = tried or usual_settings(name, settings, subject.recipe)
    assert tried is not None
    if state is None:
        words = f"{INTERRUPTED_WORDS} (--state FILE would keep what is done)"
    else:
        words = f"interrupted; the same command goes on from {state}"
    say_when_interrupted(words)
    found = _searched(training, subject, tried, dividing, inner_folds, rule, state)
    saved = None
    if output is not None:
        # before anything is printed: a closed pipe must not cost the model
        saved = _fitted(training, subject, found.settings, output)
    if form == "json":
        write_output(None, json.dumps(found.to_dict(), indent=2) + "\n")
    else:
        say(_lines(training, subject, found, saved))


@dataclass(frozen=True)
class TunedLearner:
    """What is tuned: an algorithm, the settings that hold anyway, the seed of draws.

    `why` says why the algorithm was chosen, if nobody said so.
    """

    algorithm: str | None
    settings: Settings
    seed: int
    why: str = ""

    def checked(self, space: Space) -> Space:
        """Return a space; refuse what is set already."""
        for name in space:
            if name in self.settings:
                raise SettingError(
                    f"{name} is in --set and in --space; drop one of the two"
                )
        return space

    def recipe(self, settings: Settings) -> Recipe:
        """Return the recipe with some settings."""
        return Recipe(self.algorithm, {**self.settings, **settings})

    @property
    def learner(self) -> Learner:
        """Who learns; the data have decided by then, if nobody said so."""
        return LEARNERS[str(self.algorithm)]

    def named(self, training: Training) -> TunedLearner:
        """Return the same with the algorithm that the data suggest."""
        own_training = replace(training, recipe=self.recipe({}))
        learner = learning_from(own_training, seed=self.seed)
        return replace(self, algorithm=learner.name, why=learner.why)

    def contender(self, training: Training, settings: Settings) -> Contender:
        """Return what learns with these settings."""
        from treewright.evaluation.tuning.tuning_search import Contender  # noqa: PLC0415

        recipe = self.recipe(settings)
        trees = recipe.plan(training.columns)[0].trees
        if trees.task != training.columns.schema.target.kind:
            raise SettingError(
                f"criterion={settings.get('criterion', '')} is for {trees.task}, and "
                f"the target holds {training.columns.schema.target.kind}; leave it out"
            )
        learner = learning_from(replace(training, recipe=recipe), seed=self.seed)
        shared = None
        if isinstance(trees, Dialect) and self.learner.can(NODE_BY_NODE):
            shared = shared_growth(trees, settings, training.divided)
        return Contender(settings, learner.learn, shared)

    def key(self, training: Training, settings: Settings) -> str:
        """Return all that a fit depends on besides the table, to be compared."""
        plan, _ = self.recipe(settings).plan(training.columns)
        own = {} if plan.own is None else plan.own.settings()
        own["random_state"] = self.settings.get("random_state", self.seed)
        read = (training.intervals, training.words)
        return repr((self.algorithm, plan.trees, sorted(own.items()), *read))


def _searched(
    training: Training,
    subject: TunedLearner,
    tried: tuple[Settings, ...],
    dividing: Dividing,
    inner_folds: int | None,
    rule: str,
    state: str | None,
) -> Tuning:
    """Try all settings, nested, with a sign of life."""
    # scikit-learn's splitters are slow to load, so not before somebody wants them
    from treewright.estimators.judged.searching import planned, searched  # noqa: PLC0415

    columns = training.columns
    usual, *contenders = (
        subject.contender(training, settings) for settings in ({}, *tried)
    )
    own_key, *keys = (subject.key(training, settings) for settings in ({}, *tried))
    planning = planned(
        columns,
        tuple(contenders),
        usual,
        dividing.division(training),
        inner_folds=inner_folds,
        rule=rule,
        unit="rules" if subject.learner.can(RULES) else "leaves",
    )
    with busy("tuning") as sign:
        return searched(
            str(subject.algorithm),
            planning,
            words=own_key,
            state=state,
            level=0.95,
            usual=keys.index(own_key) if own_key in keys else None,
            n_jobs=None,
            tell=sign.going_on("tuning", "fits"),
        )


def _fitted(
    training: Training, subject: TunedLearner, settings: Settings, output: str
) -> str:
    """Fit with the settings that were chosen, save it, and return the report."""
    recipe = subject.recipe({**settings, **_seed(subject)})
    written = io.BytesIO()
    out = io.TextIOWrapper(written, encoding=sys.stdout.encoding or "ascii")
    with contextlib.redirect_stdout(out):
        fit_training(replace(training, recipe=recipe), output)
        out.flush()
    return written.getvalue().decode(out.encoding)


def _seed(subject: TunedLearner) -> Settings:
    """Return the seed of a forest's draws, so that it is the one that was tuned."""
    if subject.learner.can(BAGS) and "random_state" not in subject.settings:
        return {"random_state": subject.seed}
    return {}


def _lines(
    training: Training, subject: TunedLearner, found: Tuning, saved: str | None
) -> Iterator[str]:
    """Yield the whole report."""
    console = Console.of_stdout()
    yield from head_lines(training, console)
    name = str(subject.algorithm)
    chosen = chosen_words(name, subject.settings, subject.why)
    yield from console.wrap(chosen, indent=2)
    yield found.to_text(width=console.width, ascii=console.ascii)
    yield ""
    if saved is not None:
        yield "fitted with these settings to all rows:"
        yield ""
        yield saved.rstrip("\n")
        return
    again = replace(training.again, algorithm=name)
    words = again.words(**found.settings, **_seed(subject))
    yield from console.wrap_command("next: ", f"{words} -o {training.model_file}")
