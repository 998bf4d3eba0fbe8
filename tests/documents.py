"""What tests of pages share: their Python, their commands, and how to run them."""

from __future__ import annotations

import contextlib
import io
import re
import shlex

from click.testing import CliRunner

from treewright.cli.main import main

# The words in capitals of a page's commands, and what stands for them in tests.
FILLED_IN = {"DATA": "days.csv", "COLUMN": "PlayTennis", "MODEL.tw": "days.tw"}


def python_of(page):
    """The pieces of Python of a page."""
    return re.findall(r"```python\n(.*?)```", page, re.DOTALL)


def commands_of(page):
    """The words after `treewright`, of each indented command of a page."""
    lines = re.findall(r"^    treewright (.*?)(?:  +#.*)?$", page, re.MULTILINE)
    return [shlex.split(line) for line in lines]


def printed_by(code):
    """The lines that a piece of Python prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "page.md", "exec"), {})
    return out.getvalue().splitlines()


def run(words):
    """What a command ends with and prints."""
    return CliRunner().invoke(main, words)
