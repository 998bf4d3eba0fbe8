"""The named algorithms, one file each. Read `id3.py` first."""
