"""CART: binary splits, for classes and for numbers.

Numeric features are cut half way between two neighbouring values; ordered categories
between two neighbours; other nominal features are divided into the two sets of values
that separate best (`core/nominal.hpp` says when that is exact). A feature may be asked
about again and again. Pruning is a step of its own.

Differences from the original: missing values follow the heavier branch;
`missing="surrogates"` gives surrogate splits, and `rpart.py` has them from the start.

References
----------
Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). Classification and
Regression Trees.
"""

from __future__ import annotations

import dataclasses

from treewright.grow.dialect import Dialect

CART = Dialect(
    name="cart",
    criterion="gini",
    nominal_splits="subset",
    numeric_splits="midpoint",
    reuse_features=True,
    missing="majority",
)
CART_NUMBERS = dataclasses.replace(CART, criterion="squared_error")
