"""The simulated file system."""

from collections.abc import Iterator
from typing import Any, Optional

from helm.agents.bfcl.backends.backend import Backend
from helm.agents.bfcl.backends.long_texts import LongTexts

_NOT_IN_NAMES = set('|/\\?%*:"><')
_UNITS = ("B", "KB", "MB", "GB", "TB")


class File:
    """A file with a text."""

    def __init__(self, name: str, content: str = ""):
        self.name, self.content = name, content

    def state(self) -> dict[str, Any]:
        """Return name and text."""
        return {"file": self.name, "content": self.content}


class Directory:
    """A folder. Its name is part of the messages of wrong calls."""

    def __init__(self, name: str, parent: Optional["Directory"] = None):
        self.name, self.parent = name, parent
        self.contents: dict[str, File | Directory] = {}

    def state(self) -> dict[str, Any]:
        """Return names and texts of everything in it."""
        return {"directory": self.name, "contents": {name: item.state() for name, item in self.contents.items()}}

    def walk(self, prefix: str) -> Iterator[tuple[str, "File | Directory"]]:
        """Yield everything below with its path, folders before what is in them."""
        for name, item in self.contents.items():
            path = f"{prefix}/{name}"
            yield path, item
            if isinstance(item, Directory):
                yield from item.walk(path)


def _read(
    name: str, config: dict[str, Any], parent: Directory | None = None, long_texts: LongTexts | None = None
) -> Directory:
    folder = Directory(name, parent)
    for key, item in config.items():
        if item["type"] == "directory":
            folder.contents[key] = _read(key, item.get("contents") or {}, folder, long_texts)
        else:
            is_longer = long_texts is not None and key not in long_texts["FILES_TAIL_USED"]
            more = long_texts["FILE_CONTENT_EXTENSION"] if long_texts is not None and is_longer else ""
            folder.contents[key] = File(key, item.get("content", "") + more)
    if long_texts is not None and not any(isinstance(item, Directory) for item in folder.contents.values()):
        folder.contents.update({key: File(key) for key in long_texts["POPULATE_FILE_EXTENSION"]})
    return folder


def _no_such(command: str, what: str) -> dict[str, str]:
    return {"error": f"{command}: {what}: No such file or directory"}


class GorillaFileSystem(Backend):
    """Files and folders; all commands act in the current folder."""

    has_long_context = True

    def load(self, config: dict[str, Any]) -> None:
        """Read the tree."""
        roots = config.get("root")
        if not roots:
            self._root = self._here = Directory("/")
            return
        name, root = next(iter(roots.items()))
        self._root = self._here = _read(name, root.get("contents") or {}, long_texts=self.long_texts)

    def state(self) -> dict[str, Any]:
        """Return the tree."""
        return {"root": self._root.state(), "long_context": self.long_texts is not None}

    def _file(self, name: str) -> File | None:
        found = self._here.contents.get(name)
        return found if isinstance(found, File) else None

    def pwd(self) -> dict[str, Any]:
        names: list[str] = []
        folder: Directory | None = self._here
        while folder is not None:
            names.insert(0, folder.name)
            folder = folder.parent
        return {"current_working_directory": "/" + "/".join(names)}

    def ls(self, a: bool = False) -> dict[str, Any]:
        names = list(self._here.contents)
        return {"current_directory_content": names if a else [name for name in names if not name.startswith(".")]}

    def cd(self, folder: str) -> dict[str, Any]:
        if folder == "..":
            if self._here.parent is None:
                return {"error": "Current directory is already the root. Cannot go back."}
            self._here = self._here.parent
            return {}
        name = folder.rstrip("/")
        if not name:
            self._here = self._root
            return {"current_working_directory": self._root.name}
        found = self._here.contents.get(name)
        if not isinstance(found, Directory):
            return _no_such("cd", f"'{folder}'")
        self._here = found
        return {"current_working_directory": name}

    def _create(self, command: str, name: str, made: File | Directory) -> dict[str, Any] | None:
        if _NOT_IN_NAMES & set(name):
            verb = "create directory" if command == "mkdir" else command
            return {"error": f"{command}: cannot {verb} '{name}': Invalid character"}
        if name in self._here.contents:
            verb = "create directory" if command == "mkdir" else command
            return {"error": f"{command}: cannot {verb} '{name}': File exists"}
        self._here.contents[name] = made
        return None

    def mkdir(self, dir_name: str) -> dict[str, Any] | None:
        return self._create("mkdir", dir_name, Directory(dir_name, self._here))

    def touch(self, file_name: str) -> dict[str, Any] | None:
        return self._create("touch", file_name, File(file_name))

    def echo(self, content: str, file_name: str | None = None) -> dict[str, Any] | None:
        if not file_name:
            return {"terminal_output": content}
        if _NOT_IN_NAMES & set(file_name):
            return {"error": f"echo: cannot write to '{file_name}': Invalid character"}
        found = self._here.contents.get(file_name)
        if found is None:
            return {"error": f"echo: cannot write to '{file_name}': No such file"}
        if isinstance(found, Directory):
            raise AttributeError("'Directory' object has no attribute '_write'")
        found.content = content
        return None

    def cat(self, file_name: str) -> dict[str, Any]:
        if _NOT_IN_NAMES & set(file_name):
            return {"error": f"cat: '{file_name}': Invalid character"}
        found = self._here.contents.get(file_name)
        if isinstance(found, Directory):
            return {"error": f"cat: '{file_name}': Is a directory"}
        return {"file_content": found.content} if found is not None else _no_such("cat", f"'{file_name}'")

    def find(self, path: str = ".", name: str | None = None) -> dict[str, Any]:
        prefix = path.rstrip("/")
        folder: File | Directory | None = self._here
        for part in prefix.split("/"):
            if part not in ("", "."):
                folder = folder.contents.get(part) if isinstance(folder, Directory) else None
        if not isinstance(folder, Directory) or not path:
            return _no_such("find", f"'{path}'")
        return {"matches": [found for found, item in folder.walk(prefix) if name is None or name in item.name]}

    def wc(self, file_name: str, mode: str = "l") -> dict[str, Any]:
        kinds = {"l": "lines", "w": "words", "c": "characters"}
        if mode not in kinds:
            return {"error": f"wc: invalid mode '{mode}'"}
        found = self._file(file_name)
        if found is None:
            return _no_such("wc", file_name)
        parts = {"l": found.content.splitlines(), "w": found.content.split(), "c": found.content}
        return {"count": len(parts[mode]), "type": kinds[mode]}

    def sort(self, file_name: str) -> dict[str, Any]:
        found = self._file(file_name)
        if found is None:
            return _no_such("sort", file_name)
        return {"sorted_content": "\n".join(sorted(found.content.splitlines()))}

    def grep(self, file_name: str, pattern: str) -> dict[str, Any]:
        found = self._file(file_name)
        if found is None:
            return _no_such("grep", file_name)
        return {"matching_lines": [line for line in found.content.splitlines() if pattern in line]}

    def du(self, human_readable: bool = False) -> dict[str, Any]:
        size = sum(len(item.content.encode()) for _, item in self._here.walk("") if isinstance(item, File))
        if not human_readable:
            return {"disk_usage": f"{size} bytes"}
        amount, unit = float(size), 0
        while amount >= 1024 and unit < len(_UNITS) - 1:
            amount, unit = amount / 1024, unit + 1
        return {"disk_usage": f"{amount:.2f} {_UNITS[unit]}"}

    def tail(self, file_name: str, lines: int = 10) -> dict[str, Any]:
        found = self._file(file_name)
        if found is None:
            return _no_such("tail", file_name)
        shown = found.content.splitlines()
        return {"last_lines": "\n".join(shown[-lines:] if lines <= len(shown) else shown)}

    def diff(self, file_name1: str, file_name2: str) -> dict[str, Any]:
        first, second = self._file(file_name1), self._file(file_name2)
        if first is None or second is None:
            return _no_such("diff", f"{file_name1} or {file_name2}")
        pairs = zip(first.content.splitlines(), second.content.splitlines(), strict=False)
        return {"diff_lines": "\n".join(f"- {a}\n+ {b}" for a, b in pairs if a != b)}

    def mv(self, source: str, destination: str) -> dict[str, Any]:
        return self._transfer("mv", "move", "moved", source, destination)

    def cp(self, source: str, destination: str) -> dict[str, Any]:
        return self._transfer("cp", "copy", "copied", source, destination)

    def _transfer(self, command: str, verb: str, done: str, source: str, destination: str) -> dict[str, Any]:
        contents = self._here.contents
        if source not in contents:
            return {"error": f"{command}: cannot {verb} '{source}': No such file or directory"}
        if "/" in destination:
            return {"error": f"{command}: path not allowed in destination. Provide only a file or directory name."}
        target, name, where = self._here, destination, destination
        found = contents.get(destination)
        if isinstance(found, File):
            return {"error": f"{command}: cannot {verb} '{source}' to '{destination}': Not a directory"}
        if isinstance(found, Directory):
            target, name, where = found, source, f"{destination}/{source}"
            if source in found.contents and command == "mv":
                return {"error": f"mv: cannot move '{source}' to '{where}': File exists"}
            if source in found.contents:
                raise ValueError(f"File '{source}' already exists in directory '{destination}'.")
        item = contents[source]
        if command == "mv":
            del contents[source]
        if isinstance(item, File):
            target.contents[name] = File(name, item.content)
        else:
            made = Directory(name, target)
            made.contents = item.contents  # a copied folder shares what is in it with the original
            for inner in made.contents.values():
                if isinstance(inner, Directory):
                    inner.parent = made
            target.contents[name] = made
        return {"result": f"'{source}' {done} to '{where}'"}

    def rm(self, file_name: str) -> dict[str, Any]:
        if self._here.contents.pop(file_name, None) is None:
            return {"error": f"rm: cannot remove '{file_name}': No such file or directory"}
        return {"result": f"'{file_name}' removed"}

    def rmdir(self, dir_name: str) -> dict[str, Any]:
        found = self._here.contents.get(dir_name)
        problem = None
        if found is None:
            problem = "No such file or directory"
        elif isinstance(found, File):
            problem = "Not a directory"
        elif found.contents:
            problem = "Directory not empty"
        if problem is not None:
            return {"error": f"rmdir: cannot remove '{dir_name}': {problem}"}
        del self._here.contents[dir_name]
        return {"result": f"'{dir_name}' removed"}
