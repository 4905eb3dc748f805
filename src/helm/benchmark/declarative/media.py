"""Columns with images, sounds and videos: contents are kept as files, and rows get media objects that name them."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from helm.benchmark.declarative.entry_rows import Media
from helm.benchmark.declarative.function_chains import Context, MediaFolder
from helm.benchmark.declarative.templates import MissingColumn, Row, compile_text, get_column
from helm.benchmark.declarative.value_functions import ValueProblem
from helm.benchmark.scenarios.scenario import get_restricted_data_path
from helm.common.data.content_spool import SpooledContent
from helm.common.data.data_session import current_survey
from helm.common.data.download_errors import DownloadError, OfflineError
from helm.common.data.downloads import ensure_downloaded
from helm.common.data.media_store import MAX_BYTES, Content, MediaError, MediaStore, checked_type, safe_path
from helm.common.data.pictures import PictureError
from helm.common.data.sounds import SoundError, has_samples
from helm.common.media_object import TEXT_TYPE, MediaObject, MultimediaObject

SHA256 = "_sha256"
PIXELS = "_pixels"

_UNKNOWN_TYPE = "application/octet-stream"


class _Missing(Exception):
    """A row has no such media."""


def add_media(row: Row, rules: Mapping[str, Media], context: Context) -> Row | None:
    """Return a copy of the row with its media; None to drop it. Raises: ValueProblem, MissingColumn, DownloadError."""
    row = dict(row)
    assert context.media_folder is not None
    for name, rule in rules.items():
        try:
            row[name] = _load(row, rule, context.media_folder)
        except _Missing as e:
            if rule.missing == "drop":
                return None
            if rule.missing == "error":
                raise ValueProblem(f"{e} `missing: drop` drops such rows, and `missing: null` keeps them.") from e
            row[name] = None
        except (MediaError, PictureError, SoundError) as e:
            raise ValueProblem(f"media '{name}': {e}") from e
    return row


def _load(row: Row, rule: Media, place: MediaFolder) -> MediaObject:
    try:
        return _loaded(row, rule, place)
    except (MediaError, SoundError) as e:
        if rule.playable:
            raise _Missing(str(e)) from e
        raise


def _loaded(row: Row, rule: Media, place: MediaFolder) -> MediaObject:
    if rule.from_ is not None:
        path = _kept(row, rule, place)
    elif rule.path is not None:
        path = _existing(_below_folder(rule.path, row), place)
    else:
        path = _file(compile_text(str(rule.file))(row), rule, row, place)
    named = compile_text(rule.type)(row) if rule.type else None
    survey = current_survey()
    if survey is not None and survey.is_empty(path):
        return MediaObject(named or _UNKNOWN_TYPE, location=path)
    found = checked_type(path)
    if rule.playable and not _is_playable(path, found):
        raise _Missing(f"{path} is no sound that can be decoded, or has no samples.")
    declared = named or found
    if declared.partition("/")[0] != found.partition("/")[0] and not (
        # Sounds in a container for videos cannot be told apart by the first bytes.
        {declared.partition("/")[0], found.partition("/")[0]} == {"audio", "video"}
    ):
        raise MediaError(f"{path} is {found}, but the entry says {declared}.")
    return MediaObject(declared, location=path)


def _is_playable(path: str, content_type: str) -> bool:
    with open(path, "rb") as file:
        return has_samples(file.read(), content_type)


def _kept(row: Row, rule: Media, place: MediaFolder) -> str:
    assert rule.from_ is not None
    try:
        value = get_column(row, rule.from_)
    except MissingColumn:  # rows that only name files which users have
        if _user_file(row, rule, place) is None:
            raise
        value = None
    content = value.get("bytes") if isinstance(value, Mapping) else value
    if not content:
        there = _user_file(row, rule, place)
        if there is not None:
            return there
        named = (
            f" It names the file '{value['path']}' only." if isinstance(value, Mapping) and value.get("path") else ""
        )
        raise _Missing(f"'{rule.from_}' has no content.{named}")
    if isinstance(content, SpooledContent):
        content = content.read()
    if not isinstance(content, (bytes, bytearray)):
        raise ValueProblem(f"'{rule.from_}' is no encoded image, sound or video, but {type(content).__name__}.")
    name_of: Callable[[Content], str] | None = None
    if rule.file is not None:
        text, file = compile_text(rule.file), rule.file

        def name_of(kept: Content) -> str:
            hashes = {SHA256: kept.sha256}
            if f"{{{PIXELS}}}" in file:
                hashes[PIXELS] = kept.pixels_md5()
            return text({**row, **hashes})

    return MediaStore(place.folder).keep(bytes(content), name_of, rule.rgb, rule.rate, _segment(row, rule))


def _user_file(row: Row, rule: Media, place: MediaFolder) -> str | None:
    """Return the path that a rule gives to a content, if there is such a file already."""
    if rule.file is None or f"{{{SHA256}}}" in rule.file or f"{{{PIXELS}}}" in rule.file:
        return None
    path = safe_path(place.folder, compile_text(rule.file)(row))
    return path if os.path.isfile(path) else None


def _segment(row: Row, rule: Media) -> tuple[int, int] | None:
    if rule.segment is None:
        return None
    texts = [compile_text(text)(row) for text in rule.segment]
    try:
        begin, end = (int(text) for text in texts)
    except ValueError as e:
        raise MediaError(f"a segment has two whole numbers of milliseconds, not {', '.join(texts)}.") from e
    if not 0 <= begin < end:
        raise MediaError(f"a segment cannot begin at {begin} ms and end at {end} ms.")
    return begin, end


def _file(name: str, rule: Media, row: Row, place: MediaFolder) -> str:
    path = safe_path(place.folder, name)
    if rule.convert is not None:
        if os.path.exists(path):
            return path
        source = safe_path(place.folder, compile_text(rule.convert)(row))
        if rule.url is not None:
            _fetch(rule, row, source, place)
        survey = current_survey()
        if survey is not None and survey.is_empty(source):
            return source
        checked_type(_existing(source, place))  # also refuses files that are too large to be read
        with open(source, "rb") as file:
            content = file.read()
        return MediaStore(place.folder).keep(content, name, rule.rgb, rule.rate, _segment(row, rule))
    if rule.url is not None:
        _fetch(rule, row, path, place)
    elif rule.restricted and not os.path.exists(path):
        folder = get_restricted_data_path(place.scenario_name, how_to_get=place.how_to_get)
        path = safe_path(os.path.abspath(folder), name)
    return _existing(path, place)


def _fetch(rule: Media, row: Row, path: str, place: MediaFolder) -> None:
    assert rule.url is not None
    try:
        ensure_downloaded(
            compile_text(rule.url)(row),
            path,
            license=place.license,
            max_bytes=MAX_BYTES,
            is_named_by_data=_is_host_from_row(rule.url),
        )
    except DownloadError as e:
        if rule.unreachable == "error" or isinstance(e, OfflineError):
            raise
        raise _Missing(str(e)) from e


def _is_host_from_row(url: str) -> bool:
    """Return whether columns decide more of an address than what follows the host."""
    scheme, _, rest = url.partition("://")
    return "{" in scheme or "{" in rest.partition("/")[0]


def _below_folder(text: str, row: Row) -> str:
    """Return a path of this machine, of which columns determine only the part below the folder that the text names."""
    fixed = text[: text.find("{")] if "{" in text else text
    folder, slash, _ = fixed.rpartition("/")
    return safe_path(os.path.abspath(folder + slash), compile_text(text[len(folder + slash) :])(row))


def _existing(path: str, place: MediaFolder) -> str:
    survey = current_survey()
    if survey is not None and survey.is_empty(path):
        return path
    if not os.path.isfile(path) or not os.path.getsize(path):
        how = f" {place.how_to_get}" if place.how_to_get else ""
        raise _Missing(f"there is no file {path}, or it is empty.{how}")
    return path


# ---- Prompts


def as_parts(value: Any) -> list[MediaObject]:
    """Return the parts of a prompt in a value: a text, a media object, null, or a list of these. Raises: ValueProblem."""
    if value is None:
        return []
    if isinstance(value, MediaObject):
        return [value]
    if isinstance(value, (list, tuple)):
        return [part for item in value for part in as_parts(item)]
    if isinstance(value, (str, int, float)):
        return [MediaObject(f"{TEXT_TYPE}/plain", text=str(value))]
    raise ValueProblem(f"{type(value).__name__} is neither a text nor a media object. Declare it in `media`.")


def as_content(value: Any) -> MultimediaObject:
    return MultimediaObject(as_parts(value))


def has_media(value: Any) -> bool:
    """Whether a value is a media object, or a list that contains one."""
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return any(isinstance(item, MediaObject) for item in value)
    return isinstance(value, MediaObject)
