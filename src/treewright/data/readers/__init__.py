"""Files in: one reader for each format.

`read.py` chooses among them: `csv_reader.py`, `arff_reader.py`, `c45_reader.py`, and
polars for Parquet. `read_options.py` says what a format leaves open, `table_file.py`
what comes back. Others use `read_table`, `read_with_report`, `ReadOptions` and
`TableFile`.
"""
