"""The benchmarks that model cards report: made-up rows in the layout of their source, asked, judged and scored in whole runs.

A case of `frontier_cases.yaml` has the rows (`hf`, `files`, `downloads`, as in `fixtures/`), the `instances` that the loader
makes of them, `asked`, pieces of the first prompt, `answers` by a piece of the prompt, `judged`, replies of the judge by a piece
of its prompt, and `scores`.
"""

from pathlib import Path

import pytest

from helm.benchmark import run
from helm.common.data import downloads
from helm.common.files import load_yaml
from helm.results import load
from helm.results.main_metric import find_declared_metric
from scenario_support import case_environment, compact_instance
from suite_fixture_support import expanded_case

CASES = {case["id"]: case for case in load_yaml(str(Path(__file__).parent / "frontier_cases.yaml"))}

PLAYER = """
import json

SCRIPT = json.loads({script!r})


def find(kind, prompt):
    found = [text for piece, text in SCRIPT[kind].items() if piece in prompt]
    assert len(found) == 1, (kind, prompt, found)
    if isinstance(found[0], str):
        return found[0]
    return found[0].pop(0)


def answer(messages: list[dict]) -> str:
    return find("answers", "\\n".join(message["content"] for message in messages))


def judge(prompt: str) -> str:
    return find("judged", prompt)
"""


@pytest.fixture
def play(tmp_path, monkeypatch):
    """A function that runs a case with its scripted model and judge, and gives the finished run."""
    import json
    import sys

    def play(case):
        script = json.dumps({"answers": case["answers"], "judged": case.get("judged", {})})
        (tmp_path / "frontier_player.py").write_text(PLAYER.format(script=script))
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "frontier_player", raising=False)
        entry = case["entry"] + ("," if ":" in case["entry"] else ":") + "model=python/frontier_player.answer"
        if "judged" in case:
            entry += ",grader=python/frontier_player.judge"
        # The made-up files cannot have the SHA-256 that entries pin.
        checked = downloads.ensure_downloaded
        monkeypatch.setattr(downloads, "ensure_downloaded", lambda *a, sha256=None, **kw: checked(*a, **kw))
        with case_environment(expanded_case(case), tmp_path, monkeypatch):
            run.main(["-r", entry, "--disable-cache", "-m", "100"])
            (found,) = load("benchmark_output/runs/default")
            return found

    yield play
    sys.modules.pop("frontier_player", None)


def score_of(found, name):
    """The mean of a stat over all instances, whatever their part."""
    stats = [stat for stat in found.stats() if stat.name.name == name and stat.name.perturbation is None]
    return sum(stat.sum for stat in stats) / sum(stat.count for stat in stats)


def text_of(request):
    if request.multimodal_prompt is not None:
        return "\n".join(part.text or "" for part in request.multimodal_prompt.media_objects)
    return request.prompt or "\n".join(message["content"] for message in request.messages or [])


def marked(case):
    return pytest.param(case, id=case["id"], marks=[pytest.mark.sandbox] if case.get("sandbox") else [])


@pytest.mark.parametrize("case", [marked(case) for case in CASES.values()])
def test_rows_become_questions_and_answers_become_scores(case, play):
    if "needs" in case:
        pytest.importorskip(case["needs"])
    found = play(case)
    states = list(found.iterate_request_states())
    by_id = {state.instance.id: compact_instance(state.instance) for state in states}
    instances = [{"id": name, **instance} for name, instance in by_id.items()]
    for instance, expected in zip(instances, case["instances"], strict=True):
        assert {key: instance.get(key) for key in expected} == expected
    for piece in case["asked"]:
        assert piece in text_of(states[0].request)
    got = {name: score_of(found, name) for name in case["scores"]}
    assert got == {name: pytest.approx(value) for name, value in case["scores"].items()}
    declared = find_declared_metric(found.run_spec.scenario_spec)
    assert declared is None or declared[0] in case["scores"]
