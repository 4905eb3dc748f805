"""Programs that turn code into pictures, in the sandbox."""

import json
from dataclasses import replace

import pytest

from helm.common.rendering import programs
from helm.common.rendering.contract import CompilationError, MissingProgramError, RenderingError
from helm.common.rendering.latex import check_latex, render_latex
from helm.common.rendering.lilypond import check_lilypond, render_lilypond
from helm.common.rendering.programs import Command, run_programs
from helm.common.rendering.webpage import check_browser, render_webpage
from helm.common.sandbox import SandboxError


def needs(check):
    try:
        check()
    except (MissingProgramError, SandboxError) as e:
        pytest.skip(str(e))


@pytest.fixture(autouse=True)
def sandbox():
    needs(lambda: programs.check_programs([], "Python", ""))


def run_python(source, files=None, outputs=(), **arguments):
    commands = [Command(("python3", "-c", source), **arguments), Command(("python3", "-c", "print('second')"))]
    return run_programs(commands, files or {}, outputs, "Python", "apt install python3", {"WORD": "a word"})


def test_commands_run_in_order_and_files_come_back():
    source = (
        "import os, sys; open('made', 'w').write(open('in/given').read() * 2); print(os.environ['WORD']); sys.exit(3)"
    )
    ran = run_python(source, {"in/given": "ab"}, ["made", "absent"])
    assert ran.returncodes == (3, 0) and ran.stdout == ("a word\n", "second\n")
    assert ran.contents == {"made": b"abab"}
    assert run_python("raise SystemExit(1)", must_succeed=True).returncodes == (1,)


def test_a_folder_is_served_while_a_command_runs():
    source = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1] + 'a.txt').read())"
    command = Command(("python3", "-c", source, "{address}"), served="site")
    assert run_programs([command], {"site/a.txt": "hi"}, [], "Python", "").stdout == ("b'hi'\n",)


def test_links_to_other_files_do_not_come_back():
    assert run_python("import os; os.symlink('/etc/passwd', 'made')", outputs=["made"]).contents == {}


def test_programs_that_are_missing_or_do_not_end_are_named(monkeypatch):
    with pytest.raises(
        MissingProgramError, match="Music: no-such-program is not installed. Install with: apt install x"
    ):
        run_programs([Command(("no-such-program",))], {}, [], "Music", "apt install x")
    assert programs.is_installed("python3") and not programs.is_installed("no-such-program")
    monkeypatch.setattr(programs, "WALL_S", 0.3)
    with pytest.raises(RenderingError, match="Python: python3 took longer than 0.3 seconds"):
        run_python("import time; time.sleep(30)")
    monkeypatch.setattr(programs, "WALL_S", 30)
    monkeypatch.setattr(programs, "LIMITS", replace(programs.LIMITS, wall_s=-9.5))
    with pytest.raises(RenderingError, match="did not end as they should .timeout"):
        run_python("import time; time.sleep(30)")


def test_a_web_page_with_style_and_script_is_shown():
    needs(check_browser)
    page = "<link rel=stylesheet href=/css/a.css><h1>Title</h1><script src=a.js></script>"
    site = {
        "index.html": page,
        "css/a.css": b"body { background: rgb(255, 0, 0) }",
        "a.js": "document.body.append('JS')",
    }
    rendering = render_webpage(site)
    assert rendering.picture.size == (1920, 1080) and rendering.picture.getpixel((5, 1000)) == (255, 0, 0)
    assert rendering.infos["text"] == "# Title\nJS" and "<h1>Title</h1>" in rendering.infos["html"]
    json.dumps(rendering.infos)


def test_latex_is_compiled():
    needs(check_latex)
    rendering = render_latex(r"\begin{equation}a=b\end{equation}")
    width, height = rendering.picture.size
    assert 20 < width < 300 and 5 < height < 100 and rendering.infos["image_size"] == [width, height]
    assert render_latex("x_1").infos["text"] == "$$x_1$$"
    with pytest.raises(CompilationError, match="Undefined control sequence"):
        render_latex(r"\nosuchcommand")
    with pytest.raises(CompilationError, match="not found"):
        render_latex(r"\input{/home/secret}")


@pytest.mark.slow
def test_latex_of_nothing_is_an_error():
    needs(check_latex)
    with pytest.raises(CompilationError, match="empty|No pages"):
        render_latex("")


def test_sheet_music_is_made():
    needs(check_lilypond)
    rendering = render_lilypond("\\version \"2.22.0\"\n{ c'4 d' e' f' }")
    assert rendering.picture.size[0] > rendering.picture.size[1] > 10 and rendering.infos == {}
    with pytest.raises(CompilationError, match="convert-ly failed"):
        render_lilypond("{ c'4 }")
