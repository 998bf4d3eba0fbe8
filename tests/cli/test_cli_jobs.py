"""--jobs holds for everything that a command does."""

import pytest

from treewright.data.machine import thread_count
from treewright.prune import rows_at_leaves as rows
from treewright.tree.predict import walk

COMMANDS = [
    "fit watermelon --algorithm c45 --cv 2",
    "fit watermelon --algorithm forest --set n_estimators=3",
    "fit watermelon --algorithm adaboost --set n_estimators=3",
    "evaluate watermelon --algorithm c45 --folds 2",
    "compare watermelon --algorithms c45,cart --folds 2",
    "tune watermelon --algorithm cart --folds 2",
    "distil watermelon --set n_estimators=3 --folds 2",
]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_one_job_is_one_thread_everywhere(run, command, monkeypatch):
    asked = []

    def noted(given):
        asked.append(thread_count(given))
        return asked[-1]

    for module in (walk, rows):
        monkeypatch.setattr(module, "thread_count", noted)
    before = thread_count(None)
    result = run(*command.split(), "--target", "好瓜", "--jobs", "1")
    assert result.exit_code == 0, result.stderr
    assert set(asked) == {1}
    assert thread_count(None) == before


@pytest.mark.parametrize("command", ["fit", "evaluate", "compare", "tune", "report"])
def test_no_thread_at_all_is_refused(run, command):
    result = run(command, "tennis", "--target", "PlayTennis", "--jobs", "0")
    assert result.exit_code == 2
    assert "--jobs is 0; it must be -1 or at least 1" in result.stderr
