"""Scenarios of HELM Classic and SQL beyond their vectors: data that is damaged, empty or unlike the usual."""

import json
import random
import sqlite3
import zipfile
from pathlib import Path

import numpy as np
import pytest

from helm.benchmark.scenarios.babi_qa_scenario import BabiQAScenario
from helm.benchmark.scenarios.bbq_scenario import BBQScenario
from helm.benchmark.scenarios.big_bench_scenario import BIGBenchScenario
from helm.benchmark.scenarios.bird_sql_scenario import BIRDSQLScenario
from helm.benchmark.scenarios.boolq_scenario import BoolQScenario
from helm.benchmark.scenarios.dialogue_scenarios import EmpatheticDialoguesScenario
from helm.benchmark.scenarios.disinformation_scenario import DisinformationScenario
from helm.benchmark.scenarios.entity_matching_scenario import EntityMatchingScenario
from helm.benchmark.scenarios.imdb_scenario import IMDBScenario
from helm.benchmark.scenarios.live_qa_scenario import LiveQAScenario
from helm.benchmark.scenarios.lm_entry_scenario import TASKS, LMEntryScenario
from helm.benchmark.scenarios.msmarco_scenario import MSMARCOScenario
from helm.benchmark.scenarios.newsqa_scenario import NewsQAScenario
from helm.benchmark.scenarios.opinions_qa_scenario import OpinionsQAScenario
from helm.benchmark.scenarios.quac_scenario import QuACScenario
from helm.benchmark.scenarios.spider_scenario import SpiderScenario
from helm.benchmark.scenarios.the_pile_scenario import ThePileScenario
from helm.benchmark.scenarios.truthful_qa_scenario import TruthfulQAScenario
from helm.benchmark.scenarios.wikitext_103_scenario import Wikitext103Scenario
from helm.common.errors import ConfigError, HelmError, ScenarioError
from scenario_support import FIXTURE_FILES, case_environment, load_instances, make_run_spec
from vectors_support import vector_cases


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return str(folder)


def texts_of(instances):
    return [instance.input.text for instance in instances]


# --- Choices, and rows that are not as they should be


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: BBQScenario("ages"), "bbq: subject takes one of all, Age, .*, not 'ages'. Did you mean 'Age'?"),
        (lambda: MSMARCOScenario("treck"), "Did you mean 'trec'?"),
        (lambda: MSMARCOScenario("trec", 5), "valid_topk takes 11 to 1000"),
        (lambda: BabiQAScenario(21), "babi_qa: task takes"),
        (lambda: LMEntryScenario("homophone"), "Did you mean 'homophones'?"),
        (
            lambda: OpinionsQAScenario("Pew_American_Trends_Panel_W26", "None"),
            "opinions_qa: context takes one of default",
        ),
        (lambda: ThePileScenario("Arxiv"), "Did you mean 'ArXiv'?"),
        (lambda: TruthfulQAScenario("mc"), "truthful_qa: task takes one of mc_single, not 'mc'"),
        (lambda: DisinformationScenario("wedge"), "Did you mean 'wedging'?"),
        (lambda: EntityMatchingScenario("Beers"), "Did you mean 'Beer'?"),
    ],
)
def test_an_unknown_choice_names_the_nearest(make, message):
    with pytest.raises(ConfigError, match=message):
        make()


DAMAGED = [
    (BBQScenario("Age"), {"data/Age": '{"context": "x"}\n'}, "data/Age, line 1: 'ans0' is missing"),
    (BBQScenario("Age"), {"data/Age": "\n[1, 2]\n"}, "data/Age, line 2"),
    (QuACScenario(), {"data/train.json": '{"data": [{"paragraphs": [{"context": "x", "qas": []}]}]}'}, "sample 1"),
    (TruthfulQAScenario("mc_single"), {"data/TruthfulQA.csv": "Question\nWhy?\n"}, "line 2: 'Best Answer' is missing"),
    (TruthfulQAScenario("mc_single"), {"data/TruthfulQA.csv": "Question,x\nWhy?\n"}, "line 2: 1 cells"),
    (BoolQScenario(), {"data/boolq_perturbed.jsonl": '{"data": [{}, {"question": "x"}]}'}, "entry 1: '.*' is missing"),
    (
        BoolQScenario(),
        {"data/boolq_perturbed.jsonl": '{"data": []}', "data/train": '{"passage": "a", "question": "b", "answer": 3}'},
        "data/train, line 1: .*neither TRUE nor FALSE",
    ),
    (BabiQAScenario(1), {"data/tasks_1-20_v1-2/en-valid/qa1_train.txt": "1 Ann left.\n2 Why? no tab\n"}, "line 2"),
    (BabiQAScenario(1), {"data/tasks_1-20_v1-2/readme": ""}, "qa1_train.txt"),
    (DisinformationScenario(), {"reiteration": '{"thesis": "x", "headlines": [], "split": "train"}'}, "line 1"),
    (Wikitext103Scenario(), {"data/wiki.test.raw": " \n = A = \n \n text \n"}, "holds 1 articles, not 60"),
    (LiveQAScenario(), {"TREC-2017-LiveQA-Medical-Test-Questions-w-summaries.xml": "<a><b>"}, "is not XML"),
    (
        LiveQAScenario(),
        {"TREC-2017-LiveQA-Medical-Test-Questions-w-summaries.xml": "<a><q qid='1'/></a>"},
        "question 1: 'NLM-Summary' is missing",
    ),
    (
        LMEntryScenario("first_word"),
        {"first_word.json": '{"examples": {"7": {"input": "x"}}}'},
        "example 7: '.*' is missing",
    ),
    (BIGBenchScenario("t", ""), {"t/task.json": '{"examples": []}'}, "t/task.json: 'keywords' is missing"),
    (
        BIGBenchScenario("t", ""),
        {"t/task.json": '{"keywords": [], "examples": [{"input": "x"}]}'},
        "example 1: 'target_scores' is missing",
    ),
    (
        OpinionsQAScenario("Pew_American_Trends_Panel_W26", "default"),
        {"Pew_American_Trends_Panel_W26.csv": "question\toptions\nWhy?\t__import__('os')\n"},
        "line 2: .*",
    ),
    (
        EmpatheticDialoguesScenario(),
        {"data/train.csv": "h\nc,1,sad,P,1,a,s,\nc,2,sad,P,2,b,s,\nc,3,sad,P,3,c,s,\n"},
        "Conversation c: .*: '3' is missing",
    ),
    (
        EmpatheticDialoguesScenario(),
        {"data/train.csv": "h\nc,x,sad,P,1,a,s,\n"},
        "train.csv, line 2",
    ),
    (
        ThePileScenario("ArXiv"),
        {"ArXiv.csv": "one\ntwo\n", "arxiv_group0.json": "[0, 2]"},
        "it names texts 0 to 2 of 2 texts",
    ),
]


@pytest.mark.parametrize("scenario, files, message", DAMAGED, ids=[f"{d[0].name}-{i}" for i, d in enumerate(DAMAGED)])
def test_damaged_data_is_named(scenario, files, message, tmp_path):
    with pytest.raises(ScenarioError, match=message):
        scenario.get_instances(write(tmp_path, files))


CASES = [case for file in FIXTURE_FILES[:3] for case in vector_cases(file)]
OWN = ("bbq", "msmarco", "quac", "news_qa", "truthful_qa", "boolq", "imdb", "babi_qa", "disinformation", "code", "the_pile",
       "ice", "wikitext_103", "empatheticdialogues", "entity_matching", "entity_data_imputation", "big_bench", "live_qa",
       "opinions_qa", "lm_entry", "bird_sql", "spider")  # fmt: skip


@pytest.mark.parametrize("case", [c for c in CASES if c["run_spec_function"] in OWN], ids=lambda case: case["id"])
def test_vector_data_that_is_cut_off_gives_instances_or_an_error_of_ours(case, tmp_path, monkeypatch):
    """Each file of the case ends in the middle, one after the other; what had no effect on the rest is still read."""
    for name, content in case["files"].items():
        if isinstance(content, str) and content and not name.startswith("rsf:"):
            damaged = {**case, "files": {**case["files"], name: content[: len(content) // 2]}}
            folder = tmp_path / str(abs(hash(name)))
            folder.mkdir()
            with case_environment(damaged, folder, monkeypatch) as environment:
                try:
                    load_instances(make_run_spec(damaged), environment)
                except HelmError as e:
                    assert len(str(e)) > 20


@pytest.mark.parametrize("case", [c for c in CASES if c["run_spec_function"] in OWN], ids=lambda case: case["id"])
def test_vector_instances_are_the_same_every_time_and_leave_the_global_generators_alone(case, tmp_path, monkeypatch):
    random.seed(5), np.random.seed(5)
    expected = random.Random(5).random(), np.random.RandomState(5).rand()
    with case_environment(case, tmp_path, monkeypatch) as environment:
        run_spec = make_run_spec(case)
        first = texts_of(load_instances(run_spec, environment)[1])
        assert (random.random(), np.random.rand()) == expected
        assert texts_of(load_instances(run_spec, environment)[1]) == first


# --- MS MARCO


def msmarco_files(topk=range(20), wrong_ranks=True, with_topk_of_valid=True):
    rank_of = {doc: rank for rank, doc in enumerate(topk, 1)}
    if not wrong_ranks:
        rank_of = {doc: rank + 40 for doc, rank in rank_of.items()}
    return {
        "data/documents.tsv": "".join(f"{i}\tdoc {i}\n" for i in range(30)),
        "data/train_queries.tsv": "1\tfirst\n",
        "data/train_qrels.tsv": "1\t0\t3\t1\n",
        "data/train_topk.tsv": "".join(f"1\t{doc}\t{rank}\n" for doc, rank in rank_of.items()),
        "data/trec_queries.tsv": "7\tgraded\n",
        "data/trec_qrels.tsv": "7 0 4 3\n7 0 5 0\n",
        "data/trec_topk.tsv": "7\t4\t2\n7\t9\t12\n" if with_topk_of_valid else "8\t4\t2\n",
    }


def test_msmarco_asks_queries_without_a_ranking_too(tmp_path):
    folder = write(tmp_path, msmarco_files(with_topk_of_valid=False))
    train, valid = MSMARCOScenario("trec").get_instances(folder)
    assert len(train.references) == 2
    tags = {reference.output.text: reference.tags for reference in valid.references}
    assert tags == {"doc 4": ["docid=4", "correct", "relevance=3"], "doc 5": ["docid=5"]}


def test_msmarco_leaves_out_train_queries_without_a_wrong_passage(tmp_path, caplog):
    folder = write(tmp_path, msmarco_files(wrong_ranks=False))
    instances = MSMARCOScenario("trec").get_instances(folder)
    assert [instance.split for instance in instances] == ["valid"]
    assert "1 train queries without a wrong passage" in caplog.text


def test_msmarco_names_a_passage_that_is_missing(tmp_path):
    files = msmarco_files()
    files["data/trec_qrels.tsv"] = "7 0 999 3\n"
    with pytest.raises(ScenarioError, match="query 7 of trec names passage 999"):
        MSMARCOScenario("trec").get_instances(write(tmp_path, files))


def test_msmarco_metadata_follows_the_track():
    assert MSMARCOScenario("trec").get_metadata().main_metric == "NDCG@10"
    assert MSMARCOScenario("regular").get_metadata().name == "msmarco_regular"


# --- Others


def test_newsqa_says_where_its_data_belongs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ScenarioError, match="combined-newsqa-data-v1.json is not there.*github.com/Maluuba/newsqa"):
        NewsQAScenario().get_instances(str(tmp_path))


def test_disinformation_of_all_topics(tmp_path):
    rows = [{"thesis": t, "headlines": ["a", "b"], "split": "valid", "topic": t} for t in ("covid", "climate")]
    folder = write(tmp_path, {"reiteration": "".join(json.dumps(row) + "\n" for row in rows)})
    assert texts_of(DisinformationScenario(topic=None).get_instances(folder)) == ["covid", "climate"]
    assert texts_of(DisinformationScenario().get_instances(folder)) == ["covid"]


def test_imdb_stays_in_its_folder(tmp_path):
    files = {f"data/{part}_{kind}.tsv": "S\tT\n" for part in ("test", "dev") for kind in ("original", "contrast")}
    order = {"train": {"pos": ["../../../secret.txt"], "neg": []}, "valid": {"pos": [], "neg": []}}
    files["data/imdb_scenario_pinned_file_order.json"] = json.dumps(order)
    write(tmp_path, {**files, "secret.txt": "secret"})
    with pytest.raises(ScenarioError, match="train/pos/secret.txt"):
        IMDBScenario().get_instances(str(tmp_path))


@pytest.mark.parametrize("task, subtask", [("..", ""), ("t", ".."), ("a/b", ""), ("t", "../x")])
def test_big_bench_tasks_are_names(task, subtask, tmp_path):
    with pytest.raises(ConfigError, match="is not the name of a task"):
        BIGBenchScenario(task, subtask).get_instances(str(tmp_path))


def test_opinions_are_read_from_the_folder_they_are_downloaded_to(tmp_path):
    folder = write(tmp_path, {"data/Pew_American_Trends_Panel_W92.csv": "question\toptions\nWhy?\t['a', 'b']\n"})
    (instance,) = OpinionsQAScenario("Pew_American_Trends_Panel_W92", "default").get_instances(folder)
    assert [reference.output.text for reference in instance.references] == ["a", "b"]


def test_the_pile_keeps_the_texts_of_a_subset(tmp_path):
    rows = [{"text": f"text {i}", "meta": {"pile_set_name": "PhilPapers"}} for i in range(2)]
    write(tmp_path, {"data": "".join(json.dumps(row) + "\n" for row in rows)})
    scenario = ThePileScenario("PhilPapers")
    assert texts_of(scenario.get_instances(str(tmp_path))) == ["text 0", "text 1"]
    (tmp_path / "data").unlink()
    assert texts_of(scenario.get_instances(str(tmp_path))) == ["text 0", "text 1"]


@pytest.mark.parametrize("task", TASKS)
def test_lm_entry_with_one_answer_is_correct_for_it(task, tmp_path):
    metadata = {
        "num_distractors": 0, "category_words": ["x"], "n1": 1, "n2": 2, "word1": "1", "word2": "2", "answer": 1,
        "distractor": "q", "distractors": ["q"],
    }  # fmt: skip
    scenario = LMEntryScenario(task)
    content = json.dumps({"examples": {"1": {"input": "Q: what?\nA:", "metadata": metadata}}})
    for ending in ("", *(f"_{x}_distractors" for x in range(6)), "_length_diff_1", "_length_diff_3plus",
                   "_orthographically_different", "_orthographically_similar", "_consecutive_first_letter",
                   "_different_first_letter", "_far_first_letter", "_same_first_letter"):  # fmt: skip
        write(tmp_path, {f"{task}{ending}.json": content})
    for instance in scenario.get_instances(str(tmp_path)):
        assert instance.input.text == "what?"
        assert len(instance.all_correct_references) == 1
        assert instance.all_correct_references[0].output.text in ("1", "yes")


# --- SQL


def make_database(path, sql="CREATE TABLE shop (id INTEGER);"):
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.executescript(sql)
    connection.close()


def bird_row(**changes):
    return {"question_id": 3, "db_id": "shops", "question": "Q?", "evidence": "", "SQL": "SELECT 1", **changes}


@pytest.mark.parametrize("others", [[], ["__MACOSX/x"]], ids=["alone", "beside others"])
def test_databases_of_bird_are_unpacked_where_the_annotator_looks(others, tmp_path):
    make_database(tmp_path / "shops.sqlite")
    (tmp_path / "dev").mkdir()
    with zipfile.ZipFile(tmp_path / "dev" / "dev_databases.zip", "w") as archive:
        archive.write(tmp_path / "shops.sqlite", "dev_databases/shops/shops.sqlite")
        for name in others:
            archive.writestr(name, "x")
    write(tmp_path, {"dev/dev.json": json.dumps([bird_row()])})
    for _ in range(2):
        (instance,) = BIRDSQLScenario().get_instances(str(tmp_path))
        assert instance.input.text.startswith("CREATE TABLE shop (id INTEGER)\n\n-- External Knowledge: \n")
    assert (tmp_path / "dev/unzipped_dev_databases/dev_databases/shops/shops.sqlite").is_file()


@pytest.mark.parametrize("name", ["../shops", "a/b", "", 3])
def test_databases_are_names(name, tmp_path):
    make_database(tmp_path / "dev/unzipped_dev_databases/dev_databases/shops/shops.sqlite")
    write(tmp_path, {"dev/dev.json": json.dumps([bird_row(db_id=name)])})
    with pytest.raises(ScenarioError, match="dev.json, question 1"):
        BIRDSQLScenario().get_instances(str(tmp_path))


def test_a_file_that_is_no_database_is_named(tmp_path):
    folder = tmp_path / "data/spider_data"
    write(folder, {"test_database/shops/shops.sqlite": "no database" * 100})
    write(folder, {"test.json": json.dumps([{"db_id": "shops", "question": "Q", "query": "S"}])})
    with pytest.raises(HelmError, match="shops.sqlite"):
        SpiderScenario().get_instances(str(tmp_path))


def test_a_missing_database_is_named(tmp_path):
    folder = tmp_path / "data/spider_data"
    write(folder, {"test.json": json.dumps([{"db_id": "bars", "question": "Q", "query": "S"}])})
    with pytest.raises(HelmError, match="bars.sqlite"):
        SpiderScenario().get_instances(str(tmp_path))


def test_the_pile_uses_the_published_sample_of_a_subset(tmp_path, monkeypatch):
    path = Path(__file__).parents[2] / "vectors" / FIXTURE_FILES[0]
    case = next(case for case in json.loads(path.read_text("utf-8"))["cases"] if case["id"] == "the_pile")
    url = "https://raw.githubusercontent.com/EleutherAI/lm_perplexity/main/assets/test_subsample_indices/arxiv/group0.json"
    case = {**case, "args": {"subset": "ArXiv"}, "http": {url: [2, 0, 2]}}
    with case_environment(case, tmp_path, monkeypatch) as environment:
        _, instances = load_instances(make_run_spec(case), environment)
    assert [text.split("\n")[0] for text in texts_of(instances)] == ["line 1", "line 4"]


def test_bbq_takes_subjects_in_small_letters():
    assert BBQScenario("race_x_ses").subject == BBQScenario("Race_x_SES").subject == "Race_x_SES"
