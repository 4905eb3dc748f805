"""Finds the pictures, sounds and videos of an instance, and the files that a page may show.

Result files may come from anybody, and name any file. Only those below the folders of results and of the cache are shown, and
only if their first bytes are those of a picture, a sound or a video.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from helm.benchmark.server.links import perturbation_mark
from helm.benchmark.server.unit_lookup import find_unit
from helm.benchmark.server.viewer import Query, Viewer
from helm.common.data.media_store import MediaError, checked_type
from helm.results.index.index_build import completions_of

_KINDS = ("image", "audio", "video")
_UNSAFE_SCORES = ("nsfw_frac", "nudity_frac")
"""Metrics of which any share above 0 means that a generated picture was flagged."""


@dataclass(frozen=True)
class Media:
    """A picture, sound or video of an instance."""

    number: int

    kind: str
    """`image`, `audio` or `video`; empty if it cannot be shown."""

    place: str
    """Where it is from: `input`, `reference` or `response`."""

    location: str

    caption: str

    link: str = ""

    is_unsafe: bool = False
    """Whether a detector flagged it."""


def media_of(states: Sequence[Any]) -> Iterator[tuple[str, str, str]]:
    """Yield place, declared content type and location of the media of an instance, each location once for a place.

    The states are as in files, and may contain anything.
    """
    seen = set()
    for place, content in _contents(states):
        objects = content.get("media_objects") if isinstance(content, dict) else None
        for item in objects if isinstance(objects, list) else ():
            if not isinstance(item, dict) or not isinstance(item.get("location"), str):
                continue
            key = (place, item["location"])
            if key not in seen:
                seen.add(key)
                yield place, str(item.get("content_type")), item["location"]


def _contents(states: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    instance = states[0].get("instance") if states else None
    if isinstance(instance, dict):
        yield "input", _multimedia(instance.get("input"))
        references = instance.get("references")
        for item in references if isinstance(references, list) else ():
            yield "reference", _multimedia(item.get("output") if isinstance(item, dict) else None)
    for state in states:
        result = state.get("result")
        for completion in completions_of(result) if isinstance(result, dict) else ():
            yield "response", completion.get("multimodal_content")


def _multimedia(value: Any) -> Any:
    return value.get("multimedia_content") if isinstance(value, dict) else None


def list_media(viewer: Viewer, path: str, unit: Any, states: Sequence[Any], scores: Mapping[str, Any]) -> list[Media]:
    """Return the media of an instance, with the addresses of those that can be shown."""
    is_flagged = any(isinstance(scores.get(name), (int, float)) and scores[name] > 0 for name in _UNSAFE_SCORES)
    mark = perturbation_mark(unit.perturbation, unit.perturbation_key)
    found = []
    for number, (place, declared, location) in enumerate(media_of(states)):
        name = os.path.basename(location.rstrip("/"))[:100]
        file = find_media_file(viewer, location)
        if file is None:
            found.append(Media(number, "", place, location, f"{declared}: {name}"))
            continue
        file_path, content_type = file
        kind = content_type.partition("/")[0]
        size = f"{os.path.getsize(file_path) / 1000:,.0f} kB"
        query = f"id={quote(str(unit.id), errors='replace')}&n={number}"
        query += (f"&p={quote(mark)}" if mark else "") + (f"&trial={unit.trial}" if unit.trial else "")
        link = f"/media/{quote(path, errors='surrogateescape')}?{query}"
        is_unsafe = is_flagged and place == "response" and kind == "image"
        found.append(Media(number, kind, place, location, f"{name}, {content_type}, {size}", link, is_unsafe))
    return found


def find_media_file(viewer: Viewer, location: str) -> tuple[str, str] | None:
    """Return the real path and the content type of a file that may be shown; None for anything else."""
    if "\0" in location or "://" in location:
        return None
    folders = [viewer.output_path, *filter(None, [viewer.settings.media_folder])]
    roots = [os.path.realpath(folder) for folder in folders]
    for start in (
        "",
        os.path.dirname(viewer.output_path),
    ):  # relative to where the run was made, most often beside the results
        found = os.path.realpath(os.path.join(start, location))
        if any(found.startswith(root.rstrip(os.sep) + os.sep) for root in roots) and os.path.isfile(found):
            try:
                content_type = checked_type(found)
            except (MediaError, OSError):
                return None
            return (found, content_type) if content_type.partition("/")[0] in _KINDS else None
    return None


def find_requested(viewer: Viewer, query: Query, path: str) -> tuple[str, str] | None:
    """Return the file and its content type for an address of `Media.link`; None if there is none. Raises: HelmError."""
    index = viewer.indexer.open_instances(path, wanted_rows=10**9, wait_s=5.0)
    if index is None:
        return None
    with index:
        states = index.read_states(find_unit(index, query).number)
    wanted = query.integer("n", 0)
    locations = [location for _, _, location in media_of(states)]
    return find_media_file(viewer, locations[wanted]) if wanted < len(locations) else None
