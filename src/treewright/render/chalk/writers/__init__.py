"""A page of chalk spelled: one writer for each format, which decides nothing.

`text_writer.py`, `markdown_writer.py`, `latex_writer.py`,
`html_writer.py`. Others use their `to_text`, `to_markdown`, `to_latex`, `to_html`.
"""
