"""Columns with images, sounds and videos: contents are kept as files, and rows get media objects that name them."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from helm.benchmark.declarative.entry_rows import Media
from helm.benchmark.declarative.function_chains import Context, MediaFolder
from helm.benchmark.declarative.templates import Row, compile_text, get_column
from helm.benchmark.declarative.value_functions import ValueProblem
from helm.benchmark.scenarios.scenario import get_restricted_data_path
from helm.common.data.data_session import current_survey
from helm.common.data.downloads import ensure_downloaded
from helm.common.data.media_store import Content, MediaError, MediaStore, checked_type, safe_path
from helm.common.data.pictures import PictureError
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
        except (MediaError, PictureError) as e:
            raise ValueProblem(f"media '{name}': {e}") from e
    return row


def _load(row: Row, rule: Media, place: MediaFolder) -> MediaObject:
    if rule.from_ is not None:
        path = _kept(get_column(row, rule.from_), rule, row, place)
    elif rule.path is not None:
        path = _existing(_below_folder(rule.path, row), place)
    else:
        path = _file(compile_text(str(rule.file))(row), rule, row, place)
    survey = current_survey()
    if survey is not None and survey.is_empty(path):
        return MediaObject(rule.type or _UNKNOWN_TYPE, location=path)
    found = checked_type(path)
    declared = rule.type or found
    if declared.partition("/")[0] != found.partition("/")[0] and not (
        # Sounds in a container for videos cannot be told apart by the first bytes.
        {declared.partition("/")[0], found.partition("/")[0]} == {"audio", "video"}
    ):
        raise MediaError(f"{path} is {found}, but the entry says {declared}.")
    return MediaObject(declared, location=path)


def _kept(value: Any, rule: Media, row: Row, place: MediaFolder) -> str:
    content = value.get("bytes") if isinstance(value, Mapping) else value
    if not content:
        named = (
            f" It names the file '{value['path']}' only." if isinstance(value, Mapping) and value.get("path") else ""
        )
        raise _Missing(f"'{rule.from_}' has no content.{named}")
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

    return MediaStore(place.folder).keep(bytes(content), name_of, rule.rgb)


def _file(name: str, rule: Media, row: Row, place: MediaFolder) -> str:
    path = safe_path(place.folder, name)
    if rule.url is not None:
        ensure_downloaded(compile_text(rule.url)(row), path, license=place.license)
    elif rule.restricted and not os.path.exists(path):
        folder = get_restricted_data_path(place.scenario_name, how_to_get=place.how_to_get)
        path = safe_path(os.path.abspath(folder), name)
    return _existing(path, place)


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
