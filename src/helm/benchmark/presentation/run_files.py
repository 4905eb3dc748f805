"""Runs as lines of runs.json."""

import json
from typing import Any

from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.common.codec import asdict_without_nones, to_json_single_line
from helm.results.run_files.json_items import decode_json, read_bytes, read_json  # noqa: F401  # here for older imports
from helm.results.run_files.run_folder import RunFileError  # noqa: F401
from helm.results.run_files.run_reader import PerturbationTable, Run, RunReader, read_failure, read_run_spec  # noqa: F401
from helm.results.run_files.run_schema import stat_to_dict


class RunLines:
    """Renders runs as lines of runs.json. Caches what recurs: metric names, and specs for their own file."""

    def __init__(self) -> None:
        self._names: dict[MetricName, dict[str, Any]] = {}
        self.run_specs: list[str] = []
        """The specs of the runs rendered so far, one per line."""

    def render(self, run: Run) -> str:
        path, run_spec = json.dumps(run.run_path), to_json_single_line(run.run_spec)
        self.run_specs.append(run_spec)
        stats = json.dumps([self._plain_stat(stat) for stat in run.stats])
        return f'{{"run_path": {path}, "run_spec": {run_spec}, "stats": {stats}}}'

    def _plain_stat(self, stat: Stat) -> dict[str, Any]:
        name = self._names.get(stat.name)
        if name is None:
            name = self._names[stat.name] = asdict_without_nones(stat.name)
        data = stat_to_dict(name, stat)
        return {key: value for key, value in data.items() if value is not None} if None in data.values() else data
