"""Reads chalk as JSON into tables and formulas, with all its digits."""

from __future__ import annotations

import json

from printed import PrintedFormula, PrintedPart, PrintedRow, PrintedTable

_MEASURES = {
    "classification_error": "error",
    "squared_error": "variance",
    "absolute_error": "mean deviation",
}
_TITLES = ["feature", "branches", "remainder", "gain", "cost", "net gain"]
_TITLES_OF_RATIO = ["split info", "ratio"]
_OUT = {"below_guard": "too little", "no_gain": "no gain", "no_information": "none"}


def read_json(page: str) -> list[PrintedPart]:
    record = json.loads(page)
    return [_part(step, record["classes"]) for step in record["steps"]]


def _part(step, classes) -> PrintedPart:
    node = "root" if step["parent"] < 0 else f"node {step['node']}"
    counts = [
        "  ".join(f"{label} {_text(one)}" for label, one in zip(*pair, strict=True))
        for pair in zip(classes, step["rows"]["counts"], strict=True)
    ]
    heading = [
        f"Step {step['number']}",
        node,
        *([", ".join(step["path"])] if step["parent"] >= 0 else []),
        f"{step['rows']['n_rows']} rows, weight {_text(step['rows']['weight'])}",
        *counts,
    ]
    if not classes:
        heading.append("mean " + ", ".join(map(_text, step["rows"]["values"])))
    if step["candidates"] or step["rows"]["impurity"]:
        measure = _MEASURES.get(step["measure"], step["measure"])
        heading.append(f"{measure} {_text(step['rows']['impurity'])}")
    part = PrintedPart(heading)
    if step["candidates"]:
        by_ratio = step["compared_by"] == "gain_ratio"
        titles = _TITLES + (_TITLES_OF_RATIO if by_ratio else [])
        rows = [_row(step, one, by_ratio) for one in step["candidates"]]
        part.tables.append(PrintedTable(titles, rows))
        part.formulas = [_known(one) for one in step["candidates"] if one["known"]]
        part.tables += [_cuts(one) for one in step["candidates"] if one["cuts"]]
    return part


def _row(step, one, by_ratio) -> PrintedRow:
    pieces = [f"{branch['name']} {_counts(branch)}" for branch in one["parts"]]
    if one["missing"]:
        pieces.append(f"(x {_counts(one['missing'])})")
    keys = ["remainder", "gain", "cost", "net"]
    keys += ["split_information", "ratio"] if by_ratio else []
    one["cost"] += one["charge"]
    numbers = [[_text(one[key])] for key in keys]
    remark = _OUT.get(one["verdict"], "")
    return PrintedRow(
        [[one["feature"]], pieces, *numbers], one["verdict"] == "best", remark
    )


def _known(one) -> PrintedFormula:
    """The impurity of the rows with a value, as the first number of a formula."""
    known, left = one["known"]["impurity"], one["remainder"]
    text = f"{_text(known)} - {_text(left)} = {_text(known - left)}"
    return PrintedFormula("known", one["feature"], text)


def _cuts(one) -> PrintedTable:
    rows = [
        PrintedRow([["cut"], [_counts(cut["low"])], [_counts(cut["high"])],
                    [_text(cut["gain"])]])
        for cut in one["cuts"]
    ]  # fmt: skip
    return PrintedTable(["cut", "<=", ">", "gain"], rows, f"Cuts of {one['feature']}")


def _counts(part) -> str:
    if part["counts"]:
        return " | ".join("/".join(map(_text, one)) for one in part["counts"])
    middles = ",".join(map(_text, part["values"]))
    return f"{_text(part['weight'])}/{middles}/{_text(part['impurity'])}"


def _text(number: float) -> str:
    return repr(float(number)).removesuffix(".0")
