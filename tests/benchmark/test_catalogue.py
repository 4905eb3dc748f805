"""The built-in catalogue: the facts of HELM's, in its order, read fast and without the network."""

import json
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

import helm.config
from helm.benchmark import config_registry, model_deployment_registry, model_metadata_registry
from helm.benchmark.model_deployment_registry import (
    ALL_MODEL_DEPLOYMENTS,
    ModelDeployment,
    get_default_model_deployment_for_model,
    get_model_deployment,
    read_model_deployment,
)
from helm.benchmark.model_groups import get_model_group, get_model_groups
from helm.benchmark.model_metadata_registry import (
    ALL_MODELS_METADATA,
    DEPRECATED_MODEL_TAG,
    UNSUPPORTED_MODEL_TAG,
    ModelMetadata,
    get_all_models,
    get_model_metadata,
)
from helm.benchmark.tokenizer_config_registry import (
    ALL_TOKENIZER_CONFIGS,
    TOKENIZER_NAME_TO_CONFIG,
    TokenizerConfig,
)
from helm.clients.auto_client import AutoClient
from helm.clients.simple_client import SimpleClient
from helm.common.cache_backend_config import BlackHoleCacheBackendConfig
from helm.common.errors import ConfigError, HelmError, nearest
from helm.common.files import load_yaml
from helm.common.formats.json_lines_yaml import FIRST_LINE, read_json_lines_lists, read_json_lines_yaml
from helm.common.object_spec import get_class_by_name
from helm.results.schema import find_schema, get_default_schema_path, read_schema
from registries_support import empty_registries
from vectors_support import load_vectors

CONFIG = Path(next(iter(helm.config.__path__)))


@pytest.fixture(scope="module", autouse=True)
def catalogue():
    with empty_registries():
        config_registry.register_builtin_configs_from_helm_package()
        yield


def rows(name):
    vectors = load_vectors(f"helm-core/catalog/{name}.json")
    assert vectors["rows"]
    return [dict(zip(vectors["fields"], row, strict=True)) for row in vectors["rows"]]


def assert_in_order(expected, found):
    """Every expected item is found, in that order; others may stand between."""
    remaining = iter(found)
    for item in expected:
        assert any(item == other for other in remaining), item


# ---- The facts of HELM's catalogue


def test_vectors_models():
    expected = rows("models")

    def facts(model):
        released = model.release_date and model.release_date.isoformat()
        values = (model.name, model.display_name, model.creator_organization_name, model.access, released)
        return dict(zip(expected[0], (*values, model.num_parameters, model.tags), strict=True))

    assert_in_order(expected, [facts(model) for model in ALL_MODELS_METADATA])


def test_vectors_deployments_of_the_catalogue():
    expected = rows("deployments")

    def facts(deployment):
        window = deployment.window_service_spec
        return {
            **{key: getattr(deployment, key) for key in expected[0] if hasattr(deployment, key)},
            "client_class": deployment.client_spec.class_name,
            "client_args": deployment.client_spec.args,
            "window_service_class": window and window.class_name,
        }

    assert_in_order(expected, [facts(deployment) for deployment in ALL_MODEL_DEPLOYMENTS])


def test_vectors_tokenizers():
    expected = rows("tokenizers")

    def facts(config):
        spec = config.tokenizer_spec
        values = (config.name, spec.class_name, spec.args, config.end_of_text_token, config.prefix_token)
        return dict(zip(expected[0], values, strict=True))

    assert_in_order(expected, [facts(config) for config in ALL_TOKENIZER_CONFIGS])


def test_vectors_default_deployments():
    candidates = {}
    for row in rows("deployments"):
        candidates.setdefault(row["model_name"], []).append(row)
    for model_name, deployments in candidates.items():
        current = [row for row in deployments if not row["deprecated"]] or deployments
        assert get_default_model_deployment_for_model(model_name) == current[-1]["name"], model_name


def test_vectors_groups_keep_their_order():
    tag_of_group = {"text": "TEXT_MODEL_TAG", "vlm": "VISION_LANGUAGE_MODEL_TAG", "code": "CODE_MODEL_TAG"}
    models = rows("models")
    last = {row["name"]: row["tags"] for row in models}
    for group, tag in tag_of_group.items():
        gone = {DEPRECATED_MODEL_TAG, UNSUPPORTED_MODEL_TAG}
        expected = [row["name"] for row in models if tag in row["tags"] and not gone & set(last[row["name"]])]
        assert_in_order(expected, get_model_group(group))


# ---- It holds together


def test_every_model_in_use_has_a_deployment():
    for name in get_model_groups()["all"] + get_model_groups("tool")["all"] + get_model_groups("compiler")["all"]:
        assert get_default_model_deployment_for_model(name), name


def test_every_deployment_has_metadata_and_a_tokenizer_that_is_listed():
    for deployment in ALL_MODEL_DEPLOYMENTS:
        assert get_model_metadata(deployment.model_name).creator_organization_name != "Unknown"
        assert deployment.tokenizer_name is None or deployment.tokenizer_name in TOKENIZER_NAME_TO_CONFIG
        assert (deployment.tokenizer_name is None) == (deployment.max_sequence_length is None), deployment.name
        if deployment.window_service_spec:
            assert get_class_by_name(deployment.window_service_spec.class_name)


def test_every_tokenizer_class_exists():
    for class_name in {config.tokenizer_spec.class_name for config in ALL_TOKENIZER_CONFIGS}:
        assert get_class_by_name(class_name), class_name


def test_a_client_that_cannot_be_made_is_an_error_for_the_user(tmp_path):
    """One deployment of each client class: a client, or one clear message at the first request."""
    clients = AutoClient({}, str(tmp_path), BlackHoleCacheBackendConfig())
    by_class = {deployment.client_spec.class_name: deployment.name for deployment in ALL_MODEL_DEPLOYMENTS}
    made = []
    for class_name, name in by_class.items():
        if not class_name.startswith("helm.clients."):
            continue  # AD tools and compilers
        try:
            made.append(clients.get_client(name))
        except HelmError as e:
            ways_out = (class_name, "pip install", "credentials.conf")
            assert name in str(e) and any(way in str(e) for way in ways_out), e
    assert any(isinstance(client, SimpleClient) for client in made)


def test_every_model_is_described_in_a_sentence():
    for model in ALL_MODELS_METADATA:
        assert model.description.endswith(".") and len(model.description) > 20, model.name
        assert model.access in ("open", "limited", "closed")
        assert model.release_date is None or date(2018, 1, 1) <= model.release_date <= date(2026, 11, 21)


def test_names_are_registered_once_but_for_one_that_helm_has_twice():
    names = [model.name for model in ALL_MODELS_METADATA]
    assert {name for name in names if names.count(name) > 1} == {"inceptionai/jais-family-6p7b-chat"}
    names = [deployment.name for deployment in ALL_MODEL_DEPLOYMENTS]
    assert len(names) == len(set(names))


def test_a_deployment_registered_later_is_seen_at_once():
    before = get_default_model_deployment_for_model("openai/gpt2")
    deployment = ModelDeployment("here/gpt2", get_model_deployment(before).client_spec, model_name="openai/gpt2")
    with empty_registries():
        model_deployment_registry.register_model_deployment(deployment)
        assert get_default_model_deployment_for_model("openai/gpt2") == "here/gpt2"
    assert get_default_model_deployment_for_model("openai/gpt2") == before


@pytest.mark.parametrize(
    "name, expected",
    [
        ("meta/lama-3-70b", "meta/llama-3-70b"),
        ("gpt-4o-2024-05-13", "openai/gpt-4o-2024-05-13"),
        ("Meta/Llama-3-8B", "meta/llama-3-8b"),
        ("openai/gpt4o", "openai/gpt-4o-2024-05-13"),
        ("claude-sonnet-4.5", "anthropic/claude-sonnet-4-5-20250929"),
        ("simple/modle1", "simple/model1"),
        ("x" * 5000, None),
        ("", None),
    ],
)
def test_the_nearest_name_among_very_many(name, expected):
    assert nearest(name, get_all_models()) == expected


# ---- Reading


def test_the_fast_reader_gives_what_yaml_gives():
    import dacite

    models = load_yaml(str(CONFIG / "model_metadata.yaml"))["models"]
    fast = read_json_lines_yaml(str(CONFIG / "model_metadata.yaml"), "models", ModelMetadata)
    assert [dacite.from_dict(ModelMetadata, raw) for raw in models] == fast
    deployments = load_yaml(str(CONFIG / "model_deployments.yaml"))["model_deployments"]
    path = str(CONFIG / "model_deployments.yaml")
    read = read_json_lines_yaml(path, "model_deployments", ModelDeployment)
    assert [read_model_deployment(raw, "x") for raw in deployments] == read
    configs = load_yaml(str(CONFIG / "tokenizer_configs.yaml"))["tokenizer_configs"]
    path = str(CONFIG / "tokenizer_configs.yaml")
    read_configs = read_json_lines_yaml(path, "tokenizer_configs", TokenizerConfig)
    from helm.benchmark.tokenizer_config_registry import _read_tokenizer_config

    assert [_read_tokenizer_config(raw, "x") for raw in configs] == read_configs


def test_a_schema_of_json_lines_is_what_yaml_gives(tmp_path):
    keys = ("metrics", "perturbations", "metric_groups", "run_groups")
    found = read_json_lines_lists(find_schema("schema_classic.yaml"), keys)
    assert found == load_yaml(find_schema("schema_classic.yaml")) and all(found.values())
    assert read_json_lines_lists(get_default_schema_path(), keys) is None
    path = tmp_path / "schema.yaml"
    path.write_text(f'{FIRST_LINE}\nmetrics:\n  - {{"name": "a"}}\nextends: other.yaml\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="line 4: .*'perturbations:' or 'metric_groups:'"):
        read_schema(str(path))
    for wrong, place in (('  - {"name": "a"}\nmetrics:\n', 2), ('metrics:\n  - {"name": "a"}\nmetrics:\n', 4)):
        path.write_text(f"{FIRST_LINE}\n{wrong}", encoding="utf-8")
        with pytest.raises(ConfigError, match=f"line {place}: .*Without its first line the file is ordinary YAML"):
            read_schema(str(path))
    path.write_text(f'{FIRST_LINE}\nrun_groups:\n  - {{"name": \n', encoding="utf-8")
    with pytest.raises(ConfigError, match="line 3: "):
        read_schema(str(path))


def test_ordinary_yaml_is_left_to_the_yaml_reader(tmp_path):
    path = tmp_path / "model_metadata.yaml"
    path.write_text("models: []\n", encoding="utf-8")
    assert read_json_lines_yaml(str(path), "models", ModelMetadata) is None


@pytest.mark.parametrize(
    "line, expected",
    [
        ('  - {"name": "a/b",', "line 4: "),
        ('  - {"name": 3}', "line 4: .*str.*int"),
        ("  name: a/b", "line 4: expected"),
    ],
)
def test_a_bad_line_is_named(tmp_path, line, expected):
    path = tmp_path / "model_metadata.yaml"
    path.write_text(f"{FIRST_LINE}\n# comment\nmodels:\n{line}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=rf"model_metadata.yaml: {expected}"):
        model_metadata_registry.register_model_metadata_from_path(str(path))


EXPAND_EVERYTHING = """
import json, sys

def refuse(event, args):
    if event.startswith("socket.") and event != "socket.__new__":
        raise AssertionError(f"the network was asked for: {event} {args}")

sys.addaudithook(refuse)
from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.benchmark.model_groups import get_model_groups
from helm.benchmark.presentation.run_entry import RunEntry
from helm.benchmark.run import run_entries_to_run_specs

register_builtin_configs_from_helm_package()
counts = {}
for group in get_model_groups():
    entry = RunEntry(f"simple_mcqa:model={group}")
    counts[group] = len(run_entries_to_run_specs([entry], max_eval_instances=1))
unwanted = ["yaml", "urllib3", "transformers", "torch", "tiktoken", "socket"]
print(json.dumps([counts, [name for name in unwanted if name in sys.modules]]))
"""


def test_loading_and_expanding_the_whole_catalogue_needs_no_network():
    done = subprocess.run([sys.executable, "-c", EXPAND_EVERYTHING], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    counts, imported = json.loads(done.stdout.splitlines()[-1])
    assert counts["all"] == len(get_model_groups()["all"]) > 500 and counts["text"] > 400 and counts["vlm"] > 100
    assert imported == []
    assert len(get_all_models()) > counts["all"]
