"""Files that metrics need but that are not part of this package: their sources and local paths.

They are searched by name in the folder given by the environment variable `HELM_METRIC_DATA`, then in the folder for
intermediate files (`<output path>/runs/<suite>/eval_cache`), to which they are downloaded from their public source
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
        """Return the path of the file on this machine, downloading it if necessary. `metric` is for messages.

        Raises: MetricError that says which file, from where, and where to put it.
        """
        try:
            return self.find(metric, DATA_FOLDER_VARIABLE, eval_cache_path)
        except HelmError as error:
            raise MetricError(str(error)) from error


def read_lines(path: str) -> list[str]:
    """Return the lines of a UTF-8 file. Raises: MetricError if it is not one."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise MetricError(f"Cannot read {path}: {error}") from error
