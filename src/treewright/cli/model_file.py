"""Opening a model that a command names, and saying what to do if it is none."""

from __future__ import annotations

import os
import shlex
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from treewright.cli.interrupts import say_when_interrupted
from treewright.cli.program import program
from treewright.errors import FileReadError, ModelFileError, SettingError
from treewright.tree.file import save
from treewright.tree.file.header import RuleSetFileError
from treewright.tree.model import Model

if TYPE_CHECKING:
    from treewright.rules.rule_model import RuleModel


_TABLE_SUFFIXES = (".csv", ".tsv", ".arff", ".parquet", ".names", ".data")
_LENGTH_BYTES = 8  # of the container's table of contents, which is a JSON object
_MARK = b'{"__metadata__":{"treewright":'


def load(path: str) -> Model:
    """Return the trees in a file; a table and a wrong path are told apart."""
    model = load_any(path)
    if not isinstance(model, Model):
        raise ModelFileError(
            f"{path} is a rule set, and this command is for trees; the commands show, "
            "rules and predict take it"
        )
    return model


def keep(model: Model | RuleModel, path: str) -> None:
    """Write a model to a file; who interrupts the command later is told so."""
    if isinstance(model, Model):
        save.save(model, path)
    else:
        from treewright.rules import rule_file  # noqa: PLC0415 - trees do without

        rule_file.save(model, path)
    say_when_interrupted(f"interrupted; {path} was written before")


def load_any(path: str) -> Model | RuleModel:
    """Return the model in a file, of trees or of rules."""
    if not os.path.exists(path):
        raise FileReadError(_absent(path))
    try:
        return save.load(path)
    except RuleSetFileError:
        from treewright.rules import rule_file  # noqa: PLC0415 - trees do without

        return rule_file.load(path)
    except ModelFileError:
        if not path.lower().removesuffix(".gz").endswith(_TABLE_SUFFIXES):
            raise
        model = shlex.quote(model_name(os.path.basename(path)))
        raise ModelFileError(
            f"{path} is a table, not a treewright model: fit it first: {program()} fit "
            f"{shlex.quote(path)} --target COLUMN -o {model}"
        ) from None


def refuse_swapped(model: str, data: str) -> None:
    """Refuse a table that is named before the model."""
    if is_model(data) and not is_model(model):
        raise SettingError(
            f"{data} is a treewright model and {model} is not: write the model first, "
            "then the table"
        )


def is_model(path: str) -> bool:
    """Return whether a file begins as a model does."""
    try:
        if not os.path.isfile(path):
            return False  # a pipe can be read only once
        with open(path, "rb") as file:
            return file.read(_LENGTH_BYTES + len(_MARK))[_LENGTH_BYTES:] == _MARK
    except OSError:
        return False


def _absent(path: str) -> str:
    """Say that there is no such model, and what to do."""
    from treewright.data import datasets  # noqa: PLC0415 - only for a wrong path

    if path in datasets.names():
        command = f"{program()} fit {path} -o {path}.tw"
        return f"{path!r} is a built-in table, not a model: fit it first: {command}"
    beside = [str(file) for file in Path(path).parent.glob("*.tw")]
    near = get_close_matches(path, beside, n=1)
    if near:
        return f"there is no file {path!r}; did you mean {near[0]!r}?"
    command = f"{program()} fit DATA --target COLUMN -o {shlex.quote(path)}"
    return f"there is no file {path!r}; check the path, or make a model: {command}"


def model_name(table: str) -> str:
    """Return a name for the model of a table."""
    return table.split(".", maxsplit=1)[0] + ".tw"
