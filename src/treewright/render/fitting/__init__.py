"""Text that fits, and may go anywhere.

`safe_text.py` escapes, measures and cuts by what a reader sees; `wrapping.py` makes
paragraphs, `cuts.py` shortens texts that stand beside each other so that they still
differ, `markdown_signs.py` keeps a text from being Markdown. For all of `render/` and
whoever else prints.
"""
