"""Files that metrics need and that are not part of this package: where they come from, and where they are kept.

Looked for by name in the folder that the environment variable `HELM_METRIC_DATA` names, then in the folder for
intermediate files (`<output path>/runs/<suite>/eval_cache`), into which they are fetched from their public source
unless `HELM_OFFLINE` or `HF_HUB_OFFLINE` is set.
"""

import os
from dataclasses import dataclass
from typing import List, Optional

from helm.common.downloads import DownloadError, ensure_downloaded
from helm.common.errors import MetricError

DATA_FOLDER_VARIABLE = "HELM_METRIC_DATA"
OFFLINE_VARIABLES = ("HELM_OFFLINE", "HF_HUB_OFFLINE")


@dataclass(frozen=True)
class MetricDataFile:
    """One file."""

    name: str

    url: str

    sha256: Optional[str] = None
    """Of what is at the URL; None: not known."""

    def find(self, metric: str, eval_cache_path: str) -> str:
        """The path of the file on this machine, fetched if need be. `metric` is for messages.

        Raises: MetricError that says which file, from where, and where to put it.
        """
        given = os.environ.get(DATA_FOLDER_VARIABLE)
        if given:
            path = os.path.join(given, self.name)
            if os.path.exists(path):
                return path
        path = os.path.join(eval_cache_path, self.name)
        if not os.path.exists(path):
            try:
                self._fetch(path)
            except DownloadError as error:
                raise MetricError(
                    f"{metric} needs {self.name}, which is not on this machine. {error} Get it from {self.url} and put "
                    f"it into a folder that the environment variable {DATA_FOLDER_VARIABLE} names."
                ) from error
        return path

    def _fetch(self, path: str) -> None:
        for variable in OFFLINE_VARIABLES:
            if os.environ.get(variable, "").strip().lower() not in ("", "0", "no", "false", "off"):
                raise DownloadError(f"{variable} is set, so nothing is downloaded.")
        ensure_downloaded(self.url, path, sha256=self.sha256)


def read_lines(path: str) -> List[str]:
    """The lines of a UTF-8 file. Raises MetricError when it is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise MetricError(f"Cannot read {path}: {error}") from error
