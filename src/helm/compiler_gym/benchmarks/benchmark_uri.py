"""Names of programs: `scheme://dataset/path?params#fragment`."""

import re
from dataclasses import dataclass, field
from functools import total_ordering
from typing import Any
from urllib.parse import ParseResult, parse_qs, urlencode, urlparse, urlunparse

from helm.compiler_gym.records import Record

DEFAULT_SCHEME = "benchmark"

# HELM: `A-z` also admits [ \ ] ^ _ and the backquote, as in the original
_VERSIONED_NAME = re.compile(r"[a-zA-z0-9-_]+-v(?P<version>[0-9]+)")


@total_ordering
@dataclass(frozen=True, eq=False)
class BenchmarkUri(Record):
    """A parsed URI, which compares and hashes like its text, also with a str."""

    scheme: str
    """For example `benchmark` or `generator`; in lower case."""

    dataset: str
    """Name of the data set, case kept; may be empty."""

    path: str = ""
    """With its leading slash, or empty; not decoded."""

    params: dict[str, list[str]] = field(default_factory=dict)
    """Decoded; parameters without a value are dropped."""

    fragment: str = ""
    """The text after `#`."""

    @classmethod
    def from_string(cls, text: str) -> "BenchmarkUri":
        """Parse; without scheme and authority, `benchmark://` is put in front."""
        parts = urlparse(text)
        if not parts.scheme and not parts.netloc:
            parts = urlparse(f"{DEFAULT_SCHEME}://{text}")
        return cls(parts.scheme, parts.netloc, parts.path, parse_qs(parts.query), parts.fragment)

    @classmethod
    def canonicalize(cls, uri: str) -> str:
        """Return the text of a URI as it is written here, with its scheme."""
        return str(cls.from_string(uri))

    def startswith(self, *args: Any) -> bool:
        """As `str.startswith`, of the text."""
        return str(self).startswith(*args)

    def endswith(self, *args: Any) -> bool:
        """As `str.endswith`, of the text."""
        return str(self).endswith(*args)

    @property
    def dataset_uri(self) -> str:
        """`scheme://dataset`."""
        return f"{self.scheme}://{self.dataset}"

    def __str__(self) -> str:
        query = urlencode(self.params, doseq=True)
        return urlunparse(ParseResult(self.scheme, self.dataset, self.path, "", query, self.fragment))

    def __repr__(self) -> str:
        return str(self)

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, (str, BenchmarkUri)) else NotImplemented

    def __lt__(self, other: Any) -> bool:
        return str(self) < str(other) if isinstance(other, (str, BenchmarkUri)) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))


def get_dataset_version(dataset: str) -> int:
    """Return N for a data set called `...-vN`, and 0 for any other name. Characters after the number do not matter."""
    found = _VERSIONED_NAME.match(dataset)
    return int(found["version"]) if found else 0
