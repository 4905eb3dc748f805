"""Questions with files in the form of GAIA."""

import json
import shutil

import pytest

from agent_support import call, request, run_episode
from helm.agents.gaia import is_same_answer
from helm.agents.scenarios.gaia_scenario import GaiaScenario
from helm.common.errors import ConfigError, ScenarioError
from helm.common.object_spec import ObjectSpec


@pytest.mark.parametrize(
    ("given", "expected", "same"),
    [
        ("$1,234.50", "1234.5", True),
        ("about 3", "3", False),
        ("Sea gull.", "seagull", True),
        ("red, Green", "Red,green", True),
        ("green, red", "red, green", False),
        ("1; 2", "1,2.0", True),
        ("1", "1, 2", False),
        ("", "x", False),
    ],
)
def test_answers(given, expected, same):
    assert is_same_answer(given, expected) == same


@pytest.fixture
def folder(tmp_path):
    row = {"task_id": "t1", "Question": "What is the sum?", "Level": 1, "Final answer": "6", "file_name": "n.bin"}
    other = {"task_id": "t2", "Question": "Why?", "Level": "2", "Final answer": "so", "file_name": ""}
    (tmp_path / "metadata.jsonl").write_text(json.dumps(row) + "\n" + json.dumps(other) + "\n")
    (tmp_path / "n.bin").write_bytes(b"\x01\x02\x03\xff")
    return tmp_path


def test_what_is_read(folder):
    assert [i.sub_split for i in GaiaScenario(str(folder)).get_instances("")] == ["level_1", "level_2"]
    assert len(GaiaScenario(str(folder), level=2).get_instances("")) == 1
    with pytest.raises(ConfigError, match="1, 2 or 3"):
        GaiaScenario(str(folder), level=4)
    with pytest.raises(ScenarioError, match="metadata.jsonl"):
        GaiaScenario(str(folder / "no")).get_instances("")
    line = {"task_id": "t", "Question": "?", "Level": 1, "Final answer": "", "file_name": "../secret"}
    (folder / "metadata.jsonl").write_text(json.dumps(line))
    with pytest.raises(ScenarioError, match="secret"):
        GaiaScenario(str(folder)).get_instances("")


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_a_question_with_a_file_that_is_no_text(folder):
    (instance,) = GaiaScenario(str(folder), level=1).get_instances("")
    data = instance.extra_data
    environment, check = (ObjectSpec(data[key]["class_name"], data[key]["args"]) for key in ("environment", "check"))
    result, model = run_episode(
        request(environment=environment, check=check, messages=data["messages"]),
        [call("bash", {"command": "od -An -tu1 /app/n.bin"})],
        [call("submit", {"answer": "6"})],
    )
    assert result.reward == 1, result
    assert "255" in model.requests[1].messages[-1]["content"]
