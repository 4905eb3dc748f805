"""Repository folders for our evals and tools: a Dockerfile for each, and the evals that each tool supports."""

from __future__ import annotations

from pathlib import Path

from helm.common.files import write_text_atomically
from helm.common.optional_dependencies import DISTRIBUTION
from helm.gradbench.evals.registry import package_eval_names
from helm.gradbench.tools.programs import PROGRAM_TOOLS
from helm.gradbench.tools.registry import LIBRARY_TOOL_NAMES, PROGRAM_TOOL_NAMES, TOOL_NAMES, supported_evals

_PYTHON_IMAGE = "python:3.13-slim"


_WORKFLOW = f"""\
name: nightly
on:
  schedule:
    - cron: "17 2 * * *"
  workflow_dispatch:
permissions:
  contents: read
jobs:
  matrix:
    runs-on: ubuntu-latest
    outputs:
      date: ${{{{ steps.matrix.outputs.date }}}}
      run: ${{{{ steps.matrix.outputs.run }}}}
    steps:
      - uses: actions/checkout@v4
      - run: pip install {DISTRIBUTION}
      - id: matrix
        run: gradbench repo matrix >> "$GITHUB_OUTPUT"
  run:
    needs: matrix
    runs-on: ubuntu-latest
    strategy:
      fail-fast: false
      matrix:
        run: ${{{{ fromJSON(needs.matrix.outputs.run) }}}}
    steps:
      - uses: actions/checkout@v4
      - run: pip install {DISTRIBUTION}
      - run: xargs gradbench repo run --timeout 600 --check -o logs <<< "$ARGS"
        env:
          ARGS: ${{{{ matrix.run.args }}}}
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: run-${{{{ matrix.run.artifact }}}}
          path: logs
  stats:
    needs: [matrix, run]
    if: always()
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: pip install {DISTRIBUTION}
      - uses: actions/download-artifact@v4
        with:
          pattern: run-*
          path: artifacts
      - run: gradbench log flatten artifacts -o logs
      - run: gradbench repo stats logs -o stats --date "$DATE" --commit "$GITHUB_SHA"
        env:
          DATE: ${{{{ needs.matrix.outputs.date }}}}
      - uses: actions/upload-artifact@v4
        with:
          name: stats
          path: stats
"""
"""Each pair in a job of its own. Texts of the matrix reach a shell as variables only, never as part of a command."""


_CHECK_WORKFLOW = f"""\
name: check
on: [push, pull_request]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: pip install {DISTRIBUTION}
      - run: gradbench repo lint
      - run: gradbench repo run --eval hello --timeout 600 --check
"""
"""Whether each tool can be built and answers at all."""


def dockerfile(kind: str, name: str) -> str:
    """Return the Dockerfile of one of our evals or tools (``kind`` is ``eval`` or ``tool``)."""
    has_extra = name in LIBRARY_TOOL_NAMES or (name in PROGRAM_TOOLS and PROGRAM_TOOLS[name].package is not None)
    extra = f"[{name}]" if kind == "tool" and has_extra else ""
    lines = [f"FROM {_PYTHON_IMAGE}"]
    if name in PROGRAM_TOOL_NAMES:
        packages = PROGRAM_TOOLS[name].requirements
        lines.append(f"RUN apt-get update && apt-get install -y --no-install-recommends {packages}")
    lines.append(f"RUN pip install --no-cache-dir '{DISTRIBUTION}{extra}'")
    if name in PROGRAM_TOOL_NAMES:
        if (npm_package := PROGRAM_TOOLS[name].npm_package) is not None:
            lines.append(f"RUN npm install --global {npm_package}")
        # The first call builds the tool, so that the image contains the program.
        lines.append(f"RUN gradbench tool {name} < /dev/null")
    lines.append(f'ENTRYPOINT ["gradbench", "{kind}", "{name}"]')
    return "\n".join(lines) + "\n"


def write_image_folders(root: Path) -> list[Path]:
    """Write Dockerfiles, each ``tools/NAME/evals.txt`` and workflows below ``root``.

    Existing files are not changed. Returns the files that were written.
    """
    workflows = root / ".github" / "workflows"
    texts: dict[Path, str] = {workflows / "nightly.yml": _WORKFLOW, workflows / "check.yml": _CHECK_WORKFLOW}
    for name in package_eval_names():
        texts[root / "evals" / name / "Dockerfile"] = dockerfile("eval", name)
    for name in (*TOOL_NAMES, *LIBRARY_TOOL_NAMES, *PROGRAM_TOOL_NAMES):
        folder = root / "tools" / name
        texts[folder / "Dockerfile"] = dockerfile("tool", name)
        texts[folder / "evals.txt"] = "".join(f"{eval_name}\n" for eval_name in supported_evals(name))
    missing = {path: text for path, text in texts.items() if not path.exists()}
    for path, text in missing.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text_atomically(str(path), text)
    return list(missing)
