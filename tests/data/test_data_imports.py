"""Loading the package loads no library that a table might not need."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("module", ["treewright.data", "treewright.data.readers.read"])
def test_import_loads_no_data_frame_library(module):
    code = (
        f"import sys, {module}\n"
        "heavy = {'polars', 'pandas', 'scipy', 'sklearn', 'narwhals', 'pyarrow'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_numpy_tables_load_no_data_frame_library():
    code = (
        "import sys, numpy as np\n"
        "from treewright.data import encode, encode_rows\n"
        "columns = encode(np.eye(2), ['a', 'b'], task='classes')\n"
        "encode_rows([['0', 1]], columns.schema, unseen='stop', missing='majority')\n"
        "heavy = {'polars', 'pandas', 'scipy', 'sklearn', 'narwhals', 'pyarrow'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
