"""Turns files of a web site into a picture of its first page, by Jekyll if the files need it, and headless Chromium."""

import json
import re
from collections.abc import Mapping
from functools import cache

from helm.common.data.media_store import MediaError, safe_path
from helm.common.rendering.contract import CompilationError, Rendering, RenderingError
from helm.common.rendering.html_text import text_of_html
from helm.common.rendering.latex import code_block
from helm.common.rendering.pictures import read_picture
from helm.common.rendering.programs import Command, check_programs, is_installed, run_programs

WHAT = "Web pages"
INSTALL = "apt install chromium"
INSTALL_JEKYLL = "apt install jekyll"

WIDTH, HEIGHT = 1920, 1080
"""The size of the browser's window, and of the picture."""

_SITE, _BUILT = "site", "built"
_VIRTUAL_TIME_MS = 5000
_MAX_FILES = 1000

_BROWSER = (
    "chromium", "--headless", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars",
    "--no-first-run", "--disable-extensions", "--user-data-dir=profile", f"--window-size={WIDTH},{HEIGHT}",
    f"--virtual-time-budget={_VIRTUAL_TIME_MS}",
)  # fmt: skip
"""Chromium's own sandbox needs namespaces, which the sandbox around it refuses."""


def parse_files(completion: str) -> dict[str, str]:
    """Return the files in a JSON list of `{filename, content}`, which may be in a code block.

    Raises: CompilationError.
    """
    try:
        files = json.loads(code_block(completion, "json"))
    except (ValueError, RecursionError) as e:
        raise CompilationError(f"Failed to parse the completion as a JSON object: {e}") from e
    if not isinstance(files, list):
        raise CompilationError("The completion should be a list of files")
    result: dict[str, str] = {}
    for file in files[:_MAX_FILES]:
        name = file.get("filename") if isinstance(file, dict) else None
        if not isinstance(name, str) or not isinstance(file.get("content"), str):
            raise CompilationError("Each file should have a valid filename and content")
        name = name.removeprefix("./")
        try:
            safe_path("", name)
            name.encode()
        except (MediaError, UnicodeEncodeError) as e:
            raise CompilationError(f"Each file should have a valid filename and content: {e}") from e
        result[name] = file["content"]
    return result


def with_assets(files: Mapping[str, str], assets: Mapping[str, bytes]) -> dict[str, str | bytes]:
    """Return the files of a site: an asset comes before a file of the same name. Raises: CompilationError."""
    site: dict[str, str | bytes] = {**files, **assets}
    folders = {"/".join(name.split("/")[:depth]) for name in site for depth in range(1, name.count("/") + 1)}
    both = sorted(folders & site.keys())
    if both:
        raise CompilationError(f"'{both[0]}' is the name of a file and of a folder.")
    return site


def needs_jekyll(site: Mapping[str, str | bytes]) -> bool:
    """Return whether Jekyll changes a file: those that begin with front matter; it copies all others as they are."""
    return any(
        re.match(rb"---\s*\n", content) if isinstance(content, bytes) else re.match(r"---\s*\n", content)
        for content in site.values()
    )


@cache
def _has_jekyll() -> bool:
    return is_installed("jekyll")


def check_browser() -> None:
    """Raise MissingProgramError if the browser is not installed; SandboxError without a sandbox."""
    check_programs(["chromium"], WHAT, INSTALL)


def render_webpage(site: Mapping[str, str | bytes]) -> Rendering:
    """Return a picture of the page at `/`. The infos are `html`, the page as the browser has it, and `text`.

    Raises: CompilationError; RenderingError, also if a page needs Jekyll, which is not installed; MissingProgramError;
    SandboxError.
    """
    commands, folder = [], _SITE
    if needs_jekyll(site):
        if not _has_jekyll():
            raise RenderingError(
                f"{WHAT}: jekyll is not installed, and a file of this page has front matter. Install with: {INSTALL_JEKYLL}"
            )
        commands.append(Command(("jekyll", "build", "-s", _SITE, "-d", _BUILT, "--safe"), must_succeed=True))
        folder = _BUILT
    commands.append(Command((*_BROWSER, "--screenshot=page.png", "--dump-dom", "{address}"), served=folder))
    files = {f"{_SITE}/{name}": content for name, content in site.items()}
    ran = run_programs(commands, files, ["page.png"], WHAT, INSTALL)
    if len(ran.returncodes) < len(commands):
        raise CompilationError(f"Jekyll failed: {ran.stderr[0][-500:]}")
    content, html = ran.contents.get("page.png"), ran.stdout[-1].removesuffix("\n")
    if content is None:
        raise RenderingError(f"Failed to take a screenshot: {ran.stderr[-1][-500:]}")
    picture = read_picture(content)
    return Rendering(picture, {"html": html, "text": text_of_html(html)})
