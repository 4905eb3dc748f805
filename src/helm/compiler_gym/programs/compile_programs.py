"""Makes the `.ll` files of this folder from the `.c` files next to them.

To change or add a program, install ziglang with pip, then run this module with `python -m`. The package
itself needs no C compiler, because the `.ll` files are part of it.
"""

import re
import subprocess
import sys
from pathlib import Path

_FLAGS = (
    "-target x86_64-linux-musl -O0 -Xclang -disable-O0-optnone -fno-sanitize=all -fno-stack-protector "
    "-fno-unwind-tables -fno-asynchronous-unwind-tables -g0 -emit-llvm -S"
).split()

_KEPT_ATTRIBUTES = {"nounwind", '"no-trapping-math"="true"'}


def make_neutral(text: str) -> str:
    """Remove everything from textual IR that ties it to one processor, one compiler or `-O0`.

    Target lines and module metadata are removed (the backend fills in its own target), and all function attributes except
    `nounwind` and the floating-point mode. `noinline`, which clang adds everywhere at `-O0`, would forbid inlining.
    """
    lines = []
    for line in text.splitlines():
        if line.startswith(("; ModuleID", "; Function Attrs", "target ", "!llvm.")):
            continue
        if match := re.match(r"(attributes #\d+ = \{).*\}$", line):
            kept = [word for word in line[match.end(1) :].split() if word in _KEPT_ATTRIBUTES]
            line = " ".join([match.group(1), *kept, "}"])
        lines.append(re.sub(r"\s*; preds = .*", "", line))
    return "\n".join(_drop_unused_metadata(lines)).strip() + "\n"


def _drop_unused_metadata(lines: list[str]) -> list[str]:
    """Remove the numbered nodes that nothing refers to any more."""
    nodes = {match.group(1): line for line in lines if (match := re.match(r"(!\d+) = ", line))}
    used: set[str] = set()
    pending = [name for line in lines if not re.match(r"!\d+ = ", line) for name in re.findall(r"!\d+", line)]
    while pending:
        name = pending.pop()
        if name not in used:
            used.add(name)
            pending += re.findall(r"!\d+", nodes[name].partition("=")[2])
    return [line for line in lines if not (m := re.match(r"(!\d+) = ", line)) or m.group(1) in used]


def main() -> None:
    folder = Path(__file__).parent
    for source in sorted(folder.glob("*.c")):
        target = source.with_suffix(".ll")
        command = [sys.executable, "-m", "ziglang", "cc", *_FLAGS, source.name, "-o", str(target)]
        subprocess.run(command, cwd=folder, check=True)
        target.write_text(make_neutral(target.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
