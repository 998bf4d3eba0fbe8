"""A page for people, in no format, and its writers: HTML in one file, and Markdown.

`blocks.py` is what a page is made of; `to_html` and `to_markdown` are in `html_text.py`
and `markdown_text.py`.
"""
