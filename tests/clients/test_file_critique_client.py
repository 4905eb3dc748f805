"""Questions to people by files, and their answers."""

import csv
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from helm.clients.auto_client import AutoClient
from helm.clients.file_critique_client import FileCritiqueClient
from helm.common.cache_backend_config import BlackHoleCacheBackendConfig
from helm.common.critique_request import CritiqueQuestionTemplate, CritiqueRequest, CritiqueTaskTemplate
from helm.common.errors import ConfigError

FIT = CritiqueQuestionTemplate("fit", "multiple_choice", "Does it fit?", ["Not at all", "Somewhat", "Exactly"])
WHY = CritiqueQuestionTemplate("why", "free_response", "Why?", [])


def make_request(image="a.png"):
    return CritiqueRequest(CritiqueTaskTemplate("images", "Look at {{image}}.", 2, [FIT, WHY]), {"image": image})


@pytest.fixture
def client(tmp_path):
    return FileCritiqueClient(str(tmp_path / "people"))


def tasks(tmp_path):
    lines = (tmp_path / "people/tasks.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_a_task_is_written_once_and_has_all_that_people_need(client, tmp_path):
    assert client.make_critique_request(make_request()).responses == []
    client.make_critique_request(make_request())
    FileCritiqueClient(str(tmp_path / "people")).make_critique_request(make_request("é.png"))
    first, second = tasks(tmp_path)
    assert first["task"] != second["task"] and second["fields"] == {"image": "é.png"}
    assert first["instructions"] == "Look at {{image}}." and first["num_respondents"] == 2
    assert first["questions"][0] == {
        "name": "fit",
        "type": "multiple_choice",
        "text": "Does it fit?",
        "options": FIT.options,
    }


def test_answers_of_both_files_are_read_again_when_they_change(client, tmp_path):
    client.make_critique_request(make_request())
    task = tasks(tmp_path)[0]["task"]
    line = {"task": task, "respondent": "Ann", "question": "fit", "answer": "Exactly"}
    (tmp_path / "people/answers.jsonl").write_text(json.dumps(line) + "\n\n", encoding="utf-8")
    with open(tmp_path / "people/answers.csv", "w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["task", "respondent", "question", "answer", "note"])
        writer.writerow([task, "Bo", "fit", "very well", "a column more"])
    with pytest.raises(
        ConfigError, match="answers.csv, line 2: 'very well' is no answer to 'fit'. It takes a letter or one of: Not"
    ):
        client.make_critique_request(make_request())
    (tmp_path / "people/answers.csv").write_text(
        f'task,respondent,question,answer\n{task},Bo,fit,b\n{task},Bo,why,"blue, not red"\nother,Bo,fit,A\n',
        encoding="utf-8",
    )
    result = client.make_critique_request(make_request())
    assert not result.is_by_model
    assert [(r.respondent_id, r.answers) for r in result.responses] == [
        ("Ann", {"fit": "Exactly"}),
        ("Bo", {"fit": "Somewhat", "why": "blue, not red"}),
    ]


@pytest.mark.parametrize(
    "text, message",
    [
        ('{"task": "T", "respondent": "x", "question": "fot", "answer": "A"}', "has no question 'fot', but fit, why"),
        ('{"task": "T", "respondent": "x", "answer": "A"}', "line 1: there is no question"),
        ("[1]", "line 1: there is no task"),
        ("{", "answers.jsonl cannot be read"),
    ],
)
def test_what_is_no_answer_is_named(text, message, client, tmp_path):
    client.make_critique_request(make_request())
    text = text.replace("T", tasks(tmp_path)[0]["task"], 1)
    (tmp_path / "people/answers.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        client.make_critique_request(make_request())


def test_threads_lose_no_task(client, tmp_path):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: client.make_critique_request(make_request(f"{i}.png")), range(20)))
    assert {task["fields"]["image"] for task in tasks(tmp_path)} == {f"{i}.png" for i in range(20)}


def test_credentials_name_the_folder(tmp_path):
    def make(**credentials):
        return AutoClient(credentials, str(tmp_path), BlackHoleCacheBackendConfig()).get_critique_client()

    folder = tmp_path / "people"
    assert isinstance(make(critiqueType="files", critiqueFolder=str(folder)), FileCritiqueClient) and folder.is_dir()
    with pytest.raises(ConfigError, match="need the credentials critiqueFolder"):
        make(critiqueType="files")
