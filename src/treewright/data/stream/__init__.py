"""Tables that come one after the other and are never held together.

`csv_stream.py` reads rows of text block by block, `stream_kinds.py` gives them the
kinds of their columns; `stream_table.py` and `stream_target.py` make cells and answers
of any table, `stream_quick.py` those that bring little new. Others use `StreamTable`,
`StreamTarget` and `csv_rows`.
"""
