"""The named algorithms. `registry.py` lists them all; read `dialects/id3.py` first.

`recipe.py` makes a model of an encoded table and a dialect, `growers.py` puts together
what grows it. The rooms: `dialects/` (one tree, as a row of settings), `forest/`,
`boosting/`, `rules/` (C4.5rules), `cal/`, `incremental/`, `streams/`. Others use the
registry, and the calls that a kind of model alone has (out-of-bag figures,
checkpoints).
"""
