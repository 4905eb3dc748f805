"""One file for models, tasks and settings: what it may say, what it means, and what its errors name."""

import json
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from helm.benchmark import run, run_settings
from helm.benchmark.assembly import config_file
from helm.benchmark.assembly.chat_run_expanders import read_object, read_text
from helm.benchmark.assembly.config_file import config_fields, is_config_file, read_config
from helm.benchmark.assembly.config_schema import config_schema, schema_text
from helm.benchmark.presentation.run_entry import RunEntry, read_run_entries
from helm.benchmark.run_settings import RunSettings
from helm.common.errors import ConfigError
from helm.common.object_spec import parse_object_spec

YAML = """\
# yaml-language-server: $schema=helm.schema.json
models: [baseline/ppm, simple/model1]
tasks:
- simple_mcqa
- {task: "dyck_language:num_parenthesis_pairs=2", arguments: {max_train_instances: 1}}
arguments: {max_train_instances: 2}
limit: 3
output: results
budget: {time: 5m, tokens: 1000000}
num_threads: 2
suite: mine
"""

TOML = """\
models = ["baseline/ppm", "simple/model1"]
tasks = ["simple_mcqa", {task = "dyck_language:num_parenthesis_pairs=2", arguments = {max_train_instances = 1}}]
limit = 3
output = "results"
num_threads = 2
suite = "mine"

[arguments]
max_train_instances = 2

[budget]
time = "5m"
tokens = 1_000_000
"""

SETTINGS = {
    "models_to_run": ["baseline/ppm", "simple/model1"],
    "run_entries": ["simple_mcqa:max_train_instances=2", "dyck_language:num_parenthesis_pairs=2,max_train_instances=1"],
    "max_eval_instances": 3,
    "output_path": "results",
    "max_time": "5m",
    "max_tokens_total": 1_000_000,
    "num_threads": 2,
    "max_in_flight": 2,
    "suite": "mine",
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def parsed(*words):
    return RunSettings.of(run.parse_args(list(words)))


@pytest.mark.parametrize("name, text", [("x.yaml", YAML), ("x.yml", YAML), ("x.toml", TOML), ("X.YAML", YAML)])
def test_a_file_gives_settings(folder, name, text):
    (folder / name).write_text(text)
    assert is_config_file(name) and read_config(name) == SETTINGS
    settings = parsed("-c", name)
    assert {key: getattr(settings, key) for key in SETTINGS} == SETTINGS and settings.conf_paths == []


def test_the_command_line_replaces_what_the_file_says(folder):
    (folder / "x.yaml").write_text(YAML + "price: ['1,2']\nconf_paths: [smoke]\n")
    settings = parsed("-c", "x.yaml", "-m", "all", "-n", "7", "--models-to-run", "a/b", "--price", "3,4")
    assert (settings.max_eval_instances, settings.num_threads, settings.max_in_flight) == (None, 7, 7)
    assert (settings.models_to_run, settings.price) == (["a/b"], ["3,4"])
    assert (settings.run_entries, settings.conf_paths) == (SETTINGS["run_entries"], ["smoke"])
    assert settings.suite == "mine"  # not that of the suite smoke
    other = parsed("-c", "x.yaml", "-r", "simple1")
    assert (other.run_entries, other.conf_paths, other.price) == (["simple1"], [], ["1,2"])


def test_files_of_run_entries_beside_it_are_added(folder):
    (folder / "x.yaml").write_text("models: m/n\nlimit: all\n")
    settings = parsed("-c", "x.yaml", "more.conf", "--suite", "s")
    assert settings.conf_paths == ["more.conf"] and settings.models_to_run == ["m/n"]
    assert settings.max_eval_instances is None


def test_a_suite_that_a_file_names_keeps_its_defaults(folder):
    (folder / "x.yaml").write_text("conf_paths: [smoke]\nlimit: 2\n")
    settings = parsed("-c", "x.yaml")
    assert (settings.conf_paths, settings.max_eval_instances, settings.suite) == (["smoke"], 2, "smoke")
    assert settings.models_to_run == ["baseline/ppm"]


def test_the_file_in_the_working_directory_is_used_and_named(folder, capsys):
    (folder / "helm.yaml").write_text(YAML)
    run.main([])
    shown = capsys.readouterr()
    assert shown.err.startswith("helm-run: using helm.yaml\n")
    names = {path.parent.name for path in folder.glob("results/runs/mine/*/stats.json")}
    assert names == {
        "simple_mcqa:max_train_instances=2,model=baseline_ppm",
        "simple_mcqa:max_train_instances=2,model=simple_model1",
        "dyck_language_np=2:max_train_instances=1,model=baseline_ppm",
        "dyck_language_np=2:max_train_instances=1,model=simple_model1",
    }


@pytest.mark.parametrize("words", [
    ["-r", "simple1", "-m", "1"], ["--run-ent", "simple1", "-m", "1"], ["-c", "smoke"], ["--list"], ["--describe", "gsm"],
])  # fmt: skip
def test_the_file_in_the_working_directory_is_left_alone_when_the_command_says_what_to_run(folder, words, capsys):
    (folder / "helm.yaml").write_text("models: [")
    parsed(*words)
    assert "helm.yaml" not in capsys.readouterr().err


def test_two_files_in_the_working_directory_are_an_error(folder, capsys):
    for name in ("helm.yaml", "helm.toml"):
        (folder / name).write_text("")
    with pytest.raises(SystemExit) as caught:
        run.main([])
    assert caught.value.code == 1
    assert "error: There are helm.yaml and helm.toml here; say which to use with -c." in capsys.readouterr().err


@pytest.mark.parametrize(
    "text, message",
    [
        ("modles: [a]", "x.yaml, line 1: modles: there is no key 'modles'. Did you mean 'models'?"),
        (
            "limit: 3\nnum_thread: 3",
            "x.yaml, line 2: num_thread: there is no key 'num_thread'. Did you mean 'num_threads'?",
        ),
        ("models: 3", "x.yaml, line 1: models: expected text or a list, got 3. Put it in quotes."),
        ("tasks:\n- a\n- 7", "x.yaml, line 3: tasks[1]: expected text or a mapping, got 7. Put it in quotes."),
        ("tasks:\n- {taks: a}", "x.yaml, line 2: tasks[0].taks: there is no key 'taks'. Did you mean 'task'?"),
        ("tasks:\n- {arguments: {a: 1}}", "x.yaml, line 2: tasks[0]: the key 'task' is missing."),
        ("tasks:\n- {task: a, arguments: {b: [1]}}", "x.yaml, line 2: tasks[0].arguments.b: expected text or "),
        ("tasks: ['a:b']", "x.yaml, line 1: tasks[0]: 'a:b' is no run entry (NAME:KEY=VALUE,KEY=VALUE): Expected "),
        ("tasks: [a]\narguments: {b: 'x,y'}", "tasks[0]: b: a value in a run entry ends at the next comma, so 'x,y' "),
        ("arguments: {b: 1}", "x.yaml, line 1: arguments: there are no tasks that they could belong to."),
        ("budget: {cost: cheap}", "x.yaml, line 1: budget.cost: expected a number, got the text 'cheap'."),
        ("budget:\n  cots: 3", "x.yaml, line 2: budget.cots: there is no key 'cots'. Did you mean 'cost'?"),
        ("limit: many", "x.yaml, line 1: limit: expected a whole number or all, got the text 'many'."),
        ("limit: true", "x.yaml, line 1: limit: expected a whole number or all, got true."),
        ("limit: 1.5", "x.yaml, line 1: limit: expected a whole number or all, got 1.5."),
        ("limit:", "x.yaml, line 1: limit: expected a whole number or all, got nothing."),
        ("offline: 'yes'", "x.yaml, line 1: offline: expected true or false, got the text 'yes'."),
        ("suite: 2026-01-01", "x.yaml, line 1: suite: expected text, got 2026-01-01. Put it in quotes."),
        ("suite: 7", "x.yaml, line 1: suite: expected text, got 7. Put it in quotes."),
        ("limit: 1\nlimit: 2", "x.yaml, line 2: limit: this key is there twice (line 1)."),
        ("limit: 1\nmax_eval_instances: 2", "x.yaml, line 2: max_eval_instances: 'limit' already says the same; "),
        ("max_cost: 1\nbudget: {cost: 2}", "x.yaml, line 2: budget.cost: 'max_cost' already says the same; "),
        ("[1, 2]", "x.yaml: expected keys such as models and tasks, got a list."),
        ("", "x.yaml: expected keys such as models and tasks, got nothing."),
        ("tasks: [a", ": not valid YAML: "),
        ("a: !!python/object:os.system x", "not valid YAML: could not determine a constructor for the tag"),
        ("list: gsm", "x.yaml, line 1: list: there is no key 'list'."),
        ("? [a]\n: 1", "x.yaml, line 1: "),
        ("[" * 100_000, "x.yaml, line 1: lists and mappings are nested more than 100 levels deep."),
        ("tasks: [a]\narguments: {extra_body: {d: 2026-01-01}}", "tasks[0]: extra_body: expected what JSON can hold: "),
        ("tasks: [a]\narguments: {1: 2}", "tasks[0]: no run entry can hold these arguments side by side: a:1=2"),
        ("tasks: [a]\narguments: {'b=c': 2}", "tasks[0]: no run entry can hold these arguments side by side: a:b=c=2"),
        ("&a [*a]", "x.yaml: expected keys such as models and tasks, got a list."),
    ],
)
def test_an_error_names_file_line_key_and_the_nearest_key(folder, text, message):
    (folder / "x.yaml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        read_config("x.yaml")
    assert message in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text, message",
    [
        ("limit = 3\nmodles = []", "x.toml, line 2: modles: there is no key 'modles'. Did you mean 'models'?"),
        ("limit = 3\n[budget]\ncots = 3", "x.toml, line 3: budget.cots: there is no key 'cots'. Did you mean 'cost'?"),
        (
            "[[tasks]]\ntask = 'a'\n[[tasks]]\ntsk = 3",
            "x.toml, line 4: tasks[1].tsk: there is no key 'tsk'. Did you mean 'task'?",
        ),
        ("limit = 3\nlimit = 4", "x.toml is not valid TOML: "),
        ("a = " + "[" * 100_000, "x.toml is not valid TOML: it is nested too deeply."),
    ],
)
def test_an_error_in_toml_names_the_same(folder, text, message):
    (folder / "x.toml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        read_config("x.toml")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "text, args",
    [
        (
            "tasks: [gsm]\narguments: {system_prompt: 'Be brief, and x=1,y=2.'}",
            {"system_prompt": "Be brief, and x=1,y=2."},
        ),
        ("tasks: [gsm]\narguments: {system_prompt: '\"Hi\", she said: {}'}", {"system_prompt": '"Hi", she said: {}'}),
        ('tasks: [gsm]\narguments: {system_prompt: "Zwei\\nZeilen, ü"}', {"system_prompt": "Zwei\nZeilen, ü"}),
        ("tasks: [gsm]\narguments: {system_prompt: '007'}", {"system_prompt": "007"}),
        (
            "tasks: [{task: gsm, arguments: {extra_body: {top_k: 20, stop: ['a,b=c', ':']}, max_tokens: 9}}]",
            {"extra_body": {"top_k": 20, "stop": ["a,b=c", ":"]}, "max_tokens": 9},
        ),
        (
            'tasks: [\'gsm:extra_body={"a": 1, "b": 2},chat=on\']\narguments: {seed: 3}',
            {"extra_body": {"a": 1, "b": 2}, "chat": "on", "seed": 3},
        ),
        (
            'tasks: [{task: \'gsm:extra_body={"a": 1, "b": 2}\', arguments: {extra_body: {c: 3}}}]',
            {"extra_body": {"c": 3}},
        ),
    ],
)
def test_texts_and_objects_reach_the_keys_that_take_them(folder, text, args):
    (folder / "x.yaml").write_text(text, encoding="utf-8")
    (entry,) = read_config("x.yaml")["run_entries"]
    found = parse_object_spec(entry).args
    assert list(found) == list(args)
    read = {"system_prompt": read_text, "extra_body": read_object}
    assert {key: read[key](key, value) if key in read else value for key, value in found.items()} == args


def test_a_missing_file_and_bad_bytes_are_errors(folder, capsys):
    with pytest.raises(SystemExit):
        run.main(["-c", "none.yaml"])
    assert "helm-run: error: No such file or directory: none.yaml\n" in capsys.readouterr().err
    (folder / "x.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="x.yaml is not UTF-8 text"):
        read_config("x.yaml")


def test_other_commands_read_the_run_entries_of_a_file(folder):
    (folder / "x.yaml").write_text("tasks: [gsm8k]\nconf_paths: [open_llm]\narguments: {a: true, b: 0.5}\n")
    entries = read_run_entries(["x.yaml"]).entries
    assert entries[-1] == RunEntry("gsm8k:a=True,b=0.5", priority=1) and entries[0] == RunEntry("ifeval")


# ---- Keys and schema


def test_every_setting_of_the_command_line_is_a_key_but_those_that_run_nothing():
    settings = {item.name for item in fields(RunSettings) if item.metadata}
    assert settings - set(config_fields()) == {"run_specs", "list", "modality", "describe", "print_schema"}
    assert all(doc for _, doc in config_fields().values())


def test_a_new_flag_is_a_key_and_in_the_schema(folder, monkeypatch):
    @dataclass(frozen=True, repr=False, eq=False)
    class More(RunSettings):
        tea: int = run_settings._flag("--tea", type=int, default=2, help="cups of tea")

    monkeypatch.setattr(config_file, "RunSettings", More)
    (folder / "x.yaml").write_text("tea: 3")
    assert read_config("x.yaml") == {"tea": 3}
    assert config_schema()["properties"]["tea"] == {"description": "cups of tea", "type": "integer"}


def test_the_schema_that_ships_is_the_generated_one(capsys):
    import helm.config

    path = Path(next(iter(helm.config.__path__))) / "helm.schema.json"
    assert path.read_text(encoding="utf-8") == schema_text(), (
        "python -m helm.benchmark.assembly.config_schema > src/helm/config/helm.schema.json"
    )
    run.main(["--print-schema"])
    assert capsys.readouterr().out == schema_text()


@pytest.mark.parametrize(
    "text, is_valid",
    [
        (YAML, True),
        ("tasks: gsm8k\nmodels: a/b\nlimit: all\nbatch_api: false\nprice: ['1,2']", True),
        ("modles: []", False),
        ("limit: many", False),
        ("tasks: [{arguments: {a: 1}}]", False),
        ("tasks: [{task: a, arguments: {a: [1]}}]", False),
        ("tasks: [a]\narguments: {extra_body: {top_k: 20, stop: [a]}}", True),
        ("budget: {cost: cheap}", False),
        ("suite: 7", False),
    ],
)
def test_the_schema_accepts_what_the_reader_accepts(folder, text, is_valid):
    jsonschema = pytest.importorskip("jsonschema")
    import yaml

    schema = json.loads(schema_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    assert jsonschema.Draft202012Validator(schema).is_valid(yaml.safe_load(text)) is is_valid
    (folder / "x.yaml").write_text(text)
    if is_valid:
        read_config("x.yaml")
    else:
        with pytest.raises(ConfigError):
            read_config("x.yaml")
