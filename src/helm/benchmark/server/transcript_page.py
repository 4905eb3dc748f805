"""Shows episodes of agents: the transcript of one, and two side by side from where they part."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from helm.agents.events import read_events
from helm.benchmark.server.formatting import number as format_value
from helm.benchmark.server.formatting import seconds
from helm.benchmark.server.links import page_link, perturbation_mark
from helm.benchmark.server.unit_lookup import find_unit
from helm.benchmark.server.viewer import Page, PageNotFound, Query, Viewer
from helm.common.agent_request import CAUSES, EPISODE_OUTCOMES, INFRASTRUCTURE
from helm.common.commands.output_path import RUNS_FOLDER
from helm.common.formats.number_text import format_usd
from helm.results.index.index_folder import RunEntry
from helm.results.index.index_query import UnitRow
from helm.results.run_files.run_folder import ARTIFACTS_FOLDER_NAME, EPISODES_FOLDER_NAME
from helm.results.transcripts.turns import Turn, count_common, fold, read_turns, text_of

TURNS_PER_PAGE = 200
LANE_WIDTH = 624
_SHOWN = ("", "calls", "errors", "user")
_ARTIFACT = re.compile(ARTIFACTS_FOLDER_NAME + r"/\d+/[\w.-]+")
_MIN_SEGMENT = 1.5
_MAX_SEGMENTS = 2000


@dataclass(frozen=True)
class Segment:
    """A part of the time line: what happened for how long."""

    kind: str
    """`model`, `call`, `edit` or `error`."""

    start: float

    width: float


@dataclass
class Verdict:
    """How an episode ended, as a reader would say it."""

    tone: str
    """`good`, `bad`, `warn`, or empty."""

    word: str

    sentence: str = ""


@dataclass
class Episode:
    """A request state of an agent's run, for the page."""

    epoch: int | None

    request: Mapping[str, Any]

    result: Mapping[str, Any]

    verdict: Verdict = field(default_factory=lambda: Verdict("", "Not run"))

    @property
    def task(self) -> str:
        return text_of(self.request.get("task"))

    @property
    def title(self) -> str:
        return "Episode" if self.epoch is None else f"Epoch {self.epoch}"


def read_episodes(states: Sequence[Any]) -> list[Episode]:
    """Return the episodes of an instance from its request states, as in files."""
    found = []
    for state in states:
        request, result = state.get("request"), state.get("result")
        epoch = state.get("epoch")
        episode = Episode(epoch if isinstance(epoch, int) else None, _object(request), _object(result))
        if episode.result:
            episode.verdict = describe_verdict(episode.result)
        found.append(episode)
    return found


def describe_verdict(result: Mapping[str, Any]) -> Verdict:
    """Return how an episode ended, from its result as in files."""
    outcome, reward = text_of(result.get("outcome")), result.get("reward")
    if outcome == INFRASTRUCTURE or not result.get("success"):
        cause = CAUSES.get(text_of(result.get("cause")), "something that is not the agent failed")
        error = text_of(result.get("error"))
        return Verdict("warn", "Not scored", f"{cause[:1].upper()}{cause[1:]}{': ' + error if error else ''}.")
    ended = EPISODE_OUTCOMES.get(outcome, outcome)
    limit = result.get("limit")
    if isinstance(limit, dict):
        ended += f" ({text_of(limit.get('name'))}: {format_value(limit.get('limit'))})"
    sentence = f"{ended[:1].upper()}{ended[1:]}."
    if not isinstance(reward, (int, float)) or isinstance(reward, bool):
        return Verdict("", "No score", sentence)
    if reward >= 1:
        return Verdict("good", "✓ Solved", sentence)
    if reward <= 0:
        return Verdict("bad", "✗ Not solved", sentence)
    return Verdict("warn", "◐ Partly solved", f"Reward {format_value(reward)}. {sentence}")


def make_lane(turns: Sequence[Turn]) -> list[Segment]:
    """Return the time line of an episode, at most `LANE_WIDTH` wide."""
    parts: list[tuple[str, float]] = []
    for turn in turns:
        if turn.latency_s is not None:
            parts.append(("model", turn.latency_s))
        for call in turn.calls:
            kind = "error" if call.is_error or call.problem else "edit" if call.is_edit else "call"
            parts.append((kind, call.elapsed_s or 0.0))
    if not parts or len(parts) > _MAX_SEGMENTS:
        return []
    gap = 1.0 if len(parts) < LANE_WIDTH / 4 else 0.0
    shortest = min(_MIN_SEGMENT, LANE_WIDTH / len(parts) / 2)
    room = LANE_WIDTH - (gap + shortest) * len(parts)
    total = sum(length for _, length in parts) or 1.0
    segments, start = [], 0.0
    for kind, length in parts:
        width = shortest + room * max(0.0, length) / total
        segments.append(Segment(kind, round(start, 1), round(width, 1)))
        start += width + gap
    return segments


def transcript(query: Query, entry: RunEntry, unit: UnitRow, values: Mapping[str, Any]) -> Page:
    """Show one episode of an instance of an agent's run.

    Args:
        values: what the page of any instance shows.
    """
    episodes = read_episodes(values["states"])
    episode = _choose(episodes, query, "epoch")
    turns = read_turns(episode.result.get("events"))
    links = {
        "id": unit.id,
        "p": perturbation_mark(unit.perturbation, unit.perturbation_key),
        "trial": unit.trial or None,
    }

    def link(page: str = "instance", **changes: Any) -> str:
        return page_link(page, entry.path, **{**links, "epoch": episode.epoch, **changes})

    others = [
        (item, link(epoch=item.epoch), link("side_by_side", with_epoch=item.epoch) if item is not episode else "")
        for item in episodes
    ]
    return Page(
        "transcript.html",
        {
            **values,
            **_view(turns, query, link),
            "episode": episode,
            "epochs": others if len(others) > 1 else [],
            "use": _describe_use(episode),
            "rewards": _pairs(episode.result.get("rewards")),
            "checks": _pairs(episode.result.get("checks")),
            "log": _score_log(episode.result.get("events")),
            "state_change": _changes(_object(episode.result.get("state")).get("changes")),
            "artifacts": [_artifact(item, entry) for item in _list(episode.result.get("artifacts"))],
            "set_up": _describe_set_up(episode),
            "same_instance": [
                {**item, "side_by_side": link("side_by_side", **{"with": item["path"], "with_epoch": episode.epoch})}
                for item in values["same_instance"]
            ],
        },
    )


def _changes(found: Any) -> list[tuple[str, str | None]]:
    """Return the paths of what has changed in an environment's data with the new values as text; None if it was removed."""
    pairs = [item for item in _list(found) if isinstance(item, list) and len(item) >= 2]
    return [(text_of(item[0]) or "/", None if len(item) > 2 else text_of(item[1]) or "null") for item in pairs]


def _artifact(item: Any, entry: RunEntry) -> dict[str, Any]:
    """Return a file that an episode left, with the address from which it is downloaded, if it is one of the run's."""
    found = _object(item)
    file = str(found.get("file") or "")
    is_kept = _ARTIFACT.fullmatch(file) is not None
    link = page_link("benchmark_output", f"{RUNS_FOLDER}/{entry.path}/{file}", download=1) if is_kept else ""
    return {**found, "link": link}


def side_by_side(viewer: Viewer, query: Query, path: str) -> Page:
    """Show two episodes of the same task, of one run or of two, from where they part."""
    entry = viewer.entry(path)
    other_entry = viewer.entry(query.get("with") or path)
    sides: list[dict[str, Any]] = []
    for one, name in ((entry, "epoch"), (other_entry, "with_epoch")):
        index = viewer.indexer.open_instances(one.path, wanted_rows=10**9, wait_s=5.0)
        if index is None:
            return Page("indexing.html", {"entry": one, "state": None}, refresh_s=1)
        with index:
            unit = find_unit(index, query)
            episode = _choose(read_episodes(index.read_states(unit.number)), query, name)
        turns = read_turns(episode.result.get("events"))
        given = {"id": query.get("id"), "p": query.get("p"), "trial": query.get("trial")}
        link = page_link("instance", one.path, epoch=episode.epoch, **given)
        sides.append({"entry": one, "episode": episode, "turns": turns, "link": link})
    first, second = (side["turns"] for side in sides)
    common = count_common(first, second)
    values = {
        "entry": entry,
        "unit": unit,
        "sides": [{**side, "rest": side["turns"][common:][:TURNS_PER_PAGE]} for side in sides],
        "common": first[:common],
        "is_same": common == len(first) == len(second),
    }
    return Page("side_by_side.html", values)


def running(viewer: Viewer, query: Query, path: str) -> Page:
    """Show an episode that runs, or was interrupted, from its journal."""
    entry = viewer.entry(path)
    number = query.integer("episode", 0)
    folder = os.path.join(viewer.indexer.folder.run_path(path), EPISODES_FOLDER_NAME)
    found = read_events(os.path.join(folder, f"{number}.journal"))
    turns = read_turns(found)

    def link(**changes: Any) -> str:
        return page_link("running", path, **{"episode": number, **changes})

    values = {"entry": entry, "number": number, "num_events": len(found), **_view(turns, query, link)}
    return Page("running.html", values, refresh_s=2)


def list_running(run_path: str) -> list[int]:
    """Return the numbers of the episodes of a run that have begun and are not finished."""
    try:
        names = os.listdir(os.path.join(run_path, EPISODES_FOLDER_NAME))
    except OSError:
        return []
    stems = [name.removesuffix(".journal") for name in names if name.endswith(".journal")]
    return sorted(int(stem) for stem in stems if stem.isascii() and stem.isdigit())


def _view(turns: list[Turn], query: Query, link: Any) -> dict[str, Any]:
    """Return what the list of turns shows: filtered, searched, a page of it."""
    shown = query.choice("show", _SHOWN)
    search = query.get("q")
    counts = {
        "calls": sum(len(turn.calls) for turn in turns),
        "errors": sum(turn.num_errors for turn in turns),
        "user": sum(_has_user(turn) for turn in turns),
    }
    found = [turn for turn in turns if _is_shown(turn, shown) and turn.contains(search.lower().split())]
    start = query.integer("from", 0)
    page = found[start : start + TURNS_PER_PAGE]
    first_error = next((turn for turn in turns if turn.has_error), None)
    is_whole = not shown and not search
    return {
        "lane": make_lane(turns),
        "lane_width": LANE_WIDTH,
        "stretches": fold(page) if is_whole else [stretch for turn in page for stretch in fold([turn])],
        "filters": [(name, counts[name], link(show=name)) for name in _SHOWN[1:] if counts[name]],
        "all_link": link(),
        "shown": shown,
        "search": search,
        "num_turns": max(0, len(turns) - 1),
        "num_found": len(found),
        "start": start,
        "page_size": TURNS_PER_PAGE,
        "page_of": lambda begin: link(show=shown, q=search, **({"from": begin} if begin else {})),
        "first_error": first_error,
        "duration": turns[-1].at_s if turns else 0.0,
    }


def _is_shown(turn: Turn, shown: str) -> bool:
    if shown == "calls":
        return bool(turn.calls)
    if shown == "errors":
        return turn.has_error
    return _has_user(turn) if shown == "user" else True


def _has_user(turn: Turn) -> bool:
    return any(remark.kind == "user" for remark in turn.remarks)


def _choose(episodes: Sequence[Episode], query: Query, name: str) -> Episode:
    if not episodes:
        raise PageNotFound("This instance has no episode yet.")
    if not query.get(name):
        return episodes[0]
    wanted = query.integer(name, 0)
    for episode in episodes:
        if episode.epoch == wanted:
            return episode
    raise PageNotFound(f"This instance has no epoch {wanted}.")


_MEASURES = (
    ("turns", "Turns"),
    ("tool_calls", "Tool calls"),
    ("tokens", "Tokens"),
    ("cost_usd", "Cost"),
    ("seconds", "Time"),
)


def _describe_use(episode: Episode) -> list[tuple[str, str, str, float | None]]:
    """Return what was used of each limit: name, amount, limit, and the share in percent."""
    result, limits = episode.result, _object(episode.request.get("limits"))
    usage = [_object(value) for role, value in _object(result.get("usage")).items() if role in ("agent", "bridge")]
    counts = _object(result.get("counts"))
    tokens = sum(_number(item.get(name)) or 0 for item in usage for name in ("prompt_tokens", "completion_tokens"))
    costs = [_number(item.get("cost_usd")) for item in usage]
    used = {
        "turns": _number(counts.get("turns")),
        "tool_calls": _number(counts.get("tool_calls")),
        "tokens": tokens,
        "cost_usd": None if not costs or None in costs else sum(cost or 0.0 for cost in costs),
        "seconds": _number(result.get("elapsed_s")),
    }
    found = []
    for name, title in _MEASURES:
        amount, limit = used[name], _number(limits.get(name))
        shown = {"cost_usd": format_usd, "seconds": seconds}.get(name, format_value)
        text = "not known" if amount is None else shown(amount)
        share = None if amount is None or not limit else min(100.0, round(100 * amount / limit, 1))
        found.append((title, text, shown(limit) if limit else "", share))
    return found


def _describe_set_up(episode: Episode) -> list[tuple[str, str]]:
    request, result = episode.request, episode.result
    agent, environment = _object(request.get("agent")), _object(result.get("environment"))
    facts = [
        ("Agent", _class_name(agent)),
        ("Model", text_of(request.get("model_deployment"))),
        ("Environment", text_of(environment.get("name")) or _class_name(_object(request.get("environment")))),
        ("Check", _class_name(_object(request.get("check")))),
        ("User", _class_name(_object(request.get("user")))),
        ("Attack", _class_name(_object(request.get("attack")))),
        ("Task", text_of(request.get("task"))),
    ]
    counts = _object(result.get("counts"))
    for key, title in (
        ("tool_errors", "Tool errors"),
        ("invalid_tool_calls", "Invalid calls"),
        ("user_turns", "Replies of the user"),
    ):
        if counts.get(key):
            facts.append((title, format_value(counts[key])))
    if result.get("divergence") is not None:
        way = "another way than before" if result["divergence"] else "the same way as before"
        facts.append(("Resumed", f"at event {text_of(result.get('resumed_at'))}, {way}"))
    return [(name, text) for name, text in facts if text]


def _class_name(spec: Mapping[str, Any]) -> str:
    return text_of(spec.get("class_name")).rpartition(".")[2]


def _score_log(found: Any) -> str:
    scores = [event for event in _list(found) if isinstance(event, dict) and event.get("kind") == "score"]
    return text_of(scores[-1].get("log")) if scores else ""


def _pairs(value: Any) -> list[tuple[str, str]]:
    found = []
    for name, item in _object(value).items():
        is_number = isinstance(item, (int, float)) and not isinstance(item, bool)
        found.append((str(name), format_value(item) if is_number else text_of(item)))
    return found


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
