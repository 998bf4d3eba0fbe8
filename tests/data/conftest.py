"""A table as a file, for the tests of the readers."""

from __future__ import annotations

import pytest


@pytest.fixture
def write(tmp_path):
    def write(content: str | bytes, name: str = "t.csv"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
