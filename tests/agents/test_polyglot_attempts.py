"""Exercises in several attempts: `polyglot_attempts` on made-up exercises in the published layout, with a scripted model."""

import json

import pytest

from helm.benchmark import run
from helm.benchmark.scenarios import polyglot_edits_scenario
from helm.results import load

pytestmark = pytest.mark.sandbox

TEST = (
    "import unittest\n\nfrom add import add\n\n\nclass AddTest(unittest.TestCase):\n"
    "    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n"
)
NAMES = ("first", "second", "never", "formless")

PLAYER = """
def answer(messages: list[dict]) -> str:
    asked = messages[0]["content"]
    turn = sum(message["role"] == "assistant" for message in messages)
    right = "add.py\\n```\\ndef add(a, b):\\n    return a + b\\n```"
    wrong = "add.py\\n```\\ndef add(a, b):\\n    return a - b\\n```"
    if turn:
        said = messages[-1]["content"]
        assert messages[-1]["role"] == "user" and "add.py" in said
        assert ("AssertionError: -1 != 3" in said and "FAILED" in said) or "No edit could be applied" in said
    if "Made-up first." in asked:
        return right
    if "Made-up second." in asked:
        return right if turn else wrong
    if "Made-up formless." in asked:
        return right if turn else "I would add them."
    return wrong
"""


@pytest.fixture
def exercises(tmp_path, monkeypatch):
    for name in NAMES:
        folder = tmp_path / "exercises" / "python" / "exercises" / "practice" / name
        (folder / ".docs").mkdir(parents=True)
        (folder / ".meta").mkdir()
        (folder / ".docs" / "instructions.md").write_text(f"Made-up {name}.")
        (folder / ".meta" / "config.json").write_text(
            json.dumps({"files": {"solution": ["add.py"], "test": ["add_test.py"]}})
        )
        (folder / "add.py").write_text("def add(a, b):\n    pass\n")
        (folder / "add_test.py").write_text(TEST)

    def fetch(source_url, target_path, **_):
        import shutil

        shutil.copytree(tmp_path / "exercises", target_path, dirs_exist_ok=True)

    monkeypatch.setattr(polyglot_edits_scenario, "ensure_file_downloaded", fetch)
    (tmp_path / "attempts_player.py").write_text(PLAYER)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("attempts, success", [(2, 0.75), (1, 0.25)])
def test_a_second_attempt_follows_the_output_of_the_tests(exercises, attempts, success):
    entry = f"polyglot_attempts:language=python,attempts={attempts},model=python/attempts_player.answer"
    run.main(["-r", entry, "-m", "9", "--suite", "s", "--disable-cache"])
    (found,) = load("benchmark_output/runs/s")
    stats = {stat.name.name: stat.mean for stat in found.stats()}
    assert stats["agent_success"] == success
    assert stats["agent_reward_passed_at_1"] == 0.25 and stats["agent_reward_applied_at_1"] == 0.75
    assert stats["agent_turns"] == (1.75 if attempts == 2 else 1.0)
