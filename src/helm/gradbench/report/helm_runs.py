"""Reads measurements of tools from folders of `helm-run`."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import PerInstanceStats, Stat
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.scenarios.scenario import Instance
from helm.benchmark.specs import MetricSpec
from helm.common.errors import HelmError
from helm.common.evaluate_request import STATUS_UNDEFINED, EvaluateRequest, EvaluateResult, Timing
from helm.gradbench.report.measurements import UNANSWERED, Measurement, ToolRun, times_in_seconds
from helm.results.run_files.json_items import read_json, read_json_list
from helm.results.run_files.run_folder import (
    PER_INSTANCE_STATS_FILE_NAME,
    RUN_SPEC_FILE_NAME,
    SCENARIO_STATE_FILE_NAME,
    find_runs,
    stored_path,
)
from helm.results.run_files.run_schema import project

_MetricSpec = project(MetricSpec, "class_name", "args")
_RunSpec = project(RunSpec, metric_specs=(_MetricSpec, list))
_Request = project(EvaluateRequest, "module", "function", "description", kind=(str | None, None))
_Result = project(EvaluateResult, "success", "status", "machine", timings=list[Timing] | None)
_Instance = project(Instance, id=(str, ""))
_RequestState = project(RequestState, instance=_Instance, request=_Request, result=_Result)
_AdapterSpec = project(AdapterSpec, model=(str, ""))
_ScenarioState = project(ScenarioState, adapter_spec=_AdapterSpec, request_states=_RequestState)
_StatName = project(MetricName, "name")
_Stat = project(Stat, "sum", name=_StatName)
_InstanceStats = project(PerInstanceStats, "instance_id", stats=_Stat)


def read_helm_runs(folder: Path) -> Iterator[ToolRun]:
    """Return the runs of AD tools in a suite's folder. Raises: HelmError for files that cannot be read."""
    for found in find_runs(str(folder), depth=0):
        if SCENARIO_STATE_FILE_NAME in found.files:
            try:
                run = read_helm_run(found.path)
            except OSError as error:
                raise HelmError(f"{error.filename}: {error.strerror}") from error
            if run is not None:
                yield run


def read_helm_run(folder: str) -> ToolRun | None:
    """Read a run folder; None if the run is not of an AD tool. Raises: RunFileError; OSError."""
    state = read_json(stored_path(folder, SCENARIO_STATE_FILE_NAME), _ScenarioState)
    states = state.request_states
    if not states or any(s.request.kind != "evaluate" for s in states):
        return None
    valid = {
        item.instance_id: bool(stat.sum)
        for item in read_json_list(stored_path(folder, PER_INSTANCE_STATS_FILE_NAME), _InstanceStats)
        for stat in item.stats
        if stat.name.name == "valid"
    }
    found = tuple(_measurement(s, valid.get(s.instance.id)) for s in states)
    problem = STATUS_UNDEFINED if all(m.status == STATUS_UNDEFINED for m in found) else None
    machines = {tuple(s.result.machine.items()) for s in states if s.result is not None and s.result.machine}
    tool = state.adapter_spec.model.removeprefix("gradbench/").removeprefix("tool/")
    metrics = read_json(os.path.join(folder, RUN_SPEC_FILE_NAME), _RunSpec).metric_specs
    is_compat = any(spec.args.get("compat") for spec in metrics if spec.class_name.endswith(".ValidityMetric"))
    return ToolRun(states[0].request.module, tool, found, problem, frozenset(machines), not is_compat)


def _measurement(state: Any, valid: bool | None) -> Measurement:
    request, result = state.request, state.result
    if result is None:
        return Measurement(request.function, request.description, status=UNANSWERED)
    times = times_in_seconds(result.timings) if result.success else ()
    return Measurement(request.function, request.description, times, result.status, valid)
