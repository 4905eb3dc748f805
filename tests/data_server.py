"""The web and the Hub on loopback: a real HTTP server that stands in for the places where data sets live.

It serves made-up files under their true addresses, so that the real loaders fetch, unpack and read them:

* a web address `https://host/path?query` at `<server>/mirror/https/host/path?query`, which `HELM_DATA_MIRROR` points to;
* a Hub at `<server>/hub`, which `HF_ENDPOINT` points to: data sets as repositories of files at commits, with the API that
  lists them.

Faults are ordered for an address and happen in turn: a redirect, a body that breaks off, wrong bytes, an error status.
"""

import gzip
import hashlib
import io
import json
import sqlite3
import sys
import tarfile
import threading
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

HUB = "https://huggingface.co"
_MIRROR, _ENDPOINT, _MOVED = "/mirror/", "/hub/", "/moved"


@dataclass
class Fault:
    """What goes wrong with one answer."""

    status: int | None = None
    """Answer with this status and no data."""

    headers: dict[str, str] = field(default_factory=dict)

    redirect: str | None = None
    """Send the client there; `{path}` stands for what was asked for."""

    truncate: int | None = None
    """Close the connection after so many bytes of the body, or after half of it."""

    body: bytes | None = None
    """Give these bytes instead."""

    pause_s: float = 0.0
    """Wait so long in the middle of the body."""


@dataclass(frozen=True)
class Seen:
    """One request that the server got."""

    path: str
    headers: Mapping[str, str]


@dataclass
class Repository:
    """A data set of the Hub: its files at each commit, and what names of revisions stand for."""

    commits: dict[str, dict[str, bytes]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    token: str | None = None
    """Files are given only to who sends this token; None: to everyone."""
    license: str | None = None


class DataServer:
    """See the module. `requests` lists what was asked for, in order."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.types: dict[str, str] = {}
        self.repositories: dict[str, Repository] = {}
        self.faults: dict[str, list[Fault]] = {}
        self.requests: list[Seen] = []
        self.first: Fault | None = None
        """What goes wrong with the first answer for every path."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def environment(self) -> dict[str, str]:
        """The variables that send loaders here and nowhere else."""
        return {"HELM_DATA_MIRROR": f"{self.url}/mirror,off", "HF_ENDPOINT": f"{self.url}/hub"}

    def paths(self) -> list[str]:
        return [seen.path for seen in self.requests]

    # ---- Content

    def add_file(self, url: str, body: bytes, content_type: str = "application/octet-stream") -> None:
        """Serve `body` as the content of a web address, or of a plain path of this server (`/file.bin`)."""
        self.files[url] = body
        self.types[url] = content_type

    def add_fault(self, address: str, fault: Fault, times: int = 1) -> None:
        """Let the next `times` answers for a web address or a path of this server go wrong."""
        self.faults.setdefault(address, []).extend([fault] * times)

    def add_dataset(
        self,
        path: str,
        files: Mapping[str, bytes],
        revision: str | None = None,
        converted: Mapping[str, bytes] | None = None,
        token: str | None = None,
        license: str | None = None,
    ) -> str:
        """Add a commit with these files; it becomes `main`, and `revision`, which may be its hash. Returns its hash.

        `converted` are the files of the branch `refs/convert/parquet`.
        """
        repository = self.repositories.setdefault(path, Repository())
        repository.token, repository.license = token, license
        commit = _hash_of(files)
        if revision is not None and all(letter in "0123456789abcdef" for letter in revision):
            commit = revision + commit[len(revision) :]
        repository.commits[commit] = dict(files)
        repository.names.update({"main": commit, **({revision: commit} if revision else {})})
        if converted is not None:
            other = _hash_of(converted)
            repository.commits[other] = dict(converted)
            repository.names["refs/convert/parquet"] = other
        return commit

    # ---- Answers

    def find(self, path: str, headers: Mapping[str, str]) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body for a path with query."""
        if path.startswith(_MIRROR):
            scheme, _, rest = path[len(_MIRROR) :].partition("/")
            url = f"{scheme}://{rest}"
            if url in self.files and not url.startswith(HUB):  # the Hub is asked at its own address
                return 200, {"Content-Type": self.types[url]}, self.files[url]
            return _missing(url)
        if path.startswith(_ENDPOINT):
            return self._find_on_hub(path[len(_ENDPOINT) - 1 :], headers)
        if path in self.files:
            return 200, {"Content-Type": self.types[path]}, self.files[path]
        return _missing(path)

    def _find_on_hub(self, path: str, headers: Mapping[str, str]) -> tuple[int, dict[str, str], bytes]:
        if HUB + path in self.files:
            return 200, {}, self.files[HUB + path]
        parts = [unquote(part) for part in urlsplit(path).path.strip("/").split("/")]
        for name, repository in self.repositories.items():
            prefix = name.split("/")
            if parts[: 2 + len(prefix)] == ["api", "datasets", *prefix]:
                return self._list(name, repository, parts[2 + len(prefix) :], "blobs" in urlsplit(path).query)
            if parts[: 1 + len(prefix)] == ["datasets", *prefix]:
                return self._resolve(repository, parts[1 + len(prefix) :], headers)
        return 401, {"X-Error-Code": "RepoNotFound", "X-Error-Message": "Repository not found"}, b""

    def _list(self, name: str, repository: Repository, rest: list[str], blobs: bool) -> tuple[int, dict, bytes]:
        commit = self._commit(repository, rest[1]) if len(rest) > 1 else self._commit(repository, "main")
        if commit is None:
            return 404, {"X-Error-Code": "RevisionNotFound"}, b"Invalid rev id"
        files = repository.commits[commit]
        if rest[:1] == ["tree"]:
            tree = [{"type": "file", "path": path, "size": len(body)} for path, body in sorted(files.items())]
            return 200, {"Content-Type": "application/json"}, json.dumps(tree).encode()
        siblings: list[dict[str, Any]] = [{"rfilename": path} for path in sorted(files)]
        for sibling in siblings if blobs else []:
            body = files[sibling["rfilename"]]
            sibling["size"] = len(body)
            if sibling["rfilename"].endswith((".parquet", ".gz")):  # kept outside of git, with its hash
                sibling["lfs"] = {"sha256": hashlib.sha256(body).hexdigest(), "size": len(body), "pointerSize": 130}
        answer: dict[str, Any] = {
            "id": name,
            "sha": commit,
            "siblings": siblings,
            "gated": repository.token is not None,
        }
        if repository.license:
            answer["cardData"] = {"license": repository.license}
        return 200, {"Content-Type": "application/json"}, json.dumps(answer).encode()

    def _resolve(self, repository: Repository, rest: list[str], headers: Mapping[str, str]) -> tuple[int, dict, bytes]:
        if repository.token is not None and headers.get("Authorization") != f"Bearer {repository.token}":
            status = 403 if headers.get("Authorization") else 401
            return status, {"X-Error-Code": "GatedRepo", "X-Error-Message": "Access to dataset is restricted."}, b""
        commit = self._commit(repository, rest[1]) if len(rest) > 2 and rest[0] == "resolve" else None
        body = repository.commits[commit].get("/".join(rest[2:])) if commit else None
        return (200, {}, body) if body is not None else (404, {"X-Error-Code": "EntryNotFound"}, b"Entry not found")

    @staticmethod
    def _commit(repository: Repository, revision: str) -> str | None:
        revision = repository.names.get(revision, revision)
        return revision if revision in repository.commits else None

    def next_fault(self, path: str) -> Fault | None:
        url = path
        if path.startswith(_MIRROR):
            scheme, _, rest = path[len(_MIRROR) :].partition("/")
            url = f"{scheme}://{rest}"
        elif path.startswith(_ENDPOINT):
            url = HUB + path[len(_ENDPOINT) - 1 :]
        for address in (path, url):
            if self.faults.get(address):
                return self.faults[address].pop(0)
        asked = sum(seen.path == path for seen in self.requests)
        return self.first if asked == 1 and not path.startswith(_MOVED) else None


def _missing(what: str) -> tuple[int, dict[str, str], bytes]:
    return 404, {"Content-Type": "text/plain"}, f"{what} is not here".encode()


def _hash_of(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha1()
    for name, body in sorted(files.items()):
        digest.update(f"{name}\0{len(body)}\0".encode() + body)
    return digest.hexdigest()


def _handler_of(data: DataServer) -> type:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            data.requests.append(Seen(self.path, dict(self.headers)))
            fault = data.next_fault(self.path) or Fault()
            if fault.redirect is not None:
                location = fault.redirect.replace("{path}", self.path)
                self._answer(fault.status or 302, {"Location": location}, b"", fault)
                return
            if fault.status is not None:
                self._answer(fault.status, fault.headers, fault.body or b"", fault)
                return
            status, headers, body = data.find(self.path.removeprefix(_MOVED), self.headers)  # type: ignore[arg-type]
            if fault.body is not None:
                body = fault.body
            if status == 200:
                status, headers, body = self._part(headers, body)
            self._answer(status, {**headers, **fault.headers}, body, fault)

        def _part(self, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, str], bytes]:
            tag = '"' + hashlib.sha256(body).hexdigest()[:16] + '"'
            headers = {**headers, "ETag": tag}
            wanted = self.headers.get("Range")
            if wanted and self.headers.get("If-Range", tag) == tag:
                start = int(wanted.removeprefix("bytes=").rstrip("-"))
                if start >= len(body):
                    return 416, {"Content-Range": f"bytes */{len(body)}"}, b""
                return 206, {**headers, "Content-Range": f"bytes {start}-{len(body) - 1}/{len(body)}"}, body[start:]
            return 200, headers, body

        def _answer(self, status: int, headers: Mapping[str, str], body: bytes, fault: Fault) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            cut = min(fault.truncate, len(body) // 2) if fault.truncate is not None else None
            if cut is not None:
                self.send_header("Connection", "close")
            self.end_headers()
            try:
                self.wfile.write(body[: cut if cut is not None else len(body) // 2])
                self.wfile.flush()
                if fault.pause_s:
                    time.sleep(fault.pause_s)
                if cut is None:
                    self.wfile.write(body[len(body) // 2 :])
                else:
                    self.close_connection = True
            except OSError:
                self.close_connection = True  # the client has gone

        def log_message(self, *args: Any) -> None:
            pass

    return Handler


@contextmanager
def data_server() -> Iterator[DataServer]:
    server = DataServer()
    try:
        yield server
    finally:
        server.close()


# ---- What the golden vectors hold, as files and repositories


def add_case(server: DataServer, case: Mapping[str, Any]) -> None:
    """Serve all that a case of `fixtures_*.json` says was fetched."""
    bodies = {name: content_bytes(content) for name, content in case.get("files", {}).items()}
    downloads = case.get("downloads", [])
    targets = [download["to"].rstrip("/") for download in downloads]
    for download, target in zip(downloads, targets, strict=True):
        inside = {
            name[len(target) :].lstrip("/"): body for name, body in bodies.items() if owner_of(name, targets) == target
        }
        server.add_file(download["url"], _download_body(download, inside, bodies))
    for download in case.get("run_spec_downloads", []):
        name = "rsf:" + download["to"].removeprefix("scenarios/")
        server.add_file(download["url"], _packed(bodies[name], download["url"], download["to"]))
    for url, answer in (case.get("http") or {}).items():
        server.add_file(url, json.dumps(answer).encode(), "application/json")
    scripts = {call["path"] for call in case.get("hf_calls", []) if call.get("trust_remote_code")}
    revisions = {call["path"]: call.get("revision") for call in case.get("hf_calls", [])}
    by_path: dict[str, list[Mapping[str, Any]]] = {}
    for entry in case.get("hf", []):
        by_path.setdefault(entry["path"], []).append(entry)
    for path, entries in by_path.items():
        revision = revisions.get(path)
        if path in scripts:
            script = {
                f"{path.rpartition('/')[2]}.py": b"raise SystemExit('a script was run')\n",
                "README.md": b"# Data\n",
            }
            converted = {
                f"{entry.get('config') or 'default'}/{split}/0000.parquet": parquet_bytes(
                    rows, entry.get("class_labels")
                )
                for entry in entries
                for split, rows in entry["splits"].items()
            }
            server.add_dataset(path, script, revision, converted)
        else:
            server.add_dataset(path, repository_files(entries), revision)


def owner_of(name: str, targets: list[str]) -> str | None:
    """The download that a file of the cache folder comes from: the nearest target above it."""
    above = [target for target in targets if name == target or name.startswith(target + "/")]
    return max(above, key=len) if above else None


def content_bytes(content: Any) -> bytes:
    """The bytes of a file of a case."""
    if isinstance(content, str):
        return content.encode()
    encoding = content["encoding"]
    if encoding == "gzip":
        return gzip.compress(content["text"].encode(), mtime=0)
    if encoding == "pickle":
        import pickle

        return pickle.dumps(content["json"])
    if encoding == "sqlite":
        connection = sqlite3.connect(":memory:")
        connection.executescript(content["sql"])
        return connection.serialize()
    raise ValueError(f"content of the encoding '{encoding}' is not known here")


def _download_body(download: Mapping[str, str], inside: dict[str, bytes], bodies: Mapping[str, bytes]) -> bytes:
    """The bytes behind one address: the file itself, compressed where its name says so, or an archive of the files."""
    if not download.get("unpack"):
        # A file that the loader moves after the download is known under its last place; one it never reads is empty.
        body = inside.get("", bodies.get(download["to"].rpartition("/")[2], b""))
        return _packed(body, download["url"], download["to"])
    inside = _with_inner_archives(inside)
    top = download["to"].rstrip("/").rpartition("/")[2]
    members = {
        f"{top}/{name}".rstrip("/"): body for name, body in inside.items()
    }  # one folder, which becomes the target
    address = urlsplit(download["url"]).path
    kind = download["unpack"]
    if kind == "unzip" or (kind == "by extension" and address.endswith(".zip")):
        return zip_bytes(members)
    return tar_bytes(members, compressed=not address.endswith(".tar"))


def _packed(body: bytes, url: str, target: str) -> bytes:
    address = urlsplit(url).path
    if address.endswith(".gz") and not target.endswith(".gz"):
        return gzip.compress(body, mtime=0)
    if address.endswith(".zst") and not target.endswith(".zst"):
        return zstd_bytes(body)
    return body


def _with_inner_archives(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """An empty `x.zip` beside a folder `unzipped_x` stands for an archive that the loader unpacks there."""
    result = dict(files)
    for name, body in files.items():
        folder, _, file_name = name.rpartition("/")
        unzipped = f"{folder + '/' if folder else ''}unzipped_{file_name.removesuffix('.zip')}/"
        if body or not name.endswith(".zip") or not any(other.startswith(unzipped) for other in files):
            continue
        members = {other[len(unzipped) :]: result.pop(other) for other in files if other.startswith(unzipped)}
        result[name] = zip_bytes({**members, "__MACOSX/._folder": b""})
    return result


def zstd_bytes(body: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd

        return zstd.compress(body)
    import zstandard

    return zstandard.compress(body)


def zip_bytes(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return buffer.getvalue()


def tar_bytes(files: Mapping[str, bytes], compressed: bool = True) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz" if compressed else "w") as archive:
        for name, body in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(body)
            archive.addfile(info, io.BytesIO(body))
    return buffer.getvalue()


def parquet_bytes(rows: list[Mapping[str, Any]], class_labels: Mapping[str, list[str]] | None = None) -> bytes:
    """A Parquet file as the Hub has them, with the names of class labels in its metadata."""
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.Table.from_pylist([dict(row) for row in rows])
    if class_labels:
        features = {name: {"names": names, "_type": "ClassLabel"} for name, names in class_labels.items()}
        metadata = json.dumps({"info": {"features": features}})
        table = table.replace_schema_metadata({"huggingface": metadata})
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(table, buffer, row_group_size=3)
    return buffer.getvalue()


def jsonl_bytes(rows: list[Any]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def repository_files(entries: list[Mapping[str, Any]]) -> dict[str, bytes]:
    """The made-up data sets of one path as the files of a repository, laid out in the ways that are usual on the Hub."""
    files: dict[str, bytes] = {}
    configs: list[str] = []
    for entry in entries:
        labels, splits = entry.get("class_labels"), entry["splits"]
        for split, rows in splits.items():
            if entry.get("data_files"):
                given = entry["data_files"]
                names = given.get(split, []) if isinstance(given, dict) else given
                name = names if isinstance(names, str) else names[0]
            elif entry.get("data_dir"):
                name = f"{entry['data_dir']}/{split}.jsonl.gz"
            elif entry.get("config"):
                name = f"{entry['config']}/{split}-00000-of-00001.parquet"
            elif labels or split not in ("train", "validation", "test") or len(entry["path"]) % 2:
                name = f"data/{split}-00000-of-00001.parquet"
            else:
                name = f"{split}.jsonl"
            files[name] = _table_bytes(name, rows, labels)
        if entry.get("config"):
            lines = [f"  - split: {split}\n    path: {entry['config']}/{split}-*" for split in splits]
            configs.append(f"- config_name: {json.dumps(entry['config'])}\n  data_files:\n" + "\n".join(lines))
    front = "---\nlicense: cc0-1.0\n" + ("configs:\n" + "\n".join(configs) + "\n" if configs else "") + "---\n# Data\n"
    files["README.md"] = front.encode()
    return files


def _table_bytes(name: str, rows: list[Any], labels: Mapping[str, list[str]] | None) -> bytes:
    if name.endswith(".parquet"):
        return parquet_bytes(rows, labels)
    body = json.dumps(rows).encode() if name.endswith(".json") else jsonl_bytes(rows)
    return gzip.compress(body, mtime=0) if name.endswith(".gz") else body


def prepare_folders(case: Mapping[str, Any], working_folder: Path, cache_folder: Path) -> None:
    """Write what no download brings: the user's own files, and restricted data, which users get themselves."""
    targets = [download["to"].rstrip("/") for download in case.get("downloads", [])]
    for name, content in case.get("files", {}).items():
        if name.startswith("rsf:") or owner_of(name, targets) is not None:
            continue
        if name.startswith("cwd:"):
            path = working_folder / name.removeprefix("cwd:")
        else:
            path = cache_folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content_bytes(content))
