"""Tables and word lists that are not part of this package: found on this machine, or downloaded from a public source."""

import os
from dataclasses import dataclass

from helm.common.data.data_addresses import offline_variable
from helm.common.data.downloads import DownloadError, OfflineError, ensure_downloaded
from helm.common.errors import ConfigError, HelmError


class DataFileError(HelmError):
    """A file is missing and cannot be downloaded; the message names the file, its source, and where to put it."""


@dataclass(frozen=True)
class DataFile:
    """One file, or one folder in an archive."""

    name: str

    url: str

    sha256: str | None = None
    """The hash of the download; None if unknown."""

    unpack: bool = False
    """Whether the download is an archive."""

    def find_here(self, variable: str, folder: str) -> str | None:
        """Return the path if the file is on this machine: in the folder that a variable names, or in `folder`.

        Raises ConfigError if the variable does not name a folder.
        """
        candidates = [os.path.join(folder, self.name)]
        given = os.environ.get(variable)
        if given:
            if not os.path.isdir(given):
                raise ConfigError(f"{variable} names '{given}', which is not a folder.")
            candidates.insert(0, os.path.join(given, self.name))
        return next((path for path in candidates if os.path.exists(path)), None)

    def find(self, user: str, variable: str, folder: str) -> str:
        """Return the path; download to `folder` if necessary, unless `HELM_OFFLINE` or `HF_HUB_OFFLINE` is set.

        `user` names in the message what needs the file. Raises DataFileError, and ConfigError like `find_here`.
        """
        found = self.find_here(variable, folder)
        path = os.path.join(folder, self.name)
        if found is not None and found != path:
            return found
        try:
            ensure_downloaded(self.url, path, unpack=self.unpack, sha256=self.sha256)
        except DownloadError as e:
            variable_set = offline_variable() if isinstance(e, OfflineError) else None
            reason = f"{variable_set} is set, so nothing is downloaded." if variable_set else str(e)
            raise DataFileError(
                f"{user} needs {self.name}, which is not on this machine. {reason} Get it from {self.url}"
                f"{' and unpack it' if self.unpack else ''}, and put it at {path}, or into a folder that the "
                f"environment variable {variable} names."
            ) from e
        return path
