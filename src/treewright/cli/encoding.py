"""A table that was read, with the roles of its columns, becomes codes."""

from __future__ import annotations

from treewright.cli.roles import Roles
from treewright.data.columns import Columns
from treewright.data.encode import encode
from treewright.data.readers.report import TableFile
from treewright.data.schema import TargetKind


def encoded(
    table: TableFile,
    roles: Roles,
    *,
    task: TargetKind,
    drop_missing_target: bool = False,
    refuse_missing: bool = False,
) -> Columns:
    """Return the features and the target as codes."""
    frame = table.frame
    targets = list(roles.targets)
    return encode(
        frame.drop(targets),
        frame[targets[0]] if len(targets) == 1 else frame.select(targets),
        task=task,
        sample_weight=None if roles.weights is None else frame[roles.weights],
        feature_kinds=roles.feature_kinds,
        not_applicable=roles.not_applicable,
        ignore=roles.unused,
        target_names=targets,
        drop_missing_target=drop_missing_target,
        refuse_missing=refuse_missing,
    )
