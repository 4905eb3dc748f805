"""Annotators that compile what models write: HELM's annotations, with programs replaced as they were for the vectors."""

import base64
import json

import pytest
from PIL import Image

from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.annotation.annotator import UnjudgedError
from helm.benchmark.annotation.image2struct.image_compiler_annotator import ImageCompilerAnnotator
from helm.benchmark.annotation.image2struct.latex_compiler_annotator import LatexCompilerAnnotator
from helm.benchmark.annotation.image2struct.lilypond_compiler_annotator import LilypondCompilerAnnotator
from helm.benchmark.annotation.image2struct.webpage_compiler_annotator import WebpageCompilerAnnotator
from helm.benchmark.scenarios.scenario import Input, Instance, Output, Reference
from helm.common.cache import BlackHoleCacheConfig, SqliteCacheConfig
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.rendering import latex, lilypond, webpage
from helm.common.rendering.contract import CompilationError, RenderingError
from helm.common.rendering.html_text import text_of_html
from helm.common.rendering.programs import Ran
from helm.common.request import GeneratedOutput, Request, RequestResult
from vectors_support import load_vectors

VECTORS = load_vectors("helm-vision-audio/annotators.json")
MEDIA = {name: base64.b64decode(medium["base64"]) for name, medium in VECTORS["media"].items()}
PIXELS = Image.new("RGB", (4, 3), "black")


@pytest.fixture(autouse=True)
def installed_programs(monkeypatch):
    for module in (latex, lilypond, webpage):
        monkeypatch.setattr(module, "check_programs", lambda *arguments: None)


def state_of(completions, references=()):
    outputs = [GeneratedOutput(text, 0, []) for text in completions]
    result = RequestResult(success=True, cached=False, embedding=[], completions=outputs)
    instance = Instance(Input("x"), list(references), split="test", id="id0")
    return new_request_state(instance, Request("simple/model1", "simple/model1"), result=result)


def annotate(annotator_class, folder, completion, references=()):
    annotator = annotator_class(BlackHoleCacheConfig(), str(folder))
    (annotation,) = annotator.annotate(state_of([completion], references))
    json.dumps(annotation)
    return annotation


def png(size=(11, 6)):
    """A page of which a rectangle of that size is left: the foot and the border are cut off."""
    from io import BytesIO

    page = Image.new("RGB", (30, 40), "white")
    page.paste("black", (5, 7, 5 + size[0], 7 + size[1]))
    page.paste("black", (10, 36, 12, 38))  # the number of the page
    stream = BytesIO()
    page.save(stream, "PNG")
    return stream.getvalue()


def without_picture(annotation):
    return {name: value for name, value in annotation.items() if name != "media_object"}


@pytest.mark.parametrize("number", range(len(VECTORS["latex"]["annotate"])))
def test_latex_vectors(number, tmp_path, monkeypatch):
    case = VECTORS["latex"]["annotate"][number]
    assert VECTORS["latex"]["TEX_INCLUDES"] == latex.INCLUDES
    errors, compiled = iter(case["compiler_errors"]), []

    def compile_document(document):
        compiled.append(document.replace(latex.INCLUDES, "$TEX_INCLUDES"))
        message = next(errors, None)
        if message is not None:
            raise CompilationError(message)
        return PIXELS

    monkeypatch.setattr(latex, "compile_document", compile_document)
    annotation = annotate(LatexCompilerAnnotator, tmp_path, case["completion"])
    assert ("media_object" in annotation) == case["has_image"]
    expected = dict(case["annotation"])
    if "latex_code" in expected:
        expected["latex_code"] = expected["latex_code"].replace("$TEX_INCLUDES", latex.INCLUDES)
        assert annotation["media_object"]["content_type"] == case["image_content_type"]
        with Image.open(annotation["media_object"]["location"]) as picture:
            assert picture.size == PIXELS.size
    assert without_picture(annotation) == expected
    assert compiled == [text.replace(latex.INCLUDES, "$TEX_INCLUDES") for text in case["compiled"]]


@pytest.mark.parametrize("number", range(len(VECTORS["latex"]["strip"])))
def test_reduced_latex_vectors(number):
    case = VECTORS["latex"]["strip"][number]
    assert latex.reduced(case["latex"]) == case["stripped"]


def asset_references(assets, folder):
    paths = []
    for i, asset in enumerate(assets):
        path = folder / f"{i}.png"
        path.write_bytes(MEDIA[asset["picture"]])
        paths.append(MediaObject("image/png", location=str(path)))
    names = [MediaObject("text/plain", text=asset["name"]) for asset in assets]
    return [
        Reference(Output("", MultimediaObject(media)), [tag])
        for media, tag in ((paths, "asset_path"), (names, "asset_name"))
        if assets
    ]


@pytest.mark.parametrize("number", range(len(VECTORS["webpage"])))
def test_webpage_vectors(number, tmp_path, monkeypatch):
    case = VECTORS["webpage"][number]
    written = {}
    shown = next(one["annotation"]["html"] for one in VECTORS["webpage"] if "html" in one["annotation"])

    def run_programs(commands, files, outputs, *rest):
        written.update({name.removeprefix("site/"): content for name, content in files.items()})
        return Ran((0,), (shown,), ("",), {"page.png": png()})

    monkeypatch.setattr(webpage, "run_programs", run_programs)
    references = asset_references(case["assets"], tmp_path)
    annotation = annotate(WebpageCompilerAnnotator, tmp_path / "pictures", case["completion"], references)
    assert ("media_object" in annotation) == case["has_image"]
    if "raises" in case["annotation"]:  # HELM's run fails when a file's content is no text
        assert annotation == {"error": "Each file should have a valid filename and content"}
        return
    assert without_picture(annotation) == case["annotation"]
    got = [[name, "<the asset>" if content in MEDIA.values() else content] for name, content in sorted(written.items())]
    assert got == case["files"]


@pytest.mark.parametrize("number", range(len(VECTORS["lilypond"])))
def test_lilypond_vectors(number, tmp_path, monkeypatch):
    case = VECTORS["lilypond"][number]
    run = []

    def run_programs(commands, files, outputs, *rest):
        run.extend(command.argv for command in commands)
        content = {"page.png": png(case["image_size"])} if case["image_size"] else {}
        return Ran((0, 0 if case["case"] == "ok" else 1), ("", ""), ("", ""), content)

    monkeypatch.setattr(lilypond, "run_programs", run_programs)
    annotation = annotate(LilypondCompilerAnnotator, tmp_path, "{ c4 }")
    assert without_picture(annotation) == case["annotation"]
    if case["image_size"]:
        with Image.open(annotation["media_object"]["location"]) as picture:
            assert list(picture.size) == case["image_size"]
    names = {"<tmp>": "page", "<tmp>.ly": "page.ly"}
    expected = [tuple(names.get(word, word.rpartition("/")[2]) for word in command) for command in case["commands"]]
    assert run == [command for command in expected if "--version" not in command]


# ---- What the vectors do not show


def test_what_is_compiled_is_cached_and_made_again_if_its_picture_is_gone(tmp_path, monkeypatch):
    compiled = []

    def compile_document(document):
        compiled.append(document)
        if "bad" in document:
            raise CompilationError("No\nway.")
        return PIXELS

    monkeypatch.setattr(latex, "compile_document", compile_document)
    annotator = LatexCompilerAnnotator(SqliteCacheConfig(str(tmp_path / "cache.sqlite")), str(tmp_path / "pictures"))
    states = [state_of(["good", " good "]), state_of(["bad"]), state_of([])]
    first = [annotator.annotate(state) for state in states]
    num_compiled = len(compiled)
    assert [annotator.annotate(state) for state in states] == first and len(compiled) == num_compiled
    assert first[1:] == [[{"error": "Noway."}], []] and first[0][0] == first[0][1]
    for picture in (tmp_path / "pictures").iterdir():
        picture.unlink()
    again = [annotator.annotate(state) for state in states]
    assert again == first
    with Image.open(again[0][0]["media_object"]["location"]) as picture:
        assert picture.size == PIXELS.size


def test_a_compiler_of_ones_own_needs_one_method(tmp_path):
    class Compiler(ImageCompilerAnnotator):
        name = "size_compiler"

        def compile_completion_into_image(self, request_state, completion_text):
            if not completion_text.isdecimal():
                raise CompilationError("That is no number.")
            return Image.new("RGB", (int(completion_text), 1)), {"size": int(completion_text)}

        def postprocess_infos(self, infos):
            return {**infos, "instance": "x"}

    found = annotate(Compiler, tmp_path, " 7 ")
    assert without_picture(found) == {"size": 7, "instance": "x"}
    assert annotate(Compiler, tmp_path, "seven") == {"error": "That is no number."}


def test_a_program_that_does_not_end_says_nothing_about_the_completion(tmp_path, monkeypatch):
    def compile_document(document):
        raise RenderingError("LaTeX: pdflatex took longer than 60 seconds.")

    monkeypatch.setattr(latex, "compile_document", compile_document)
    with pytest.raises(UnjudgedError, match="latex_compiler: .* took longer"):
        annotate(LatexCompilerAnnotator, tmp_path, "x")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([{"filename": "../../x", "content": ""}], "not the name of a file"),
        ([{"filename": "/etc/passwd", "content": ""}], "not the name of a file"),
        ([{"filename": "a/../../b", "content": ""}], "not the name of a file"),
        ([{"filename": "a", "content": ""}, {"filename": "a/b", "content": ""}], "'a' is the name of a file and of a"),
        ({"filename": "a"}, "should be a list of files"),
        (["a"], "should have a valid filename"),
    ],
)
def test_files_of_a_page_stay_below_its_folder(files, message, tmp_path):
    annotation = annotate(WebpageCompilerAnnotator, tmp_path, json.dumps(files))
    assert message in annotation["error"]


def test_a_page_that_needs_jekyll_is_not_judged_without_it(tmp_path, monkeypatch):
    monkeypatch.setattr(webpage, "_has_jekyll", lambda: False)
    page = json.dumps([{"filename": "index.md", "content": "---\ntitle: x\n---\n# Hello"}])
    with pytest.raises(UnjudgedError, match="jekyll is not installed.* apt install jekyll"):
        annotate(WebpageCompilerAnnotator, tmp_path, page)


def test_the_message_of_latex_is_found_in_its_log():
    log = "This is pdfTeX\n! LaTeX Error: Environment foo undefined.\n\nSee the manual\n! Emergency stop.\n"
    assert latex.first_error(log) == "LaTeX Error: Environment foo undefined."
    assert latex.first_error("fine") is None


def test_a_repair_that_does_not_help_ends_with_the_message(monkeypatch):
    compiled = []

    def compile_document(document):
        compiled.append(document)
        raise CompilationError("Missing $ inserted.")

    monkeypatch.setattr(latex, "compile_document", compile_document)
    with pytest.raises(CompilationError, match="Missing"):
        latex.render_latex("a_1")
    assert len(compiled) == 4 and "$$$$$$a_1$$$$$$" in compiled[-1]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<ol start=3><li>a<ul><li>in</ul><li>b</ol>c", "3. a\n* in\n4. b\nc"),
        ("<table><tr><th>A<th>B</tr><tr><td>1</td><td>2</td></tr></table>", "A| B\n---|---\n1| 2"),
        ("a<br>b<hr><b>c</b> <i>d</i> <img src='x(1).png' alt=y>", "a\nb\n* * *\n**c** _d_ ![y](x\\(1\\).png)"),
        ("<p> <b> x </b>y<b>z</b>w</p>", "**x** y**z** w"),
        ("<pre>x  y\n z</pre><blockquote>q<p>r</p></blockquote>s", "x y\nz\n> q\n>\n> r\ns"),
        ("<p>1. x</p><p>- y</p><p>-z</p>", "1\\. x\n\\- y\n-z"),
        ("<section>a</section><nav>b</nav><div>c</div>d", "ab\nc\nd"),
        ("<head><title>t</title></head><style>s</style><script>x</script>&lt;a&gt;", "<a>"),
        ("</p></b></ul></blockquote>", "**"),
        ("", ""),
    ],
)
def test_text_of_pages(html, text):
    """Texts that html2text gives, without empty lines and runs of blanks."""
    assert text_of_html(html) == text
