"""What stands first on the page of an instance with media: pages beside their reference, recordings with their words."""

import re
import struct
from pathlib import Path

import pytest

pytest.importorskip("jinja2")

from compare_support import make_run  # noqa: E402
from helm.common.formats.sound_head import read_outline, read_sound_head  # noqa: E402
from helm.results.word_differences import MOST_WORDS, align_words  # noqa: E402
from results_support import edit_json  # noqa: E402
from viewer_support import html_of, png, put, text_of, viewer, wav  # noqa: E402

SOURCE = "\\frac{1}{2}\nx"


def parts(*items):
    return {"media_objects": [{"content_type": kind, "location": str(place)} for kind, place in items]}


def make_output(folder: Path, annotations, scores, answer="x", reference=SOURCE, sizing="padding") -> Path:
    """One instance of Image2Struct, with what its compiler said."""
    output = folder / "output"
    given = put(output / "scenarios", "given.png", png(1))
    path = make_run(
        output / "runs" / "s", {"id0": [scores["earth_mover_similarity"]]}, "a/one", "pages",
        metric="earth_mover_similarity", answers={"id0": answer},
    )  # fmt: skip

    def change_spec(spec):
        spec["metric_specs"].append({"class_name": "x.Y", "args": {"size_handling_method": sizing}})

    def change(state):
        (first,) = state["request_states"]
        first["instance"]["input"] = {"text": "", "multimedia_content": parts(("image/png", given))}
        first["instance"]["references"] = [
            {"output": {"text": reference, "multimedia_content": parts(("image/png", given))}, "tags": ["correct"]}
        ]
        first["annotations"] = {"latex_compiler": annotations}

    def add(entries):
        for name, mean in scores.items():
            entries[0]["stats"].append({"name": {"name": name, "split": "test"}, "count": 1, "sum": mean, "mean": mean})

    edit_json(path / "run_spec.json", change_spec)
    edit_json(path / "scenario_state.json", change)
    edit_json(path / "per_instance_stats.json", add)
    return output


def page_of(output: Path, media_folder: Path) -> str:
    with viewer(output, media_folder=str(media_folder)) as shown:
        return html_of(shown, "/instance/s/pages:model=a_one?id=id0")


@pytest.mark.parametrize("error", ["", "Missing $ inserted"])
def test_a_compiled_page_has_a_verdict_whatever_the_main_metric(tmp_path: Path, error: str) -> None:
    made = put(tmp_path / "cache", "made.png", png(2))
    annotation = {"error": error} if error else {"media_object": parts(("image/png", made))["media_objects"][0]}
    page = page_of(make_output(tmp_path, [annotation], {"earth_mover_similarity": 0.9}), tmp_path / "cache")
    if error:
        assert verdict_of(page).startswith("Does not compile Missing $ inserted")
    else:
        told = "No main score It compiles. Earth mover similarity 0.900. No main score is known for the run."
        assert verdict_of(page) == told


def test_a_compiled_page_stands_beside_the_given_one(tmp_path: Path) -> None:
    made = put(tmp_path / "cache", "made.png", png(2))
    annotation = {"media_object": {"content_type": "image/png", "location": str(made)}, "text": "\\frac{1}{3}\nx"}
    page = page_of(make_output(tmp_path, [annotation], {"earth_mover_similarity": 0.9}), tmp_path / "cache")
    assert "Given and made" in page and page.count("<figure") == page.count('<svg class="difference"') + 2
    alts = re.findall(r'<img [^>]*alt="([^"]*)"', page)
    assert alts == ["Picture of the reference: \\frac{1}{2} x", "Picture compiled from the response: \\frac{1}{3} x"]
    assert "2 lines differ" in text_of(page)
    assert '<span class="del">- \\frac{1}{2}</span><span class="add">+ \\frac{1}{3}</span><span>  x</span>' in page


@pytest.mark.parametrize(("sizing", "is_fitted"), [("padding", False), ("resize", True)])
def test_the_difference_is_laid_out_as_the_metric_compares(tmp_path: Path, sizing: str, is_fitted: bool) -> None:
    image = pytest.importorskip("PIL.Image")
    made = tmp_path / "cache" / "made.png"
    made.parent.mkdir()
    image.new("RGB", (3, 2)).save(made)
    annotation = {"media_object": {"content_type": "image/png", "location": str(made)}, "text": "x"}
    output = make_output(tmp_path, [annotation], {"earth_mover_similarity": 0.9}, sizing=sizing)
    page = page_of(output, tmp_path / "cache")
    assert ('viewBox="0 0 1 1"' if is_fitted else 'viewBox="0 0 3 2"') in page
    assert ("fitted to one size" in page) == is_fitted


def test_what_does_not_compile_is_said_first_and_where_it_looks_best(tmp_path: Path) -> None:
    scores = {"earth_mover_similarity": 0.0, "block_emd": 0.0, "compilation_success": 0.0}
    output = make_output(tmp_path, [{"error": "Undefined <b>control</b> sequence."}], scores)
    edit_json(output / "runs/s/pages:model=a_one/run_spec.json", set_main)
    page = page_of(output, tmp_path)
    text = text_of(page)
    assert "Undefined &lt;b&gt;control" in page and "<b>control" not in page
    assert text.index("Does not compile") < text.index("Given and made")
    assert "In Block emd, that is the best value" in text and "<svg class=" not in page


def set_main(spec):
    """Give the run a scenario whose main metric is known."""
    spec["scenario_spec"] = {
        "class_name": "helm.benchmark.scenarios.vision_language.image2struct.latex_scenario.LatexScenario",
        "args": {"subset": "equation", "recompile_prompt": False},
    }


# --- sounds --------------------------------------------------------------------------------------------------------------


def make_transcript(
    folder: Path,
    heard: str,
    rate: float,
    *,
    metric="wer_score",
    reference="The cat sat, here.",
    epochs=1,
    has_file=True,
) -> str:
    """The page of the only instance of a run whose scores are 0 or 1, if that of the instance is."""
    output = folder / "output"
    sound = put(output / "scenarios", "a.wav", wav())
    path = make_run(output / "runs" / "s", {"id0": [rate]}, "a/one", "speech", metric=metric, answers={"id0": heard})
    if not has_file:
        sound.unlink()

    def change(state):
        (first,) = state["request_states"]
        first["instance"]["input"] = {"text": "", "multimedia_content": parts(("audio/wav", sound))}
        first["instance"]["references"] = [{"output": {"text": reference}, "tags": ["correct"]}]
        state["request_states"] = [first] * epochs

    edit_json(path / "scenario_state.json", change)
    edit_json(path / "run_spec.json", set_main_rate)
    with viewer(output) as shown:
        return html_of(shown, "/instance/s/speech:model=a_one?id=id0")


def set_main_rate(spec):
    """Give the run a scenario whose main metric is the word error rate."""
    spec["scenario_spec"] = {
        "class_name": "helm.benchmark.scenarios.audio_language.librispeech_scenario.LibriSpeechScenario"
    }


def verdict_of(page: str) -> str:
    (found,) = re.findall(r'<div class="verdict [a-z]*">(.*?)</div>', page, flags=re.DOTALL)
    return text_of(found).strip()


def test_words_that_differ_are_marked_and_counted(tmp_path: Path) -> None:
    page = make_transcript(tmp_path, "the hat sat <i> here", 0.5)
    assert "the <del>cat</del> <ins>hat</ins> sat <ins>i</ins> here" in page
    assert "2 errors in 4 words Word error rate 50.0%: 1 replaced, 1 added." in text_of(page)
    assert "As the metric compares them: in lower case, without punctuation." in text_of(page)
    assert "<i>" not in page


def test_a_transcript_without_errors_is_said_so(tmp_path: Path) -> None:
    page = make_transcript(tmp_path, "the cat sat here", 0.0)
    assert "✓ No errors All of 4 words are there." in text_of(page) and "data-next-failed" not in page


def test_a_transcript_with_nothing_but_errors_is_not_right(tmp_path: Path) -> None:
    assert verdict_of(make_transcript(tmp_path, "no dog", 1.0)).startswith("4 errors in 4 words")


def test_where_the_score_counts_something_else_the_page_says_so(tmp_path: Path) -> None:
    page = make_transcript(tmp_path, "the hat sat here", 0.9)
    assert "the <del>cat</del> <ins>hat</ins> sat here" in page
    assert "error rate of these words is 25.0%; the score is 90.0%, which was counted in another way" in text_of(page)
    assert verdict_of(page).startswith("0.900 WER.")
    page = make_transcript(tmp_path / "epochs", "the hat sat here", 0.5, epochs=3)
    assert "the score is 50.0%, of 3 responses, of which this is the first." in text_of(page)


def test_words_do_not_need_the_recording(tmp_path: Path) -> None:
    page = make_transcript(tmp_path, "the hat sat here", 0.25, has_file=False)
    assert "<audio" not in page and "Recording Not shown: the file is not here" in text_of(page)
    assert "the <del>cat</del> <ins>hat</ins> sat here" in page


def test_long_transcripts_are_said_not_to_be_compared(tmp_path: Path) -> None:
    page = make_transcript(tmp_path, "a " * (MOST_WORDS + 1), 0.25)
    assert "<del>" not in page and f"Texts of more than {MOST_WORDS} words are not compared here." in text_of(page)


def test_chinese_words_are_those_of_the_metric(tmp_path: Path) -> None:
    pytest.importorskip("jieba")
    from helm.benchmark.metrics.error_rates import chinese_wer_score

    reference, heard = "我来到北京清华大学。", "我来到上海清华大学"
    rate = chinese_wer_score(reference, heard)
    page = make_transcript(tmp_path, heard, rate, metric="chinese_wer_score", reference=reference)
    assert "<del>北京</del> <ins>上海</ins>" in page and "Word error rate" in verdict_of(page)


@pytest.mark.parametrize(
    ("reference", "heard", "counts"),
    [("a b c", "a b c", (0, 0, 0)), ("a b c", "b c d", (0, 1, 1)), ("", "a", (0, 0, 1)), ("a b", "", (0, 2, 0)),
     ("a b", "c d", (2, 0, 0))],
)  # fmt: skip
def test_alignments_have_the_fewest_errors(reference: str, heard: str, counts: tuple[int, ...]) -> None:
    found = align_words(reference.split(), heard.split())
    assert found is not None and (found.replaced, found.left_out, found.added) == counts
    assert " ".join(text for kind, text in found.pieces if kind != "added") == reference
    assert " ".join(text for kind, text in found.pieces if kind != "left out") == heard


def test_error_rates_are_those_of_the_metric() -> None:
    jiwer = pytest.importorskip("jiwer")
    import random

    draws = random.Random(1)
    for _ in range(50):
        reference, heard = ([draws.choice("abcde") for _ in range(draws.randint(1, 12))] for _ in range(2))
        found = align_words(reference, heard)
        assert found is not None and found.rate == pytest.approx(jiwer.wer(" ".join(reference), " ".join(heard)))


def test_long_transcripts_are_not_aligned() -> None:
    assert align_words(["a"] * (MOST_WORDS + 1), ["a"]) is None


def wav_of(data: bytes, *, kind: int = 1, channels: int = 1, rate: int = 8000, bits: int = 16, length=None) -> bytes:
    form = struct.pack("<HHIIHH", kind, channels, rate, 0, channels * bits // 8, bits)
    chunks = b"LIST" + struct.pack("<I", 3) + b"abc\0" + b"fmt " + struct.pack("<I", 16) + form
    chunks += b"data" + struct.pack("<I", len(data) if length is None else length) + data
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WAVE" + chunks


def test_heads_of_sounds_are_read(tmp_path: Path) -> None:
    samples = struct.pack("<8h", 0, 100, -200, 0, 0, 0, 50, 0)
    path = str(put(tmp_path, "a.wav", wav_of(samples, channels=2, rate=4, length=0xFFFFFFFF)))
    head = read_sound_head(path)
    assert head is not None and (head.seconds, head.rate, head.channels, head.num_frames) == (1.0, 4, 2, 4)
    assert read_outline(path, head, 4) == [0.0, 1.0, 0.0, 0.25]
    packed = (44100 << 44) | (1 << 41) | (15 << 36) | 88200
    flac = b"fLaC" + b"\x80\0\0\x22" + bytes(10) + packed.to_bytes(8, "big") + bytes(16)
    path = str(put(tmp_path, "a.flac", flac))
    head = read_sound_head(path)
    assert head is not None and (head.seconds, head.rate, head.channels) == (2.0, 44100, 2)
    assert read_outline(path, head, 4) == []


@pytest.mark.parametrize(
    "content",
    [b"", b"RIFF", b"RIFF\0\0\0\0WAVE", wav_of(b"", channels=0), wav_of(b"", rate=0), b"fLaC\x80", b"ID3\0",
     b"RIFF\0\0\0\0WAVEdata\0\0\0\0", b"RIFF\0\0\0\0WAVE" + b"junk\0\0\0\0" * 3000, b"fLaC" + bytes(38)],
)  # fmt: skip
def test_damaged_sounds_say_nothing(tmp_path: Path, content: bytes) -> None:
    head = read_sound_head(str(put(tmp_path, "a.wav", content)))
    assert head is None
