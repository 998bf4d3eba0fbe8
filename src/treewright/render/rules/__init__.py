"""Rules for readers.

`rule_listing.py` is what `model.rules()` returns: a text (`rule_table.py`), Markdown, a
frame or JSON (`rule_forms.py`), all in the words of `rule_words.py`.
`rule_workbench.py` is what `workbench()` returns, `bench_pages.py` its pages;
`rules_chalk.py` is the working behind C4.5rules. Others use these three and the
functions that make them.
"""
