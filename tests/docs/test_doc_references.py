"""Everything a user can type is in the reference."""

import argparse
import ast
import contextlib
import re
from importlib import import_module

import pytest

from docs_support import DOCS, ROOT
from perturbation_support import write_tables

ENTRIES = (DOCS / "reference-run-entries.md").read_text(encoding="utf-8")
COMMANDS = (DOCS / "reference-commands.md").read_text(encoding="utf-8")
FILES = (DOCS / "reference-files.md").read_text(encoding="utf-8")

PARSERS = {
    "helm-run": "helm.benchmark.run",
    "helm-summarize": "helm.benchmark.presentation.summarize",
    "helm-create-plots": "helm.benchmark.presentation.create_plots",
    "helm-compare": "helm.benchmark.commands.compare",
    "helm-gate": "helm.benchmark.commands.gate",
    "helm-export": "helm.benchmark.commands.export",
    "helm-query": "helm.benchmark.commands.query",
    "helm-import": "helm.benchmark.commands.import_results",
    "helm-server": "helm.benchmark.server.command",
    "helm-proxy-server": "helm.proxy.server",
    "helm-rescore": "helm.benchmark.commands.rescore",
    "helm-cache": "helm.benchmark.commands.manage_cache",
    "helm-data": "helm.benchmark.commands.manage_data",
    "helm-batch": "helm.benchmark.commands.manage_batches",
    "helm-watch": "helm.benchmark.commands.watch",
    "helm-runs": "helm.benchmark.commands.manage_runs",
    "gradbench": "helm.gradbench.main",
    "helm-compiler-service": "helm.compiler_gym.runtime.service_main",
    "helm-compiler-validate": "helm.compiler_gym.checks.validate_main",
}


def section(text: str, heading: str) -> str:
    """The text under a heading of the second level."""
    match = re.search(rf"^## [^\n]*{re.escape(heading)}[^\n]*\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert match, f"there is no section {heading}"
    return match[1]


def names_in(text: str) -> set[str]:
    """What stands between back quotes, in whole and by words."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    quoted = set(re.findall(r"`([^`\n]+)`", text))
    return quoted | {word.rstrip(",") for name in quoted for word in name.split()}


def flags(parser: argparse.ArgumentParser) -> set[str]:
    found = set()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, verb in action.choices.items():
                found |= {name} | flags(verb)
        elif action.help != argparse.SUPPRESS:
            found |= set(action.option_strings)
    return found


@pytest.mark.parametrize("command", PARSERS)
def test_every_flag_is_in_the_reference_and_no_other(command: str) -> None:
    parser = import_module(PARSERS[command]).build_parser()
    found, named = flags(parser), names_in(section(COMMANDS, command))
    assert not found - named - {"-h", "--help"}
    invented = {name for name in named if re.fullmatch(r"--?[a-z][\w-]*", name)} - found
    allowed = {"--help", "-O0", "-Oz"} | ({"-n", "--min-seconds"} if command == "gradbench" else set())
    assert not invented - allowed


def test_every_run_spec_is_in_the_reference_with_its_arguments() -> None:
    import inspect

    from helm.benchmark.run_spec import get_run_spec_function, get_run_spec_function_names

    rows = dict(re.findall(r"^\| `(\w+)` \|(.*)$", section(ENTRIES, "Run specs"), re.MULTILINE))
    own = [
        n
        for n in get_run_spec_function_names()
        if get_run_spec_function(n).__module__.startswith("helm.benchmark.run_specs.")
    ]
    assert len(own) >= 12
    for name in own:
        assert name in rows, name
        for parameter in inspect.signature(get_run_spec_function(name)).parameters.values():
            assert parameter.kind is parameter.VAR_KEYWORD or f"`{parameter.name}`" in rows[name], (name, parameter)


def test_the_tables_of_ad_evals_are_made_from_the_evals() -> None:
    from helm.gradbench.evals_page import with_tables

    page = (DOCS / "reference-ad-evals.md").read_text(encoding="utf-8")
    assert page == with_tables(page), "python -m helm.gradbench.evals_page docs/reference-ad-evals.md"
    assert "| `gradbench_gmm` |" in page and "| `gmm` |" in page


def test_the_page_of_scenarios_is_that_of_the_catalogue() -> None:
    from helm.benchmark.catalogue.catalogue_page import catalogue_page

    assert (DOCS / "reference-scenarios.md").read_text(encoding="utf-8") == catalogue_page(), (
        "python -m helm.benchmark.catalogue.catalogue_page > docs/reference-scenarios.md"
    )


def test_the_page_of_the_python_interface_is_made_from_its_docstrings() -> None:
    from helm.api.reference_page import reference_page

    assert (DOCS / "reference-python.md").read_text(encoding="utf-8") == reference_page(), (
        "python -m helm.api.reference_page"
    )


def test_every_expander_is_in_the_reference_with_its_values() -> None:
    from helm.benchmark.run_expander import RUN_EXPANDERS

    text = section(ENTRIES, "The subject") + section(ENTRIES, "Expanders")
    rows = dict(re.findall(r"^\| `(\w+)` \|(.*)$", text, re.MULTILINE))
    assert not set(RUN_EXPANDERS) - set(rows)
    for name, expander in RUN_EXPANDERS.items():
        values = [*getattr(expander, "values_dict", {}), *getattr(expander, "VALUES", {})]
        for value in values:
            assert f"`{value}`" in rows[name], (name, value)


def test_the_reference_says_which_expanders_change_the_name() -> None:
    from helm.benchmark.adaptation.adapter_spec import AdapterSpec
    from helm.benchmark.run_expander import RUN_EXPANDERS
    from helm.benchmark.run_spec import RunSpec
    from helm.benchmark.scenarios.scenario import ScenarioSpec

    rows = re.findall(r"^\| `(\w+)` \|.*\| (yes|no) \|$", section(ENTRIES, "Expanders"), re.MULTILINE)
    assert len(rows) > 20
    values = {
        "eval_split": "test", "instructions": "none", "prompt": "qa", "newline": "br", "stop": "hash",
        "add_to_stop": "newline",
        "global_prefix": "nlg", "follow_format_instructions": "all", "output_format_instructions": "math",
        "process_output": "a.b", "tokenizer": "a/b", "format_prompt": "x",
        "system_prompt": "x", "fewshot_as_turns": "true", "chat": "on", "top_p": 0.5, "reasoning_effort": "low",
        "response_format": "{}", "chat_template_kwargs": "{}", "extra_body": "{}",
        "extraction": "number", "extraction_pattern": "a", "reducer": "max",
    }  # fmt: skip
    run_spec = RunSpec("r:a=b", ScenarioSpec("x.Y"), AdapterSpec(method="generation"), [])
    for name, changes_name in rows:
        (expanded,) = RUN_EXPANDERS[name](values.get(name, 3)).expand(run_spec)
        assert (expanded.name != run_spec.name) == (changes_name == "yes"), name


def test_every_set_of_perturbations_is_in_the_reference_with_what_it_needs(tmp_path, monkeypatch) -> None:
    from helm.benchmark.augmentations.common_perturbation_specs import PERTURBATION_SPECS_DICT
    from helm.benchmark.augmentations.perturbation import create_perturbation
    from helm.common.errors import HelmError

    data = section(ENTRIES, "Expanders").split("### The data")[1].split("`data_augmentation` takes")[1]
    documented = [names_in(text) & set(PERTURBATION_SPECS_DICT) for text in data.split("\n\n")[1].split("\n- ")]
    assert sorted(PERTURBATION_SPECS_DICT) == sorted(name for names in documented for name in names)

    def working() -> set:
        found = set()
        for name, sets in PERTURBATION_SPECS_DICT.items():
            with contextlib.suppress(HelmError):
                for specs in sets.values():
                    for spec in specs:
                        create_perturbation(spec)
                found.add(name)
        return found

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HELM_OFFLINE", "1")
    monkeypatch.delenv("HELM_PERTURBATION_DATA", raising=False)
    assert working() == documented[0]
    monkeypatch.setenv("HELM_PERTURBATION_DATA", str(tmp_path))
    write_tables(tmp_path)
    assert working() == documented[0] | documented[1]


def test_every_model_group_is_in_the_reference() -> None:
    from helm.benchmark.model_groups import get_model_groups

    names = names_in(ENTRIES)
    groups = {name for name in get_model_groups() if not name.startswith("ablation_") and "/" not in name}
    assert not groups - names


def test_every_output_format_is_in_the_reference() -> None:
    from helm.benchmark.assembly import output_format_instructions as module

    names = names_in(ENTRIES)
    assert not {*module._JOINT, *module._GENERATION, *module._CHAIN_OF_THOUGHT, "legalbench"} - names


def test_every_tag_that_changes_runs_is_in_the_reference() -> None:
    tree = ast.parse((ROOT / "src/helm/benchmark/run_spec_factory.py").read_text(encoding="utf-8"))
    (function,) = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "_apply_tags"]
    tags = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and node.id.endswith("_TAG")}
    assert len(tags) > 8 and not tags - names_in(section(ENTRIES, "What tags"))


def test_every_environment_variable_is_in_the_reference() -> None:
    """String constants that look like variables of ours, wherever they are in the source."""
    found = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if not node.value.endswith("_TAG") and re.fullmatch(
                    r"(HELM|OPENAI)_[A-Z][A-Z_]*[A-Z]|LOG_LEVEL|NO_COLOR|CLICOLOR\w*", node.value
                ):
                    found.add(node.value)
    assert {"HELM_CREDENTIALS", "HELM_RETRIES", "OPENAI_BASE_URL"} <= found
    assert not found - names_in(section(COMMANDS, "Environment variables"))


def test_every_file_of_a_run_is_in_the_reference() -> None:
    from helm.benchmark.executing.request_journal import JOURNAL_FILE_NAME
    from helm.benchmark.running.run_writer import ERROR_FILE_NAME, RUN_FILE_NAMES
    from helm.results.coverage_note import COVERAGE_FILE_NAME

    headings = set(re.findall(r"^#+ (.*)$", FILES, re.MULTILINE))
    assert not set(RUN_FILE_NAMES) - names_in(FILES)
    assert not {ERROR_FILE_NAME, JOURNAL_FILE_NAME, COVERAGE_FILE_NAME} - headings


def test_every_field_of_the_coverage_is_in_the_reference() -> None:
    from dataclasses import fields

    from helm.results.coverage import (
        AnnotationCounts,
        Coverage,
        InstanceCounts,
        RequestCounts,
        StatCounts,
        VerdictCounts,
    )

    names = names_in(section(FILES, "coverage.json"))
    for cls in (Coverage, RequestCounts, InstanceCounts, AnnotationCounts, VerdictCounts, StatCounts):
        assert not {item.name for item in fields(cls)} - names, cls.__name__


def test_every_field_of_the_requests_and_results_is_in_the_reference() -> None:
    from dataclasses import fields

    from helm.benchmark.adaptation.request_state import RequestState
    from helm.common.episode_request import EpisodeRequest, EpisodeResult
    from helm.common.evaluate_request import EvaluateRequest, EvaluateResult
    from helm.common.request import Request, RequestResult

    names = names_in(FILES)
    for cls in (RequestState, Request, RequestResult, EvaluateRequest, EvaluateResult, EpisodeRequest, EpisodeResult):
        assert not {item.name for item in fields(cls)} - names, cls.__name__
