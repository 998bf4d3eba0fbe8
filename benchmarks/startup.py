"""Start-up: what importing costs, and how soon the command line answers."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from measure import Goal, heading, interleaved, table

TABLE = "sky,wind,play\nsun,no,yes\nsun,yes,no\nrain,no,no\nrain,yes,no\ncloud,no,yes\n"
PROGRAM = str(Path(sys.executable).parent / "treewright")


def call(command: list[str]) -> None:
    """Run a command to its end."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def run(*, quick: bool, repeats: int) -> list[Goal]:
    """Start each program many times."""
    repeats = 5 if quick else max(15, repeats)
    heading(f"Start-up: median of {repeats}")
    with tempfile.TemporaryDirectory() as name:
        data, model = Path(name) / "play.csv", Path(name) / "play.tw"
        data.write_text(TABLE)
        fit = ["fit", str(data), "--target", "play", "--algorithm", "id3"]
        call([PROGRAM, *fit, "-o", str(model)])
        commands = {
            "python": [sys.executable, "-c", "pass"],
            "import numpy": [sys.executable, "-c", "import numpy"],
            "import treewright": [sys.executable, "-c", "import treewright"],
            "treewright --help": [PROGRAM, "--help"],
            "treewright show MODEL": [PROGRAM, "show", str(model)],
        }
        for command in commands.values():  # the first start also fills the disk cache
            call(command)
        times = interleaved(
            {what: partial(call, command) for what, command in commands.items()},
            repeats=repeats,
        )
    table(("", "seconds"), ((what, f"{time:.3f}") for what, time in times.items()))
    extra = times["import treewright"] - times["import numpy"]
    return [
        Goal("import treewright above import numpy", extra, "<=", 0.1, " s"),
        Goal("treewright --help", times["treewright --help"], "<=", 0.3, " s"),
        Goal("treewright show", times["treewright show MODEL"], "<=", 0.5, " s"),
    ]
