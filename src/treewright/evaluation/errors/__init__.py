"""What one learner gets right and wrong on rows that it has not seen.

`held_out_answers.py` has the answers, split by split; `evaluation.py` the figures made
of them, by `class_figures.py`, `ranking.py` and `stability.py`, which
`evaluation_text.py` and `evaluation_data.py` write and `evaluation_charts.py` draws.
`learning_curves.py`, `prequential.py` and `distilled.py` ask in other ways. Others use
`Evaluation`, `outcomes_of`, `Prequential` and the two curves.
"""
