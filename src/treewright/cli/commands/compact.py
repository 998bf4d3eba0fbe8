"""`treewright compact`: a small file with the same answers."""

from __future__ import annotations

import click

from treewright.cli.console import check_can_write, file_size, say
from treewright.cli.examples import examples
from treewright.cli.saved.model_file import keep, load
from treewright.tree.compact_model import compact_model


@click.command(
    "compact",
    epilog=examples("treewright compact forest.tw -o small.tw"),
)
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
    n_trees, n_nodes = len(small.trees), sum(one.node_count for one in small.trees)
    trees = "1 tree" if n_trees == 1 else f"{n_trees:,} trees"
    became = f"{file_size(model)} became {file_size(output)}"
    say([f"{trees}, {n_nodes:,} nodes: {became}", f"saved to {output}"])
