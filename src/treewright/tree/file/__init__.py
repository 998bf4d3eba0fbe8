"""Model files: written whole or not at all, read with distrust.

`save.py` is the way in and out: `save`, `load`, `to_bytes`, `from_bytes`. It puts
together `container.py` (bytes), `header.py` (JSON), `arrays.py` (trees), and has all of
it checked by `validate.py`; `strict_json.py` and `atomic_write.py` serve other files
as well.
"""
