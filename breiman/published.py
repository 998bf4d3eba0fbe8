"""The table that is compared with: Breiman (2001), error rates in per cent.

AdaBoost has half as many trees as a forest. "One tree" is the mean error of the single
trees of the selected forest, each on the rows that it has not seen (out of bag).

References
----------
Breiman, L. (2001). Random forests. Machine Learning 45, 5-32, table 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["splits", "fixed", "drawn", "absent"]

COLUMNS = ("adaboost", "selection", "single", "one_tree")
HEADS = {
    "adaboost": "AdaBoost",
    "selection": "forest, F by out-of-bag",
    "single": "forest, F = 1",
    "one_tree": "one tree",
}


@dataclass(frozen=True)
class Row:
    """A data set of the table, with what was published.

    Attributes
    ----------
    name : str
        Of the set in the collection, or of the generator.
    title : str
        As in the table.
    kind : str
        "splits": random tenths are held out; "fixed": there is a test set; "drawn":
        training and test rows are drawn afresh; "absent": we do not have the data.
    adaboost, selection, single, one_tree : float
        The published errors in per cent.
    n_trees : int
        Trees of a forest.
    n_boosted : int
        Trees of AdaBoost.
    """

    name: str
    title: str
    kind: Kind
    adaboost: float
    selection: float
    single: float
    one_tree: float
    n_trees: int = 100
    n_boosted: int = 50

    def published(self, column: str) -> float:
        """The published error of a column."""
        return float(getattr(self, column))


ROWS = {
    row.name: row
    for row in (
        Row("glass", "Glass", "splits", 22.0, 20.6, 21.2, 36.9),
        Row("breast-w", "Breast cancer", "splits", 3.2, 2.9, 2.7, 6.3),
        Row("diabetes", "Diabetes", "splits", 26.6, 24.2, 24.3, 33.1),
        Row("sonar", "Sonar", "splits", 15.6, 15.9, 18.0, 31.7),
        Row("vowel", "Vowel", "splits", 4.1, 3.4, 3.3, 30.4),
        Row("ionosphere", "Ionosphere", "splits", 6.4, 7.1, 7.5, 12.7),
        Row("vehicle", "Vehicle", "absent", 23.2, 25.8, 26.4, 33.1),
        Row("german-credit-numeric", "German credit", "splits", 23.5, 24.4, 26.2, 33.3),
        Row("segment", "Image", "splits", 1.6, 2.1, 2.7, 6.4),
        Row("ecoli", "Ecoli", "absent", 14.8, 12.8, 13.0, 24.5),
        Row("votes", "Votes", "splits", 4.8, 4.1, 4.6, 7.4),
        Row("liver", "Liver", "splits", 30.7, 25.1, 24.7, 40.6),
        Row("letter", "Letters", "fixed", 3.4, 3.5, 4.7, 19.8),
        Row("satimage", "Sat-images", "fixed", 8.8, 8.6, 10.5, 17.2),
        Row("zipcode", "Zip-code", "fixed", 6.2, 6.3, 7.8, 20.6, 200, 100),
        Row("waveform", "Waveform", "drawn", 17.8, 17.2, 17.3, 34.0),
        Row("twonorm", "Twonorm", "drawn", 4.9, 3.9, 3.9, 24.7),
        Row("threenorm", "Threenorm", "drawn", 18.8, 17.5, 17.5, 38.4),
        Row("ringnorm", "Ringnorm", "drawn", 6.9, 4.9, 4.9, 25.7),
    )
}
ABSENT = tuple(row.title for row in ROWS.values() if row.kind == "absent")
