"""Files that metrics need and that are not part of this package: where they come from, and where they are kept.

Looked for by name in the folder that the environment variable `HELM_METRIC_DATA` names, then in the folder for
intermediate files (`<output path>/runs/<suite>/eval_cache`), into which they are fetched from their public source
unless `HELM_OFFLINE` or `HF_HUB_OFFLINE` is set.
"""

from dataclasses import dataclass

from helm.common.data.data_files import DataFile
from helm.common.errors import HelmError, MetricError

DATA_FOLDER_VARIABLE = "HELM_METRIC_DATA"


@dataclass(frozen=True)
class MetricDataFile(DataFile):
    """One file."""

    def find_for(self, metric: str, eval_cache_path: str) -> str:
        """The path of the file on this machine, fetched if need be. `metric` is for messages.

        Raises: MetricError that says which file, from where, and where to put it.
        """
        try:
            return self.find(metric, DATA_FOLDER_VARIABLE, eval_cache_path)
        except HelmError as error:
            raise MetricError(str(error)) from error


def read_lines(path: str) -> list[str]:
    """The lines of a UTF-8 file. Raises MetricError when it is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise MetricError(f"Cannot read {path}: {error}") from error
