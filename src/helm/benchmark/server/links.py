"""Builds the URLs of pages. Every URL begins with `/`; an export turns it into a file name."""

import hashlib
from typing import Any
from urllib.parse import quote, urlencode


def page_link(page: str, path: str = "", **parameters: Any) -> str:
    """Return `/run/SUITE/RUN?split=test`; parameters that are None or empty are left out."""
    given = [(name, value) for name, value in parameters.items() if value not in (None, "", [])]
    query = urlencode(given, doseq=True, quote_via=quote, errors="replace")
    place = f"/{page}" + (f"/{quote(_path_bytes(path))}" if path else "")
    return f"{place}?{query}" if query else place


def _path_bytes(path: str) -> bytes:
    try:
        return path.encode("utf-8", "surrogateescape")  # as in the names of files
    except UnicodeEncodeError:  # a name from a result file, which is none
        return path.encode("utf-8", "replace")


def perturbation_mark(name: str | None, key: str | None) -> str | None:
    """Return how URLs name a perturbation: copies of one name may differ in their settings."""
    if key is None:
        return None
    return f"{name}-{hashlib.sha256(key.encode('utf-8', 'replace')).hexdigest()[:6]}"


def instance_link(path: str, unit: Any) -> str:
    """Return the URL of an instance in the run at `path`; `unit` is its row."""
    return page_link(
        "instance", path, id=unit.id, p=perturbation_mark(unit.perturbation, unit.perturbation_key),
        trial=unit.trial or None,
    )  # fmt: skip
