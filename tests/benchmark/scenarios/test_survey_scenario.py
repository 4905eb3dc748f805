"""The World Values Survey scenario on made-up people, its files served as the Hub would."""

import json

from scenario_support import case_environment, load_instances, make_run_spec

_FILES = "https://huggingface.co/datasets/stair-lab/cultural-alignment-dataset/resolve/fe54b6f5d75cfca5377707cd7199e39f517e3a1f"


def case(people, questions):
    return {
        "run_spec_function": "cultural_value_understanding_wvs",
        "args": {"language": "en", "country": "US"},
        "scenario_name": "cultural_value_understanding_wvs",
        "downloads": [
            {"url": f"{_FILES}/{name}", "to": name}
            for name in ("vn_personas_with_filtered_responses.json", "wvs_questions_dump.en.json")
        ],
        "files": {
            "vn_personas_with_filtered_responses.json": json.dumps(people),
            "wvs_questions_dump.en.json": json.dumps(questions),
        },
    }


def instances_of(people, questions, tmp_path, monkeypatch):
    made_up = case(people, questions)
    with case_environment(made_up, tmp_path, monkeypatch) as environment:
        return load_instances(make_run_spec(made_up), environment)[1]


PERSON = {
    "age": 41,
    "sex": "female",
    "education": "higher",
    "social_class": "middle class",
    "marital_status": "married",
}
QUESTIONS = {
    "Q1": {"questions": ["Is rain good?", "Do you like rain?"], "options": ["Yes", "No"]},
    "Q2": {"options": ["Never", "Often", "Always"], "description": "singing"},
}


def test_each_wording_of_each_answered_question(tmp_path, monkeypatch):
    people = [{**PERSON, "responses": {"Q1": 2, "Q2": "3", "Q3": 1}}]
    instances = instances_of(people, QUESTIONS, tmp_path, monkeypatch)
    texts = [instance.input.text for instance in instances]
    persona = (
        "You are a 41 year old female from Vietnam. You have higher education and consider yourself middle class. "
        "You are married.\n\n"
    )
    end = (
        "\n\nPlease select the option number that best represents your view. Return only the option number. "
        "Do not return anything else."
    )
    assert [text.partition("Now answer the following question:\n")[2] for text in texts] == [
        f"{persona}Is rain good?\n\n1. Yes\n2. No{end}",
        f"{persona}Do you like rain?\n\n1. Yes\n2. No{end}",
        f"{persona}Question Q2: singing\n\n1. Never\n2. Often\n3. Always{end}",
    ]
    assert all(text.startswith("Here are some examples:\n\nExample 1:\nYou are a 35 year old male") for text in texts)
    assert [[reference.output.text for reference in instance.references] for instance in instances] == [
        ["2"],
        ["2"],
        ["3"],
    ]
    assert {instance.split for instance in instances} == {"test"}


def test_three_hundred_people_are_asked(tmp_path, monkeypatch):
    people = [{**PERSON, "age": age, "responses": {"Q2": 1}} for age in range(400)]
    instances = instances_of(people, QUESTIONS, tmp_path, monkeypatch)
    assert len({instance.input.text for instance in instances}) == len(instances) == 300
