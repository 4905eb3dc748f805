"""What a request may cost at the most: exact upper bounds, and whose charge it is."""

import threading

import pytest

from helm.common.budgets.charges import Charge, charging, current_charge, most_tokens
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import Request


def media(*objects):
    return MultimediaObject(list(objects))


PICTURE = MediaObject(content_type="image/png", location="https://example.org/a.png")
CAPTION = MediaObject(content_type="text/plain", text="é12")  # four bytes


@pytest.mark.parametrize(
    ("request_", "prompt_tokens", "completion_tokens"),
    [
        (Request(prompt="", max_tokens=0), 16, 0),
        (Request(prompt="abcdé", max_tokens=7), 6 + 16, 7),
        (Request(prompt="abc", max_tokens=7, num_completions=3), 3 * (3 + 16), 21),
        (Request(prompt="abc", max_tokens=7, num_completions=0), 3 + 16, 7),
        (Request(prompt="abc", max_tokens=-1), 3 + 16, 0),
        (Request(prompt="abc", max_tokens=1), 3 + 16, 1),
        (Request(prompt="abc", max_tokens=7, embedding=True), 3 + 16, 0),
        (Request(messages=[{"role": "user", "content": "abc"}], max_tokens=7), 3 + 2 * 16, 7),
        (Request(messages=[{"role": "user", "content": "abc"}, {"role": "assistant"}], max_tokens=7), 3 + 4 + 48, 7),
        (Request(messages=[{"role": "user", "content": [1, "é"]}], max_tokens=7), len('[1, "\\u00e9"]') + 32, 7),
        (Request(multimodal_prompt=media(CAPTION, PICTURE, PICTURE), max_tokens=7), 4 + 4 * 16 + 2 * 4096, 7),
        (Request(prompt="abc", tools=[{"name": "f"}], max_tokens=7), 3 + len('[{"name": "f"}]') + 16, 7),
        (Request(prompt="\ud800", max_tokens=7), 1 + 16, 7),
    ],
)
def test_the_most_tokens_of_a_request(request_, prompt_tokens, completion_tokens):
    assert most_tokens(request_) == (prompt_tokens, completion_tokens)


def test_a_new_charge_takes_nothing():
    charge = Charge(Request(model_deployment="a/b"))
    assert (charge.deployment, charge.is_held, charge.is_sent, charge.cost, charge.tokens) == (
        "a/b",
        False,
        False,
        0,
        (0, 0),
    )


def test_a_charge_is_that_of_its_thread_and_ends_with_its_block():
    assert current_charge() is None
    outer, inner, elsewhere = Charge(Request()), Charge(Request()), []
    with charging(outer):
        assert current_charge() is outer
        with pytest.raises(ValueError), charging(inner):
            assert current_charge() is inner
            raise ValueError
        assert current_charge() is outer
        thread = threading.Thread(target=lambda: elsewhere.append(current_charge()))
        thread.start()
        thread.join()
    assert current_charge() is None and elsewhere == [None]
