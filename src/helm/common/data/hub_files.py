"""Maps the files of a dataset repository to splits: by the user's choice, by its README, or by the file names.

Follows the conventions of the Hugging Face Hub (https://huggingface.co/docs/hub/datasets-file-names-and-splits). Only names
are used here; nothing is downloaded.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from helm.common.data.tables import format_of
from helm.common.errors import ConfigError, suggest

DataFiles = str | Sequence[str] | Mapping[str, str | Sequence[str]]

_FORMATS = ("parquet", "json", "csv", "lines")
_IGNORED = {"readme.md", "config.json", "dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json"}
_KEYWORDS = {
    "train": ("train", "training"),
    "validation": ("validation", "valid", "val", "dev"),
    "test": ("test", "testing", "eval", "evaluation"),
}
_SHARDED = re.compile(r"(?:^|/)data/([^/]*?)-\d{5}-of-\d{5}[^/]*\.[^/]*$")


@dataclass(frozen=True)
class Configuration:
    """One configuration of a dataset, as listed in its README."""

    name: str
    data_files: dict[str, list[str]] | None = None
    """The patterns of each split; None means by the names of the files in `data_dir`."""
    data_dir: str = ""
    is_default: bool = False
    class_labels: dict[str, list[str]] = field(default_factory=dict)
    num_rows: dict[str, int] = field(default_factory=dict)


def read_front_matter(readme: str, source: str) -> dict[str, Any]:
    """Read the YAML at the head of a README. Raises ConfigError if it is malformed."""
    found = re.match(r"﻿?---\s*\n(.*?\n)---\s*(?:\n|$)", readme, re.DOTALL)
    if found is None:
        return {}
    import yaml

    try:
        content = yaml.load(found[1], Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as e:
        raise ConfigError(f"{source}: the head of the README is not valid YAML: {e}") from e
    return content if isinstance(content, dict) else {}


def configurations(front_matter: Mapping[str, Any]) -> dict[str, Configuration]:
    """Return the configurations listed in a README, by name, in order."""
    infos = front_matter.get("dataset_info") or []
    by_name: dict[str, Mapping[str, Any]] = {
        str(info.get("config_name", "default")): info
        for info in (infos if isinstance(infos, list) else [infos])
        if isinstance(info, dict)
    }
    result = {}
    for entry in front_matter.get("configs") or []:
        name = str(entry.get("config_name", "default"))
        info = by_name.get(name, {})
        result[name] = Configuration(
            name=name,
            data_files=_patterns(entry["data_files"]) if entry.get("data_files") else None,
            data_dir=str(entry.get("data_dir") or ""),
            is_default=bool(entry.get("default")),
            class_labels=_class_labels(info),
            num_rows=_num_rows(info),
        )
    if not result:
        result = {
            name: Configuration(name, class_labels=_class_labels(info), num_rows=_num_rows(info))
            for name, info in by_name.items()
        }
    return result


def _num_rows(info: Mapping[str, Any]) -> dict[str, int]:
    splits = info.get("splits") or []
    return {
        str(split["name"]): int(split["num_examples"])
        for split in splits
        if isinstance(split, dict) and "name" in split and isinstance(split.get("num_examples"), int)
    }


def _class_labels(info: Mapping[str, Any]) -> dict[str, list[str]]:
    """Read `features: [{name: label, dtype: {class_label: {names: {'0': no, '1': yes}}}}]`."""
    result = {}
    for feature in info.get("features") or []:
        dtype = feature.get("dtype") if isinstance(feature, dict) else None
        dtype = dtype if isinstance(dtype, dict) else feature if isinstance(feature, dict) else {}
        inner = dtype.get("class_label") or (dtype.get("sequence") or {} if isinstance(dtype, dict) else {})
        if isinstance(inner, dict) and "class_label" in inner:
            inner = inner["class_label"]
        names = inner.get("names") if isinstance(inner, dict) else None
        if isinstance(names, dict):
            names = [name for _, name in sorted(names.items(), key=lambda item: int(item[0]))]
        if isinstance(names, list):
            result[str(feature["name"])] = [str(name) for name in names]
    return result


def _patterns(data_files: DataFiles) -> dict[str, list[str]]:
    """Convert `data_files` in any of its forms to patterns by split; without split names, all files are `train`."""
    if isinstance(data_files, str):
        return {"train": [data_files]}
    if isinstance(data_files, Mapping):
        return {
            str(split): [paths] if isinstance(paths, str) else [str(path) for path in paths]
            for split, paths in data_files.items()
        }
    result: dict[str, list[str]] = {}
    for item in data_files:
        if isinstance(item, Mapping):
            paths = item.get("path", item.get("pattern", []))
            result.setdefault(str(item.get("split", "train")), []).extend([paths] if isinstance(paths, str) else paths)
        else:
            result.setdefault("train", []).append(str(item))
    return result


def choose_configuration(known: Mapping[str, Configuration], name: str | None, source: str) -> Configuration | None:
    """Return the configuration `name`, or the default one; None if the README lists none and none is requested.

    Raises ConfigError that lists the configurations.
    """
    if name is not None:
        if name in known:
            return known[name]
        if known:
            raise ConfigError(
                f"{source} has no configuration '{name}', but {', '.join(known)}.{suggest(name, list(known))}"
            )
        return None
    if not known:
        return None
    marked = [configuration for configuration in known.values() if configuration.is_default]
    if marked or "default" in known or len(known) == 1:
        return marked[0] if marked else known.get("default") or next(iter(known.values()))
    raise ConfigError(f"{source} has several configurations, so one must be named: {', '.join(known)}.")


def find_data_files(
    names: Sequence[str],
    configuration: Configuration | None = None,
    data_files: DataFiles | None = None,
    data_dir: str | None = None,
    source: str = "The data set",
) -> dict[str, list[str]]:
    """Return the files of each split, from all files `names` of the repository.

    `data_files` decides if given, else `data_dir`, else the configuration in the README, else the file names.
    Raises ConfigError if a pattern matches nothing.
    """
    patterns = _patterns(data_files) if data_files else None
    folder = data_dir or ""
    if patterns is None and configuration is not None and not data_dir:
        patterns, folder = configuration.data_files, configuration.data_dir
    if patterns is not None:
        result = {}
        for split, globs in patterns.items():
            found: list[str] = []
            for pattern in globs:
                matches = _matches(names, f"{folder.strip('/')}/{pattern}" if folder.strip("/.") else pattern)
                if not matches:
                    nearest = suggest(pattern, names)
                    raise ConfigError(f"{source} has no file that matches '{pattern}' (split {split}).{nearest}")
                found.extend(match for match in matches if match not in found)
            result[split] = found
        return result
    inside = [name for name in names if _is_data(name) and _is_inside(name, folder)]
    if folder and not inside:
        raise ConfigError(f"{source} has no data files in the folder '{folder}'.")
    return _by_name(inside, folder, source)


def _is_inside(name: str, folder: str) -> bool:
    folder = folder.strip("/.")
    return not folder or name.startswith(folder + "/")


def _is_data(name: str) -> bool:
    parts = name.split("/")
    hidden = any(part.startswith((".", "__")) for part in parts)
    return not hidden and parts[-1].lower() not in _IGNORED and _family(name) in _FORMATS


def _matches(names: Sequence[str], pattern: str) -> list[str]:
    """Return the names that match a glob, sorted; `**` matches any folders, `[0-9]` and `{a,b}` work as usual."""
    pattern = pattern.removeprefix("./")
    if pattern in names:
        return [pattern]
    expression = re.compile(_glob_expression(pattern))
    return sorted(name for name in names if expression.fullmatch(name))


def _glob_expression(pattern: str) -> str:
    result, i, depth = "", 0, 0
    while i < len(pattern):
        letter = pattern[i]
        if pattern.startswith("**/", i):
            result, i = result + "(?:.*/)?", i + 3
            continue
        if pattern.startswith("**", i):
            result, i = result + ".*", i + 2
            continue
        if letter == "[" and "]" in pattern[i + 2 :]:
            end = pattern.index("]", i + 2)
            inside = pattern[i + 1 : end].replace("\\", "\\\\")
            result, i = result + "[" + ("^" + inside[1:] if inside[0] in "!^" else inside) + "]", end + 1
            continue
        if letter == "{" and "}" in pattern[i:]:
            depth += 1
            result += "(?:"
        elif letter == "}" and depth:
            depth -= 1
            result += ")"
        elif letter == "," and depth:
            result += "|"
        else:
            result += {"*": "[^/]*", "?": "[^/]"}.get(letter, re.escape(letter))
        i += 1
    return result


def _by_name(names: Sequence[str], folder: str, source: str) -> dict[str, list[str]]:
    """Find splits by the names of folders, else by those of files; without a hint, all files are `train`."""
    start = len(folder.strip("/.")) + 1 if folder.strip("/.") else 0
    found = (
        _sharded(names)
        or _by_keyword(names, lambda name: name[start:].rpartition("/")[0])
        or _by_keyword(names, lambda name: name.rpartition("/")[2])
        or ({"train": sorted(names)} if names else {})
    )
    formats = {split: _usual_format(files) for split, files in found.items()}
    if len(set(formats.values())) > 1:
        described = ", ".join(f"{split}: {kind}" for split, kind in formats.items())
        raise ConfigError(
            f"{source} has files of different formats ({described}), so data_files must say which to read."
        )
    return {split: [name for name in files if _family(name) == formats[split]] for split, files in found.items()}


def _sharded(names: Sequence[str]) -> dict[str, list[str]]:
    result: dict[str, list[str]] = {}
    for name in names:
        found = _SHARDED.search(name)
        if found and found[1]:
            result.setdefault(found[1], []).append(name)
    return {split: sorted(files) for split, files in sorted(result.items(), key=_split_order)}


def _by_keyword(names: Sequence[str], part: Callable[[str], str]) -> dict[str, list[str]]:
    result = {}
    for split, keywords in _KEYWORDS.items():
        expression = re.compile(rf"(?:^|[-._ 0-9/])(?:{'|'.join(keywords)})(?:[-._ 0-9/]|$)")
        files = sorted(name for name in names if expression.search(part(name)))
        if files:
            result[split] = files
    return result


def _split_order(item: tuple[str, Any]) -> tuple[int, str]:
    order = list(_KEYWORDS)
    return (order.index(item[0]) if item[0] in order else len(order), item[0])


def _usual_format(names: Sequence[str]) -> str:
    """Return the most frequent format; of equally frequent ones the first in `_FORMATS`."""
    count = Counter(map(_family, names))
    return max(count, key=lambda kind: (count[kind], -_FORMATS.index(kind)))


def _family(name: str) -> str:
    """Return the format's family; JSON and JSON lines are one, and so are tables with commas and tabs."""
    kind = format_of(name) or ""
    return {"jsonl": "json", "tsv": "csv"}.get(kind, kind)
