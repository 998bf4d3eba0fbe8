"""Searching for settings, and asking honestly how good the search is.

`spaces.py` says what is tried, `tuning_search.py` tries it, `tuning_state.py` keeps
what is done in a file; `tuning_result.py` is what comes out, which `tuning_text.py`
writes. Others use `Tuner`, `TuningPlan`, `tuning_of` and `usual_settings`.
"""
