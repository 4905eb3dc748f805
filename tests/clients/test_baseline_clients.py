"""The embedded baselines as clients."""

import math
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from helm.clients.baseline_clients import MajorityChoiceClient, PPMClient, RandomChoiceClient
from helm.clients.protocols.prompt_choices import read_prompt
from helm.common.formats.ppm import PPMModel
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import Request


def ask(client, prompt="", **kwargs):
    kwargs.setdefault("temperature", 0)
    result = client.make_request(Request(model="baseline/x", model_deployment="baseline/x", prompt=prompt, **kwargs))
    assert result.success, result.error
    assert not result.cached
    assert result.request_time >= 0 and result.request_datetime > 0
    return result.completions


def few_shot(pairs, question):
    return "".join(f"Input: {a}\nOutput: {b}\n\n" for a, b in pairs) + f"Input: {question}\nOutput:"


# --- baseline/ppm ---------------------------------------------------------------------------------------------------


def test_lookup_is_learned_in_context():
    prompt = "red=apple\nblue=sky\ngreen=grass\n" * 4
    for key, value in [("red", "apple"), ("blue", "sky"), ("green", "grass")]:
        (completion,) = ask(PPMClient(), f"{prompt}{key}=", max_tokens=10, stop_sequences=["\n"])
        assert completion.text == value
        assert completion.finish_reason == {"reason": "stop"}


def test_copy_task_is_answered_in_the_form_of_the_examples():
    words = ["apple", "bird", "cloud", "dune", "ember", "frost"]
    prompt = few_shot([(word, word) for word in words for _ in range(2)], "ember")
    (completion,) = ask(PPMClient(), prompt, max_tokens=10, stop_sequences=["\n"])
    assert completion.text.strip() in words


def test_repeated_sequence_is_continued():
    (completion,) = ask(PPMClient(), "one two three four. " * 5 + "one two ", max_tokens=11)
    assert completion.text == "three four."
    assert completion.finish_reason == {"reason": "length"}
    assert [token.text for token in completion.tokens] == list("three four.")
    assert completion.logprob == pytest.approx(sum(token.logprob for token in completion.tokens))


def test_echo_gives_the_chain_rule_for_every_byte_of_the_prompt():
    prompt = "naïve – naïve – naïve"
    (completion,) = ask(PPMClient(), prompt, max_tokens=0, echo_prompt=True)
    data = prompt.encode()
    assert completion.text == prompt
    assert len(completion.tokens) == len(data)
    assert "".join(token.text for token in completion.tokens) == prompt
    model = PPMModel()
    for token, byte in zip(completion.tokens, data, strict=True):
        assert token.logprob == pytest.approx(math.log(model.distribution()[byte]), rel=1e-12)
        model.learn(bytes([byte]))


def test_generated_bytes_have_the_probabilities_that_echo_gives_them():
    prompt = "abcabcabdabc"
    (generated,) = ask(PPMClient(), prompt, max_tokens=8)
    (both,) = ask(PPMClient(), prompt, max_tokens=8, echo_prompt=True)
    (echoed,) = ask(PPMClient(), prompt + generated.text, max_tokens=0, echo_prompt=True)
    assert both.text == echoed.text
    assert [token.logprob for token in both.tokens] == pytest.approx([token.logprob for token in echoed.tokens])
    assert both.finish_reason == {"reason": "length"}


@pytest.mark.parametrize("temperature", [0, 0.7, 1.5])
def test_equal_requests_have_equal_answers_whatever_came_between(temperature):
    client, request = PPMClient(), dict(temperature=temperature, max_tokens=20, num_completions=3)
    prompt = "A rose is a rose is a rose. " * 3
    first = ask(client, prompt, **request)
    ask(client, prompt + "Another", **request)
    ask(client, "Something else", **request)
    assert ask(client, prompt, **request) == first == ask(PPMClient(), prompt, **request)


def test_completions_are_separate_draws_and_random_makes_new_ones():
    prompt = "abacadaeafagah" * 3
    texts = [c.text for c in ask(PPMClient(), prompt, temperature=1, max_tokens=30, num_completions=4)]
    assert len(set(texts)) == 4
    again = [c.text for c in ask(PPMClient(), prompt, temperature=1, max_tokens=30, num_completions=4, random="1")]
    assert set(texts).isdisjoint(again)
    greedy = ask(PPMClient(), prompt, temperature=0, max_tokens=30, num_completions=4)
    assert greedy == greedy[:1] * 4


def test_low_temperature_and_small_top_p_approach_the_most_likely_bytes():
    prompt = "one two three four. " * 5
    (greedy,) = ask(PPMClient(), prompt, max_tokens=30)
    assert ask(PPMClient(), prompt, max_tokens=30, temperature=0.01)[0].text == greedy.text
    assert ask(PPMClient(), prompt, max_tokens=30, temperature=1, top_p=0.01)[0].text == greedy.text


def test_draws_follow_the_distribution():
    client = PPMClient(order=0)
    completions = ask(client, "aaab" * 8, temperature=1, max_tokens=1, num_completions=2000)
    model = PPMModel(order=0)
    model.learn(b"aaab" * 8)
    for letter in "ab":
        share = sum(completion.text == letter for completion in completions) / len(completions)
        assert share == pytest.approx(model.probability(ord(letter)), abs=0.04)


def test_characters_of_several_bytes_survive():
    (completion,) = ask(PPMClient(), "xin chào Việt Nam. " * 6 + "xin ", max_tokens=14)
    assert completion.text == "chào Việt N"
    assert len(completion.tokens) == 14
    (cut,) = ask(PPMClient(), "xin chào Việt Nam. " * 6 + "xin ch", max_tokens=1)
    assert cut.text == "" and len(cut.tokens) == 1  # half of à


def test_earliest_stop_sequence_ends_the_text():
    prompt = "alpha beta;gamma\n" * 6
    assert ask(PPMClient(), prompt, max_tokens=50, stop_sequences=["\n"])[0].text == "alpha beta;gamma"
    (completion,) = ask(PPMClient(), prompt, max_tokens=50, stop_sequences=["\n", ";", "ta;"])
    assert completion.text == "alpha be"
    assert len(completion.tokens) == len("alpha be")


def test_blank_line_ends_the_text():
    prompt = "Q: x\nA: yes\n\n" * 5 + "Q: x\nA:"
    (completion,) = ask(PPMClient(), prompt, max_tokens=20)
    assert (completion.text, completion.finish_reason) == (" yes", {"reason": "endoftext"})
    assert len(completion.tokens) == 4 and completion.logprob == sum(token.logprob for token in completion.tokens)
    assert ask(PPMClient(end_of_text=""), prompt, max_tokens=9)[0].text == " yes\n\nQ: "
    (stopped,) = ask(PPMClient(), prompt, max_tokens=20, stop_sequences=["", "\n\n"])
    assert (stopped.text, stopped.finish_reason) == (" yes", {"reason": "stop"})


def test_chat_messages_are_read_as_a_dialogue():
    messages = [{"role": "user", "content": "ping"}, {"role": "assistant", "content": "pong"}] * 4
    (completion,) = ask(PPMClient(), messages=messages + [{"role": "user", "content": "ping"}], max_tokens=5)
    assert completion.text == " pong"


def test_media_are_refused_and_text_media_are_read():
    text = MultimediaObject([MediaObject(text="ab" * 20, content_type="text/plain")])
    assert ask(PPMClient(), multimodal_prompt=text, max_tokens=2)[0].text == "ab"
    image = MultimediaObject([MediaObject(location="http://localhost/x.png", content_type="image/png")])
    result = PPMClient().make_request(Request(model_deployment="baseline/ppm", multimodal_prompt=image))
    assert not result.success and result.completions == []
    assert "image/png" in result.error and result.error_flags.is_retriable is False


def test_embedding_is_not_available():
    assert not PPMClient().make_request(Request(embedding=True, prompt="x")).success


def test_threads_do_not_mix():
    client = PPMClient()
    prompts = [f"{word} " * 20 for word in ("one", "two", "three", "four")] * 10
    with ThreadPoolExecutor(4) as pool:
        texts = list(pool.map(lambda prompt: ask(client, prompt, max_tokens=10)[0].text, prompts))
    assert texts == [(prompt * 2)[:10] for prompt in prompts]


def test_it_is_fast():
    prompt = ("".join(chr(97 + i * i % 26) + " " * (i % 5 == 0) for i in range(3000)))[:2000]
    seconds = []
    for _ in range(5):
        client, started = PPMClient(), time.process_time()
        ask(client, prompt, max_tokens=30)
        seconds.append(time.process_time() - started)
    assert min(seconds) < 0.03  # measured: 3 to 5 ms


# --- baseline/random and baseline/majority --------------------------------------------------------------------------

MULTIPLE_CHOICE = """Answer.

Question: 2 + 2?
A. 3
B. 4
Answer: B

Question: 3 + 3?
A. 6
B. 7
Answer: A

Question: 4 + 4?
A. 9
B. 8
Answer: B

Question: 1 + 1?
A. 2
B. 3
C. 4
Answer:"""


@pytest.mark.parametrize(
    "prompt, labels, answers",
    [
        (MULTIPLE_CHOICE, ["A", "B", "C"], ["B", "A", "B"]),
        ("Pick.\n(A) x\n(B) y\n\nAnswer (letter):", ["A", "B"], []),
        ("Pick.\n1: x\n2: y\n3: z\nOut:", ["1", "2", "3"], []),
        ("Pick.\nA. x\nand more\nB. y\nOut:", ["A", "B"], []),
        ("Pick.\nA. a\nB. b\nAnswer: A, B\n\nPick.\nA. c\nB. d\nAnswer:", ["A", "B"], ["A, B"]),
        ("Number: 10\nParity: Even\n\nNumber: 11\nParity: Odd\n\nNumber: 12\nParity:", [], ["Even", "Odd"]),
        ("Text: x\nLabel:\ngood\n\nText: y\nLabel:\nbad\n\nText: z\nLabel:\n", [], ["good", "bad"]),
        ("Just text", [], []),
        ("", [], []),
    ],
)
def test_choices_and_answers_are_read_from_the_prompt(prompt, labels, answers):
    assert read_prompt(prompt) == (labels, answers)


def test_majority_takes_the_most_frequent_label():
    (completion,) = ask(MajorityChoiceClient(), MULTIPLE_CHOICE, max_tokens=5)
    assert completion.text == "B"
    assert completion.logprob == pytest.approx(math.log((2 + 1) / (3 + 3)))
    assert [token.text for token in completion.tokens] == ["B"]


def test_majority_ties_go_to_the_first_label():
    prompt = "Q\nA. x\nB. y\nAnswer: B\n\nQ\nA. x\nB. y\nAnswer: A\n\nQ\nA. x\nB. y\nAnswer:"
    assert ask(MajorityChoiceClient(), prompt)[0].text == "A"


def test_majority_without_choices_takes_the_most_frequent_output():
    prompt = few_shot([(1, "Odd"), (2, "Even"), (3, "Odd")], 4)
    (completion,) = ask(MajorityChoiceClient(), prompt, max_tokens=5)
    assert completion.text == "Odd"
    assert completion.logprob == pytest.approx(math.log((2 + 1) / (3 + 3)))


def test_nothing_offered_is_an_empty_answer():
    for client in (MajorityChoiceClient(), RandomChoiceClient()):
        (completion,) = ask(client, "Tell me a story.")
        assert (completion.text, completion.logprob, completion.tokens) == ("", 0.0, [])


def test_random_is_uniform_over_the_labels_and_depends_on_the_request_only():
    prompts = [MULTIPLE_CHOICE.replace("1 + 1", f"1 + {i}") for i in range(600)]
    client = RandomChoiceClient()
    texts = [ask(client, prompt)[0].text for prompt in prompts]
    assert texts == [ask(RandomChoiceClient(), prompt)[0].text for prompt in prompts]
    for label in "ABC":
        assert 150 < texts.count(label) < 250
    (completion,) = ask(client, prompts[0])
    assert completion.logprob == pytest.approx(math.log(1 / 3))
    assert len({c.text for c in ask(client, prompts[0], num_completions=50)}) == 3


def test_long_answers_are_cut_at_stops_and_at_the_length():
    prompt = few_shot([(1, "a long; answer")] * 2, 2)
    assert ask(MajorityChoiceClient(), prompt, stop_sequences=[";"])[0].text == "a long"
    (completion,) = ask(MajorityChoiceClient(), prompt, max_tokens=4)
    assert (completion.text, completion.finish_reason) == ("a lo", {"reason": "length"})


def test_choice_baselines_refuse_echo_instead_of_inventing_probabilities():
    result = RandomChoiceClient().make_request(
        Request(model_deployment="baseline/random", prompt="x", echo_prompt=True, max_tokens=0)
    )
    assert not result.success and "echo_prompt" in result.error and result.error_flags.is_fatal
