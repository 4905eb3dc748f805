"""The page of figures about tasks of lm-evaluation-harness says what the recorded files of figures say."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference-lm-eval.md").read_text(encoding="utf-8")
COUNTS = json.loads((ROOT / "tests" / "recorded" / "lm_eval_counts.json").read_text(encoding="utf-8"))
COMPARED = json.loads((ROOT / "tests" / "recorded" / "lm_eval_parity.json").read_text(encoding="utf-8"))


def number(pattern):
    found = re.search(pattern, PAGE)
    assert found, pattern
    return [int(text.replace(",", "")) for text in found.groups()]


def test_the_table_has_the_counts_of_each_family():
    rows = re.findall(r"^\| ([\w-]+) \| (\d+) \| (\d+) \| (\d+) \|", PAGE, re.MULTILINE)
    assert {family: [int(one) for one in counts] for family, *counts in rows} == COUNTS


def test_nine_of_ten_tasks_run():
    tasks, counted, run = map(sum, zip(*COUNTS.values(), strict=True))
    assert number(r"All ([\d,]+) tasks of ([\d,]+) families are counted, of which ([\d,]+) run") == [
        counted,
        len(COUNTS),
        run,
    ]
    assert run / tasks >= 0.9


@pytest.mark.parametrize("is_plain", [True, False], ids=["plain", "with examples or chat"])
def test_comparisons_are_counted(is_plain):
    runs = [one for modes in COMPARED.values() for mode, one in modes.items() if (mode == "") == is_plain]
    compared = [one for one in runs if "not_compared" not in one]
    equal = [one for one in compared if not one["difference"]]
    wanted = [len(runs), len(compared), len(equal)]
    if is_plain:
        assert number(r"Of ([\d,]+) tasks, ([\d,]+) could be compared, of which ([\d,]+) are equal") == wanted
        assert len(equal) >= 200
    else:
        pattern = r"Of ([\d,]+) such runs, ([\d,]+) could be compared, of which ([\d,]+) are equal"
        assert number(pattern) == wanted


def test_each_difference_is_explained():
    differing = [task for task, modes in COMPARED.items() if any(one.get("difference") for one in modes.values())]
    assert differing and all(f"`{task}`" in PAGE for task in differing)
