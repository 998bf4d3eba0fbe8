"""`treewright demo`: the tennis table, from the gains on the blackboard to a model."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import click

from treewright.cli.console import Console, check_can_write, say
from treewright.cli.fitting.fit_report import next_lines
from treewright.cli.program import program
from treewright.data import datasets
from treewright.data.encoding.encode import encode
from treewright.learners.dialects.id3 import ID3
from treewright.learners.recipe import grow_tree
from treewright.learners.watching import Watching
from treewright.render import to_text
from treewright.render.chalk import Chalk
from treewright.tree.file.save import save
from treewright.tree.model import Model
from treewright.tree.structure.branch_words import branch_text

# The first is the day that Mitchell's book asks about.
_NEW_DAYS = (
    {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Strong"},
    {"Outlook": "Rain", "Temperature": "Hot", "Humidity": "High", "Wind": "Weak"},
)


@click.command("demo")
@click.option(
    "-o",
    "--output",
    metavar="MODEL.tw",
    default="tennis.tw",
    show_default=True,
    help="Save the model in this file.",
)
def command(output: str) -> None:
    """Work through the tennis table: gains, tree, predictions.

    The table is built in. The model is saved in the current folder, to try the other
    commands on.
    """
    check_can_write(output)
    table, target = datasets.tennis()
    columns = encode(table, target, task="classes")
    watching = Watching()
    model = grow_tree(columns, ID3, watch=watching)
    save(model, output)
    chalk = Chalk(watching.record(), model)
    say(_lesson(chalk, model, output, Console.of_stdout()))


def _lesson(
    chalk: Chalk, model: Model, saved_as: str, console: Console
) -> Iterator[str]:
    """Yield the worked example, from the gains to what to do next."""
    yield from console.wrap(
        f"The tennis table: {model.trees[0].n_rows[0]} days, and whether tennis was "
        "played. Which question tells most about that? The one with the largest "
        "information gain:"
    )
    yield ""
    working = chalk[0].to_text(width=console.width, ascii=console.ascii)
    yield from map(console.cut, working.strip("\n").splitlines())
    yield ""
    first = model.schema.names[model.trees[0].feature[0]]
    yield from console.wrap(
        f"So ID3 asks for {first} first. The same again in each branch, until all its "
        "rows agree, gives the tree:"
    )
    yield ""
    yield to_text(model, width=console.width, ascii=console.ascii)
    yield ""
    yield from console.wrap("Two new days, and the questions asked on the way:")
    for day in _NEW_DAYS:
        yield ""
        yield from _answer_lines(model, day, console)
    yield ""
    yield from next_lines(saved_as, console, data="tennis")
    yield f"      {program()} chalk tennis   (the same for every node)"
    yield f"      {program()} fit YOURS.csv --target COLUMN -o YOURS.tw"


def _answer_lines(model: Model, day: dict[str, str], console: Console) -> Iterator[str]:
    """Yield a row, the questions that it meets, and the answer."""
    row = {name: [value] for name, value in day.items()}
    tree, (_, path) = model.trees[0], model.decision_path(row)
    steps = [
        branch_text(model.schema, tree, above, below - int(tree.first_child[above]))
        for above, below in pairwise(path.tolist())
    ]
    answer = f"{model.schema.target.names[0]} = {model.predict(row)[0]}"
    n_rows = int(tree.n_rows[path[-1]])
    arrow = "->" if console.ascii else "→"
    facts = ", ".join(f"{name} {value}" for name, value in day.items())
    yield from console.wrap(f"  {facts}", indent=4)
    yield from console.wrap(
        f"    {', '.join(steps)} {arrow} {answer} (like {n_rows} of the rows)", indent=6
    )
