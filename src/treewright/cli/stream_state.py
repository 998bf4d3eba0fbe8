"""How far a stream is: the tree, its figures, the rows read; kept in a checkpoint."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from treewright.cli.roles import Roles
from treewright.cli.stream_input import Plan
from treewright.errors import ModelFileError, SettingError
from treewright.evaluation.errors.prequential import Prequential
from treewright.learners.hoeffding_file import load_checkpoint, save_checkpoint
from treewright.learners.hoeffding_learner import HoeffdingLearner


@dataclass(eq=False)
class StreamState:
    """All that is needed to go on.

    Attributes
    ----------
    plan : Plan
        What each column is for.
    learner : HoeffdingLearner
        The tree.
    preq : Prequential
        Its error so far.
    n_read : int
        How many rows of the data were read, those without a target included.
    n_skipped : int
        How many of them are passed over when learning goes on.
    """

    plan: Plan
    learner: HoeffdingLearner
    preq: Prequential
    n_read: int = 0
    n_skipped: int = 0

    def settled(self) -> dict[str, str]:
        """Return the kinds of the features that have one by now."""
        table = self.learner.table
        if table is None:
            return {}
        return {one.name: one.kind for one in table.features if one.kind}

    def save(self, path: str) -> None:
        """Write a checkpoint."""
        save_checkpoint(self.learner, path, facts={"cli": self._facts()})

    def _facts(self) -> dict[str, Any]:
        roles = self.plan.roles
        return {
            "target": self.plan.target,
            "task": self.plan.task,
            "ignored": list(roles.ignored),
            "weights": roles.weights,
            # a list: the keys of an object are sorted in a file
            "kinds": [[name, kind] for name, kind in self.plan.kinds.items()],
            "n_read": self.n_read,
            "figures": self.preq.to_data(),
        }

    @classmethod
    def load(cls, path: str) -> StreamState:
        """Read a checkpoint that a stream has written."""
        _, learner, facts = load_checkpoint(path)
        if learner is None or "cli" not in facts:
            what = "a model" if learner is None else "saved by Python"
            raise ModelFileError(
                f"{os.fspath(path)!r} is {what}, not a checkpoint of 'treewright "
                "stream'; name the file of --checkpoint"
            )
        try:
            own = facts["cli"]
            names = {"targets": (str(own["target"]),), "ignored": tuple(own["ignored"])}
            roles = Roles(kinds={}, weights=own["weights"], **names)  # type: ignore[arg-type]
            kinds = {str(name): str(kind) for name, kind in own["kinds"]}
            if own["task"] != learner.target.kind:
                raise ValueError("another task")
            plan = Plan(roles, own["task"], kinds)
            preq = Prequential.from_data(own["figures"])
            return cls(plan, learner, preq, int(own["n_read"]))
        except (KeyError, TypeError, ValueError) as error:
            raise ModelFileError(
                f"{os.fspath(path)!r}: damaged checkpoint: {error}"
            ) from None

    def refuse_other_target(self, wanted: tuple[str, ...]) -> None:
        """Refuse a target that is not the one of the checkpoint."""
        if wanted and wanted != (self.plan.target,):
            raise SettingError(
                f"--target is {wanted[0]!r}, and the checkpoint is about "
                f"{self.plan.target!r}; drop --target, or start anew in another file"
            )
