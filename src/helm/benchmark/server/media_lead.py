"""What stands first on the page of an instance with pictures or sounds: pages beside their reference, recordings, pictures."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from helm.benchmark.server.formatting import seconds
from helm.benchmark.server.instance_media import Media, compiled_of
from helm.benchmark.server.instance_verdict import NO_MAIN_SCORE, Verdict, title_metric
from helm.benchmark.server.transcript_words import ComparedWords, compare_words, judge_words
from helm.common.formats.sound_head import read_outline, read_sound_head
from helm.common.media_object import TEXT_TYPE
from helm.results.index.state_texts import plain_text

_NUM_BARS = 150
_BLOCK_EMD = "block_emd"
_MOST_LINES = 400
"""Longer sources are not compared line by line."""
_MAX_QUOTED_CHARACTERS = 300


@dataclass(frozen=True)
class Recording:
    """A sound, with what its head says."""

    media: Media

    facts: str = ""
    """How long it is, and how it was sampled; empty if that is not known."""

    bars: tuple[float, ...] = ()
    """Its outline, from 0 to 1; none for compressed sounds."""


@dataclass(frozen=True)
class Compiled:
    """What a compiler made of one response."""

    title: str

    made: Media | None

    error: str = ""
    """Why there is no picture."""

    lines: tuple[tuple[str, str], ...] = ()
    """The source of the reference and that of the response as lines, each with `same`, `del` or `add`."""

    num_differences: int = 0

    overlay: "Overlay | None" = None
    """How its picture lies over that of the reference; None if sizes are not known."""


@dataclass(frozen=True)
class Overlay:
    """Two pictures in one frame, as the metrics compare them, in pixels."""

    width: int
    height: int
    made_width: int
    made_height: int
    is_fitted: bool
    """Whether the made picture is stretched to the size of the given one."""


@dataclass
class Lead:
    """The sections. All are empty for an instance without media that is no transcript either."""

    prompt: str = ""
    """The texts around the pictures and sounds of the input."""

    pictures: list[Media] = field(default_factory=list)
    """Pictures and videos of the input."""

    recordings: list[Recording] = field(default_factory=list)

    words: ComparedWords | None = None
    """A transcript beside its reference."""

    given: Media | None = None
    """The picture that responses were to be compiled to."""

    compiled: list[Compiled] = field(default_factory=list)

    made: list[Media] = field(default_factory=list)
    """Pictures that the model made."""

    others: list[Media] = field(default_factory=list)
    """Further media of references and responses."""

    def __bool__(self) -> bool:
        return bool(self.pictures or self.recordings or self.words or self.compiled or self.made or self.others)


def make_lead(
    media: Sequence[Media], states: Sequence[Any], values: Mapping[str, Any], references: Sequence[Any], is_padded: bool
) -> Lead:
    """Arrange the media of an instance.

    Args:
        states: its request states as in files.
        values: its scores.
        references: those of the instance, with `text` and `is_correct`.
        is_padded: whether metrics compare pictures of different sizes by padding, instead of stretching.
    """
    lead = Lead(words=compare_words(states, references, values))
    if not lead.words and not media and not any(True for _ in compiled_of(states)):
        return lead
    of_place = {place: [item for item in media if item.place == place] for place in _PLACES}
    instance = states[0].get("instance") if states else None
    lead.prompt = _prompt_of(instance if isinstance(instance, dict) else {})
    if any(True for _ in compiled_of(states)):
        lead.given = next((item for item in of_place["reference"] if item.kind == "image"), None)
        lead.compiled = _compiled(states, of_place["compiled"], references, lead.given, is_padded)
    known = lead.given.location if lead.given else None
    sounds = [item for item in of_place["input"] if (item.kind or item.declared) == "audio"]
    lead.recordings = [_recording(item) for item in sounds]
    lead.pictures = [item for item in of_place["input"] if item not in sounds and item.location != known]
    lead.made = [item for item in of_place["response"] if item.kind == "image"]
    lead.others = [item for item in of_place["response"] if item.kind != "image"]
    lead.others += [item for item in of_place["reference"] if item is not lead.given]
    return lead


_PLACES = ("input", "reference", "response", "compiled")


def _prompt_of(instance: Mapping[str, Any]) -> str:
    """Return the texts of an input of several parts, or the input's own text."""
    found = instance.get("input")
    content = found.get("multimedia_content") if isinstance(found, dict) else None
    objects = content.get("media_objects") if isinstance(content, dict) else None
    texts = [
        item["text"]
        for item in (objects if isinstance(objects, list) else ())
        if isinstance(item, dict)
        and str(item.get("content_type")).startswith(TEXT_TYPE)
        and isinstance(item.get("text"), str)
    ]
    return ("\n".join(texts) or plain_text(found)).strip()


def _recording(media: Media) -> Recording:
    try:
        head = read_sound_head(media.path)
        bars = read_outline(media.path, head, _NUM_BARS) if head else []
    except OSError:  # it is gone meanwhile
        return Recording(media)
    if head is None:
        return Recording(media)
    length = f"{head.seconds:.1f} s" if head.seconds < 100 else seconds(head.seconds)
    channels = {1: "one channel", 2: "two channels"}.get(head.channels, f"{head.channels} channels")
    return Recording(media, f"{length} · {head.rate / 1000:g} kHz · {channels}", tuple(bars))


def _compiled(
    states: Sequence[Any], media: Sequence[Media], references: Sequence[Any], given: Media | None, is_padded: bool
) -> list[Compiled]:
    by_location = {item.location: item for item in media}
    items = list(compiled_of(states))
    source = next((item["text"].text for item in references if item["is_correct"]), "")
    found = []
    for number, item in enumerate(items, 1):
        title = "Made from the response" if len(items) == 1 else f"Made from response {number} of {len(items)}"
        place = item.get("media_object")
        location = place.get("location") if isinstance(place, dict) else None
        made = by_location.get(location) if isinstance(location, str) else None
        error = "" if made else str(item.get("error") or item.get("unknown_error") or "no picture was made of it")
        lines = _compare_lines(source, plain_text(item)) if made and source else ()
        num_differences = sum(kind != "same" for kind, _ in lines)
        overlay = _overlay(given, made, is_padded)
        found.append(Compiled(title, made, error, lines, num_differences, overlay))
    return found


def _overlay(given: Media | None, made: Media | None, is_padded: bool) -> Overlay | None:
    if given is None or made is None or given.size is None or made.size is None:
        return None
    if is_padded:
        width, height = (max(sides) for sides in zip(given.size, made.size, strict=True))
        return Overlay(width, height, *made.size, is_fitted=False)
    return Overlay(*given.size, *given.size, is_fitted=given.size != made.size)


def _compare_lines(source: str, text: str) -> tuple[tuple[str, str], ...]:
    before, after = source.splitlines(), text.splitlines()
    if max(len(before), len(after)) > _MOST_LINES:
        return ()
    kinds = {"- ": "del", "+ ": "add", "  ": "same"}
    return tuple((kinds[line[:2]], line[2:]) for line in difflib.Differ().compare(before, after) if line[:2] in kinds)


def judge_media(lead: Lead, verdict: Verdict, values: Mapping[str, Any]) -> Verdict:
    """Return the verdict in the words of the medium: errors of a transcript, a page that does not compile, flagged pictures."""
    if not verdict.kind and lead.words is not None and (found := judge_words(lead.words)) is not None:
        return found
    failed = [item for item in lead.compiled if item.made is None]
    if failed:
        word = "Does not compile" if len(failed) == len(lead.compiled) else f"{len(failed)} do not compile"
        why = "It counts as 0 in each measure."
        if _BLOCK_EMD in values:
            why += f" In {title_metric(_BLOCK_EMD)}, that is the best value, as in HELM: do not read it alone."
        return Verdict(word, "bad", failed[0].error[:_MAX_QUOTED_CHARACTERS], why)
    if lead.compiled and not verdict.kind:  # answers are code, which is not quoted
        return Verdict(
            verdict.word, "", f"It compiles. {verdict.sentence}", verdict.why if verdict.word == NO_MAIN_SCORE else ""
        )
    flagged = [item for item in lead.made if item.flags]
    if flagged:
        told = f"A detector flagged what was made: {', '.join(flagged[0].flags)}."
        return Verdict(verdict.word, verdict.kind, f"{verdict.sentence} {told}", verdict.why)
    return verdict
