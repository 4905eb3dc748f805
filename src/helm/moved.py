"""Keeps the old names of moved modules importable: importing an old path gives the module at the new one.

Plugins and scripts of version 0.1 use them. A new module belongs only in its folder; only moved modules are added here.
"""

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType

_FOLDERS = {
    "helm.benchmark": {
        "assembly": (
            "output_format_instructions prompt_run_expanders run_arguments run_entries run_expander_base run_listing"
        ),
        "catalogue": "catalogue_page catalogue_setup scenario_data",
        "commands": "manage_batches manage_cache manage_data manage_runs probe rescore watch",
        "executing": "capability_check execution prefix_order request_journal",
        "running": "estimate judge_settings ray_runner run_instances run_lock run_writer scoring",
    },
    "helm.benchmark.presentation": {
        "helm.benchmark.commands": "compare export gate",
        "plots": "figures plot_data run_plots",
        "schemas": "schema_completion schema_validation",
        "tables": "group_tables index_tables interval_cells run_table table_files table_rows terminal_tables",
    },
    "helm.clients": {
        "http": (
            "address_keys answer_errors aws_signature google_credentials http_client http_connections "
            "http_endpoint in_flight request_failure"
        ),
        "pacing": "concurrency_window failure_judge limiter outage pace queue_bound",
        "protocols": (
            "chat_completions_client message_parts openai_hosts openai_protocol openai_usage prompt_choices "
            "text_api_client"
        ),
    },
    "helm.common": {
        "budgets": "charges spending spending_file",
        "caching": (
            "cache_files cache_repair claims pending_answers plain_pickle shared_key_value_stores "
            "sqlite_connection sqlite_writer"
        ),
        "commands": "arguments closed_pipe command distribution_check output_path plugins",
        "data": (
            "allowed_hosts archives cleva_prompts column_types data_addresses data_files data_lock data_session "
            "data_stamps downloads http_transfer hub_datasets hub_files hub_folders hub_tables sqlite_harness "
            "sqlite_queries tables"
        ),
        "formats": "boxed_answer hocon json_lines_yaml json_reading number_text ppm",
        "processes": "append_log end_of_process file_lock timed_work",
        "telemetry": "progress progress_report",
    },
    "helm.compiler_gym": {
        "benchmarks": (
            "benchmark benchmark_cache benchmark_uri clang embedded_dataset generators llvm_benchmark "
            "program_files program_sets random_functions random_programs random_values tar_datasets"
        ),
        "checks": "failure_search program_check program_runner replay_check validate_main validation",
        "envs": (
            "compiler_env env_connection env_records env_session env_spaces env_state environment episode gcc_env "
            "gym_spaces llvm_derived llvm_env statistics step_info"
        ),
        "runtime": (
            "connection_pool conversions isolation server service service_client service_guard service_main "
            "service_process session session_table space_conversions"
        ),
    },
    "helm.results": {
        "comparison": "clusters comparability comparing gates task_matching",
        "index": "index_build index_folder index_query index_summary index_worker",
        "run_files": "coverage_file json_files json_items run_folder run_reader run_schema states",
    },
}
"""The names of moved modules by old package and by new folder, below the package or by full name."""

MOVED: dict[str, str] = {
    f"{package}.{name}": f"{folder if folder.startswith('helm.') else f'{package}.{folder}'}.{name}"
    for package, folders in _FOLDERS.items()
    for folder, names in folders.items()
    for name in names.split()
} | {
    "helm.benchmark.presentation.schema_lookup": "helm.results.metric_labels",
    "helm.benchmark.presentation.json_files": "helm.results.run_files.json_files",
    "helm.benchmark.presentation.number_text": "helm.common.formats.number_text",
    "helm.compiler_gym.batch": "helm.compiler_gym.envs.episode",
    "helm.gradbench.line_process": "helm.common.processes.line_process",
    "helm.common.systems": "helm.common.commands.command",
    "helm.common.commands.systems": "helm.common.commands.command",
    "helm.benchmark.extraction.thinking": "helm.common.formats.thinking",
    "helm.benchmark.run_collisions": "helm.benchmark.running.command_runs",
    "helm.benchmark.running.run_collisions": "helm.benchmark.running.command_runs",
}
"""The present names of modules by old name. Modules that only re-exported another one were replaced by it."""


def find_moved(name: str) -> ModuleSpec | None:
    """Return how to import a module by its old name; None if it never moved."""
    return ModuleSpec(name, _OldName()) if name in MOVED else None  # type: ignore[arg-type]


class _OldName:
    """Loads a moved module. It does not inherit from the abstract class, whose import would slow down every start."""

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def get_code(self, name: str) -> CodeType | None:
        """Return the code that `python -m OLD_NAME` runs."""
        from importlib.util import find_spec

        spec = find_spec(MOVED[name])
        assert spec is not None and spec.loader is not None
        return spec.loader.get_code(MOVED[name])  # type: ignore[attr-defined]

    def exec_module(self, module: ModuleType) -> None:
        # The import system returns the entry that it finds here afterwards: one module under two names, so that classes are
        # identical, and a value that a test or a plugin replaces is replaced for all users.
        sys.modules[module.__name__] = import_module(MOVED[module.__name__])
