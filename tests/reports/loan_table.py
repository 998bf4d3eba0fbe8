"""A table of loans that reports are made of."""

from __future__ import annotations

from typing import Any

import numpy as np


def loans() -> tuple[dict[str, list[Any]], list[str]]:
    """200 rows: y follows income and job, but for one row in eight."""
    draw = np.random.default_rng(5)
    income = draw.integers(10, 99, 200)
    job = draw.choice(["clerk", "cook", "pilot"], 200)
    noise = draw.random(200) < 0.12
    paid = ((income > 40) | (job == "pilot")) != noise
    table = {
        "income": [None if k % 37 == 0 else int(x) for k, x in enumerate(income)],
        "job": job.tolist(),
        "street": draw.integers(1, 9, 200).tolist(),
    }
    return table, ["yes" if one else "no" for one in paid]
