"""Where the rows live. Read `source.py` first."""
