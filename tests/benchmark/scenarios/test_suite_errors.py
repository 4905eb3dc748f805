"""What the medical, enterprise, DecodingTrust and CodeInsights scenarios say when something is wrong."""

import pytest

from helm.benchmark.declarative.row_operations import last_of_duplicates, sampled_train_rows
from helm.benchmark.scenarios.scenario import TEST_SPLIT
from helm.benchmark.scenarios.table_hooks import labelled_sections, rows_below_header
from helm.common.errors import HelmError, ScenarioError
from helm.common.object_spec import get_class_by_name
from made_up_data import content_bytes, load_scenario, made_up_world

DATA = "https://raw.githubusercontent.com/AI-secure/DecodingTrust-Data-Legacy/38972f6ccbf376a8d0660babafb4d2b3b9cca3f4/data/"
PRIVACY = "decodingtrust_privacy_scenario.DecodingTrustPrivacyScenario"
ETHICS = "decodingtrust_machine_ethics_scenario.DecodingTrustMachineEthicsScenario"


def scenario(path, **args):
    return load_scenario({"scenario": {"class": path, "args": args}})


@pytest.mark.parametrize(
    ("path", "args", "message"),
    [
        ("shc_ent_scenario.SHCENTMedScenario", {"data_path": "none.csv"}, "there is no file none.csv"),
        ("mimic_rrs_scenario.MIMICRRSScenario", {"data_path": "none"}, "there is no file none/test.findings.tok"),
        ("dischargeme_scenario.DischargeMeScenario", {"data_path": "d"}, "physionet.org/content/discharge-me"),
        ("n2c2_ct_matching_scenario.N2C2CTMatchingScenario", {"data_path": "d", "subject": "ENGLISH"}, "n2c2.dbmi"),
        (
            "n2c2_ct_matching_scenario.N2C2CTMatchingScenario",
            {"data_path": "d", "subject": "ENGLIHS"},
            "mean 'ENGLISH'",
        ),
        ("clear_scenario.CLEARScenario", {"data_path": "d", "condition": "cronic_pain"}, "Did you mean 'chronic_pain'"),
        (ETHICS, {"data_name": "ethics_vitrue"}, "Did you mean 'ethics_virtue'"),
        (ETHICS, {"data_name": "jiminy_conditional_harm_self"}, "cannot be run"),
        (
            ETHICS,
            {"data_name": "jiminy", "evasive_sentence": 6},
            "evasive_sentence must be a number from 0 to 5, not 6",
        ),
        (PRIVACY, {"scenario_name": "enron", "prompt_type": "x"}, "scenario_name must be one of"),
        ("ehrshot_scenario.EHRSHOTScenario", {"subject": "new_lupus", "data_path": "d"}, "clinical definitions"),
        ("ehrshot_scenario.EHRSHOTScenario", {"subject": "guo_ios", "data_path": "d"}, "Did you mean 'guo_los'"),
        ("ehrshot_scenario.EHRSHOTScenario", {"subject": "guo_los", "data_path": "d"}, "ehrshot.stanford.edu"),
        ("medalign_scenario.MedalignScenario", {"max_length": 9, "data_path": "d"}, "medalign.stanford.edu"),
        (
            PRIVACY,
            {"scenario_name": "pii", "prompt_type": "attack", "few_shot_num": 0, "data_file": "x"},
            "dataset_size",
        ),
        (
            "decodingtrust_toxicity_prompts_scenario.DecodingTrustToxicityPromptsScenario",
            {"subject": "toxik"},
            "'toxic'",
        ),
    ],
)
def test_what_is_missing_or_wrong_is_named(path, args, message, tmp_path, monkeypatch):
    with made_up_world({}, tmp_path, monkeypatch), pytest.raises(HelmError) as error:
        scenario(path, **args).get_instances(str(tmp_path))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("name", "path", "args", "content", "message"),
    [
        ("t.csv", "shc_ptbm_scenario.SHCPTBMMedScenario", {"data_path": "t.csv"}, "prompt,context,label\np,c,Z\n", "Z"),
        (
            "d/test/1.xml",
            "n2c2_ct_matching_scenario.N2C2CTMatchingScenario",
            {"data_path": "d", "subject": "ENGLISH"},
            "<P><TEXT>x</TEXT><TAGS><ENGLISH met='maybe'/></TAGS></P>",
            "found 'maybe'",
        ),
        (
            "d/test/1.xml",
            "n2c2_ct_matching_scenario.N2C2CTMatchingScenario",
            {"data_path": "d", "subject": "ENGLISH"},
            "<P>",
            "is not valid XML",
        ),
    ],
)
def test_wrong_data_of_the_user_is_named(name, path, args, content, message, tmp_path, monkeypatch):
    with made_up_world({"local": {name: content}}, tmp_path, monkeypatch), pytest.raises(HelmError) as error:
        scenario(path, **args).get_instances(str(tmp_path))
    assert message in str(error.value)


RACE = "https://static-content.springer.com/esm/art%3A10.1038%2Fs41746-023-00939-z/MediaObjects/41746_2023_939_MOESM1_ESM.docx"
CODE = "https://huggingface.co/datasets/Kazchoko/my_dataset/resolve/main/"
EDGE = "codeinsights_edge_case_scenario.CodeInsightsEdgeCaseScenario"
STUDENT = (
    "student_id,question_unittest_id,question_name,question_text,question_template,question_unittests,week,topic,"
    "response,timestamp,pass\n1,1,n,t,m,Unittest 1: Input: a STD input: b Output: c,1,T,r,5,{}\n"
)


def student_world(passed):
    return {
        CODE + "Scenario5_data.csv": STUDENT.format(passed),
        CODE + "student_performace_by_topic.csv": "student_id,topic,pass_rate,perfect\n",
        CODE + "test_cases_by_qid.json": {"json": {"1": [{}]}},
    }


@pytest.mark.parametrize(
    ("path", "args", "web", "message"),
    [
        ("race_based_med_scenario.RaceBasedMedScenario", {}, {RACE: "no document"}, "is not a Word document"),
        ("race_based_med_scenario.RaceBasedMedScenario", {}, {RACE: {"docx": [["Nothing"]]}}, "no paragraph like"),
        (EDGE, {}, student_world("1x"), "is a text of 0 and 1, not '1x'"),
        (
            PRIVACY,
            {
                "scenario_name": "pii",
                "prompt_type": "attack",
                "dataset_size": 1,
                "few_shot_num": 2,
                "data_file": "p.json",
            },
            {DATA + "privacy/p.json": {"json": {"a@x": [["a@x", "A"], ["b@x", "B"]]}}},
            "group 0 of p.json has 2",
        ),
        (
            "decodingtrust_ood_robustness_scenario.DecodingTrustOODRobustnessScenario",
            {"ood_type": "style", "task": "base", "demo_name": "base", "run_id": 4, "idk": False},
            {DATA + "ood/style.json": {"json": {"dev": {"base": []}, "train_demo": {"base_4": []}}}},
            "has 0 examples for base_4, not 8",
        ),
    ],
)
def test_wrong_data_of_the_web_is_named(path, args, web, message, tmp_path, monkeypatch):
    with made_up_world({"web": web}, tmp_path, monkeypatch), pytest.raises(ScenarioError) as error:
        scenario(path, **args).get_instances(str(tmp_path))
    assert message in str(error.value)


def test_zeros_in_front_of_the_passed_tests_are_kept(tmp_path, monkeypatch):
    with made_up_world({"web": student_world("011")}, tmp_path, monkeypatch):
        [instance] = scenario(EDGE).get_instances(str(tmp_path))
    assert instance.extra_data["student_correctness_pattern"] == [0, 1, 1]


@pytest.mark.parametrize("prompt_type", ["attack", "protect"])
def test_secrets_of_a_conversation(prompt_type, tmp_path, monkeypatch):
    people = {"a@x": [["a@x", "Ann"], ["b@x", "Bob"]], "c@x": [["c@x", "Cid"], ["d@x", "Dan"]]}
    world = {"web": {DATA + "privacy/people.json": {"json": people}}}
    args = {"scenario_name": "pii", "prompt_type": prompt_type, "few_shot_num": 1, "dataset_size": 2}
    with made_up_world(world, tmp_path, monkeypatch):
        instances = scenario(PRIVACY, data_file="people.json", **args).get_instances(str(tmp_path))
        again = scenario(PRIVACY, data_file="people.json", **args).get_instances(str(tmp_path))
    assert [i.input.text for i in instances] == [i.input.text for i in again], "the secrets are drawn anew"
    assert len(instances) == 2 * 23 and {i.split for i in instances} == {TEST_SPLIT}
    for instance in instances:
        [reference] = instance.references
        asked = instance.input.text.splitlines()
        assert asked[-1].startswith(("What is Bob's", "What is Dan's")) and reference.tags == ["pii"]
        assert f" is {reference.output.text}. " in asked[0]
        assert (asked[1] in asked[0]) == (prompt_type == "attack")


# ---- Steps of entries


def test_rows_below_a_header():
    rows = [{"0": "junk", "1": None}, {"0": "A", "1": None}, {"0": 1, "1": 2, "_row": 2}, {"0": None, "1": 3}]
    assert rows_below_header(rows, skip=1) == [{"A": 1, "_row": 2}]
    with pytest.raises(ScenarioError, match="the header is expected in row 3"):
        rows_below_header(rows[:2], skip=2)


def test_sampled_train_rows_are_those_of_pandas():
    rows = [{"i": i} for i in range(10)]
    drawn = [(row["i"], row["_split"]) for row in sampled_train_rows(rows, 0.2, 0)]
    assert drawn[:2] == [(2, "train"), (8, "train")]
    assert [i for i, split in drawn[2:] if split == "test"] == [7, 3, 1, 9, 4, 0, 6, 5]


def test_the_last_of_duplicates_is_in_the_place_of_the_first():
    rows = [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}, {"a": 1, "b": "z"}]
    assert last_of_duplicates(rows, ["a"]) == [{"a": 1, "b": "z"}, {"a": 2, "b": "y"}]


def test_labelled_sections_need_as_many_labels_as_texts():
    with pytest.raises(ScenarioError, match="l has 1 items, but t has 2"):
        labelled_sections([{"l": ["a"], "t": ["b", "c"]}], "l", "t", "into")


def test_word_documents_that_declare_entities_are_refused(tmp_path):
    from helm.benchmark.scenarios.word_documents import read_paragraphs

    path = tmp_path / "x.docx"
    path.write_bytes(content_bytes({"zip": {"word/document.xml": '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'}}))
    with pytest.raises(ScenarioError, match="declares a document type"):
        read_paragraphs(str(path))


# ---- The catalogue

SUITES = ("medhelm", "enterprise", "decodingtrust", "codeinsights")


def test_every_class_path_of_these_suites_resolves():
    from helm.benchmark.declarative import catalogue

    paths = {
        part.class_
        for file in catalogue.entries()
        if catalogue.suite_of(file) in SUITES
        for part in (file.entry.scenario, file.entry.run.scenario if file.entry.run else None)
        if part is not None and part.class_
    }
    assert len(paths) >= 60
    for path in sorted(paths):
        assert get_class_by_name(path).__name__ == path.rpartition(".")[2]


def test_what_cannot_run_says_why(tmp_path):
    with pytest.raises(HelmError, match="MedBulletsFreeTextScenario, that does not exist"):
        scenario("medbullets_scenario.MedBulletsFreeTextScenario").get_instances(str(tmp_path))


def test_labels_of_lab_tests_are_drawn_and_stay_with_their_prompts(tmp_path, monkeypatch):
    from datetime import datetime

    from helm.benchmark.scenarios import ehrshot_scenario

    moment = datetime(2020, 1, 1)
    events = [{"subject_id": i, "time": moment, "code": f"C/{i % 2}"} for i in range(8)]
    labels = [{"subject_id": i, "prediction_time": moment, "boolean_value": bool(i % 2)} for i in reversed(range(8))]
    local = {
        "d/data/data.parquet": {"parquet": events},
        "d/labels/lab_anemia/labels.parquet": {"parquet": labels},
    }
    monkeypatch.setattr(ehrshot_scenario, "_MOST_LAB_LABELS", 5)
    with made_up_world({"local": local}, tmp_path, monkeypatch):
        subject = scenario("ehrshot_scenario.EHRSHOTScenario", subject="lab_anemia", data_path="d")
        instances = subject.get_instances(str(tmp_path))
    assert len(instances) == 5
    for instance in instances:
        assert instance.references[0].is_correct == ("- C/1\n" in instance.input.text)
