"""Reports: what is known of a table and of a model, as a page that people send on.

Data moves one way: `subject.py` (what was found) -> a file for each part of the page ->
`model_report.py` (the whole) -> `render/document/` (HTML, Markdown). No figure is made
here that is made elsewhere: the evaluation, the checks, the rules and the pictures have
them.
"""
