"""Finds the pictures, sounds and videos of an instance, and the files that a page may show.

Result files may come from anybody, and name any file. Only those below the folders of results and of the cache are shown, and
only if their first bytes are those of a picture, a sound or a video.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from helm.benchmark.server.links import perturbation_mark
from helm.benchmark.server.unit_lookup import find_unit
from helm.benchmark.server.viewer import Query, Viewer
from helm.common.data.media_store import MediaError, checked_type
from helm.common.formats.number_text import format_percent, format_size
from helm.common.optional_dependencies import OptionalDependencyNotInstalled
from helm.results.index.state_texts import completions_of, plain_text

_KINDS = ("image", "audio", "video")
_UNSEEN = ("image/tiff",)
"""Types that browsers do not show."""

FLAGS = {"nsfw_frac": "not safe for work", "nudity_frac": "nudity", "q16_inappropriate_frac": "inappropriate"}
"""Metrics of which any share above 0 means that a detector flagged a generated picture, and what it says of it."""

_COMPILER = "_compiler"
"""The end of the names of annotations with pictures that were made of the code in a response."""

_MADE = ("response", "compiled")
"""Places whose files have names that say nothing."""

_HASH = re.compile(r"[0-9a-f]{24,}|[0-9a-f-]{36}")
_MAX_ALT_CHARACTERS = 200


@dataclass(frozen=True)
class Media:
    """A picture, sound or video of an instance."""

    number: int

    kind: str
    """`image`, `audio` or `video`; empty if it cannot be shown."""

    place: str
    """Where it is from: `input`, `reference`, `response`, or `compiled` from a response."""

    location: str

    caption: str

    link: str = ""

    flags: tuple[str, ...] = ()
    """What detectors say of the pictures of this instance."""

    alt: str = ""

    size: tuple[int, int] | None = None
    """Width and height of a picture, if they can be read here."""

    path: str = ""
    """The file."""

    declared: str = ""
    """The kind that the run says it is of; what the file is counts where there is one."""


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
    for item in compiled_of(states):
        yield "compiled", {"media_objects": [item.get("media_object")]}


def compiled_of(states: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """Yield what compilers made of the responses: objects with `media_object` or `error`, which may contain anything."""
    for state in states:
        annotations = state.get("annotations")
        for name, value in annotations.items() if isinstance(annotations, dict) else ():
            if str(name).endswith(_COMPILER) and isinstance(value, list):
                yield from (item for item in value if isinstance(item, dict))


def is_compiler(annotation: str) -> bool:
    """Return whether an annotation of this name has pictures that were made of code."""
    return annotation.endswith(_COMPILER)


def _multimedia(value: Any) -> Any:
    return value.get("multimedia_content") if isinstance(value, dict) else None


def flags_of(scores: Mapping[str, Any], num_pictures: int = 1) -> tuple[str, ...]:
    """Return what detectors say of the pictures of an instance with these scores; they do not say which picture it is."""
    found = []
    for name, label in FLAGS.items():
        share = scores.get(name)
        if isinstance(share, (int, float)) and share > 0:
            found.append(
                label if num_pictures == 1 else f"{label} in {format_percent(min(1.0, share))} of the pictures"
            )
    return tuple(found)


def list_media(viewer: Viewer, path: str, unit: Any, states: Sequence[Any], scores: Mapping[str, Any]) -> list[Media]:
    """Return the media of an instance, with the addresses of those that can be shown."""
    found = [(*item, find_media_file(viewer, item[2])) for item in media_of(states)]
    counts = Counter((place, _kind_of(file)) for place, _, _, file in found)
    flags = flags_of(scores, counts["response", "image"])
    seen: Counter[tuple[str, str]] = Counter()
    media = []
    for number, (place, declared, location, file) in enumerate(found):
        name = os.path.basename(location.rstrip("/"))[:100]
        if file is None:
            kind = declared.partition("/")[0]
            media.append(Media(number, "", place, location, f"{declared}: {name}", declared=kind))
            continue
        file_path, content_type = file
        kind = _kind_of(file)
        seen[place, kind] += 1
        size = _size_of(file_path) if kind == "image" else None
        has_telling_name = place not in _MADE and not _HASH.fullmatch(name.rpartition(".")[0])
        facts = [
            f"{size[0]:,} × {size[1]:,}" if size else "",
            content_type.rpartition("/")[2].upper(),
            format_size(os.path.getsize(file_path)),
            name if has_telling_name else "",
        ]
        of = f" {seen[place, kind]} of {counts[place, kind]}" if counts[place, kind] > 1 else ""
        told = _describe(place, unit, states) or (name if has_telling_name else "")
        media.append(
            Media(
                number,
                kind,
                place,
                location,
                " · ".join(filter(None, facts)),
                media_link(path, unit, number),
                flags if place == "response" and kind == "image" else (),
                _ALTS.get(place, "Picture{}").format(of) + (f": {told}" if told else ""),
                size,
                file_path,
            )
        )
    return media


def _kind_of(file: tuple[str, str] | None) -> str:
    """Return the kind of a file that was found with its content type; empty for what browsers do not show."""
    return "" if file is None or file[1] in _UNSEEN else file[1].partition("/")[0]


_ALTS = {
    "input": "Picture{} in the input",
    "reference": "Picture{} of the reference",
    "response": "Generated picture{}",
    "compiled": "Picture{} compiled from the response",
}


def _describe(place: str, unit: Any, states: Sequence[Any]) -> str:
    """Return what the data say of a picture, for those who do not see it."""
    text = ""
    if place == "response":
        text = unit.input
    elif place == "compiled":
        text = next((plain_text(item) for item in compiled_of(states) if plain_text(item)), "")
    elif any(True for _ in compiled_of(states)):
        text = unit.reference  # the text of the picture
    return " ".join(text.split())[:_MAX_ALT_CHARACTERS]


def _size_of(path: str) -> tuple[int, int] | None:
    from helm.common.data.pictures import PictureError, size_of

    try:
        return size_of(path)
    except (PictureError, OptionalDependencyNotInstalled, OSError):
        return None


def media_link(path: str, unit: Any, number: int) -> str:
    """Return the address of one of the media of an instance; `unit` is its row, `number` counts as `media_of` does."""
    mark = perturbation_mark(unit.perturbation, unit.perturbation_key)
    query = f"id={quote(str(unit.id), errors='replace')}&n={number}"
    query += (f"&p={quote(mark)}" if mark else "") + (f"&trial={unit.trial}" if unit.trial else "")
    return f"/media/{quote(path, errors='surrogateescape')}?{query}"


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
