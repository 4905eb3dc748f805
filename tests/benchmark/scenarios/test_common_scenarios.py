"""Data sets that people name every day, which HELM lacks: made-up rows in the format of their source, read by the real loader."""

from typing import Any

import pytest

from helm.benchmark.run_spec import get_run_spec_function
from helm.common.errors import HelmError
from scenario_support import CaseEnvironment, case_environment, compact_instance, load_instances, make_requests
from suite_fixture_support import expanded_case

RIGHT = ["correct"]


def hub(path: str, splits: dict[str, Any], config: str | None = None, revision: str | None = None) -> dict[str, Any]:
    call = {"path": path, **({"config": config} if config else {}), **({"revision": revision} if revision else {})}
    entry = {"path": path, **({"config": config} if config else {}), "splits": splits}
    return {"hf": [entry], "hf_calls": [call]}


BBH = "https://raw.githubusercontent.com/suzgunmirac/BIG-Bench-Hard/main/bbh/navigate.json"
BBH_ROWS = [{"input": f"Step {i} ahead. Are you back?", "target": "No" if i else " Yes "} for i in range(5)]

CASES: dict[str, tuple[str, dict[str, Any], str, dict[str, Any], list[dict[str, Any]]]] = {
    # id: (run spec, arguments, scenario, data, instances)
    "arc": (
        "arc",
        {"subset": "ARC-Easy"},
        "arc",
        hub(
            "allenai/ai2_arc",
            {
                "train": [
                    {
                        "id": "a",
                        "question": "What melts?",
                        "choices": {"text": ["ice", "sand", "air", "fire"], "label": ["A", "B", "C", "D"]},
                        "answerKey": "A",
                    }
                ],
                "validation": [],
                "test": [
                    {
                        "id": "b",
                        "question": "What shines?",
                        "choices": {"text": ["mud", "the sun", "wool"], "label": ["1", "2", "3"]},
                        "answerKey": "2",
                    }
                ],
            },
            config="ARC-Easy",
        ),
        [
            {
                "input": "What melts?",
                "references": [["ice", RIGHT], ["sand", []], ["air", []], ["fire", []]],
                "split": "train",
                "id": "a",
            },
            {
                "input": "What shines?",
                "references": [["mud", []], ["the sun", RIGHT], ["wool", []]],
                "split": "test",
                "id": "b",
            },
        ],
    ),
    "winogrande": (
        "winogrande",
        {},
        "winogrande",
        hub(
            "allenai/winogrande",
            {
                "train": [
                    {
                        "sentence": "The cup did not fit because _ was big.",
                        "option1": "cup",
                        "option2": "box",
                        "answer": "1",
                    }
                ],
                "validation": [
                    {"sentence": "Ann thanked Eve, so _ smiled.", "option1": "Ann", "option2": "Eve", "answer": "2"}
                ],
            },
            config="winogrande_xl",
        ),
        [
            {
                "input": "The cup did not fit because _ was big.",
                "references": [["cup", RIGHT], ["box", []]],
                "split": "train",
            },
            {"input": "Ann thanked Eve, so _ smiled.", "references": [["Ann", []], ["Eve", RIGHT]], "split": "valid"},
        ],
    ),
    "squad": (
        "squad",
        {},
        "squad",
        hub(
            "rajpurkar/squad",
            {
                "train": [
                    {
                        "id": "t",
                        "title": "Oak",
                        "context": "Oaks are trees.",
                        "question": "What are oaks?",
                        "answers": {"text": ["trees"], "answer_start": [9]},
                    }
                ],
                "validation": [
                    {
                        "id": "v",
                        "title": "Owl",
                        "context": "Owls fly at night.",
                        "question": "When do owls fly?",
                        "answers": {"text": ["at night", "night", "at night"], "answer_start": [9, 12, 9]},
                    }
                ],
            },
        ),
        [
            {
                "input": "Oaks are trees.\nQuestion: What are oaks?",
                "references": [["trees", RIGHT]],
                "split": "train",
                "id": "t",
            },
            {
                "input": "Owls fly at night.\nQuestion: When do owls fly?",
                "references": [["at night", RIGHT], ["night", RIGHT]],
                "split": "valid",
                "id": "v",
            },
        ],
    ),
    "drop": (
        "drop",
        {},
        "drop",
        hub(
            "ucinlp/drop",
            {
                "train": [
                    {
                        "section_id": "s",
                        "query_id": "q1",
                        "passage": "Two cats and three dogs came.",
                        "question": "How many animals came?",
                        "answers_spans": {"spans": ["5"], "types": ["number"]},
                    }
                ],
                "validation": [
                    {
                        "section_id": "s",
                        "query_id": "q2",
                        "passage": "Ann won in May and in June.",
                        "question": "When did Ann win?",
                        "answers_spans": {"spans": ["May", "June"], "types": ["span", "span"]},
                    }
                ],
            },
        ),
        [
            {
                "input": "Two cats and three dogs came.\nQuestion: How many animals came?",
                "references": [["5", RIGHT]],
                "split": "train",
                "id": "q1",
            },
            {
                "input": "Ann won in May and in June.\nQuestion: When did Ann win?",
                "references": [["May", RIGHT], ["June", RIGHT]],
                "split": "valid",
                "id": "q2",
            },
        ],
    ),
    "trivia_qa": (
        "trivia_qa",
        {},
        "trivia_qa",
        hub(
            "mandarjoshi/trivia_qa",
            {
                "train": [
                    {
                        "question": "Which bird hoots?",
                        "question_id": "t1",
                        "answer": {"aliases": ["Owl", "Owls", "Strigiformes"], "value": "Owl"},
                    }
                ],
                "validation": [
                    {
                        "question": "Which tree has acorns?",
                        "question_id": "v1",
                        "answer": {"aliases": ["Oak"], "value": "Oak"},
                    }
                ],
            },
            config="rc.nocontext",
        ),
        [
            {
                "input": "Which bird hoots?",
                "references": [["Owl", RIGHT], ["Owls", RIGHT], ["Strigiformes", RIGHT]],
                "split": "train",
                "id": "t1",
            },
            {"input": "Which tree has acorns?", "references": [["Oak", RIGHT]], "split": "valid", "id": "v1"},
        ],
    ),
    "race": (
        "race",
        {"level": "middle"},
        "race",
        hub(
            "ehovy/race",
            {
                "train": [],
                "validation": [],
                "test": [
                    {
                        "example_id": "m1.txt",
                        "article": "Tom has a red bike.",
                        "question": "Tom's bike is _ .",
                        "options": ["blue", "red", "green", "old"],
                        "answer": "B",
                    }
                ],
            },
            config="middle",
        ),
        [
            {
                "input": "Tom has a red bike.\nQuestion: Tom's bike is _ .",
                "references": [["blue", []], ["red", RIGHT], ["green", []], ["old", []]],
                "split": "test",
            }
        ],
    ),
    "musr": (
        "multistep_soft_reasoning",
        {"task": "team_allocation"},
        "musr",
        hub(
            "TAUR-Lab/MuSR",
            {
                "team_allocation": [
                    {
                        "narrative": "Ann cooks, Bob sweeps.",
                        "question": "Who cooks?",
                        "choices": "['Ann', \"Bob's cat\"]",
                        "answer_index": 0,
                        "answer_choice": "Ann",
                    }
                ]
            },
            revision="7c365b439a222150f317764d4f16ae6c96d7d94a",
        ),
        [
            {
                "input": "Ann cooks, Bob sweeps.\n\nWho cooks?",
                "references": [["Ann", RIGHT], ["Bob's cat", []]],
                "split": "test",
            }
        ],
    ),
    "math_500": (
        "math_500",
        {},
        "math_500",
        hub(
            "HuggingFaceH4/MATH-500",
            {
                "test": [
                    {
                        "problem": "What is $1/2+1$?",
                        "solution": "It is $\\boxed{\\frac{3}{2}}$.",
                        "answer": "\\frac{3}{2}",
                        "subject": "Prealgebra",
                        "level": 2,
                        "unique_id": "test/prealgebra/7.json",
                    }
                ]
            },
            revision="6e4ed1a2a79af7d8630a6b768ec859cb5af4d3be",
        ),
        [
            {
                "input": "What is $1/2+1$?",
                "references": [["\\boxed{\\frac{3}{2}}", RIGHT]],
                "split": "test",
                "sub_split": "level 2",
                "id": "test/prealgebra/7.json",
            }
        ],
    ),
    "aime_2024": (
        "aime",
        {"year": 2024},
        "aime",
        hub(
            "Maxwell-Jia/AIME_2024",
            {"train": [{"ID": "2024-I-1", "Problem": " Find $70+3$. ", "Solution": "Add.", "Answer": 73}]},
            revision="8d88b2876a82a080e2f172cc9b25d0d9d2cb4792",
        ),
        [{"input": "Find $70+3$.", "references": [["73", RIGHT]], "split": "test"}],
    ),
    "aime_2025": (
        "aime",
        {},
        "aime",
        hub(
            "math-ai/aime25",
            {"test": [{"problem": "Which angle?", "answer": "036^\\circ", "id": "0"}]},
            revision="563bb8404243c5f09de6ec262f2db674fe5bce9b",
        ),
        [{"input": "Which angle?", "references": [["36", RIGHT]], "split": "test"}],
    ),
    "humaneval_plus": (
        "humaneval_plus",
        {},
        "humaneval_plus",
        hub(
            "evalplus/humanevalplus",
            {
                "test": [
                    {
                        "task_id": "HumanEval/900",
                        "prompt": 'def twice(x):\n    """Double x."""\n',
                        "canonical_solution": "    return 2 * x\n",
                        "entry_point": "twice",
                        "test": "def check(candidate):\n    assert candidate(2) == 4\n",
                    }
                ]
            },
            revision="d32357cf319e50e9c8d8dab5ea876c72b0fd321b",
        ),
        [
            {
                "input": 'def twice(x):\n    """Double x."""\n',
                "references": [["    return 2 * x\n", RIGHT]],
                "split": "test",
                "id": "HumanEval/900",
                "extra_data": {
                    "prompt": 'def twice(x):\n    """Double x."""\n',
                    "test": "def check(candidate):\n    assert candidate(2) == 4\n",
                    "entry_point": "twice",
                },
            }
        ],
    ),
    "mbpp_full": (
        "mbpp",
        {},
        "mbpp",
        hub(
            "google-research-datasets/mbpp",
            {
                "prompt": [
                    {
                        "task_id": 2,
                        "text": "Write a function to double a number.",
                        "code": "import math\r\ndef helper(x):\r\n  return x\r\ndef twice(x):\r\n  return 2 * helper(x)",
                        "test_list": ["assert twice(2) == 4", "assert twice(0) == 0"],
                        "test_setup_code": "",
                        "challenge_test_list": [],
                    }
                ],
                "test": [
                    {
                        "task_id": 11,
                        "text": "Write a function to sort the items of a set. ",
                        "code": "def ordered(items):\r\n  return sorted(items)",
                        "test_list": ["assert set(ordered({2, 1})) == {1, 2}"],
                        "test_setup_code": "ITEMS = {1, 2}",
                        "challenge_test_list": [],
                    }
                ],
            },
            config="full",
        ),
        [
            {
                "input": "Write a function to double a number.\nThe code has to pass these tests:\n"
                "assert twice(2) == 4\nassert twice(0) == 0",
                "references": [
                    ["import math\ndef helper(x):\n  return x\ndef twice(x):\n  return 2 * helper(x)", RIGHT]
                ],
                "split": "train",
                "id": "mbpp2",
                "extra_data": {"test": "\nassert twice(2) == 4\nassert twice(0) == 0", "entry_point": "twice"},
            },
            {
                "input": "Write a function to sort the items of a set.\nThe code has to pass these tests:\n"
                "assert set(ordered({2, 1})) == {1, 2}",
                "references": [["def ordered(items):\n  return sorted(items)", RIGHT]],
                "split": "test",
                "id": "mbpp11",
                "extra_data": {
                    "test": "ITEMS = {1, 2}\nassert set(ordered({2, 1})) == {1, 2}",
                    "entry_point": "ordered",
                },
            },
        ],
    ),
    "mbpp_sanitized": (
        "mbpp",
        {"subset": "sanitized"},
        "mbpp",
        hub(
            "google-research-datasets/mbpp",
            {
                "prompt": [],
                "test": [
                    {
                        "source_file": "made up.jsonl",
                        "task_id": 12,
                        "prompt": "Write a function to find the area of a circle.",
                        "code": "import math\ndef area(r):\n  return math.pi * r ** 2",
                        "test_imports": ["import math", "import sys"],
                        "test_list": ["assert math.isclose(area(1), math.pi)"],
                    }
                ],
            },
            config="sanitized",
        ),
        [
            {
                "input": "Write a function to find the area of a circle.\nThe code has to pass these tests:\n"
                "assert math.isclose(area(1), math.pi)",
                "references": [["import math\ndef area(r):\n  return math.pi * r ** 2", RIGHT]],
                "split": "test",
                "id": "mbpp12",
                "extra_data": {
                    "test": "import math\nimport sys\nassert math.isclose(area(1), math.pi)",
                    "entry_point": "area",
                },
            }
        ],
    ),
    "mbpp_plus": (
        "mbpp_plus",
        {},
        "mbpp_plus",
        hub(
            "evalplus/mbppplus",
            {
                "test": [
                    {
                        "task_id": 13,
                        "code": "\ndef twice(x):\n  return 2 * x\n",
                        "prompt": "Write a function to double a number.",
                        "source_file": "made up.jsonl",
                        "test_imports": [],
                        "test_list": ["assert twice(2) == 4", "assert twice(0) == 0"],
                        "test": "for x, y in [(2, 4), (-1, -2)]:\n    assert twice(x) == y\n",
                    }
                ]
            },
        ),
        [
            {
                "input": '"""\nWrite a function to double a number.\nassert twice(2) == 4\n"""\n',
                "references": [["def twice(x):\n  return 2 * x", RIGHT]],
                "split": "test",
                "id": "mbpp13",
                "extra_data": {
                    "test": "for x, y in [(2, 4), (-1, -2)]:\n    assert twice(x) == y\n",
                    "entry_point": "twice",
                },
            }
        ],
    ),
    "truthful_qa_mc1": (
        "truthful_qa_mc1",
        {},
        "truthful_qa_mc1",
        hub(
            "truthfulqa/truthful_qa",
            {
                "validation": [
                    {
                        "question": "Is the moon made of cheese?",
                        "mc1_targets": {"choices": ["No", "Yes"], "labels": [1, 0]},
                        "mc2_targets": {"choices": ["No", "It is rock", "Yes"], "labels": [1, 1, 0]},
                    }
                ]
            },
            config="multiple_choice",
            revision="741b8276f2d1982aa3d5b832d3ee81ed3b896490",
        ),
        [{"input": "Is the moon made of cheese?", "references": [["No", RIGHT], ["Yes", []]], "split": "valid"}],
    ),
    "supergpqa": (
        "supergpqa",
        {"difficulty": "hard"},
        "supergpqa",
        hub(
            "m-a-p/SuperGPQA",
            {
                "train": [
                    {
                        "uuid": name,
                        "question": "Which gas?",
                        "options": ["argon", "neon", "xenon", "radon", "helium"],
                        "answer": "helium",
                        "answer_letter": "E",
                        "difficulty": name,
                    }
                    for name in ("easy", "hard")
                ]
            },
        ),
        [
            {
                "input": "Which gas?",
                "references": [["argon", []], ["neon", []], ["xenon", []], ["radon", []], ["helium", RIGHT]],
                "split": "test",
                "id": "hard",
            }
        ],
    ),
    "global_mmlu": (
        "global_mmlu",
        {"language": "de"},
        "global_mmlu",
        hub(
            "CohereLabs/Global-MMLU",
            {
                split: [
                    {
                        "sample_id": f"anatomy/{split}/0",
                        "subject": "anatomy",
                        "question": "Was schlägt?",
                        "option_a": "Ohr",
                        "option_b": "Herz",
                        "option_c": "Knie",
                        "option_d": "Haar",
                        "answer": "B",
                    }
                ]
                for split in ("dev", "test")
            },
            config="de",
        ),
        [
            {
                "input": "Was schlägt?",
                "references": [["Ohr", []], ["Herz", RIGHT], ["Knie", []], ["Haar", []]],
                "split": split,
                "id": f"anatomy/{name}/0",
            }
            for name, split in (("dev", "train"), ("test", "test"))
        ],
    ),
    "mmlu_redux": (
        "mmlu_redux",
        {"subject": "anatomy"},
        "mmlu_redux",
        hub(
            "edinburgh-dawg/mmlu-redux-2.0",
            {
                "test": [
                    {
                        "question": f"What beats? {kind}",
                        "choices": ["ear", "knee", "heart", "hair"],
                        "answer": 2,
                        "error_type": kind,
                        "source": "",
                        "correct_answer": None,
                        "potential_reason": "",
                    }
                    for kind in ("ok", "wrong_groundtruth")
                ]
            },
            config="anatomy",
        ),
        [
            {
                "input": "What beats? ok",
                "references": [["ear", []], ["knee", []], ["heart", RIGHT], ["hair", []]],
                "split": "test",
            }
        ],
    ),
    "truthful_qa_mc2": (
        "truthful_qa_mc2",
        {},
        "truthful_qa_mc2",
        hub(
            "truthfulqa/truthful_qa",
            {
                "validation": [
                    {
                        "question": "Is the moon made of cheese?",
                        "mc1_targets": {"choices": ["No", "Yes"], "labels": [1, 0]},
                        "mc2_targets": {"choices": ["No", "It is rock", "Yes"], "labels": [1, 1, 0]},
                    }
                ]
            },
            config="multiple_choice",
            revision="741b8276f2d1982aa3d5b832d3ee81ed3b896490",
        ),
        [
            {
                "input": "Is the moon made of cheese?",
                "references": [["No", RIGHT], ["It is rock", RIGHT], ["Yes", []]],
                "split": "valid",
            }
        ],
    ),
    "copa": (
        "copa",
        {},
        "copa",
        hub(
            "aps/super_glue",
            {
                "train": [
                    {
                        "premise": "The street was wet.",
                        "choice1": "It had rained.",
                        "choice2": "Cars stopped.",
                        "question": "cause",
                        "idx": 0,
                        "label": 0,
                    }
                ],
                "validation": [
                    {
                        "premise": "I dropped the egg.",
                        "choice1": "It sang.",
                        "choice2": "It broke.",
                        "question": "effect",
                        "idx": 0,
                        "label": 1,
                    }
                ],
            },
            config="copa",
        ),
        [
            {
                "input": "The street was wet. What was the cause of this?",
                "references": [["It had rained.", RIGHT], ["Cars stopped.", []]],
                "split": "train",
                "id": "copa0_train",
            },
            {
                "input": "I dropped the egg. What happened as a result?",
                "references": [["It sang.", []], ["It broke.", RIGHT]],
                "split": "valid",
                "id": "copa0_valid",
            },
        ],
    ),
    "multirc": (
        "multirc",
        {},
        "multirc",
        hub(
            "aps/super_glue",
            {
                "train": [],
                "validation": [
                    {
                        "paragraph": "Ann has two cats, Bo and Cy.",
                        "question": "Who are Ann's cats?",
                        "answer": answer,
                        "idx": {"paragraph": 3, "question": 7, "answer": i},
                        "label": label,
                    }
                    for i, (answer, label) in enumerate([("Bo", 1), ("Dan", 0)])
                ],
            },
            config="multirc",
        ),
        [
            {
                "input": "Ann has two cats, Bo and Cy.\nQuestion: Who are Ann's cats?\n"
                f'Is the answer "{answer}" right, yes or no?',
                "references": [[verdict, RIGHT]],
                "split": "valid",
                "id": f"p3_q7_a{i}_valid",
            }
            for i, (answer, verdict) in enumerate([("Bo", "yes"), ("Dan", "no")])
        ],
    ),
    "sciq": (
        "sciq",
        {},
        "sciq",
        hub(
            "allenai/sciq",
            {
                "train": [],
                "validation": [],
                "test": [
                    {
                        "question": "What do bees make?",
                        "distractor3": "wool",
                        "distractor1": "silk",
                        "distractor2": "milk",
                        "correct_answer": "honey",
                        "support": "Bees make honey.",
                    }
                ],
            },
        ),
        [
            {
                "input": "What do bees make?",
                "references": [["milk", []], ["honey", RIGHT], ["silk", []], ["wool", []]],
                "split": "test",
            }
        ],
    ),
    "lambada": (
        "lambada",
        {},
        "lambada",
        hub(
            "EleutherAI/lambada_openai",
            {"test": [{"text": 'Ann looked at Bo.\n\n"Where is the key?" asked Ann. Bo had no  key '}]},
            config="default",
        ),
        [
            {
                "input": 'Ann looked at Bo.\n\n"Where is the key?" asked Ann. Bo had no',
                "references": [["key", RIGHT]],
                "split": "test",
            }
        ],
    ),
    "wikitext_2": (
        "wikitext_2",
        {},
        "wikitext_2",
        hub(
            "EleutherAI/wikitext_document_level",
            {"test": [{"page": " = Oak = \n \n Oaks are trees . \n"}]},
            config="wikitext-2-raw-v1",
        ),
        [{"input": " = Oak = \n \n Oaks are trees . \n", "references": [], "split": "test"}],
    ),
}


def load(name: str, environment: CaseEnvironment) -> Any:
    run_spec_name, args, _, _, _ = CASES[name]
    function = get_run_spec_function(run_spec_name)
    assert function is not None
    run_spec = function(**args)
    return run_spec, load_instances(run_spec, environment)[1]


def case_of(name: str, data: dict[str, Any]) -> dict[str, Any]:
    return expanded_case({"id": name, "scenario_name": CASES[name][2], **data})


@pytest.mark.parametrize("name", CASES)
def test_instances_are_those_of_the_rows(name, tmp_path, monkeypatch):
    _, _, _, data, expected = CASES[name]
    with case_environment(case_of(name, data), tmp_path, monkeypatch) as environment:
        run_spec, instances = load(name, environment)
        assert [compact_instance(instance) for instance in instances] == expected
        assert make_requests(run_spec, instances)


def test_three_rows_of_big_bench_hard_are_examples_and_all_others_are_asked(tmp_path, monkeypatch):
    import json

    text = json.dumps({"canary": "do not train on this", "examples": BBH_ROWS})
    data = {"files": {"navigate.json": text}, "downloads": [{"url": BBH, "to": "navigate.json"}]}
    case = expanded_case({"id": "bbh", "scenario_name": "big_bench_hard", **data})
    with case_environment(case, tmp_path, monkeypatch) as environment:
        function = get_run_spec_function("big_bench_hard")
        assert function is not None
        run_spec = function(task="navigate")
        instances = load_instances(run_spec, environment)[1]
        assert [instance.split for instance in instances] == ["train"] * 3 + ["test"] * 2
        assert [instance.references[0].output.text for instance in instances] == ["Yes", "No", "No", "No", "No"]
        (first, _) = make_requests(run_spec, instances)
        assert first["prompt"].count("Q: Step") == 4 and first["prompt"].endswith("Q: Step 3 ahead. Are you back?\nA:")


@pytest.mark.parametrize("name", CASES)
def test_rows_in_another_format_are_an_error_that_names_the_data(name, tmp_path, monkeypatch):
    _, _, _, data, _ = CASES[name]
    (entry,) = data["hf"]
    spoiled = {**entry, "splits": {split: [{"something": "else"}] for split in entry["splits"]}}
    with case_environment(case_of(name, {**data, "hf": [spoiled]}), tmp_path, monkeypatch) as environment:
        with pytest.raises(HelmError):
            load(name, environment)
