"""The whole report: its parts in order, and what is written of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from treewright.data.complaints import counted
from treewright.errors import SettingError
from treewright.evaluation.errors.verdict import verdict_words
from treewright.render.document.blocks import (
    Code,
    Command,
    Document,
    DocumentTable,
    Line,
    Section,
    named,
    titled,
)
from treewright.render.document.html_text import to_html
from treewright.render.document.markdown_text import to_markdown
from treewright.reports.curve_part import curve_section
from treewright.reports.data_part import data_section
from treewright.reports.error_part import confusion_section, error_section
from treewright.reports.figure_words import error_words
from treewright.reports.importance_part import importance_section, top_features
from treewright.reports.model_part import model_section, rules_section, size_words
from treewright.reports.subject import ReportSubject
from treewright.reports.warning_part import (
    first_warning,
    n_warnings,
    warning_section,
)
from treewright.tree.file.atomic_write import write_all_atomically, write_atomically

_HTML = (".html", ".htm")
_MARKDOWN = (".md", ".markdown")


@dataclass(frozen=True, eq=False)
class ModelReport:
    """A report about a table and what can be learned from it.

    `save` writes it as a page or as Markdown; `subject` has what it is made of: the
    `evaluation`, the `model`, the `findings`.
    """

    subject: ReportSubject  # what the report is about

    @cached_property
    def document(self) -> Document:
        """The page, in no format."""
        subject = self.subject
        target = named(subject.target.names[0])
        return Document(
            ("Predicting ", target, " from ", named(subject.table)),
            tuple(_short(subject)),
            (
                data_section(subject),
                error_section(subject),
                model_section(subject),
                rules_section(subject),
                importance_section(subject),
                confusion_section(subject),
                curve_section(subject),
                warning_section(subject),
                _making_section(subject),
            ),
            (f"Made with treewright {subject.making.version}.",),
        )

    def to_html(self) -> str:
        """Return the report as one HTML page: no script, nothing to fetch."""
        return to_html(self.document)

    def to_markdown(self, stem: str = "report") -> str:
        """Return the report as Markdown; pictures are the files of `pictures`.

        `stem`: what the names of the pictures' files begin with.
        """
        names = {one.name: _file(stem, one.name) for one in self.document.pictures}
        return to_markdown(self.document, names)

    def pictures(self, stem: str = "report") -> dict[str, str]:
        """Return the SVG text of each picture by the name of its file."""
        return {_file(stem, one.name): one.svg for one in self.document.pictures}

    def save(self, path: str | os.PathLike[str]) -> list[str]:
        """Write the report; return the files.

        `path`: with the ending .html, one page; with .md, Markdown and its pictures as
        SVG files beside it, named after it.
        """
        name = os.fspath(path)
        if report_form(name) == "html":
            write_atomically(name, self.to_html().encode())
            return [name]
        stem = os.path.splitext(os.path.basename(name))[0]
        folder = os.path.dirname(name)
        files = {
            os.path.join(folder, file): svg.encode()
            for file, svg in self.pictures(stem).items()
        }
        # last: a page whose pictures are not there would be broken
        write_all_atomically({**files, name: self.to_markdown(stem).encode()})
        return [name, *files]

    def _repr_html_(self) -> str:
        # in a frame of its own: the page has styles for the whole page
        text = self.to_html().replace("&", "&amp;").replace('"', "&quot;")
        return (
            f'<iframe srcdoc="{text}" title="report" sandbox '
            'style="width:100%;height:40rem;border:1px solid #ccc"></iframe>'
        )

    def __repr__(self) -> str:
        subject = self.subject
        return (
            f"<report on {subject.target.names[0]!r} of {subject.table}: "
            f"{error_words(subject.evaluation)} save('report.html') writes it>"
        )


def report_form(path: str) -> str:
    """Return "html" or "markdown", as the ending of a file's name says."""
    ending = os.path.splitext(path)[1].lower()
    if ending in _MARKDOWN:
        return "markdown"
    if ending in _HTML or path == os.devnull:
        return "html"
    what = f"the ending {ending}" if ending else "a name without an ending"
    raise SettingError(
        f"{path!r}: {what} says nothing about the format; use .html for a page, .md "
        "for Markdown"
    )


def _file(stem: str, name: str) -> str:
    return f"{stem}-{name}.svg"


def _short(subject: ReportSubject) -> Iterator[Line]:
    """Yield what to know if nothing else is read."""
    found = subject.evaluation
    rows, features = subject.size_words
    yield (f"{rows}, {features}; to be predicted is ", *_target_words(subject))
    yield (error_words(found), " ", verdict_words(found))
    yield size_words(subject)
    if top := top_features(subject):
        yield ("What counts most: ", *top, ".")
    n_found = n_warnings(subject)
    if not n_found:
        yield ("There is nothing special to watch out for.",)
        return
    first = first_warning(subject)
    yield (f"{counted(n_found, 'thing')} to watch out for. The first: ", *first)


def _target_words(subject: ReportSubject) -> Line:
    target = subject.target
    name = named(target.names[0])
    if not subject.is_classes:
        return (name, ", a number.")
    return (name, f", one of {len(target.classes[0]):,} classes.")


def _making_section(subject: ReportSubject) -> Section:
    making, model = subject.making, subject.model
    why = f", because {making.why}" if making.why else ""
    rows: list[tuple[Line, ...]] = [
        (("algorithm",), (f"{making.algorithm}{why}",)),
        *(
            ((named(name),), (named(value, 120),))
            for name, value in making.settings.items()
        ),
        (("measured by",), (subject.evaluation.how,)),
        (("seed",), (str(making.seed),)),
        (("treewright",), (making.version,)),
        (("fingerprint of the model",), (Code(model.fingerprint()),)),
    ]
    return Section(
        "making",
        "How this was made",
        (
            Command(("The same report again, to the last byte:",), making.command),
            DocumentTable(("Settings",), titled(("what", "value")), tuple(rows)),
        ),
    )
