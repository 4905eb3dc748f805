"""The texts of HELM that are fetched: stand-ins of the same shape, on a server of the test, with and without faults."""

import hashlib
import json
import re
import sys

import pytest

from data_server import data_server
from helm.benchmark.annotation.financebench_annotator import FinanceBenchAnnotator
from helm.benchmark.annotation.live_qa_annotator import LiveQAAnnotator
from helm.benchmark.assembly.run_entries import run_entries_to_run_specs
from helm.benchmark.catalogue.catalogue_setup import CatalogueSetup, register_catalogue
from helm.benchmark.commands import manage_data
from helm.benchmark.presentation.run_entry import RunEntry
from helm.benchmark.run_spec_factory import construct_run_specs
from helm.common.commands.output_path import benchmark_output_path
from helm.common.data import helm_prompts
from helm.common.data.helm_prompts import HelmPromptError, read_helm_constant, read_helm_text, read_table
from helm.common.errors import ConfigError
from helm.common.object_spec import create_object, get_class_by_name, parse_object_spec
from judge_support import ScriptedJudge, make_state
from registries_support import empty_registries

BASE = "https://raw.githubusercontent.com/owner/repository/c0ffee"
FOLDER = "src/helm/benchmark/annotation"
LIVE_QA, FINANCE, LEGAL, JURY, LISTS = (
    f"{FOLDER}/{name}.py"
    for name in (
        "live_qa_annotator",
        "financebench_annotator",
        "arabic_legal_annotator",
        "medi_qa_annotator",
        "lists",
    )
)
TEXT = f"{FOLDER}/template.md"
PROMPT = "\nQuestion: {{QUESTION}}\nRight: {{CORRECT_RESPONSES}}\nAnswer: {{ANSWER}}\n"
FILES = {
    LIVE_QA: f"import nowhere_at_all\nraise SystemExit('this file was run')\nPROMPT_TEMPLATE = {PROMPT!r}\n",
    FINANCE: """
class FinanceBenchAnnotator:
    _PROMPT_TEMPLATE: str = (
        'Q {{QUESTION}} '
        'G {{GOLD_ANSWER}} A {{MODEL_RESPONSE}}'
    )
""",
    LEGAL: "class ArabicLegalAnnotator:\n    PROMPT_TEMPLATE = 'Q {{question}} G {{reference_answer}} A {{model_output}}'\n",
    JURY: "PROMPT_TEMPLATE = '''Q {QUESTION} R {RESPONSE} G {GOLD_RESPONSE} {\"a\": 1}'''\n",
    LISTS: """
WORDS = ['one', 'two']

def f():
    if WORDS:
        text = g()
    text = 'local'
    return text
""",
    TEXT: "A whole file.\n",
}
CONSTANTS = {
    LIVE_QA: [("PROMPT_TEMPLATE", PROMPT)],
    FINANCE: [("FinanceBenchAnnotator._PROMPT_TEMPLATE", "Q {{QUESTION}} G {{GOLD_ANSWER}} A {{MODEL_RESPONSE}}")],
    LEGAL: [("ArabicLegalAnnotator.PROMPT_TEMPLATE", "Q {{question}} G {{reference_answer}} A {{model_output}}")],
    JURY: [("PROMPT_TEMPLATE", 'Q {QUESTION} R {RESPONSE} G {GOLD_RESPONSE} {"a": 1}')],
    LISTS: [("WORDS", ["one", "two"]), ("f()/text", "local")],
}


def describe(name, value):
    if isinstance(value, str):
        return {"name": name, "kind": "str", "characters": len(value)}
    return {"name": name, "kind": "list", "characters": sum(map(len, value)), "items": len(value)}


def write_table(path, files, constants):
    rows = []
    for name, text in files.items():
        row = {"path": name, "sha256": hashlib.sha256(text.encode()).hexdigest()}
        if name in constants:
            row["constants"] = [describe(*constant) for constant in constants[name]]
        rows.append(row)
    path.write_text(json.dumps({"repository": "owner/repository", "commit": "c0ffee", "files": rows}))


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A server with the files, a table that names them, and an empty output folder."""
    monkeypatch.chdir(tmp_path)
    write_table(tmp_path / "table.json", FILES, CONSTANTS)
    monkeypatch.setattr(helm_prompts, "_TABLE", str(tmp_path / "table.json"))
    helm_prompts.helm_files.cache_clear()
    with data_server() as server, benchmark_output_path(str(tmp_path / "out")):
        for name in ("HELM_OFFLINE", "HF_HUB_OFFLINE", "HELM_DEBUG"):
            monkeypatch.delenv(name, raising=False)
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        for name, text in FILES.items():
            server.add_file(f"{BASE}/{name}", text.encode())
        yield server
    helm_prompts.helm_files.cache_clear()


def helm_data(monkeypatch, *arguments):
    """Run `helm-data`; returns its exit status."""
    monkeypatch.setattr(sys, "argv", ["helm-data", *arguments])
    try:
        return manage_data.main() or 0
    except SystemExit as e:
        return e.code or 0


def test_the_shipped_table_is_sound():
    files = read_table(helm_prompts._TABLE)
    assert len(files) > 40
    assert all(len(file.sha256) == 64 and file.url.startswith("https://") for file in files.values())
    assert sum(len(file.constants) for file in files.values()) > 50


def test_texts_are_fetched_read_and_never_run(place, monkeypatch, capsys):
    with pytest.raises(ConfigError, match="helm-data fetch helm-prompts"):
        read_helm_constant(LIVE_QA, "PROMPT_TEMPLATE")
    assert helm_data(monkeypatch, "check", "helm-prompts", "-o", "out") == 1
    assert f"helm-prompts: {len(FILES)} to fetch" in capsys.readouterr().out
    assert helm_data(monkeypatch, "fetch", "helm-prompts", "-o", "out") == 0
    assert f"helm-prompts: {len(FILES)} files" in capsys.readouterr().out
    assert helm_data(monkeypatch, "check", "helm-prompts", "-o", "out", "--offline") == 0
    assert helm_data(monkeypatch, "list", "helm-prompts", "-o", "out") == 0
    assert capsys.readouterr().out.count("sha256") == len(FILES)
    for path, constants in CONSTANTS.items():
        for name, value in constants:
            assert read_helm_constant(path, name) == value
    assert read_helm_text(TEXT) == "A whole file.\n"
    with pytest.raises(ConfigError, match="Did you mean 'WORDS'"):
        read_helm_constant(LISTS, "WORD")
    with pytest.raises(ConfigError, match="has no file"):
        read_helm_text("../../etc/passwd")


def test_bundles_carry_the_texts(place, monkeypatch):
    assert helm_data(monkeypatch, "fetch", "helm-prompts", "-o", "out") == 0
    assert helm_data(monkeypatch, "export", "texts.tar", "helm-prompts", "-o", "out") == 0
    assert helm_data(monkeypatch, "import", "texts.tar", "-o", "elsewhere") == 0
    with benchmark_output_path("elsewhere"):
        assert helm_data(monkeypatch, "check", "helm-prompts", "-o", "elsewhere", "--offline") == 0
        assert read_helm_constant(LISTS, "WORDS") == ["one", "two"]


@pytest.mark.parametrize(
    "body, message",
    [
        (b"PROMPT_TEMPLATE = 'another text'\n", "its SHA-256 is"),
        (b"#" * (2 << 20), "gives more than 1048576 bytes"),
        (b"", "its SHA-256 is"),
    ],
)
def test_other_bytes_are_not_kept(place, monkeypatch, capsys, body, message, tmp_path):
    place.add_file(f"{BASE}/{LIVE_QA}", body)
    assert helm_data(monkeypatch, "fetch", "helm-prompts", "-o", "out") == 1
    assert message in capsys.readouterr().err
    assert not [path for path in (tmp_path / "out").rglob("*live_qa*") if path.suffix in (".py", ".part")]


def test_a_file_that_was_changed_here_is_refused(place, monkeypatch, tmp_path):
    assert helm_data(monkeypatch, "fetch", "helm-prompts", "-o", "out") == 0
    (tmp_path / "out" / "helm-prompts" / LISTS).write_text("WORDS = ['one', 'tw0']\n")
    with pytest.raises(HelmPromptError, match="is not HELM's file"):
        read_helm_constant(LISTS, "WORDS")
    assert helm_data(monkeypatch, "check", "helm-prompts", "-o", "out") == 1


@pytest.mark.parametrize(
    "text, message",
    [
        ("OTHER = 1\n", "is not in the file"),
        ("NAME = open('/etc/passwd').read()\n", "is not a literal"),
        ("NAME = 'ab'.strip()\n", "is not a literal"),
        ("NAME = f'{1}b'\n", "is not a literal"),
        ("NAME = 'abc'\n", "is not what the table says"),
        ("NAME = ['ab']\n", "is not what the table says"),
        ("NAME = 12\n", "is not what the table says"),
        ("NAME = (\n", "the file is not Python"),
        ("NAME = " + "-" * 100_000 + "1\n", "NAME"),
        ("NAME = 'a\0b'\n", "the file is not Python"),
    ],
)
def test_constants_that_are_not_as_described_are_refused(tmp_path, monkeypatch, text, message):
    path = tmp_path / "out" / "helm-prompts" / "a.py"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    write_table(tmp_path / "table.json", {"a.py": text}, {"a.py": [("NAME", "ab")]})
    monkeypatch.setattr(helm_prompts, "_TABLE", str(tmp_path / "table.json"))
    helm_prompts.helm_files.cache_clear()
    try:
        with benchmark_output_path(str(tmp_path / "out")), pytest.raises(HelmPromptError, match=message):
            read_helm_constant("a.py", "NAME")
    finally:
        helm_prompts.helm_files.cache_clear()


@pytest.mark.parametrize("path", ["../a.py", "/a.py", "a/../../b.py", "a\\b.py", ""])
def test_paths_of_a_table_stay_in_the_folder(tmp_path, path):
    write_table(tmp_path / "table.json", {path: ""}, {})
    with pytest.raises(HelmPromptError, match="is not a path"):
        read_table(str(tmp_path / "table.json"))


# ---- judges=helm


@pytest.fixture
def catalogue():
    with empty_registries():
        register_catalogue(CatalogueSetup("prod_env", [], [], [], []))
        yield


def construct(entry):
    (run_spec,) = construct_run_specs(parse_object_spec(entry), as_command=True)
    return run_spec


def test_judges_helm_is_in_the_run_spec_and_its_name(place, catalogue, monkeypatch):
    with pytest.raises(ConfigError, match="Get them: helm-data fetch helm-prompts"):
        construct("live_qa:model=simple/model1,judges=helm")
    helm_prompts.fetch_helm_prompts()
    run_spec = construct("live_qa:model=simple/model1,judges=helm,grader=simple/model1")
    assert run_spec.name == "live_qa:model=simple_model1,judges=helm,grader=simple_model1"
    assert run_spec.annotators[0].args["prompts"] == "helm"
    entries = [RunEntry(entry, 1, None) for entry in ("live_qa:model=simple/model1", "simple_mcqa:model=simple/model1")]
    first, second = run_entries_to_run_specs(entries, as_command=True, judges="helm")
    assert first.name == "live_qa:model=simple_model1,judges=helm" and "judges" not in second.name
    # These prompts are HELM's anyway.
    assert construct("simple_safety_tests:model=simple/model1,judges=helm") == construct(
        "simple_safety_tests:model=simple/model1"
    )


@pytest.mark.parametrize(
    "entry, message",
    [
        ("live_qa:model=simple/model1,judges=ours", "judges takes helm"),
        ("simple_mcqa:model=simple/model1,judges=helm", "no model judges the answers"),
        ("alrage:model=simple/model1,judges=helm", "is no constant that could be fetched"),
    ],
)
def test_a_wording_that_there_is_not_is_refused(place, catalogue, entry, message):
    with pytest.raises(ConfigError, match=message):
        construct(entry)


REFERENCES = [(" wrong ", []), (" right ", ["correct"])]


@pytest.mark.parametrize(
    "class_name, references, prompt",
    [
        (
            "live_qa_annotator.LiveQAAnnotator",
            REFERENCES,
            "Question:  p \nRight: Correct Response #0:  wrong \nCorrect Response #1:  right \n\nAnswer:  a ",
        ),
        ("financebench_annotator.FinanceBenchAnnotator", REFERENCES, "Q q G right A a"),
        ("arabic_legal_annotator.ArabicLegalAnnotator", REFERENCES, "Q  q  G  wrong  A  a "),
        ("medi_qa_annotator.MediQAAnnotator", REFERENCES, 'Q  q  R  a  G  wrong  {"a": 1}'),
    ],
)
def test_prompts_are_filled_in_as_helm_does(place, class_name, references, prompt):
    """What stands in each place was observed by running crfm-helm 0.5.16."""
    helm_prompts.fetch_helm_prompts()
    judge = ScriptedJudge("<reasoning>r</reasoning><score>1</score>")
    models = {"gpt": {"model_name": "simple/model1", "model_deployment": "simple/model1"}}
    from helm.benchmark.specs import AnnotatorSpec

    spec = AnnotatorSpec(
        f"helm.benchmark.annotation.{class_name}",
        {"auto_client": judge, "annotator_models": models, "prompts": "helm"},
    )
    annotator = create_object(spec)
    state = make_state(" a ", prompt=" p ", question=" q ", references=references)
    try:
        annotator.annotate(state)
    except Exception:
        assert "FinanceBench" in class_name  # its reply has another form
    assert judge.requests[0].prompt == prompt


def test_another_wording_is_refused_by_the_judge(place):
    for cls in (LiveQAAnnotator, FinanceBenchAnnotator):
        with pytest.raises(ConfigError, match="prompts takes helm"):
            cls(ScriptedJudge(""), prompts="mine")
        with pytest.raises(ConfigError, match="helm-data fetch helm-prompts"):
            cls(ScriptedJudge(""), prompts="helm")


CRITIQUES = {
    "gpt4_audio_critique_metrics": "GPT4AudioCritiqueMetric.GPT4_AUDIO_CRITIQUE_PROMPT",
    "gpt4_audio_refusal_metrics": "GPT4AudioRefusalCritiqueMetric.JUDGE_PROMPT",
    "prometheus_vision_critique_metrics": "PrometheusVisionCritiqueMetric.METRIC_PROMPT",
    "reka_vibe_critique_metrics": "RekaVibeCritiqueMetric.REKA_VIBE_PROMPT_WITH_IMAGE",
}
for _module, _constant in CRITIQUES.items():
    _name, _, _variable = _constant.partition(".")
    _path = f"src/helm/benchmark/metrics/{_module}.py"
    FILES[_path] = f"class {_name}:\n    {_variable} = 'Rate {{{{orig_response}}}}'\n"
    CONSTANTS[_path] = [(_constant, "Rate {{orig_response}}")]


@pytest.mark.parametrize("module", CRITIQUES)
def test_critiques_ask_in_helms_words(place, module):
    critique = get_class_by_name(f"helm.benchmark.metrics.{module}.{CRITIQUES[module].partition('.')[0]}")
    with pytest.raises(ConfigError, match="Get it: helm-data fetch helm-prompts"):
        critique(num_respondents=1, max_tokens=9, prompts="helm")
    helm_prompts.fetch_helm_prompts()
    ours, theirs = (critique(num_respondents=1, max_tokens=9, prompts=prompts) for prompts in (None, "helm"))
    assert theirs.instructions == "Rate {{orig_response}}"
    assert ours.instructions == critique.instructions != theirs.instructions
    with pytest.raises(ConfigError, match="prompts takes helm"):
        critique(num_respondents=1, max_tokens=9, prompts="ours")


def test_judges_helm_reaches_the_critiques_of_a_run(place, catalogue):
    entry = "vibe_eval:subject=difficulty-normal,model=simple/model1,num_respondents=1,judges=helm"
    with pytest.raises(ConfigError, match="Get them: helm-data fetch helm-prompts"):
        construct(entry)
    helm_prompts.fetch_helm_prompts()
    run_spec = construct(entry)
    assert run_spec.name.endswith("judges=helm")
    assert [spec.args.get("prompts") for spec in run_spec.metric_specs].count("helm") >= 1


ACCOUNT = {
    "asked with judges=helm, by annotators": r"annotation/\w+_annotator",
    "read by the annotator itself, as in HELM": r"annotation/\w+/\w*template\S*\.(txt|md)",
    "asked with judges=helm, by critiques": "metrics/(" + "|".join(CRITIQUES) + ")",
    "the same published word lists are part of the metric": "metrics/bias_word_lists",
    "fetched by the metric itself, with the same SHA-256": "metrics/melt_bias_word_lists",
    "a metric has words of its own": "metrics/(decodingtrust_stereotype_bias_metrics|ifeval/instructions_util)",
    "the sandbox's harness takes its place": "metrics/code_metrics_helper",
    "equal texts are in the run specs": "run_specs/(codeinsights|experimental|melt)_run_specs",
    "prompts of text-to-image scenarios": r"scenarios/image_generation/\w+",
    "prompts of vision-language scenarios": "scenarios/vision_language/[\\w/]+",
}
"""What becomes of the texts in each of HELM's files."""


def test_every_file_of_the_table_is_accounted_for():
    table = read_table(helm_prompts._TABLE)
    for path in table:
        name = path.removeprefix("src/helm/benchmark/").removesuffix(".py")
        assert sum(bool(re.fullmatch(pattern, name)) for pattern in ACCOUNT.values()) == 1, name
    constants = {path: [constant.name for constant in file.constants] for path, file in table.items()}
    for module, constant in CRITIQUES.items():
        critique = get_class_by_name(f"helm.benchmark.metrics.{module}.{constant.partition('.')[0]}")
        assert critique.helm_constant in constants[critique.helm_path()]
