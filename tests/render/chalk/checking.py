"""The checker over every format of a page."""

from __future__ import annotations

import re
from dataclasses import replace

from chalks import winners
from checker import Expected, check_page
from read_html import read_html
from read_json import read_json
from read_latex import read_latex
from read_markdown import read_markdown
from read_text import read_text

READERS = {
    "text": read_text,
    "markdown": read_markdown,
    "html": read_html,
    "latex": read_latex,
}


def expected_of(chalk, tree, dialect, **others):
    return Expected(
        chalk.record.classes,
        winners(chalk, tree),
        discounts=dialect.discount_missing,
        compares_largest=dialect.gain_guard != "c50",
        divides=dialect.missing == "fractional",
        keeps_all=dialect.min_branch_weight == 0,
        **others,
    )


def check_everywhere(chalk, tree, dialect, digits):
    """Check every format, and a quiz whose blanks are filled in."""
    expected = expected_of(chalk, tree, dialect, decimals=digits)
    n_checked = set()
    width = 100 if digits < 8 else 400  # the reader takes no table that is folded up
    for name, reader in READERS.items():
        page = chalk.to_format(name, digits=digits, listing=False, width=width)
        n_checked.add(check_page(reader(page), expected))
    assert len(n_checked) == 1  # every format has the same numbers
    check_page(read_json(chalk.to_json()), replace(expected, decimals=None))
    quiz = chalk.to_text(digits=digits, listing=False, quiz=True, width=width)
    check_page(read_text(filled_in(quiz)), replace(expected, is_quiz=True))


def filled_in(quiz):
    """The page of a quiz with the numbers of its key in the blanks."""
    page, _, key = quiz.partition("\nKey\n")
    numbers = dict(re.findall(r"(?<!\S)(\d+) (-?\d\S*)", key))
    return re.sub(r"__(\d+)__", lambda blank: numbers[blank[1]], page)
