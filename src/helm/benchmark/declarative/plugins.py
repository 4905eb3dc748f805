"""Loads what `--plugins` names: Python modules, and YAML files of entries or of lm-evaluation-harness tasks."""

from collections.abc import Sequence

from helm.benchmark.declarative.catalogue import register_file
from helm.benchmark.declarative.lm_eval_reading import is_lm_eval_file
from helm.benchmark.declarative.lm_eval_run_spec import register_lm_eval_task
from helm.common.commands.plugins import import_user_plugins


def load_plugins(paths_or_names: Sequence[str]) -> None:
    """Import modules and register files of entries, in order.

    Raises: ConfigError for a missing file, EntryError for an invalid one; whatever a module raises.
    """
    for path_or_name in paths_or_names:
        if path_or_name.endswith((".yaml", ".yml")):
            (register_lm_eval_task if is_lm_eval_file(path_or_name) else register_file)(path_or_name)
        else:
            import_user_plugins([path_or_name])
