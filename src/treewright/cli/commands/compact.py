"""`treewright compact`: a small file with the same answers."""

from __future__ import annotations

import click

from treewright.cli.console import check_can_write, file_size, say
from treewright.cli.model_file import keep, load
from treewright.cli.program import example_command
from treewright.data.complaints import counted
from treewright.tree.compact_model import compact_model


@example_command("compact", "treewright compact forest.tw -o small.tw")
@click.argument("model", metavar="MODEL.tw")
@click.option(
    "-o", "--output", metavar="SMALL.tw", required=True, help="Write to this file."
)
def command(model: str, output: str) -> None:
    """Make a small file of the trees in MODEL.tw.

    It gives the same answers, bit for bit, and has no training statistics. 'show' gives
    a forest in figures; no tree can be listed, explored, pruned or explained. Keep
    MODEL.tw for that.
    """
    check_can_write(output, model)
    loaded = load(model)
    small = compact_model(loaded)
    keep(small, output)
    n_nodes = sum(one.node_count for one in small.trees)
    trees = counted(len(small.trees), "tree")
    became = f"{file_size(model)} became {file_size(output)}"
    say([f"{trees}, {n_nodes:,} nodes: {became}", f"saved to {output}"])
