"""Runs of the common scenarios on made-up rows: programs are judged by their tests, and chat answers by what is extracted."""

import json
import math

import pytest

from helm.benchmark import run
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.program_tests_metric import ProgramTestsMetric
from helm.benchmark.metrics.reference_mass_metric import LikeliestReferenceMetric, correct_mass
from helm.benchmark.run_spec_factory import construct_run_specs
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.errors import MetricError
from helm.common.object_spec import parse_object_spec
from helm.common.request import GeneratedOutput, Request, RequestResult
from helm.results import load
from helm.results.main_metric import find_declared_metric
from scenario_support import case_environment
from scripted_chat_server import ScriptedChatServer
from suite_fixture_support import expanded_case

HUMANEVAL_PLUS = {
    "path": "evalplus/humanevalplus",
    "revision": "d32357cf319e50e9c8d8dab5ea876c72b0fd321b",
    "splits": {
        "test": [
            {
                "task_id": f"HumanEval/{900 + i}",
                "prompt": f'import math\n\ndef add_{i}x(x: int) -> int:\n    """Add {i} to x."""\n',
                "canonical_solution": f"    return x + {i}\n",
                "entry_point": f"add_{i}x",
                "test": "import numpy as np\n\ndef check(candidate):\n    inputs, results = [[1], [-5]], "
                f"[{1 + i}, {i - 5}]\n    for arguments, result in zip(inputs, results):\n"
                "        assert np.isclose(candidate(*arguments), result)\n",
            }
            for i in range(1, 7)
        ]
    },
}


def mbpp_row(i, **columns):
    return {
        "task_id": 900 + i,
        "code": f"def helper(x):\n    return x\n\ndef add_{i}x(x):\n    return helper(x) + {i}",
        "test_list": [f"assert set([add_{i}x(1)]) == {{{1 + i}}}", f"assert add_{i}x(-5) == {i - 5}"],
        **columns,
    }


def mbpp_full_row(i):
    return mbpp_row(i, text=f"Write a function to add {i}.", test_setup_code="import math", challenge_test_list=[])


MBPP = {
    "path": "google-research-datasets/mbpp",
    "config": "full",
    "splits": {"prompt": [mbpp_full_row(i) for i in (51, 52, 53)], "test": [mbpp_full_row(i) for i in range(1, 7)]},
}
MBPP_PLUS = {
    "path": "evalplus/mbppplus",
    "splits": {
        "test": [
            mbpp_row(
                i,
                prompt=f"Write a function to add {i}.",
                source_file="made up",
                test_imports=[],
                test=f"for x in range(50):\n    assert add_{i}x(x) == x + {i}",
            )
            for i in range(1, 7)
        ]
    },
}
TRUTHFUL_QA = {
    "path": "truthfulqa/truthful_qa",
    "revision": "741b8276f2d1982aa3d5b832d3ee81ed3b896490",
    "config": "multiple_choice",
    "splits": {
        "validation": [
            {
                "question": f"Is moon {i} made of cheese?",
                "mc1_targets": {"choices": ["No", "Yes"], "labels": [1, 0]},
                "mc2_targets": {
                    "choices": ["No", "It is made of rock", "Yes", "Of blue cheese"],
                    "labels": [1, 1, 0, 0],
                },
            }
            for i in range(3)
        ]
    },
}
COPA = {
    "path": "aps/super_glue",
    "config": "copa",
    "splits": {
        split: [
            {"premise": f"{split} {i} was wet.", "choice1": "It rained.", "choice2": "It slept.", "question": "cause",
             "idx": i, "label": i % 2}
            for i in range(6)
        ]
        for split in ("train", "validation")
    },
}  # fmt: skip
MULTIRC = {
    "path": "aps/super_glue",
    "config": "multirc",
    "splits": {
        split: [
            {"paragraph": f"Ann has {i} cats.", "question": "How many cats?", "answer": f"{i + i % 2} cats, {split}",
             "label": 1 - i % 2, "idx": {"paragraph": i, "question": i, "answer": i}}
            for i in range(6)
        ]
        for split in ("train", "validation")
    },
}  # fmt: skip
SCIQ = {
    "path": "allenai/sciq",
    "splits": {
        split: [
            {"question": f"What do bees of hive {i} make?", "correct_answer": "honey", "distractor1": "silk",
             "distractor2": "milk", "distractor3": "wool", "support": ""}
            for i in range(6)
        ]
        for split in ("train", "validation", "test")
    },
}  # fmt: skip
LAMBADA = {
    "path": "EleutherAI/lambada_openai",
    "config": "default",
    "splits": {"test": [{"text": f"Box {i} has a lock. Bo looked for the key, but nobody had key"} for i in range(4)]},
}
WIKITEXT = {
    "path": "EleutherAI/wikitext_document_level",
    "config": "wikitext-2-raw-v1",
    "splits": {"test": [{"page": f" = Oak {i} = \n \n Oaks are trees . \n"} for i in range(2)]},
}

SCENARIOS = {
    "humaneval_plus": HUMANEVAL_PLUS,
    "mbpp": MBPP,
    "mbpp_plus": MBPP_PLUS,
    "truthful_qa_mc1": TRUTHFUL_QA,
    "truthful_qa_mc2": TRUTHFUL_QA,
    "copa": COPA,
    "multirc": MULTIRC,
    "sciq": SCIQ,
    "lambada": LAMBADA,
    "wikitext_2": WIKITEXT,
}


@pytest.fixture
def helm(tmp_path, monkeypatch):
    """A function that runs an entry on the rows of its scenario, which a server has as the Hub does, and gives the run."""

    def helm(name, entry, *flags):
        rows = SCENARIOS[name]
        call = {key: rows[key] for key in ("path", "config", "revision") if key in rows}
        case = expanded_case({"id": name, "scenario_name": name, "hf": [rows], "hf_calls": [call]})
        with case_environment(case, tmp_path, monkeypatch):
            run.main(["-r", entry, "--disable-cache", "-m", "100", *flags])
            (found,) = load("benchmark_output/runs/default")
            return found

    return helm


@pytest.fixture
def chat(helm, monkeypatch):
    """The same for a chat server with prepared answers."""
    from helm.clients.pacing.limiter import forget_limiters

    servers = []

    def chat(name, entry, script):
        forget_limiters()
        servers.append(ScriptedChatServer({piece: {"content": text} for piece, text in script.items()}))
        monkeypatch.setenv("OPENAI_BASE_URL", servers[-1].url)
        monkeypatch.setenv("HELM_RETRIES", "0")
        return helm(name, f"{entry},model=openai-compat/m")

    yield chat
    for server in servers:
        server.close()
    forget_limiters()


def means(found, metric):
    return {
        entry.instance_id: stat.mean
        for entry in found.per_instance_stats()
        for stat in entry.stats
        if stat.name.name == metric and stat.name.perturbation is None
    }


def stat_of(found, metric):
    return next(s.mean for s in found.stats() if s.name.name == metric and s.name.perturbation is None)


@pytest.mark.sandbox
@pytest.mark.parametrize("name", SCENARIOS)
def test_an_embedded_model_gets_the_main_score(name, helm):
    found = helm(name, f"{name}:model=baseline/ppm")
    main, split = find_declared_metric(found.run_spec.scenario_spec)
    (value,) = [
        stat.mean
        for stat in found.stats()
        if (stat.name.name, stat.name.split, stat.name.perturbation) == (main, split, None)
    ]
    assert math.isfinite(value)


def test_the_mass_is_that_of_the_answers_of_the_model(helm):
    found = helm("truthful_qa_mc2", "truthfulqa_mc2:model=baseline/ppm")
    masses = means(found, "correct_probability_mass")
    states = list(found.iterate_request_states())
    assert len(masses) == 3 and len(states) == 12
    for instance_id, mass in masses.items():
        logprobs = {}
        for state in states:
            if state.instance.id == instance_id:
                text = state.instance.references[state.reference_index].output.text
                assert state.request.prompt.endswith(f"?\nA: {text}") and "Q:" in state.request.prompt
                tokens = state.result.completions[0].tokens
                spelled, total = "", 0.0
                for token in reversed(tokens):
                    if len(spelled) >= len(f" {text}"):
                        break
                    spelled, total = token.text + spelled, total + token.logprob
                assert spelled == f" {text}"
                logprobs[state.reference_index] = total
        weights = [math.exp(logprobs[i]) for i in range(4)]
        assert mass == pytest.approx((weights[0] + weights[1]) / sum(weights), rel=1e-9)


@pytest.mark.parametrize(
    "logprobs, labels, mass",
    [
        ([-1.0, -2.0, -3.0], [1, 0, 0], 0.6652409557748219),
        ([-5.0, -1.0, -2.0, -2.5], [1, 1, 0, 0], 0.6327593785559074),
        ([-10.0, -10.0], [1, 0], 0.5),
        ([-1.5, -0.5, -0.7], [0, 1, 1], 0.8317581057021823),
        ([-2000.0, -2001.0], [1, 0], 1 / (1 + math.exp(-1))),
    ],
)
def test_the_mass_of_correct_references(logprobs, labels, mass):
    assert correct_mass(logprobs, [label == 1 for label in labels]) == pytest.approx(mass, rel=1e-12)


@pytest.mark.parametrize(
    "logprobs, score", [([-1.0, -2.0, -3.0], 1.0), ([-2.0, -1.0, -3.0], 0.0), ([-10.0, -10.0], 1.0)]
)
def test_the_likeliest_of_the_references(logprobs, score):
    stat = LikeliestReferenceMetric().score(logprobs, [True] + [False] * (len(logprobs) - 1))
    assert (stat.name.name, stat.mean) == ("likeliest_is_correct", score)


def program(i, added):
    return f"def add_{i}x(x):\n    return x + {added}"


CODE_ANSWERS = {
    # What is written -> whether it passes.
    1: (f"Sure!\n\n```python\n{program(1, 1)}\n```\nIt adds 1.", True),
    2: (f"```python\n{program(2, 3)}\n```", False),
    3: (
        f"```python\n{program(3, 3)}\n```\nA test of it:\n```python\ndef test_it():\n    assert add_3x(1) == 4\n```",
        True,
    ),
    4: (f"```python\nimport math\n\n{program(4, 'math.ceil(3.5)')}\n```", True),
    5: ("I cannot help with that.", False),
    6: (
        f"First a helper:\n```python\ndef helper(x):\n    return x\n```\nThen:\n```python\n{program(6, 7)}\n```",
        False,
    ),
}


@pytest.mark.sandbox
@pytest.mark.parametrize("name", ["humaneval_plus", "mbpp", "mbpp_plus"])
def test_programs_of_a_chat_model_pass_when_they_are_right(name, chat):
    asked = {"humaneval_plus": "def add_{}x(", "mbpp": "add_{}x(-5)", "mbpp_plus": "add_{}x(1)"}[name]
    script = {asked.format(i): text for i, (text, _) in CODE_ANSWERS.items()}
    if name == "mbpp":  # examples of the prompt, which are answered nowhere
        script = {f"Task: Write a function to add {i}.": text for i, (text, _) in CODE_ANSWERS.items()}
    found = chat(name, f"{name}:prompt=chat", script)
    assert found.run_spec.extractor_spec.class_name.endswith(".CodeExtractor")
    assert find_declared_metric(found.run_spec.scenario_spec) == ("pass", "test")
    passed = means(found, "pass")
    truth = {
        f"HumanEval/{900 + i}" if name == "humaneval_plus" else f"mbpp{900 + i}": p
        for i, (_, p) in CODE_ANSWERS.items()
    }
    assert passed == {key: float(value) for key, value in truth.items()}


@pytest.mark.sandbox
def test_a_completion_model_of_mbpp_continues_after_examples(helm, tmp_path, monkeypatch):
    (tmp_path / "writer.py").write_text(
        "import re\n"
        "def write(prompt):\n"
        "    asked = prompt.rpartition('Task: ')[2]\n"
        "    number = re.search('add ([0-9]+)', asked)[1]\n"
        "    assert prompt.count('[DONE]') == 3 and prompt.endswith('[BEGIN]'), prompt\n"
        "    added = number if int(number) % 2 else '0'\n"
        "    return f'def add_{number}x(x):\\n    return x + {added}\\n[DONE]\\nTask: more'\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    found = helm("mbpp", "mbpp:model=python/writer.write")
    assert means(found, "pass") == {f"mbpp{900 + i}": float(i % 2) for i in range(1, 7)}


@pytest.mark.sandbox
def test_several_programs_of_one_task(helm, tmp_path, monkeypatch):
    (tmp_path / "turns.py").write_text(
        "import re\n"
        "numbers = iter(range(100))\n"
        "def write(prompt):\n"
        "    name = re.search('assert set.*(add_.x)', prompt)[1]\n"
        "    return f'def {name}(x):\\n    return x + {name[4]} + {next(numbers)}'\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    found = helm("mbpp_plus", "mbpp_plus:model=python/turns.write,num_outputs=4", "-m", "1")
    assert stat_of(found, "pass") == 0.25 and stat_of(found, "pass@4") == 1.0


def test_a_chat_model_says_yes_or_no(chat):
    script = {}
    for i in range(6):
        # Right verdicts but for 2, which is called wrong, and 3, which is called right.
        verdict = "yes" if i in (0, 3, 4) else "no"
        script[f'"{i + i % 2} cats, validation"'] = f"The passage says so.\n\n**Answer: {verdict.capitalize()}**"
    found = chat("multirc", "multirc:prompt=chat", script)
    assert found.run_spec.extractor_spec.class_name.endswith(".LastLineExtractor")
    # True are 0, 2, 4; said to be true 0, 3, 4.
    assert stat_of(found, "classification_micro_f1") == pytest.approx(2 / 3)


def test_a_chat_model_chooses_the_cause(chat):
    script = {f"validation {i} was wet.": f"It must be **{'A' if i < 3 else 'B'}**." for i in range(6)}
    found = chat("copa", "copa:prompt=chat", script)
    assert means(found, "exact_match") == {f"copa{i}_valid": float((i % 2 == 0) == (i < 3)) for i in range(6)}


@pytest.mark.parametrize(
    "answers, prompt, right",
    [
        (["key", "Key.", "box", '"key," he said'], "chat", 2),
        (["I think so.\nAnswer: key", "Answer: key.", "**Answer:** keys", "Answer: the key"], "chat", 2),
    ],
)
def test_the_last_word_of_a_chat_model(chat, answers, prompt, right):
    found = chat(
        "lambada",
        f'lambada:prompt={prompt},system_prompt="Write the word that comes next."',
        {f"Box {i} has": answer for i, answer in enumerate(answers)},
    )
    assert sum(means(found, "exact_match").values()) == right, json.dumps(means(found, "exact_match"))


@pytest.mark.parametrize(
    "said, word",
    [
        (" key and then", "key"),
        ('"Key," he', "Key"),
        ("don't", "don't"),
        (" \n", ""),
        ("(well...)", "well"),
        ("\u201ckey\u201d", "key"),
    ],
)
def test_the_first_word(said, word):
    from helm.benchmark.metrics.output_processors import take_first_word

    assert take_first_word(said) == word


@pytest.mark.parametrize(
    "entry, name",
    [
        ("humaneval_plus", "humaneval_plus"),
        ("humaneval+:timeout=20", "humaneval_plus"),
        ("humaneval_plus:timeout=5", "humaneval_plus:timeout=5"),
        ("mbpp", "mbpp:subset=full"),
        ("mbpp_sanitized:timeout=2.5", "mbpp:subset=sanitized,timeout=2.5"),
        ("mbpp+:timeout=60", "mbpp_plus:timeout=60"),
    ],
)
def test_another_limit_of_time_is_another_run(entry, name):
    separator = "," if ":" in entry else ":"
    (run_spec,) = construct_run_specs(parse_object_spec(f"{entry}{separator}model=simple/model1"))
    assert run_spec.name == f"{name}{',' if ':' in name else ':'}model=simple_model1"


@pytest.mark.sandbox
def test_a_program_has_the_time_that_the_entry_gives():
    instance = Instance(Input("q"), [], extra_data={"test": "slow()"}, id="id1")
    state = RequestState(
        instance, None, None, 0, None, Request(model="m", model_deployment="m"),
        RequestResult(True, [], [GeneratedOutput("import time\ndef slow():\n    time.sleep(1)", 0.0, [])], False), 0, False,
    )  # fmt: skip
    assert ProgramTestsMetric(timeout=0.2).score_state(state)[0] == ("pass", 0.0)
    assert ProgramTestsMetric(timeout=20).score_state(state)[0] == ("pass", 1.0)


def test_an_instance_without_tests_is_an_error_and_no_score():
    state = RequestState(
        Instance(Input("q"), [], extra_data={"tests": "x"}, id="id7"), None, None, 0, None,
        Request(model="m", model_deployment="m"), RequestResult(True, [], [GeneratedOutput("x = 1", 0.0, [])], False), 0, False,
    )  # fmt: skip
    with pytest.raises(MetricError, match="Instance id7: extra_data has no text 'test', .* It has tests."):
        ProgramTestsMetric.score_state(object.__new__(ProgramTestsMetric), state)
