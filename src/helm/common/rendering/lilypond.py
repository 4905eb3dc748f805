"""Turns LilyPond code into a picture of sheet music."""

from helm.common.rendering.contract import CompilationError, Rendering
from helm.common.rendering.pictures import content_of_page, read_picture
from helm.common.rendering.programs import Command, check_programs, run_programs

WHAT = "LilyPond"
INSTALL = "apt install lilypond"


def check_lilypond() -> None:
    """Raise MissingProgramError if a program is not installed; SandboxError without a sandbox."""
    check_programs(["lilypond", "convert-ly"], WHAT, INSTALL)


def render_lilypond(code: str) -> Rendering:
    """Render code of any version of LilyPond's language, which is brought up to date first. There are no infos.

    Raises: CompilationError, RenderingError, MissingProgramError, SandboxError.
    """
    commands = [
        Command(("convert-ly", "-e", "page.ly"), must_succeed=True),
        # HELM: what counts is the picture, since LilyPond also makes one of a score with mistakes.
        Command(("lilypond", "--png", "-o", "page", "page.ly")),
    ]
    ran = run_programs(commands, {"page.ly": code}, ["page.png"], WHAT, INSTALL)
    if ran.returncodes[0]:
        raise CompilationError(f"convert-ly failed: {ran.stderr[0]}")
    content = ran.contents.get("page.png")
    if content is None:
        raise CompilationError("lilypond did not generate the image")
    return Rendering(content_of_page(read_picture(content)))
