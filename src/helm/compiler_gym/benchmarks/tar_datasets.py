"""Data sets of programs that are archives on the web."""

import bz2
import gzip
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from helm.compiler_gym.benchmarks.benchmark import Benchmark, DatasetInitError
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.datasets import FilesDataset, _get_generator

_CONTENTS = "contents"
_DECOMPRESS: dict[str, Callable[[bytes], bytes]] = {"bz2": bz2.decompress, "gz": gzip.decompress, "": bytes}


class TarDataset(FilesDataset):
    """The files of an archive, which is downloaded and unpacked when a program is first needed.

    The files are kept below `site_data_path`. The archive's SHA-256 is checked against `tar_sha256`, or, inside a run,
    against the lock file of the run's data.
    """

    def __init__(
        self,
        tar_urls: Sequence[str],
        tar_sha256: str | None = None,
        tar_compression: str = "bz2",
        strip_prefix: str = "",
        benchmark_file_suffix: str = "",
        **dataset_args: Any,
    ):
        """Describe the archive; it is downloaded when a program is first needed.

        Args:
            tar_urls: URLs of the archive, tried in order.
            tar_sha256: SHA-256 of the archive, in hexadecimal. Default: unknown.
            tar_compression: `bz2` or `gz`.
            strip_prefix: folder inside the archive that contains the programs. If the archive contains a single folder,
                that folder counts as its root.
            benchmark_file_suffix: as for `FilesDataset`.
            dataset_args: arguments of `Dataset`, by name, among them `site_data_base`.
        Raises: ValueError without a URL, or for another compression.
        """
        name = dataset_args.get("name")
        if not tar_urls:
            raise ValueError(f"The data set {name} needs at least one URL of its archive.")
        if tar_compression not in ("bz2", "gz"):
            raise ValueError(f"The data set {name}: tar_compression must be bz2 or gz, not '{tar_compression}'.")
        self.tar_urls, self.tar_sha256 = list(tar_urls), tar_sha256
        self.tar_compression, self.strip_prefix = tar_compression, strip_prefix
        super().__init__(Path(), benchmark_file_suffix, **dataset_args)
        self.dataset_root = self._find_root()

    def _find_root(self) -> Path:
        contents = self.site_data_path / _CONTENTS
        if not contents.is_dir():
            return contents / self.strip_prefix
        # Unpacking removes the outermost folder if it is the only one, which is the first part of the prefix.
        parts = Path(self.strip_prefix).parts
        found = (contents.joinpath(*parts[start:]) for start in range(min(2, len(parts) + 1)))
        return next((folder for folder in found if folder.is_dir()), contents)

    @property
    def installed(self) -> bool:
        return (self.site_data_path / _CONTENTS).is_dir()

    def install(self) -> None:
        """Download and unpack the archive.

        Raises: DatasetInitError when it is not available; OfflineError.
        """
        # Imported here, because this import takes as long as all others together.
        from helm.common.data.downloads import DownloadError, ensure_downloaded

        super().install()
        if not self.installed:
            try:
                ensure_downloaded(
                    self.tar_urls[0],
                    str(self.site_data_path / _CONTENTS),
                    unpack=True,
                    unpack_type="untar",
                    sha256=self.tar_sha256,
                    mirrors=self.tar_urls[1:],
                    license=self.license,
                )
            except DownloadError as error:
                raise DatasetInitError(f"The data set {self.name} cannot be installed: {error}") from error
        self.dataset_root = self._find_root()

    def uninstall(self) -> None:
        super().uninstall()
        self._uris = None


class TarDatasetWithManifest(TarDataset):
    """A `TarDataset` with a list of the programs, so that names and size are known without the archive."""

    def __init__(
        self,
        manifest_urls: Sequence[str],
        manifest_sha256: str | None = None,
        manifest_compression: str = "bz2",
        **dataset_args: Any,
    ):
        """Describe the archive and its manifest; both are downloaded when they are first needed.

        Args:
            manifest_urls: URLs of a text with the name of one program on each line, tried in order.
            manifest_sha256: SHA-256 of the downloaded text, in hexadecimal. Default: unknown.
            manifest_compression: `bz2`, `gz` or empty for none.
            dataset_args: arguments of `TarDataset`, by name.
        """
        super().__init__(**dataset_args)
        if not manifest_urls or manifest_compression not in _DECOMPRESS:
            raise ValueError(
                f"The data set {self.name} needs manifest_urls, and a manifest_compression among "
                f"{', '.join(repr(kind) for kind in _DECOMPRESS)}."
            )
        self.manifest_urls, self.manifest_sha256 = list(manifest_urls), manifest_sha256
        self.manifest_compression = manifest_compression

    def _get_uris(self) -> list[str]:
        from helm.common.data.downloads import DownloadError, ensure_downloaded

        if self._uris is None:
            path = self.site_data_path / f"manifest-{self.manifest_sha256 or 'unknown'}.packed"
            try:
                ensure_downloaded(
                    self.manifest_urls[0], str(path), sha256=self.manifest_sha256, mirrors=self.manifest_urls[1:]
                )
                text = _DECOMPRESS[self.manifest_compression](path.read_bytes()).decode("utf-8")
            except (DownloadError, OSError, ValueError, EOFError) as error:
                raise DatasetInitError(f"The list of programs of {self.name} cannot be fetched: {error}") from error
            self._uris = [f"{self.name}/{line.strip()}" for line in text.splitlines() if line.strip()]
        return self._uris

    def benchmark_uris(self) -> Iterator[str]:
        return iter(self._get_uris())

    def random_benchmark(self, random_state: Any | None = None) -> Benchmark:
        return self.benchmark(_get_generator(random_state).choice(self._get_uris()))

    def benchmark_from_parsed_uri(self, uri: BenchmarkUri) -> Benchmark:
        self.install()
        return super().benchmark_from_parsed_uri(uri)
