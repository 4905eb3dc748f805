"""What people write in the words of other programs: addresses as models, arguments under other names, keys in the wrong place."""

import json

import pytest

import helm
from helm.benchmark import run
from helm.benchmark.assembly.other_words import model_name, suggest_key
from helm.benchmark.assembly.run_entries import run_entries_to_run_specs
from helm.benchmark.presentation.run_entry import RunEntry
from helm.benchmark.run_expander import RUN_EXPANDERS
from helm.common.errors import ConfigError

ADDRESS = "http://localhost:1/v1"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def error_of(capsys, *words):
    with pytest.raises(SystemExit):
        run.main(list(words))
    return capsys.readouterr().err


def test_every_name_of_another_program_leads_to_a_key_that_there_is():
    from helm.benchmark.assembly import other_words

    assert set(other_words._KEYS.values()) <= set(RUN_EXPANDERS)
    assert not set(other_words._KEYS) & set(RUN_EXPANDERS)
    assert suggest_key("Num-Fewshot", RUN_EXPANDERS) == " Did you mean 'max_train_instances'?"
    assert suggest_key("temprature", RUN_EXPANDERS) == " Did you mean 'temperature'?"


def test_an_address_is_a_model_in_a_run_entry_and_for_models_to_run():
    by_address = run_entries_to_run_specs([RunEntry(f"simple_mcqa:model={ADDRESS}/#m")])
    assert by_address == run_entries_to_run_specs([RunEntry(f"simple_mcqa:model=openai-compat/m@{ADDRESS}")])
    assert by_address[0].adapter_spec.model_deployment == f"openai-compat/m@{ADDRESS}"
    assert model_name("openai/gpt-4o") == "openai/gpt-4o"


def test_models_to_run_takes_addresses(capsys):
    run.main(["-r", "simple_mcqa", "--models-to-run", f"{ADDRESS}#m", "-m", "1", "--dry-run"])
    assert "model=openai-compat_m " in capsys.readouterr().out


def test_an_address_without_a_name_is_an_error(capsys):
    text = error_of(capsys, "-r", f"simple_mcqa:model={ADDRESS}", "-m", "1")
    assert f"'{ADDRESS}' does not say which model of the server: expected {ADDRESS}#NAME" in text


@pytest.mark.parametrize(
    "words, message",
    [
        (["-r", "simple_mcqa:num_fewshot=2,model=simple/model1", "-m", "1"], "Did you mean 'max_train_instances'?"),
        (["-r", "simple_mcqa:prompt=chatt,model=simple/model1", "-m", "1"], "Unknown value: chatt. prompt takes helm, "),
        (["-r", "simple_mcqa:model=simple/model1", "--prompt", "chat"], "--prompt: prompt is a key of run entries: -r NAME"),
        (["-r", "simple_mcqa:model=simple/model1", "-m", "1", "--max-toknes-total", "3"], "did you mean --max-tokens-total?"),
    ],
)  # fmt: skip
def test_the_command_names_what_was_meant(words, message, capsys):
    assert message in error_of(capsys, *words)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"num_fewshot": 2}, "Did you mean 'max_train_instances'?"),
        ({"system_message": "x"}, "Did you mean 'system_prompt'?"),
        ({"budget": 3}, "use max_cost, max_tokens_total or max_time."),
        ({"stop": ["x"]}, r"stop takes one text or number, not \['x'\]."),
        ({"model": " "}, "model is an empty text"),
    ],
)
def test_python_names_what_was_meant(options, message):
    with pytest.raises(ConfigError, match=message):
        helm.evaluate("simple_mcqa", **{"model": "simple/model1", "limit": 1, **options})


def test_a_file_takes_commas_objects_and_addresses(folder, capsys):
    (folder / "x.yaml").write_text(
        f"models: {ADDRESS}#m\nlimit: 1\ndry_run: true\n"
        "tasks: [{task: 'simple_mcqa:seed=1', arguments: {extra_body: {a: [1, 2]}, temperature: 0.5}}]\n"
        "arguments: {system_prompt: 'Be careful, and brief.', seed: 2}\n"
    )
    from helm.benchmark.assembly.config_file import read_config

    (entry,) = read_config("x.yaml")["run_entries"]
    (run_spec,) = run_entries_to_run_specs([RunEntry(f"{entry},model=simple/model1")])
    adapter_spec = run_spec.adapter_spec
    assert adapter_spec.chat.system_prompt == "Be careful, and brief."
    assert adapter_spec.request_options.seed == 1 and adapter_spec.temperature == 0.5
    assert json.loads(json.dumps(adapter_spec.request_options.extra_body)) == {"a": [1, 2]}
    run.main(["-c", "x.yaml"])
    assert "model=openai-compat_m " in capsys.readouterr().out


@pytest.mark.parametrize(
    "text, message",
    [
        (
            "tasks: [a]\nprompt: chat",
            "line 2: prompt: there is no key 'prompt'. It is an argument of tasks: put it under",
        ),
        (
            "tasks: [a]\narguments: {extra_body: {c: 2020-01-01}}",
            "extra_body: expected what JSON can hold: Object of type date",
        ),
    ],
)
def test_a_file_names_what_was_meant(folder, text, message):
    from helm.benchmark.assembly.config_file import read_config

    (folder / "x.yaml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        read_config("x.yaml")
    assert message in str(caught.value)
