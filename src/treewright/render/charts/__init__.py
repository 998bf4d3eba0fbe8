"""Charts as SVG without scripts: lines, bars, ranks.

`line_chart.py` draws curves (with matplotlib, too), `bar_chart.py` how much things
count, `rank_chart.py` comparisons of learners. Others use `Chart` and `chart_svg`,
`Bar` and `bars_svg`, `error_svg` and `rank_svg`.
"""
