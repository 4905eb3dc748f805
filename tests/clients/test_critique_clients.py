"""Critiques by chance and by a model."""

import pytest

from helm.clients.critique_clients import ModelCritiqueClient, RandomCritiqueClient, make_prompt, parse_answer
from helm.common.cache_backend_config import BlackHoleCacheBackendConfig
from helm.common.critique_request import CritiqueQuestionTemplate, CritiqueRequest, CritiqueTaskTemplate
from helm.common.errors import ConfigError
from helm.common.media_object import MediaObject
from judge_support import ScriptedJudge

CHOICE = CritiqueQuestionTemplate("choice", "multiple_choice", "Is {{text}} good?", ["no", "so so", "yes"])
BOXES = CritiqueQuestionTemplate("boxes", "checkbox", "What is {{text}}?", ["long", "short", "blue"])
FREE = CritiqueQuestionTemplate("free", "free_response", "", [])


def make_request(*questions, num_respondents=1, text="it"):
    template = CritiqueTaskTemplate("form", "Read {{text}}.", num_respondents, list(questions), max_tokens=7)
    return CritiqueRequest(template, {"text": text})


@pytest.mark.parametrize(
    "question, reply, answer",
    [
        (CHOICE, "B", "so so"),
        (CHOICE, " (C). ", "yes"),
        (CHOICE, "b.", "so so"),
        (CHOICE, "a book", None),
        (CHOICE, "yes", "yes"),
        (CHOICE, "The answer is A", "no"),
        (CHOICE, "B. It is better than A.", "so so"),
        (CHOICE, "either B or C", None),
        (CHOICE, "D", None),
        (CHOICE, "", None),
        (CHOICE, "Absolutely", None),
        (BOXES, "A, C", ["long", "blue"]),
        (BOXES, "None.", []),
        (BOXES, "hm", None),
        (FREE, " x ", "x"),
        (FREE, "", ""),
    ],
)
def test_answers_are_read_from_replies(question, reply, answer):
    assert parse_answer(question, reply) == answer


def test_a_model_is_asked_once_for_each_question_and_respondent():
    model = ScriptedJudge("B")
    result = ModelCritiqueClient(model, "a/b").make_critique_request(make_request(CHOICE, FREE, num_respondents=2))
    assert [response.answers for response in result.responses] == [{"choice": "so so", "free": "B"}] * 2
    assert [request.random for request in model.requests] == ["0", "0", "1", "1"]
    first = model.requests[0]
    assert (first.model, first.model_deployment, first.temperature, first.max_tokens) == ("a/b", "a/b", 1, 7)
    assert first.prompt.startswith("Read it.\n\nIs it good?\n\nA. no\nB. so so\nC. yes\n")


def test_what_is_filled_in_is_not_filled_in_again():
    assert "Read {{text}}." in make_prompt(make_request(CHOICE, text="{{text}}"), CHOICE)


@pytest.mark.parametrize("reply", [None, "I cannot say"])
def test_a_question_without_an_answer_is_left_out(reply):
    result = ModelCritiqueClient(ScriptedJudge(reply), "a/b").make_critique_request(make_request(CHOICE))
    assert [response.answers for response in result.responses] == [{}]


def test_pictures_are_sent_along(tmp_path):
    picture = tmp_path / "x.png"
    picture.write_bytes(b"")
    media = MediaObject(content_type="image/png", location=str(picture))
    question = CritiqueQuestionTemplate("free", "free_response", "What is it?", [], media)
    model = ScriptedJudge("x")
    ModelCritiqueClient(model, "a/b").make_critique_request(make_request(question))
    prompt = model.requests[0].multimodal_prompt
    assert prompt.media_objects[0] == media and "What is it?" in prompt.media_objects[1].text


def test_a_form_with_an_image_becomes_text_and_an_image(tmp_path):
    picture = tmp_path / "x.png"
    picture.write_bytes(b"")
    form = '<p>Look.</p><br><img src="{{image}}"><br><p>Description: <b>{{prompt}}</b></p><br>'
    question = CritiqueQuestionTemplate("choice", "multiple_choice", "How <u>old</u> is it?", ["Old", "New"])
    template = CritiqueTaskTemplate("form", form, 1, [question])
    model = ScriptedJudge("B")
    fields = {"image": str(picture), "prompt": "a <b> & c"}
    result = ModelCritiqueClient(model, "a/b").make_critique_request(CritiqueRequest(template, fields))
    image, text = model.requests[0].multimodal_prompt.media_objects
    assert (image.content_type, image.location) == ("image/png", str(picture))
    assert text.text.startswith("Look.\nDescription: a <b> & c\n\nHow old is it?\n\nA. Old\nB. New\n")
    assert result.is_by_model and result.responses[0].answers == {"choice": "New"}


def test_chance_answers_every_request_in_the_same_way_as_in_helm():
    client = RandomCritiqueClient()
    request = make_request(CHOICE, BOXES, FREE, num_respondents=20)
    result = client.make_critique_request(request)
    assert result == RandomCritiqueClient().make_critique_request(request)
    assert {response.answers["choice"] for response in result.responses} == set(CHOICE.options)
    assert result == client.make_critique_request(make_request(CHOICE, BOXES, FREE, num_respondents=20, text="other"))


def test_credentials_choose_who_answers(tmp_path):
    from helm.clients.auto_client import AutoClient

    def make(**credentials):
        return AutoClient(credentials, str(tmp_path), BlackHoleCacheBackendConfig()).get_critique_client()

    assert isinstance(make(critiqueType="random"), RandomCritiqueClient)
    client = make(critiqueType="model", critiqueModelName="simple/model1")
    assert isinstance(client, ModelCritiqueClient)
    with pytest.raises(ConfigError, match="Critique by 'mturk' is not available in this version"):
        make(critiqueType="mturk")
    with pytest.raises(ConfigError, match="need the credentials critiqueModelName"):
        make(critiqueType="model")
