"""The function-calling leaderboard beside its own package: the same results and states for all its entries of several turns."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from helm.agents.bfcl.backends.backend import execute_calls
from helm.agents.bfcl.backends.long_texts import SHA256, LongTextsError, read_long_texts
from helm.agents.bfcl.bfcl_scenario import BfclScenario
from helm.agents.bfcl.multi_turn import check_turns, create_backends
from helm.common.data.data_stamps import sha256_of
from vectors_support import vector_cases

PACKAGE = Path(os.environ.get("HELM_TEST_BFCL") or Path(sys.prefix) / "bfcl") / "bfcl_eval"
LONG_TEXTS = PACKAGE / "eval_checker" / "multi_turn_eval" / "func_source_code" / "long_context.py"

pytestmark = pytest.mark.skipif(not LONG_TEXTS.is_file(), reason="bfcl-eval is not installed")

ORIGINAL = """
import importlib, inspect, json, random, sys
sys.path.insert(0, sys.argv[1])
modules = {
    "GorillaFileSystem": "gorilla_file_system", "MathAPI": "math_api", "MessageAPI": "message_api",
    "TwitterAPI": "posting_api", "TicketAPI": "ticket_api", "TradingBot": "trading_bot", "TravelAPI": "travel_booking",
    "VehicleControlAPI": "vehicle_control",
}

def as_text(value):
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value) if isinstance(value, dict) else str(value)
    except TypeError:
        return str(value)

def shown(value):
    kind = type(value).__name__
    if kind == "Directory":
        return {"directory": value.name, "contents": {key: shown(item) for key, item in value.contents.items()}}
    if kind == "File":
        return {"file": value.name, "content": value.content}
    if isinstance(value, set):
        return {"set": sorted(value)}
    if isinstance(value, dict):
        return {str(key): shown(item) for key, item in value.items()}
    return [shown(item) for item in value] if isinstance(value, list) else value

for line in sys.stdin:
    entry = json.loads(line)
    objects, names = {}, {}
    for name in entry["classes"]:
        module = importlib.import_module("bfcl_eval.eval_checker.multi_turn_eval.func_source_code." + modules[name])
        made = objects[name] = getattr(module, name)()
        if name != "MathAPI":
            made._load_scenario(entry["config"].get(name, {}), long_context=entry["is_long"])
        names.update({key: value for key, value in inspect.getmembers(made, inspect.ismethod) if key[0] != "_"})
    results = []
    for calls in entry["calls"]:
        results.append([])
        for call in calls:
            try:
                results[-1].append(as_text(eval(call, dict(names))))
            except Exception as e:
                results[-1].append(f"Error during execution: {e}")
    state = {
        name: {key: shown(value) for key, value in vars(made).items() if key[0] != "_"} for name, made in objects.items()
    }
    state.pop("MathAPI", None)  # it has none
    print(json.dumps({"results": results, "state": state}))
"""


def as_json(value):
    return json.loads(json.dumps(value))


def ours(entry):
    """What our programs make of an entry, in the form of the original's."""
    texts = read_long_texts(str(LONG_TEXTS)) if entry["is_long"] else None
    backends = create_backends(entry["classes"], entry["config"], texts)
    results = [execute_calls(backends, calls) for calls in entry["calls"]]
    state = {type(backend).__name__: as_json(backend.state()) for backend in backends}
    state.pop("MathAPI", None)
    return {"results": results, "state": state}


@pytest.mark.parametrize("category", ["base", "miss_func", "miss_param", "long_context"])
def test_all_entries_give_the_results_of_the_original(category):
    """The expected calls of 200 entries: what they answer, to the letter, and all public attributes at the end."""
    instances = BfclScenario(f"multi_turn_{category}", path=str(PACKAGE / "data")).get_instances("")
    assert len(instances) == 200
    entries = []
    for instance in instances:
        programs = instance.extra_data["environment"]["args"]
        calls = instance.extra_data["check"]["args"]["expected"]
        is_long = programs.get("long_texts") is not None
        assert is_long == (category == "long_context")
        entries.append({
            "classes": programs["classes"], "config": programs["config"], "calls": calls, "is_long": is_long
        })  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", ORIGINAL, str(PACKAGE.parent)], input="".join(json.dumps(entry) + "\n" for entry in entries),
        capture_output=True, text=True, check=False, timeout=300, env={**os.environ, "TZ": "UTC"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    for instance, entry, line in zip(instances, entries, done.stdout.splitlines(), strict=True):
        assert ours(entry) == json.loads(line), instance.id


@pytest.mark.parametrize(
    "case",
    [case for case in vector_cases("agents/bfcl_multi_turn.json") if case["category"] == "multi_turn_long_context"],
    ids=lambda case: case["id"],
)
def test_vectors_with_long_contexts(case):
    texts = read_long_texts(str(LONG_TEXTS))
    for calls, results, state in (
        ("ground_truth", "results", "final_state"),
        ("varied_calls", "varied_results", "varied_state"),
    ):
        if calls in case:
            backends = create_backends(case["involved_classes"], case["initial_config"], texts)
            assert [execute_calls(backends, turn) for turn in case[calls]] == case[results]
            assert {type(backend).__name__: as_json(backend.state()) for backend in backends} == case[state]
    for check in case["checks"]:
        arguments = (case["involved_classes"], case["initial_config"], check["model"], case["ground_truth"])
        verdict, expected = check_turns(*arguments, texts), check["expected"]
        assert (verdict.is_valid, verdict.problem) == (expected["valid"], expected.get("error_type")), check["label"]


def test_the_texts_are_those_of_the_commit_and_a_file_without_them_is_refused(tmp_path):
    assert sha256_of(str(LONG_TEXTS)) == SHA256
    path = tmp_path / "long_context.py"
    for text, words in (
        ("FILES_TAIL_USED = []\n", "FILE_CONTENT_EXTENSION is not there as a str"),
        ("FILE_CONTENT_EXTENSION = open('/etc/passwd').read()\n", "no literal"),
    ):
        path.write_text(text)
        with pytest.raises(LongTextsError, match=words):
            read_long_texts(str(path))
    with pytest.raises(LongTextsError, match="No such file"):
        read_long_texts(str(tmp_path / "missing.py"))
