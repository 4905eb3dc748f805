"""Shows the instances of a run, a page at a time, and everything about a single one."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from helm.benchmark.server.board_cells import make_cell
from helm.benchmark.server.epoch_table import describe_epochs
from helm.benchmark.server.instance_media import list_media
from helm.benchmark.server.instance_texts import (
    Text,
    cut,
    describe_annotations,
    message_texts,
    prompt_texts,
    tell_cost,
    tell_tokens,
)
from helm.benchmark.server.instance_verdict import find_choices, judge
from helm.benchmark.server.links import instance_link, page_link
from helm.benchmark.server.media_lead import judge_media, make_lead
from helm.benchmark.server.transcript_page import transcript
from helm.benchmark.server.unit_lookup import find_next_failed, find_unit
from helm.benchmark.server.viewer import Page, PageNotFound, Query, Viewer
from helm.benchmark.subjects import AD_TOOL, AGENT, COMPILER, LANGUAGE_MODEL, kind_of_request
from helm.common.errors import HelmError
from helm.results.index.index_folder import RunEntry
from helm.results.index.index_query import RunIndex, UnitFilter
from helm.results.index.state_texts import completion_text, completions_of, get_extracted, plain_text
from helm.results.metric_names import is_score, split_epoch_value_name
from helm.results.output_mapping import compile_pattern, map_answer
from helm.results.run_results import RunResults
from helm.results.statistics.intervals import WILSON

_SORTS = ("", "-score", "score", "-seconds", "seconds")
_OUTCOMES = ("answered", "empty", "failed", "filtered", "unsent")
_MAX_TEXT_CHARACTERS = 20_000
"""Maximum length of one text on an instance's page, unless the whole text is requested."""
_MAX_VERSIONS = 100
MOST_OTHERS = 30
"""Other subjects that a page of a run or an instance leads to; all are on the page of the scenario."""
_MOST_UNLIKE = 3
"""Columns of further metrics in the lists of an exported site."""


def read_filter(query: Query, metrics: Sequence[str], default_metric: str) -> UnitFilter:
    """Parse the conditions in a URL. Raises: BadQuery."""
    metric, unlike = query.get("metric") or default_metric, query.get("unlike")
    return UnitFilter(
        search=query.get("q"),
        split=query.get("split"),
        perturbation=query.get("perturbation"),
        outcome=query.choice("outcome", ("", *_OUTCOMES)),
        metric=metric if metric in metrics else "",
        low=query.number("low"),
        high=query.number("high"),
        unlike=unlike if unlike in metrics else "",
        sort=query.choice("sort", _SORTS),
    )


def main_metric(entry: RunEntry) -> str:
    """Return the metric that lists of instances show; empty if none is known."""
    main = entry.summary.get("main") or []
    return str(main[0]["name"]) if main else ""


def judged_metrics(entry: RunEntry) -> list[str]:
    """Return the metrics for which 1 means right and 0 wrong: main ones where higher is better."""
    return [str(item["name"]) for item in entry.summary.get("main") or [] if not item["lower_is_better"]]


def instances(viewer: Viewer, query: Query, path: str) -> Page:
    """Show a page of the instances of a run."""
    entry = viewer.entry(path)
    limit = query.integer("rows", viewer.settings.rows_per_page, 1, 1000)
    start = query.integer("start", 0)
    index = viewer.indexer.open_instances(path, wanted_rows=start + limit)
    values: dict[str, Any] = {"entry": entry, "start": start, "limit": limit, "outcomes": _OUTCOMES}
    values["judged"] = judged_metrics(entry)
    if index is None:
        return Page("instances.html", {**values, "state": None, "rows": []}, refresh_s=1)
    with index:
        metrics = index.state.metrics
        wanted = read_filter(query, metrics, main_metric(entry))
        unlike = _find_unlike(index, wanted) if viewer.settings.is_static else [wanted.unlike]
        shown_metrics = list(dict.fromkeys(filter(None, (wanted.metric, *unlike))))
        has_filter = bool(
            wanted.search or wanted.split or wanted.perturbation or wanted.outcome
            or wanted.low is not None or wanted.high is not None or wanted.unlike
        )  # fmt: skip
        values.update(
            state=index.state,
            rows=index.page(wanted, start, limit, shown_metrics),
            total=index.count(wanted),
            of=index.count(),
            wanted=wanted,
            has_filter=has_filter,
            shown_metrics=shown_metrics,
            metrics=[name for name in metrics if is_score(name)],
            splits=index.values("split"),
            perturbations=index.values("perturbation"),
            found_outcomes=index.values("outcome"),
            here=_here(path, query),
        )
    return Page("instances.html", values, refresh_s=None if index.state.is_final else 2)


def _find_unlike(index: RunIndex, wanted: UnitFilter) -> list[str]:
    """Return some metrics that differ from the one shown on some instances, for lists that are filtered in the browser."""
    found: list[str] = []
    for name in index.state.metrics if wanted.metric else ():
        if len(found) < _MOST_UNLIKE and is_score(name) and index.count(replace(wanted, unlike=name)):
            found.append(name)
    return found


_LIST_PARAMETERS = ("q", "split", "perturbation", "outcome", "metric", "low", "high", "unlike", "sort", "rows")


def _here(path: str, query: Query) -> Any:
    """Return a function that builds this page's URL with other values of some parameters."""
    given = {name: query.get(name) for name in _LIST_PARAMETERS}

    def link(**changes: Any) -> str:
        return page_link("instances", path, **{**given, **changes})

    return link


@dataclass
class Step:
    """One request with its response."""

    title: str

    texts: list[Text] = field(default_factory=list)

    facts: list[Any] = field(default_factory=list)
    """Pairs of name and value."""

    problem: str = ""

    raw: Any = None


def instance(viewer: Viewer, query: Query, path: str) -> Page:
    """Show one instance: the scenario's row, the prompt, the response, what was extracted from it, the scores."""
    entry = viewer.entry(path)
    index = viewer.indexer.open_instances(path, wanted_rows=10**9, wait_s=5.0)
    if index is None:
        return Page("indexing.html", {"entry": entry, "state": None}, refresh_s=1)
    with index:
        try:
            unit = find_unit(index, query)
        except PageNotFound:
            if index.state.is_final:
                raise
            return Page("indexing.html", {"entry": entry, "state": index.state}, refresh_s=2)
        limit = None if query.get("full") else _MAX_TEXT_CHARACTERS
        problem = ""
        states: list[Any] = []
        stats: list[Any] = []
        try:
            states, stats = index.read_states(unit.number), index.read_stats(unit.number)
        except (HelmError, OSError) as e:
            problem = str(e)
        numbers = {"previous": index.unit(unit.number - 1), "next": index.unit(unit.number + 1)}
        versions = [other for other in index.versions(unit.id)[:_MAX_VERSIONS] if other.number != unit.number]
        total = index.count()
        metrics = index.state.metrics
        cell = make_cell(entry)
        is_share = (
            cell.name == main_metric(entry)
            and cell.name in judged_metrics(entry)
            and cell.estimate is not None
            and cell.estimate.method == WILSON
        )
        can_fail = is_share or entry.subject_kind is AGENT
        next_failed = find_next_failed(index, unit, main_metric(entry)) if can_fail else None
    scores = _scores(stats, metrics)
    references = _references(states[0].get("instance") or {}, limit) if states else []
    choices = find_choices(states[0] if states else None, references, unit.mapped_output)
    references = [{**item, "choice": choice} for item, choice in zip(references, choices, strict=True)]
    values_by_name = {name: value for name, value, _ in scores["scores"]}
    metric = main_metric(entry)
    results = RunResults(viewer.indexer.folder.run_path(path))
    media = list_media(viewer, path, unit, states, values_by_name)
    lead = make_lead(media, states, values_by_name, references, _pads_pictures(results))
    verdict = judge(unit, metric, values_by_name, entry.unit(metric), is_share, references)
    steps = [_describe_step(state, number, len(states), results, limit) for number, state in enumerate(states, 1)]
    if lead:  # what stands first is not said again
        _drop_prompts(steps, ("", lead.prompt))
    values = {
        "entry": entry,
        "cell": cell,
        "unit": unit,
        "verdict_of_unit": judge_media(lead, verdict, values_by_name),
        "next_failed": next_failed,
        "lead": lead,
        "makes_pictures": bool(entry.summary.get("makes_pictures")),
        "judged": judged_metrics(entry),
        "total": total,
        "problem": problem or index.state.problem,
        "instance": states[0].get("instance", {}) if states else {},
        "steps": steps,
        "scenario_texts": _scenario_texts(states[0].get("instance") or {}, limit) if states else [],
        "references": references,
        "annotations": describe_annotations(states, limit),
        "scores": scores,
        "epochs": describe_epochs(states, stats, results),
        "versions": versions,
        "is_full": limit is None,
        "same_instance": _same_instance(viewer, entry, query),
        "full_link": instance_link(path, unit) + "&full=1",
        **numbers,
    }
    if entry.subject_kind is AGENT and states:
        return transcript(query, entry, unit, {**values, "states": states})
    return Page("instance.html", values, refresh_s=None)


def _drop_prompts(steps: Sequence[Step], known: Sequence[str]) -> None:
    for step in steps:
        step.texts = [text for text in step.texts if not (text.kind == "prompt" and text.text.strip() in known)]


def _pads_pictures(results: RunResults) -> bool:
    """Return whether metrics compare pictures of different sizes by padding them."""
    try:
        specs = results.run_spec.metric_specs
    except (HelmError, OSError):
        return False
    return any(isinstance(spec.args, dict) and spec.args.get("size_handling_method") == "padding" for spec in specs)


def _same_instance(viewer: Viewer, entry: RunEntry, query: Query) -> list[dict[str, str]]:
    """Return the same instance in the runs of other subjects, of the first ones if there are many."""
    given = {"id": query.get("id"), "p": query.get("p"), "trial": query.get("trial")}
    others = (
        other
        for other in viewer.indexer.folder.task_entries(entry.task)
        if other.path != entry.path and other.suite == entry.suite
    )
    return [
        {"subject": other.subject, "path": other.path, "link": page_link("instance", other.path, **given)}
        for other in islice(others, MOST_OTHERS)
    ]


def _json(value: Any) -> str:
    from helm.benchmark.server.formatting import pretty_json

    return pretty_json(value)


def _scenario_texts(instance: Mapping[str, Any], limit: int | None) -> list[Text]:
    texts = []
    found = instance.get("input")
    text = plain_text(found)
    if text:
        texts.append(cut("Input", text, limit, kind="question"))
    if isinstance(found, dict):
        rest = {key: value for key, value in found.items() if key != "text" and value not in (None, [])}
        for key, value in rest.items():
            texts.append(cut("Input: " + key, _json(value), limit, kind="json"))
            if key == "multimedia_content":  # its parts stand above
                texts[-1].fold = "Parts of the input as JSON"
    shown = ("input", "references", "split", "sub_split", "id", "perturbation")
    for key, value in instance.items():
        if key not in shown and value not in (None, [], {}):
            texts.append(cut(key, value if isinstance(value, str) else _json(value), limit, kind="json"))
    return texts


def _references(instance: Mapping[str, Any], limit: int | None) -> list[dict[str, Any]]:
    found = instance.get("references")
    rows = []
    for number, item in enumerate(found if isinstance(found, list) else []):
        item = item if isinstance(item, dict) else {"output": item}
        tags = item.get("tags")
        tags = [str(tag) for tag in tags] if isinstance(tags, list) else []
        rows.append(
            {"number": number, "text": cut("", plain_text(item.get("output")), limit), "tags": tags,
             "is_correct": "correct" in tags}
        )  # fmt: skip
    return rows


def _describe_step(state: Any, number: int, count: int, results: RunResults, limit: int | None) -> Step:
    """Describe a request state as stored in files, whatever its fields contain."""
    request, result = state.get("request"), state.get("result")
    request = request if isinstance(request, dict) else {}
    result = result if isinstance(result, dict) else None
    title = "Request" if count == 1 else f"Request {number} of {count}"
    about = [
        f"epoch {state['epoch']}" if state.get("epoch") is not None else "",
        f"reference {state['reference_index']}" if state.get("reference_index") is not None else "",
        str(state.get("request_mode") or ""),
    ]
    step = Step(title + "".join(f" · {text}" for text in about if text))
    kind = request.get("kind")
    step.raw = None if kind == COMPILER.request_kind else {"request": request, "result": result}
    if state.get("prompt_truncated"):
        step.facts.append(("Prompt", "was shortened to fit the model's window"))
    if state.get("num_train_instances"):
        step.facts.append(("Examples in the prompt", state["num_train_instances"]))
    if kind == AD_TOOL.request_kind:
        _describe_evaluation(step, request, result, limit)
    elif kind == COMPILER.request_kind:
        _describe_episode(step, request, result, limit)
    elif kind_of_request(kind) is LANGUAGE_MODEL:
        _describe_completion(step, state, request, result, results, limit)
    if result is None:
        step.problem = "There is no result: the request was not sent."
    elif not result.get("success", True):
        status = result.get("status") or result.get("outcome") or "failed"
        step.problem = f"{status}: {result.get('error') or 'no reason is given'}"
    return step


_SETTINGS = ("temperature", "max_tokens", "top_p", "num_completions", "stop_sequences", "random", "model_deployment")


def _describe_completion(
    step: Step, state: Any, request: Any, result: Any, results: RunResults, limit: int | None
) -> None:
    prompt, messages = request.get("prompt"), request.get("messages")
    truncation = "shortened: examples or text were left out" if state.get("prompt_truncated") else ""
    instance = state.get("instance")
    question = plain_text(instance.get("input")).strip() if isinstance(instance, dict) else ""
    if isinstance(messages, list):
        step.texts += message_texts(messages, question, limit, truncation)
    elif prompt is not None:
        text = prompt if isinstance(prompt, str) else _json(prompt)
        step.texts += prompt_texts(text, question, state.get("num_train_instances"), limit, truncation)
    if request.get("multimodal_prompt") is not None:
        step.texts.append(cut("Multimodal prompt", _json(request["multimodal_prompt"]), limit, kind="json"))
        step.texts[-1].fold = "The prompt as sent, as JSON"
    for name in _SETTINGS:
        if request.get(name) not in (None, [], ""):
            step.facts.append((name, _short_json(request[name])))
    options = request.get("options")
    for name, value in options.items() if isinstance(options, dict) else ():
        step.facts.append((str(name), _short_json(value)))
    if result is None:
        return
    completions = completions_of(result)
    for number, completion in enumerate(completions, 1):
        mark = "" if len(completions) == 1 else f" {number}"
        thinking = plain_text(completion.get("thinking"))
        if thinking:
            step.texts.append(cut(f"Thinking{mark}", thinking, limit, kind="thinking"))
            step.texts[-1].fold = f"Thinking{mark}, {len(thinking):,} characters"
        reason = completion.get("finish_reason")
        reason_text = str(reason.get("reason")) if isinstance(reason, dict) else ""
        note = f"ended: {reason_text}" if reason_text else ""
        text = completion_text(completion)
        if text or not completion.get("multimodal_content"):  # else the answer is the pictures, which stand first
            step.texts.append(cut(f"Response{mark}", text, limit, note, "response"))
        if completion.get("tool_calls"):
            step.texts.append(cut(f"tool_calls{mark}", _json(completion["tool_calls"]), limit, kind="json"))
        if completion.get("logprob"):
            value = completion["logprob"]
            step.facts.append((f"Log probability{mark}", f"{value:.4g}" if isinstance(value, (int, float)) else value))
    mapping, extracted = state.get("output_mapping"), get_extracted(state)
    for number, answer in enumerate(extracted or [], 1):
        mark = "" if extracted is None or len(extracted) == 1 else f" {number}"
        if isinstance(answer, str):
            step.texts.append(cut(f"Extracted{mark}", answer, limit, kind="extracted"))
        else:
            step.texts.append(cut(f"Extracted{mark}", "no answer was found: counts as wrong", limit, kind="extracted"))
    if isinstance(mapping, dict) and completions:
        spec = results.run_spec.adapter_spec
        pattern = compile_pattern(spec.output_mapping_pattern, results.path)
        mapped = map_answer(completion_text(completions[0]), extracted, mapping, pattern)
        how = (
            "the extracted answer is the label"
            if extracted is not None
            else "label found by the pattern " + str(spec.output_mapping_pattern)
            if pattern
            else "the whole text is the label"
        )
        choices = " · ".join(f"{key} = {value}" for key, value in mapping.items())
        shown = str(mapped) if mapped is not None else "no label of a choice: counts as no answer"
        step.texts.append(
            cut("Read as", shown, limit, f"{how}; {choices}", _mapped_kind(mapped, state.get("instance")))
        )
    step.facts += [
        (name, {True: "yes", False: "no"}[result[key]] if isinstance(result[key], bool) else result[key])
        for name, key in (("From the cache", "cached"), ("Outcome", "outcome"), ("Batch size", "batch_size"))
        if result.get(key) not in (None, "")
    ]
    if isinstance(result.get("request_time"), (int, float)):
        step.facts.append(("Time", f"{result['request_time']:.3g} s"))
    usage = result.get("usage")
    if isinstance(usage, dict):
        step.facts.append(("Tokens", tell_tokens(usage) or _short_json(usage)))
        cost = tell_cost(usage, str(request.get("model_deployment")))
        step.facts += [("Cost", cost)] if cost else []


def _mapped_kind(mapped: str | None, instance: Any) -> str:
    """Return `mapped right` or `mapped wrong` by the references of the instance; `mapped` if none is correct."""
    references = _references(instance, None) if isinstance(instance, dict) else []
    correct = [item["text"].text.strip() for item in references if item["is_correct"]]
    if not correct:
        return "mapped"
    return "mapped right" if mapped is not None and str(mapped).strip() in correct else "mapped wrong"


def _describe_evaluation(step: Step, request: Any, result: Any, limit: int | None) -> None:
    step.facts.append(("Function", f"{request.get('module')}::{request.get('function')}"))
    if request.get("description"):
        step.facts.append(("Workload", request["description"]))
    sent = (result or {}).get("resolved_input") if request.get("input_from") else request.get("input")
    step.texts.append(cut("Input sent", _json(sent), limit, kind="json"))
    if result is None:
        return
    step.texts.append(cut("Output", _json(result.get("output")), limit, kind="json"))
    timings = result.get("timings")
    times = [
        item["nanoseconds"] / 1e9
        for item in (timings if isinstance(timings, list) else [])
        if isinstance(item, dict)
        and item.get("name") == "evaluate"
        and isinstance(item.get("nanoseconds"), (int, float))
    ]
    if times:
        from helm.benchmark.server.formatting import seconds
        from helm.results.statistics.intervals import estimate_median

        found = estimate_median(times)
        assert found is not None
        text = seconds(found.value)
        if found.low is not None and found.high is not None:
            text += f" (95%: {seconds(found.low)} to {seconds(found.high)})"
        step.facts += [("Median time", text), ("Timed runs", len(times))]
    for key, value in (result.get("machine") or {}).items() if isinstance(result.get("machine"), dict) else ():
        step.facts.append((key, value))


def _describe_episode(step: Step, request: Any, result: Any, limit: int | None) -> None:
    for name in ("benchmark", "reward_space", "action_space", "max_steps", "seed"):
        if request.get(name) is not None:
            step.facts.append((name, request[name]))
    step.texts.append(cut("Policy", _json(request.get("policy")), limit, kind="json"))
    if result is None:
        return
    initial = result.get("initial_observations") if isinstance(result.get("initial_observations"), dict) else {}
    final = result.get("observations") if isinstance(result.get("observations"), dict) else {}
    actions, rewards = result.get("actions"), result.get("rewards")
    if isinstance(actions, list):
        gains = rewards if isinstance(rewards, list) and len(rewards) == len(actions) else [None] * len(actions)
        lines = [
            f"{number:4}  {action}" + (f"  {gain:+.6g}" if isinstance(gain, (int, float)) else "")
            for number, (action, gain) in enumerate(zip(actions, gains, strict=True), 1)
        ]
        step.texts.append(
            cut(f"Actions ({len(actions)})", "\n".join(lines), limit, "number, action, reward", "actions")
        )
    for name in dict.fromkeys([*initial, *final]):
        before, after = initial.get(name), final.get(name)
        if isinstance(before, str) or isinstance(after, str):
            step.texts.append(cut(f"{name} before", str(before), limit, kind="before"))
            step.texts.append(cut(f"{name} after", str(after), limit, kind="after"))
        elif isinstance(after, (int, float)) or isinstance(before, (int, float)):
            step.facts.append((name, f"{before} → {after}" if before != after else str(after)))
        else:
            step.texts.append(cut(f"{name} before", _short_json(before), limit, kind="before"))
            step.texts.append(cut(f"{name} after", _short_json(after), limit, kind="after"))


def _short_json(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError):
        return "nested too deeply to be shown"


def _scores(stats: Sequence[Any], metrics: Sequence[str]) -> dict[str, list[Any]]:
    """Return names and values, first of scores, then of bookkeeping metrics."""
    found: dict[str, list[Any]] = {"scores": [], "bookkeeping": []}
    seen = set()
    for entry in stats:
        for stat in entry.get("stats") or () if isinstance(entry, dict) else ():
            name = stat.get("name") if isinstance(stat, dict) else None
            if not isinstance(name, dict):
                continue
            key = str(name.get("name"))
            if key not in seen and split_epoch_value_name(key) is None:
                seen.add(key)
                value = stat.get("mean")
                found["scores" if is_score(key) else "bookkeeping"].append((key, value, stat.get("count")))
    return found
