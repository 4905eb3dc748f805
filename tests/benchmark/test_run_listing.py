import pytest

from helm.benchmark.assembly.run_listing import FETCHES, NO, READY, describe
from helm.benchmark.assembly.run_listing_text import describe_run_spec, list_run_specs
from helm.benchmark.declarative import catalogue
from helm.common.commands.output_path import set_benchmark_output_path
from helm.common.errors import ConfigError

ENTRIES = """
- name: listing_zoo
  description: "Which animal is larger?"
  license: CC0
  size: {test: 3}
  params:
    animal: {type: str, choices: [cat, dog], doc: the one to compare}
    rows: {type: int}
    plain: {type: bool, default: false}
  source:
    files: [{file: data/zoo.jsonl, url: "https://zoo.example/${animal}.jsonl", split: test}]
  input: "{question}"
  references: {answers: [answer]}
  metadata: {main_metric: exact_match, main_split: test}
  run:
    adapter: {preset: generation, max_tokens: 7}
    metrics: [exact_match]
- name: listing_gated
  description: Asks its owners.
  gated: {page: "https://zoo.example/ask"}
  source: {files: [{file: zoo.jsonl, url: "https://zoo.example/zoo.jsonl", split: test}]}
  input: "{question}"
  references: {none: true}
  run: {adapter: {preset: generation}, metrics: [exact_match]}
- name: listing_restricted
  description: Is put there by hand.
  source:
    how_to_get: Write to the zoo.
    files: [{file: zoo.jsonl, restricted: true, split: test}]
  input: "{question}"
  references: {none: true}
  run: {adapter: {preset: generation}, metrics: [exact_match]}
- name: listing_withdrawn
  description: Was closed.
  unavailable: The zoo was closed in 1999.
  run: {adapter: {preset: generation}, metrics: [exact_match]}
- name: listing_judged
  description: Asks a judge.
  source: {rows: [{question: "Is it nice?", split: test}]}
  input: "{question}"
  references: {none: true}
  split: {field: split}
  run:
    adapter: {preset: generation}
    metrics: [{class: wildbench_metrics.WildBenchScoreMetric}]
    annotators: [{class: wildbench_annotator.WildBenchAnnotator}]
- name: listing_code
  description: Runs programs.
  source: {rows: [{question: "Write one.", split: test}]}
  input: "{question}"
  references: {none: true}
  split: {field: split}
  run:
    adapter: {preset: generation}
    metrics: [{class: code_metrics.APPSMetric, args: {names: [test_avg]}}]
"""


@pytest.fixture(autouse=True)
def zoo(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("HELM_OFFLINE", "HF_HUB_OFFLINE", "HF_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "huggingface"))
    set_benchmark_output_path(str(tmp_path / "output"))
    (tmp_path / "zoo.yaml").write_text(ENTRIES)
    with catalogue.isolated():
        catalogue.register_file(str(tmp_path / "zoo.yaml"))
        yield tmp_path
    set_benchmark_output_path("benchmark_output")


@pytest.mark.parametrize(
    "name, example",
    [
        ("compiler", "compiler:model=llvm/Oz"),
        ("gcc", "gcc:program=X,model=gcc/Os"),
        ("gradbench_hello", "gradbench_hello:model=gradbench/numpy"),
    ],
)
def test_the_example_names_a_subject_of_the_right_kind(name, example):
    (line,) = [line for line in describe_run_spec(name).splitlines() if line.startswith("example")]
    assert f"helm-run -r {example} -m 10" in line


def test_what_a_description_says():
    lines = describe_run_spec("listing_zoo").splitlines()
    assert lines[:3] == ["listing_zoo", "===========", "Which animal is larger?"]
    assert "  animal (str): one of cat, dog. the one to compare" in lines
    assert "  plain=False (bool)" in lines
    facts = {line.split("  ")[0]: line.split("  ")[-1].strip() for line in lines[7:] if not line.startswith(" ")}
    assert facts["example"] == "helm-run -r listing_zoo:animal=cat,rows=1,model=baseline/ppm -m 10 --suite try"
    assert facts["runs here"] == "fetches"
    assert facts["size"] == "test 3"
    assert facts["licence"] == "CC0"
    assert facts["data"] == "https://zoo.example/<animal>.jsonl"
    assert facts["adapter"] == "generation, 5 examples, 7 tokens"
    assert facts["main metric"] == "exact_match on test"
    assert any("exact_match, quasi_exact_match" in line for line in lines)


def test_data_that_is_here_needs_no_fetch(zoo, monkeypatch):
    monkeypatch.setenv("HELM_OFFLINE", "1")
    offline = describe("listing_zoo")
    assert (offline.status, offline.reasons) == (NO, ["HELM_OFFLINE is set and the data is not here"])
    folder = zoo / "output" / "scenarios" / "listing_zoo" / "data"
    folder.mkdir(parents=True)
    (folder / "zoo.jsonl").write_text("")
    assert describe("listing_zoo").status == READY
    monkeypatch.delenv("HELM_OFFLINE")
    (folder / "zoo.jsonl").unlink()
    assert describe("listing_zoo").status == FETCHES


def test_gated_data_needs_a_token(monkeypatch):
    assert describe("listing_gated").reasons == [
        "ask for the data at https://zoo.example/ask and put your token under huggingfaceToken"
    ]
    monkeypatch.setenv("HF_TOKEN", "hf_x")
    assert describe("listing_gated").status == FETCHES


def test_restricted_data_is_put_there_by_hand(zoo):
    assert describe("listing_restricted").reasons == [
        "the file has to be put there by hand: restricted/listing_restricted/zoo.jsonl"
    ]
    (zoo / "restricted" / "listing_restricted").mkdir(parents=True)
    (zoo / "restricted" / "listing_restricted" / "zoo.jsonl").write_text("")
    assert describe("listing_restricted").status == READY


def test_what_was_withdrawn_says_why():
    assert (describe("listing_withdrawn").status, describe("listing_withdrawn").reasons) == (
        NO,
        ["The zoo was closed in 1999."],
    )
    assert "no (The zoo was closed in 1999.)" in " ".join(list_run_specs("withdrawn").split())


def test_a_judge_needs_a_key(monkeypatch):
    found = describe("listing_judged")
    assert found.judges and found.status == NO
    assert found.reasons == [
        f"the judge {found.judges[0]} is in no catalogue of models; judges.yaml names another"
    ] or found.reasons == [f"the judge {found.judges[0]} needs a key in credentials.conf, or judges.yaml another judge"]


def test_programs_need_a_sandbox(monkeypatch):
    monkeypatch.setenv("HELM_SANDBOX", "bubblewrap")
    monkeypatch.setenv("PATH", "")
    [reason] = describe("listing_code").reasons
    assert reason.startswith("programs that models write need a sandbox: ")


def test_arguments_that_nobody_can_guess_are_said_to_hide_the_rest(zoo):
    (zoo / "more.yaml").write_text(
        "name: listing_secret\ndescription: Needs a certain word.\nparams: {word: {type: str}}\n"
        "tables: {words: {sesame: open}}\nlet: {answer: {table: words, key: '${word}'}}\n"
        "source: {rows: [{question: x, split: test}]}\ninput: '{question}'\nsplit: {field: split}\n"
        "references: {none: true}\nrun: {adapter: {preset: generation, instructions: '${answer}'}, metrics: [exact_match]}\n"
    )
    catalogue.register_file(str(zoo / "more.yaml"))
    found = describe("listing_secret")
    assert found.status == READY and found.run_spec is None
    assert "what follows from its arguments is not shown" in describe_run_spec("listing_secret")


def test_the_list_can_be_searched():
    text = list_run_specs("LARGER")
    assert "listing_zoo:animal,rows [plain]" in text and "1 run spec. " in text
    with pytest.raises(ConfigError, match="No run spec has 'larher' in its name or description"):
        list_run_specs("larher")


def test_a_run_spec_of_python_shows_its_documentation():
    text = describe_run_spec("custom_mcqa")
    assert "  path (str)" in text and "custom_mcqa_scenario.CustomMCQAScenario" in text


def test_every_run_spec_can_be_described():
    """No entry breaks the listing, and nothing but its own reasons keeps one from running."""
    for name in catalogue.names():
        found = describe(name)
        assert found.status in (READY, FETCHES, NO)
        assert (found.status == NO) == bool(found.reasons), name
        assert found.run_spec is not None, (name, found.reasons)


def test_run_specs_are_listed_by_what_their_prompts_hold():
    from helm.benchmark.assembly.run_listing import MODALITIES, look_up

    listed = {modality: list_run_specs("", modality) for modality in MODALITIES if modality != "video"}
    for name, modality in {"pope": "image", "vibe_eval": "image", "librispeech": "audio", "gsm": "text"}.items():
        assert [m for m, text in listed.items() if f"\n{name}" in text] == [modality]
    assert look_up("speech_robust_bench").modalities == {"audio"}  # its type depends on an argument
    assert "a_okvqa" in list_run_specs("a_okvqa", "image")
    with pytest.raises(ConfigError, match="No run spec with audio in its prompts has 'a_okvqa'"):
        list_run_specs("a_okvqa", "audio")
    assert "prompts" in describe_run_spec("pope") and "texts and media: image" in describe_run_spec("pope")
