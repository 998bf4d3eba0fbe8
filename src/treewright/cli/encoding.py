"""A table that was read, with the roles of its columns, becomes codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treewright.cli.roles import Roles
from treewright.data.columns import Columns
from treewright.data.encoding.encode import encode
from treewright.data.readers.table_file import TableFile
from treewright.data.schema import TargetKind
from treewright.data.sparse.bag_of_words import with_words
from treewright.data.tables.frames import read_frame

if TYPE_CHECKING:
    import polars as pl


def encoded(
    table: TableFile,
    roles: Roles,
    *,
    task: TargetKind,
    drop_missing_target: bool = False,
    refuse_missing: bool = False,
    word_weights: str = "counts",
) -> Columns:
    """Return the features and the target as codes."""
    frame = table.frame
    targets = list(roles.targets)
    return encode(
        _features(frame, roles, word_weights),
        frame[targets[0]] if len(targets) == 1 else frame.select(targets),
        task=task,
        sample_weight=None if roles.weights is None else frame[roles.weights],
        feature_kinds=roles.feature_kinds,
        not_applicable=roles.not_applicable,
        ignore=() if roles.texts else roles.unused,
        target_names=targets,
        drop_missing_target=drop_missing_target,
        refuse_missing=refuse_missing,
    )


def _features(frame: pl.DataFrame, roles: Roles, word_weights: str) -> Any:
    """Return all columns but the targets; of texts their words."""
    others = frame.drop([*roles.targets, *roles.texts])
    if not roles.texts:
        return others
    texts = {name: frame[name].cast(str).to_list() for name in roles.texts}
    return with_words(read_frame(others.drop(roles.unused)), texts, word_weights)
