"""Scenarios that read data sets of the Hub and carry logic, on rows that the vectors do not have."""

import pytest

from data_server import data_server, jsonl_bytes
from helm.benchmark.scenarios.ewok_scenario import EWoKScenario
from helm.benchmark.scenarios.grammar_scenario import GrammarScenario
from helm.benchmark.scenarios.math_scenario import OFFICIAL_EXAMPLES, MATHScenario
from helm.benchmark.scenarios.open_assistant_scenario import OpenAssistantScenario
from helm.common.errors import ConfigError, ScenarioError


@pytest.fixture
def server(monkeypatch):
    with data_server() as server:
        for name in ("HELM_OFFLINE", "HF_HUB_OFFLINE", "HF_TOKEN"):
            monkeypatch.delenv(name, raising=False)
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        yield server


def serve(server, path, revision, **splits):
    server.add_dataset(path, {f"{split}.jsonl": jsonl_bytes(rows) for split, rows in splits.items()}, revision)


def serve_problems(server, train, test):
    columns = ("problem", "level", "type", "solution")
    splits = {
        name: [dict(zip(columns, row, strict=True)) for row in rows]
        for name, rows in {"train": train, "test": test}.items()
    }
    serve(server, "hendrycks/competition_math", "71b758ecc688b2822d07ffa7f8393299f1dc7cac", **splits)


def texts(instances):
    return [(one.split, one.input.text, [reference.output.text for reference in one.references]) for one in instances]


def test_problem_without_boxed_answer_is_left_out_and_counted(server, tmp_path, caplog):
    serve_problems(
        server,
        train=[("a", "Level 1", "Algebra", "no box"), ("b", "Level 1", "Algebra", "\\boxed{1} or \\boxed{{2}}")],
        test=[("c", "Level 1", "Algebra", "\\boxed{3}"), ("d", "Level 2", "Algebra", "\\boxed{4}")],
    )
    with caplog.at_level("WARNING", logger="helm"):
        instances = MATHScenario("algebra", "1").get_instances(str(tmp_path))
    assert texts(instances) == [("train", "b", ["{2}"]), ("test", "c", ["3"])]
    assert "1 of 2 train rows" in caplog.text


def test_official_examples_replace_the_train_split(server, tmp_path):
    serve_problems(server, [("a", "Level 1", "Geometry", "\\boxed{1}")], [("c", "Level 5", "Geometry", "\\boxed{3}")])
    instances = MATHScenario("geometry", "5", use_official_examples=True).get_instances(str(tmp_path))
    assert len(OFFICIAL_EXAMPLES) == 8
    assert texts(instances)[:8] == [("train", problem, [answer]) for problem, answer in OFFICIAL_EXAMPLES]
    assert texts(instances)[8:] == [("test", "c", ["3"])]


@pytest.mark.parametrize(
    "args, message",
    [
        (("algebr", "1"), "Did you mean 'algebra'"),
        (("algebra", "6"), "level takes one of 1, 2, 3, 4, 5, not '6'"),
        (("algebra", "1", True, True), "give one of"),
    ],
)
def test_bad_arguments_of_math(args, message):
    with pytest.raises(ConfigError, match=message):
        MATHScenario(*args)


def message(number, parent, role, text, lang="en", model_name=None):
    return {
        "message_id": number, "parent_id": parent, "text": text, "role": role, "lang": lang, "model_name": model_name,
    }  # fmt: skip


def serve_messages(server, train, validation):
    revision = "fdf72ae0827c1cda404aff25b6603abec9e3399b"
    serve(server, "OpenAssistant/oasst1", revision, train=train, validation=validation)


def test_replies_belong_to_the_first_message_wherever_they_stand(server, tmp_path):
    serve_messages(
        server,
        train=[
            message("b", "a", "assistant", "before its root"),
            message("a", None, "prompter", "Hello"),
            message("c", "b", "prompter", "not a first message"),
            message("d", "a", "prompter", "not an assistant"),
            message("e", "a", "assistant", "another language", lang="de"),
        ],
        validation=[message("f", None, "prompter", "Hallo", lang="de"), message("g", "x", "assistant", "no root")],
    )
    assert texts(OpenAssistantScenario("en").get_instances(str(tmp_path))) == [("train", "Hello", ["before its root"])]
    assert texts(OpenAssistantScenario("all").get_instances(str(tmp_path))) == [
        ("train", "Hello", ["before its root", "another language"]),
        ("valid", "Hallo", []),
    ]
    with pytest.raises(ScenarioError, match="language 'fr'. There are: de, en, and all"):
        OpenAssistantScenario("fr").get_instances(str(tmp_path))


def test_message_of_a_model_is_refused(server, tmp_path):
    serve_messages(
        server, [message("a", None, "prompter", "Hi", model_name="m1")], [message("b", None, "prompter", "x")]
    )
    with pytest.raises(ScenarioError, match="message a was written by the model m1"):
        OpenAssistantScenario("en").get_instances(str(tmp_path))


def test_ids_count_all_domains(server, tmp_path):
    rows = [
        {"Domain": domain, "Context1": "c1", "Context2": "c2", "Target1": f"{i} t1", "Target2": f"{i} t2"}
        for i, domain in enumerate(["physical-dynamics", "social-relations"])
    ]
    serve(server, "ewok-core/ewok-core-1.0", "34d912a608066c92e2990a0328ffc3bd9a716042", test=rows)
    instances = EWoKScenario("social_relations").get_instances(str(tmp_path))
    assert [(one.id, one.input.text) for one in instances[:2]] == [("id2", "1 t1"), ("id3", "1 t2")]
    assert [one.id for one in instances[2:]] == ["id4", "id5"]
    with pytest.raises(ConfigError, match="Did you mean 'social_relations'"):
        EWoKScenario("social_relation")


def test_grammar_of_the_original_is_fetched_when_it_is_not_there(server, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    url = "https://raw.githubusercontent.com/stanford-crfm/helm/v0.5.16/src/helm/benchmark/scenarios/"
    server.add_file(url + "best_chatgpt_prompts.yaml", b"rules: [{category: Root, expansions: [{text: fetched}]}]")
    path = "src/helm/benchmark/scenarios/best_chatgpt_prompts.yaml"
    assert texts(GrammarScenario(path).get_instances(str(tmp_path))) == [("test", "fetched", [])]


def test_row_that_lacks_a_column_is_named(server, tmp_path):
    serve(server, "ewok-core/ewok-core-1.0", "34d912a608066c92e2990a0328ffc3bd9a716042", test=[{"Domain": "x"}])
    with pytest.raises(ScenarioError, match="ewok: ewok-core/ewok-core-1.0, row 0: 'Context1' is missing"):
        EWoKScenario().get_instances(str(tmp_path))
    serve_messages(server, [{"message_id": "a"}], [{"message_id": "b"}])
    with pytest.raises(ScenarioError, match="split train: 'lang' is missing"):
        OpenAssistantScenario("en").get_instances(str(tmp_path))
