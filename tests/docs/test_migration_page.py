"""Every row of the page for users of HELM is tried by tests: here it is said by which."""

import ast
import re
from pathlib import Path

import pytest

from helm.benchmark.presentation.summarize import build_parser as summarize_parser
from helm.benchmark.run import build_parser as run_parser

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "migration-from-helm.md").read_text(encoding="utf-8")

TRIED_BY = {
    "`helm-run`, `helm-summarize`": """
        docs/test_migration_page.py::test_the_flags_of_helms_commands
        common/test_command.py::test_all_console_scripts_are_tried
        proxy/test_proxy_cli.py::test_accounts_from_creation_to_deletion""",
    "`from helm.benchmark.run import main`": """
        test_helm_surface.py::test_a_module_has_the_originals_names
        test_helm_imports.py::test_a_function_has_the_originals_parameters""",
    "run entries, conf files": """
        benchmark/test_suites.py::test_a_suite_of_helm_is_its_file_entry_for_entry
        benchmark/test_suites.py::test_a_suite_is_found_by_its_name_and_by_that_of_helms_file
        test_helm_sample.py::test_every_part_of_the_project_takes_part""",
    "`prod_env/credentials.conf`": "common/test_local_context.py::test_credentials_vectors",
    "`model_deployments.yaml`": "test_helm_sample.py::test_every_part_of_the_project_takes_part",
    "plugins that are imported": "test_helm_sample.py::test_every_part_of_the_project_takes_part",
    "`--schema-path`": """
        test_helm_sample.py::test_the_project_has_its_tables
        benchmark/presentation/test_shipped_schemas.py::test_schema_facts_vector""",
    "`prod_env/cache`": "benchmark/test_manage_cache.py::test_import_inspect_export_prune",
    "finished suites": "test_helm_sample.py::test_a_suite_of_the_original_is_summarized_again",
    "judges with HELM's wording": "common/test_helm_prompts.py::test_prompts_are_filled_in_as_helm_does",
    "published results": "results/test_published.py::test_a_release_at_an_address",
    "`python -m helm.benchmark.reeval_run`": "benchmark/test_reeval.py::test_items_follow_the_ability_and_the_test_stops",
    "`MultiGPURunner`, `SlurmRunner`": """
        benchmark/test_multi_gpu_runner.py::test_runs_are_spread_over_the_gpus
        benchmark/cluster/test_slurm_runner.py::test_a_job_that_is_lost_is_submitted_again_and_goes_on""",
    "redacted and encrypted": """
        benchmark/test_state_commands.py::test_redaction_leaves_no_text
        benchmark/test_state_commands.py::test_encryption_is_undone_by_the_key_alone""",
    "DSPy's prompts": "clients/test_dspy_client.py::test_what_is_sent_is_what_helm_sends",
}
"""Beginning of a row -> the tests."""

RUN_FLAGS = """
    --run-entries --conf-paths --models-to-run --groups-to-run --priority --exit-on-error --skip-completed-runs
    --runner-class-name --cache-instances --cache-instances-only --num-train-trials --max-eval-instances --suite --local-path
    --output-path --mongo-uri --disable-cache --dry-run --num-threads --skip-instances --api-key-path --server-url
    --enable-huggingface-models --enable-local-huggingface-models --log-config
"""
SUMMARIZE_FLAGS = """
    --output-path --schema-path --suite --release --suites --num-threads --debug --skip-completed-run-display-json --local-path
    --allow-unknown-models --summarizer-class-name --log-config
"""


def rows():
    return re.findall(r"^\| (?!in HELM|---)(.+?) \| (.+) \|$", PAGE, re.MULTILINE)


def test_each_row_is_tried():
    found = [begin for row, _ in rows() for begin in TRIED_BY if row.startswith(begin)]
    assert found == list(TRIED_BY) and len(found) == len(rows())


@pytest.mark.parametrize("test", sorted({test for tests in TRIED_BY.values() for test in tests.split()}))
def test_the_tests_are_there(test):
    path, _, name = test.partition("::")
    tree = ast.parse((ROOT / "tests" / path).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(("parser", "flags"), [(run_parser, RUN_FLAGS), (summarize_parser, SUMMARIZE_FLAGS)])
def test_the_flags_of_helms_commands(parser, flags):
    known = {flag for action in parser()._actions for flag in action.option_strings}
    assert set(flags.split()) <= known
