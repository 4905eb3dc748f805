"""Scenarios of Image2Struct beyond HELM's vectors."""

import base64
import io
import tarfile

import pytest
from PIL import Image

import data_server
from helm.benchmark.scenarios.vision_language.image2struct import latex_scenario, webpage_scenario
from helm.benchmark.scenarios.vision_language.image2struct.latex_scenario import LatexScenario
from helm.benchmark.scenarios.vision_language.image2struct.metric_arguments import size_handling
from helm.benchmark.scenarios.vision_language.image2struct.musicsheet_scenario import MusicSheetScenario
from helm.benchmark.scenarios.vision_language.image2struct.webpage_scenario import WebpageScenario
from helm.common.errors import ConfigError, HelmError
from helm.common.rendering.contract import MissingProgramError, Rendering


def packed(files):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return base64.b64encode(stream.getvalue()).decode()


@pytest.fixture
def serve(monkeypatch, tmp_path):
    with data_server.data_server() as server:
        for name, value in {**server.environment(), "XDG_CACHE_HOME": str(tmp_path / "cache")}.items():
            monkeypatch.setenv(name, value)

        def add(path, config, rows):
            case = {"hf": [{"path": path, "config": config, "splits": {"validation": rows}}]}
            data_server.add_case(server, case)

        yield add


def row(subset, name, **columns):
    stream = io.BytesIO()
    Image.new("RGB", (3, 2)).save(stream, "PNG")
    picture = {"bytes": stream.getvalue(), "path": None}
    return {"category": f'"{subset}"', "uuid": f'"{name}"', "difficulty": "easy", "image": picture, **columns}


def test_pictures_made_here_keep_their_text_for_the_next_run(serve, tmp_path, monkeypatch):
    serve("stanford-crfm/i2s-latex", "table", [row("table", "a", structure="x")])
    monkeypatch.setattr(latex_scenario, "check_latex", lambda: None)
    made = []

    def render(code):
        made.append(code)
        return Rendering(Image.new("RGB", (7, 5), "red"), {"text": "reduced"})

    monkeypatch.setattr(latex_scenario, "render_latex", render)
    for _ in range(2):
        (instance,) = LatexScenario("table").get_instances(str(tmp_path))
        assert instance.references[0].output.text == "reduced"
        with Image.open(instance.input.multimedia_content.media_objects[1].location) as picture:
            assert picture.size == (7, 5)
    assert made == ["x"]


@pytest.mark.parametrize("first", ["given", "made"])
def test_pictures_of_the_data_set_and_those_made_here_do_not_replace_each_other(serve, tmp_path, monkeypatch, first):
    serve("stanford-crfm/i2s-latex", "table", [row("table", "a", structure="x", text="t")])
    monkeypatch.setattr(latex_scenario, "check_latex", lambda: None)
    monkeypatch.setattr(
        latex_scenario, "render_latex", lambda code: Rendering(Image.new("RGB", (7, 5), "red"), {"text": "reduced"})
    )
    kinds = ["given", "made"] if first == "given" else ["made", "given"]
    locations: dict[str, str] = {}
    for kind in kinds * 2:
        (instance,) = LatexScenario("table", recompile_prompt=kind == "made").get_instances(str(tmp_path))
        picture = instance.input.multimedia_content.media_objects[1]
        assert locations.setdefault(kind, picture.location) == picture.location
        assert instance.references[0].output.multimedia_content.media_objects[0].location == picture.location
        for known, location in locations.items():
            with Image.open(location) as image:
                assert image.size == ((3, 2) if known == "given" else (7, 5))
    assert locations[first].endswith("data/images/table/a.png")  # HELM's name, where nothing else has it


def test_a_missing_program_is_named_before_data_are_read(monkeypatch):
    def check():
        raise MissingProgramError("LaTeX: pdflatex is not installed.")

    monkeypatch.setattr(latex_scenario, "check_latex", check)
    with pytest.raises(MissingProgramError, match="pdflatex"):
        LatexScenario("table", recompile_prompt=True)
    LatexScenario("table", recompile_prompt=False)


@pytest.mark.parametrize("name", ["../a.png", "/a.png", "a/../../b.png"])
def test_names_in_a_repository_cannot_leave_its_folder(name, serve, tmp_path):
    structure = packed({"index.html": b"x", name: b"x"})
    serve("stanford-crfm/i2s-webpage", "css", [row("css", "a", structure=structure, text="t")])
    with pytest.raises(HelmError, match="not the name of a file"):
        WebpageScenario("css", recompile_prompt=False).get_instances(str(tmp_path))


def test_a_repository_has_a_limited_size(serve, tmp_path, monkeypatch):
    monkeypatch.setattr(webpage_scenario, "_MAX_BYTES", 10)
    structure = packed({"index.html": b"x" * 11})
    serve("stanford-crfm/i2s-webpage", "css", [row("css", "a", structure=structure, text="t")])
    with pytest.raises(HelmError, match="more than 10 bytes"):
        WebpageScenario("css", recompile_prompt=False).get_instances(str(tmp_path))


def test_arguments_are_checked(serve, tmp_path):
    with pytest.raises(ConfigError, match="Did you mean 'table'"):
        LatexScenario("tabel", recompile_prompt=False)
    with pytest.raises(ConfigError, match="the data set has no code"):
        MusicSheetScenario(recompile_prompt=True)
    serve("stanford-crfm/i2s-musicsheet", "music", [row("music", "a")])
    with pytest.raises(HelmError, match="no pictures of the subset music and the difficulty hard"):
        MusicSheetScenario(difficulty="hard").get_instances(str(tmp_path))
    assert size_handling(None, "padding") == "padding" == size_handling({}, "padding")
    assert size_handling({"size_handling_method": "none"}, "padding") == "none"
    with pytest.raises(ConfigError, match="must be a mapping"):
        size_handling("none", "padding")
