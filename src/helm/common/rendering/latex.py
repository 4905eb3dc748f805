"""Turns LaTeX code into a picture as HELM's Image2Struct does: the code is made a document, compiled, and cropped."""

import re
from typing import TYPE_CHECKING

from helm.common.rendering.contract import CompilationError, Rendering, RenderingError
from helm.common.rendering.pictures import content_of_page, read_picture
from helm.common.rendering.programs import Command, check_programs, run_programs

if TYPE_CHECKING:
    from PIL.Image import Image

WHAT = "LaTeX"
INSTALL = "apt install texlive-latex-extra texlive-pictures texlive-science poppler-utils"

PACKAGES = (
    "{amsmath,amssymb,amsfonts}", "{graphicx}", "{amsmath}", "{xcolor}", "{algorithm}", "{algorithmicx}", "{algpseudocode}",
    "{listings}", "{stfloats}", "{epstopdf}", "{pgfplots}", "{tikz}", "{tikz-cd}", "{tikz-qtree}", "{tikz-dependency}",
    "{tikz-3dplot}", "{tikz-network}", "[flushleft]{threeparttable}", "{adjustbox}",
)  # fmt: skip
INCLUDES = "\n" + "".join(f"\\usepackage{package}\n" for package in PACKAGES)
"""What every document begins with, instead of its own packages."""

CLASS = r"\documentclass{article}"
BEGIN, END = r"\begin{document}", r"\end{document}"

NUMBERED = (
    "equation", "align", "alignat", "gather", "flalign", "multline", "eqnarray", "subeqnarray", "aligneq",
)  # fmt: skip
"""Environments that become those without numbers."""

HOPELESS = (
    "Undefined control sequence", r"LaTeX Error: Lonely \item--perhaps a missing list environment.", "Missing } inserted",
    "Missing { inserted", "Double subscript.", "LaTeX Error: Not in outer par mode.",
    "Extra alignment tab has been changed to \\cr.", "Missing \\", "LaTeX Error: \\begin{", "Misplaced \\noalign",
    " already defined.",
)  # fmt: skip
"""Parts of messages that no change of the document mends."""

NEEDS_MATH = ("Missing $ inserted", " allowed only in math mode")
_UNDEFINED = re.compile(r"LaTeX Error: Environment (\w+\*?) undefined")
MAX_REPAIRS = 3
DOTS_PER_INCH = 200

_DOCUMENT_CLASS = re.compile(r"\\document(?:class|style)(?:\[[^\]]*\])?\{[^}]*\}")
_LABEL = re.compile(r"\\label\{[^}]*\}[ \t]*\n?")
# HELM: up to the last brace of the line.
_PACKAGE = re.compile(r"\\usepackage(?:\[.*\])?\{.*\}")


def code_block(text: str, language: str) -> str:
    """Return what is between the first fence with the name of the language and the next fence, or between two fences, or all."""
    for opening in (f"```{language}", "```"):
        _, found, rest = text.partition(opening)
        block, closing, _ = rest.partition("```")
        if found and closing:
            return block
    return text


def as_document(code: str) -> str:
    """Return the document that is compiled for a piece of code, or for a whole document."""
    for name in NUMBERED:
        code = code.replace(f"{{{name}}}", f"{{{name}*}}")
    code = _LABEL.sub("", code)
    if BEGIN not in code and CLASS not in code:
        code = BEGIN + code
    if END not in code:
        code += END
    if _DOCUMENT_CLASS.search(code):
        code = _DOCUMENT_CLASS.sub(lambda match: CLASS, code, count=1)
    else:
        code = f"{CLASS}\n\n{code}"
    code = _PACKAGE.sub("", code)
    return code.replace(CLASS, f"{CLASS}\n{INCLUDES}\n")


def repaired(document: str, message: str) -> str | None:
    """Return another document for one that does not compile, or None if there is nothing to try."""
    if any(part in message for part in HOPELESS):
        return None
    changed = False
    if any(part in message for part in NEEDS_MATH):
        document, changed = document.replace(BEGIN, f"{BEGIN}$$").replace(END, f"$${END}"), True
    undefined = _UNDEFINED.search(message)
    if undefined:
        # HELM: `as_document` removes the package again, so this only compiles if something else was wrong.
        document, changed = document.replace(CLASS, f"{CLASS}\n\\usepackage{{{undefined[1]}}}\n"), True
    return document if changed else None


def reduced(document: str) -> str:
    """Return the part of a document that its author wrote, a line for each beginning and end of an environment."""
    text = re.sub(r"\\(?:documentclass|documentstyle|usepackage)(?:\[[^\]]*\])?\{[^}]*\}", "", document)
    text = text.replace(BEGIN, "").partition(END)[0]
    # HELM: an option at the end of a line gets a line of its own.
    text = re.sub(r"(\\begin\{[^}]*\}(?:\[[^\]]*\])?)(?!\n)", r"\1\n", text)
    text = re.sub(r"(\\end\{[^}]*\})(?!\n)", r"\1\n", text)
    lines = (re.sub(r" +", " ", line.replace("\t", " ")).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def check_latex() -> None:
    """Raise MissingProgramError if a program is not installed; SandboxError without a sandbox."""
    check_programs(["pdflatex", "pdftoppm"], WHAT, INSTALL)


def render_latex(code: str) -> Rendering:
    """Compile code, with up to three repairs. The infos are `image_size`, `latex_code` (the document) and `text`.

    Raises: CompilationError with LaTeX's message; RenderingError, MissingProgramError, SandboxError.
    """
    document = as_document(code)
    for attempt in range(MAX_REPAIRS + 1):
        try:
            picture = compile_document(document)
        except CompilationError as e:
            other = repaired(document, str(e)) if attempt < MAX_REPAIRS else None
            if other is None:
                raise
            document = as_document(other)
        else:
            infos = {"image_size": list(picture.size), "latex_code": document, "text": reduced(document)}
            return Rendering(picture, infos)
    raise AssertionError("unreachable")


def compile_document(document: str) -> "Image":
    """Return the picture of what is on the first page. Raises: as `render_latex`."""
    latex = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "page.tex"]
    picture = ["pdftoppm", "-png", "-r", str(DOTS_PER_INCH), "-f", "1", "-l", "1", "-singlefile", "page.pdf", "page"]
    commands = [Command(tuple(latex), must_succeed=True)] * 2 + [Command(tuple(picture))]
    ran = run_programs(
        commands, {"page.tex": document}, ["page.log", "page.png"], WHAT, INSTALL, {"max_print_line": "10000"}
    )
    log = ran.contents.get("page.log", b"").decode("utf-8", "replace")
    if any(ran.returncodes[:2]):
        raise CompilationError(first_error(log) or "LaTeX failed without a message.")
    content = ran.contents.get("page.png")
    if content is None:
        if "No pages of output" in log:
            raise CompilationError("No pages of output.")
        raise RenderingError(f"pdftoppm made no picture: {ran.stderr[-1][-500:]}")
    return content_of_page(read_picture(content))


def first_error(log: str) -> str | None:
    """Return the first message of a log, in one line; None if there is none."""
    match = re.search(r"^! (.*)$", log, re.MULTILINE)
    return match[1].strip() if match else None
