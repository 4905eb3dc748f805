"""Models in this process, against direct computation with a tiny model of random weights that is made here."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from helm.clients.huggingface_batches import Batcher
from helm.common.cache import BlackHoleCacheConfig, SqliteCacheConfig
from helm.common.errors import ConfigError
from helm.common.request import Request
from helm.common.request_options import RequestOptions
from lazy_support import import_when_used

torch, transformers = import_when_used("torch"), import_when_used("transformers")

TEXTS = ["the cat sat on the mat", "a", "the dog ran", "on the mat the dog sat and the cat ran away from it"]
TEMPLATE = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>"


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    torch.set_num_threads(1)


def make_tokenizer(template=None):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=60, special_tokens=["</s>"])
    tokenizer.train_from_iterator([*TEXTS * 4, "<user> <assistant>"], trainer)
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="</s>")
    fast.chat_template = template
    return fast


@pytest.fixture(scope="module", params=["gpt2", "llama"])
def folder(request, tmp_path_factory):
    torch.manual_seed(0)
    path = tmp_path_factory.mktemp(request.param)
    tokenizer = make_tokenizer()
    tokenizer.save_pretrained(path)
    size = {"vocab_size": len(tokenizer), "eos_token_id": 0, "bos_token_id": 0}
    if request.param == "gpt2":
        config = transformers.GPT2Config(n_embd=32, n_layer=2, n_head=2, n_positions=64, **size)
        model = transformers.GPT2LMHeadModel(config)
    else:
        config = transformers.LlamaConfig(
            hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=2, **size
        )
        model = transformers.LlamaForCausalLM(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(8.0)  # far from uniform
    model.save_pretrained(path)
    return str(path)


@pytest.fixture(scope="module")
def direct(folder):
    """The model and the tokenizer, used as anybody would."""
    model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    return model, transformers.AutoTokenizer.from_pretrained(folder)


def make(folder, cache_config=None, **kwargs):
    from helm.clients.huggingface_client import HuggingFaceClient

    return HuggingFaceClient(
        cache_config or BlackHoleCacheConfig(), pretrained_model_name_or_path=folder, device="cpu", **kwargs
    )


def request_for(prompt, **fields):
    return Request(**{"model": "org/tiny", "model_deployment": "huggingface/tiny", "prompt": prompt, "max_tokens": 8,
                      "temperature": 0.0, **fields})  # fmt: skip


def direct_logprobs(direct, ids):
    model, _ = direct
    with torch.no_grad():
        logprobs = torch.log_softmax(model(ids).logits[0, :-1], dim=-1)
    return [logprobs[i, token].item() for i, token in enumerate(ids[0, 1:])]


@pytest.mark.parametrize("batch_size", [1, 4])
def test_log_likelihoods_equal_direct_computation(folder, direct, batch_size):
    client = make(folder, batch_size=batch_size)
    requests = [request_for(text, echo_prompt=True, max_tokens=0) for text in TEXTS * 4]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(client.make_request, requests))
    for text, result in zip(TEXTS * 4, results, strict=True):
        assert result.success, result.error
        (completion,) = result.completions
        expected = direct_logprobs(direct, direct[1](text, return_tensors="pt").input_ids)
        assert completion.text == text
        assert "".join(token.text for token in completion.tokens) == text
        assert [token.logprob for token in completion.tokens] == pytest.approx([0.0, *expected], abs=1e-4)
        assert completion.logprob == pytest.approx(sum(expected), abs=1e-4)


LONG = "the cat sat on the mat and the dog ran away from it and the cat ran and the dog sat on the mat and"
CONTINUATIONS = [
    (LONG, " the cat"),
    (LONG, " the dog"),
    (LONG, " a"),
    (LONG, " sat on the mat"),
    (LONG + " ", "the cat"),
    ("the dog ran and the cat sat and the dog ran and", " the cat"),
    ("the dog ran and the cat sat and the dog ran and", " away"),
    ("on", " it"),
]


def direct_sum(direct, context, continuation):
    """The log-probability of the tokens that spell a continuation."""
    model, tokenizer = direct
    found = tokenizer(context + continuation, return_tensors="pt", return_offsets_mapping=True)
    ends = [end for _, end in found.offset_mapping[0].tolist()]
    first = next(i for i, end in enumerate(ends) if end > len(context))
    return sum(direct_logprobs(direct, found.input_ids)[first - 1 :])


@pytest.mark.parametrize("batch_size", [1, 3, 16])
def test_continuations_behind_shared_prompts_equal_direct_computation(folder, direct, batch_size):
    client = make(folder, batch_size=batch_size)
    requests = [
        request_for(context + end, echo_prompt=True, max_tokens=0, continuation=end)
        for context, end in CONTINUATIONS * 3
    ]
    with ThreadPoolExecutor(24) as pool:
        results = list(pool.map(client.make_request, requests))
    for (context, end), result in zip(CONTINUATIONS * 3, results, strict=True):
        (completion,) = result.completions
        assert "".join(token.text for token in completion.tokens) == completion.text
        assert completion.text == (" " + end if context[-1] == " " else end)
        assert completion.logprob == pytest.approx(direct_sum(direct, context, end), abs=1e-4)


def test_shared_prompts_go_through_the_model_once(folder, monkeypatch):
    from helm.clients.huggingface_server import HuggingFaceServer

    server = HuggingFaceServer(folder, device="cpu")
    seen = []
    forward = server.model.forward
    monkeypatch.setattr(
        server.model, "forward", lambda **kwargs: seen.append(kwargs["input_ids"].shape) or forward(**kwargs)
    )
    ends = [" the cat sat", " the dog", " it ran"]
    server.score([LONG + end for end in ends], ends)
    assert [len(shape) for shape in seen] == [2, 2] and seen[0][0] == 1 and seen[1][0] == 3 and seen[1][1] < 12
    seen.clear()
    server.score([LONG + end for end in ends], ends)
    assert seen == []  # they are remembered
    letters = [" the", " and"]
    server.score([LONG + end for end in letters], letters)
    assert len(seen) == 1  # one token behind a prompt needs no pass of its own


def test_tokens_of_split_characters_are_counted_once():
    from helm.clients.huggingface_server import _tail

    offsets = [(0, 2), (2, 3), (3, 4), (3, 4), (3, 4), (4, 5), (4, 5)]
    part = _tail("ab \u65e5\u672c", " \u65e5\u672c", range(10, 17), offsets, 0)
    assert part.row.ids == (*range(10, 17),) and part.row.start == 1 and part.is_whole
    assert part.pieces == [" ", "\u65e5", "", "", "\u672c", ""]
    part = _tail("ab \u65e5\u672c", "\u672c", range(10, 17), offsets, 0)
    assert part.pieces == ["\u672c", ""] and part.row.start == 5


def test_the_first_token_of_a_text_has_a_probability_behind_the_beginning(folder, direct):
    model, tokenizer = direct
    (completion,) = (
        make(folder)
        .make_request(request_for("the cat", echo_prompt=True, max_tokens=0, continuation="the cat"))
        .completions
    )
    ids = torch.tensor([[0, *tokenizer("the cat").input_ids]])
    assert completion.logprob == pytest.approx(sum(direct_logprobs(direct, ids)), abs=1e-4)


@pytest.mark.parametrize("length", [1, 3, 6, 30])
def test_what_a_model_writes_is_told_as_far_as_it_is_asked(folder, length):
    client = make(folder)
    whole = client.make_request(request_for(LONG, max_tokens=12)).completions[0].text
    wrong = "mat" if not whole[length:].startswith("mat") and not whole.startswith("mat") else "dog"
    for end, is_equal in ((whole[:length], True), (whole[:length] + wrong, False), (wrong + whole, False)):
        asked = request_for(LONG, max_tokens=len(end.encode()), continuation=end)
        text = client.make_request(asked).completions[0].text
        assert whole.startswith(text) or text.startswith(whole)
        assert text.startswith(end) is is_equal


@pytest.mark.parametrize("batch_size", [1, 4])
def test_greedy_completions_equal_direct_generation(folder, direct, batch_size):
    model, tokenizer = direct
    client = make(folder, batch_size=batch_size)
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(client.make_request, [request_for(text) for text in TEXTS * 2]))
    for text, result in zip(TEXTS * 2, results, strict=True):
        ids = tokenizer(text, return_tensors="pt").input_ids
        whole = model.generate(ids, max_new_tokens=8, do_sample=False, pad_token_id=0)
        output = whole[0, ids.shape[1] :].tolist()
        expected = output[: output.index(0)] if 0 in output else output
        (completion,) = result.completions
        assert completion.text == tokenizer.decode(expected)
        logprobs = direct_logprobs(direct, whole)[ids.shape[1] - 1 :][: len(expected)]
        assert [t.logprob for t in completion.tokens] == pytest.approx(logprobs, abs=1e-4)
        assert result.usage.prompt_tokens == ids.shape[1] and result.usage.completion_tokens == len(completion.tokens)


def test_an_echoed_prompt_is_in_front_of_the_completion(folder):
    client = make(folder)
    plain = client.make_request(request_for("the cat")).completions[0]
    echoed = client.make_request(request_for("the cat", echo_prompt=True)).completions[0]
    assert echoed.text == "the cat" + plain.text
    assert len(echoed.tokens) > len(plain.tokens) and echoed.tokens[0].logprob == 0.0


def test_a_stop_sequence_ends_the_completion(folder):
    client = make(folder)
    text = client.make_request(request_for("the cat", max_tokens=12)).completions[0].text
    stop = text[3:5]
    stopped = client.make_request(request_for("the cat", max_tokens=12, stop_sequences=[stop])).completions[0]
    assert stopped.text == text[: text.index(stop)] and stopped.finish_reason == {"reason": "stop"}
    assert "".join(token.text for token in stopped.tokens) == stopped.text


def test_several_completions_are_drawn(folder):
    torch.manual_seed(1)
    result = make(folder).make_request(request_for("the cat", temperature=1.0, num_completions=4))
    assert len({completion.text for completion in result.completions}) > 1 and len(result.completions) == 4


def test_answers_are_cached(folder, tmp_path):
    client = make(folder, SqliteCacheConfig(str(tmp_path / "cache.sqlite")))
    first, second = (client.make_request(request_for("the cat")) for _ in range(2))
    assert (first.cached, second.cached) == (False, True) and first.completions == second.completions


def test_a_chat_template_makes_the_prompt(folder, monkeypatch):
    from helm.clients.huggingface_server import HuggingFaceServer

    client = make(folder)
    refused = client.make_request(request_for("", messages=[{"role": "user", "content": "the dog"}]))
    assert refused.outcome == "refused" and "chat template" in refused.error
    server = HuggingFaceServer.shared(folder, device="cpu")
    monkeypatch.setattr(server.tokenizer, "chat_template", TEMPLATE)
    as_prompt = client.make_request(request_for("the dog"))
    as_messages = client.make_request(request_for("", messages=[{"role": "user", "content": "the dog"}]))
    without = make(folder, apply_chat_template=False).make_request(request_for("<user>the dog<assistant>"))
    assert as_prompt.completions == as_messages.completions == without.completions


def test_a_prompt_that_is_too_long_fails_alone(folder):
    if "gpt2" not in folder:
        pytest.skip("this model has no such limit")
    client = make(folder, batch_size=8)
    texts = ["the cat", "the cat sat " * 60, "the dog"]
    with ThreadPoolExecutor(3) as pool:
        results = list(pool.map(client.make_request, [request_for(t, echo_prompt=True, max_tokens=0) for t in texts]))
    assert [result.success for result in results] == [True, False, True]
    assert "HuggingFace error" in results[1].error and not results[1].error_flags.is_retriable


def test_arguments_that_exclude_each_other(folder):
    with pytest.raises(ConfigError, match="device or device_map"):
        make(folder, device_map="auto")
    client = make(folder, torch_dtype="torch.float17")
    with pytest.raises(ConfigError, match="float17"):
        client.make_request(request_for("x"))


def test_a_batch_holds_what_came_while_the_model_was_busy():
    import threading

    sizes, release = [], threading.Event()

    def run_batch(items):
        sizes.append(len(items))
        if len(sizes) == 1:
            release.wait(5)
        return [raw["prompt"].upper() for _, raw in items]

    batcher = Batcher(run_batch, 3)
    with ThreadPoolExecutor(8) as pool:
        futures = [pool.submit(batcher.run, (None, {"prompt": f"p{i}", "kind": i % 2})) for i in range(7)]
        while len(batcher._queue) < 6:
            pass
        release.set()
        assert [future.result(5) for future in futures] == [f"P{i}" for i in range(7)]
    assert sorted(sizes) == [1, 3, 3]


def test_an_interrupted_thread_holds_up_no_other():
    batcher = Batcher(lambda items: [raw["prompt"].upper() for _, raw in items], 2)
    gather = batcher._gather

    def interrupted():
        batcher._gather = gather
        raise KeyboardInterrupt

    batcher._gather = interrupted
    with pytest.raises(KeyboardInterrupt):
        batcher.run((None, {"prompt": "a"}))
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(batcher.run, (None, {"prompt": f"p{i}"})) for i in range(20)]
        assert [future.result(5) for future in futures] == [f"P{i}" for i in range(20)]
    assert not batcher._queue and not batcher._is_running


# --- options of requests ------------------------------------------------------------------------------------------------


@pytest.fixture
def templated(folder, monkeypatch):
    """A client whose tokenizer has a chat template with a variable."""
    client = make(folder)
    server = client._server(request_for(""))
    template = TEMPLATE + "{% if mood is defined %}{{ mood }}{% endif %}"
    monkeypatch.setattr(server.tokenizer, "chat_template", template)
    return client


def test_whether_messages_are_taken_depends_on_the_template(folder, templated):
    assert templated.takes_messages("org/tiny")
    assert not make(folder, apply_chat_template=False).takes_messages("org/tiny")


def test_a_tokenizer_without_a_template_takes_no_messages(folder):
    assert not make(folder).takes_messages("org/tiny")


def test_a_plain_prompt_leaves_the_template_out(templated):
    plain = templated.make_request(request_for("<user>the dog<assistant>", options=RequestOptions(plain_prompt=True)))
    asked = templated.make_request(request_for("the dog"))
    assert plain.success and plain.completions == asked.completions


def test_variables_reach_the_template(templated):
    options = RequestOptions(chat_template_kwargs={"mood": " the cat"})
    asked = templated.make_request(request_for("the dog", options=options))
    plain = templated.make_request(request_for("the dog"))
    assert asked.usage.prompt_tokens > plain.usage.prompt_tokens


def test_variables_of_a_template_are_no_arguments_of_the_tokenizer(templated):
    options = RequestOptions(chat_template_kwargs={"tokenize": True, "add_generation_prompt": False, "mood": "x"})
    refused = templated.make_request(request_for("the dog", options=options))
    assert refused.outcome == "refused"
    assert "chat_template_kwargs cannot set add_generation_prompt, tokenize." in refused.error


def test_variables_without_a_template_are_refused(folder):
    options = RequestOptions(chat_template_kwargs={"mood": "x"})
    result = make(folder).make_request(request_for("the dog", options=options))
    assert result.outcome == "refused" and "no chat template" in result.error


def test_a_seed_repeats_a_draw_whatever_shares_the_batch(folder):
    client = make(folder, batch_size=4)

    def draw(seed):
        return request_for("the cat", temperature=1.0, options=RequestOptions(seed=seed))

    alone = client.make_request(draw(3)).completions[0].text
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(client.make_request, [draw(3)] * 6 + [draw(seed) for seed in range(20, 30)]))
    texts = [result.completions[0].text for result in results]
    assert texts[:6] == [alone] * 6 and len(set(texts[6:])) > 3


def test_what_a_model_in_this_process_has_not_is_refused(folder):
    options = RequestOptions(reasoning_effort="low", extra_body={"a": 1})
    result = make(folder).make_request(request_for("the dog", options=options))
    assert (
        result.outcome == "refused" and "takes no reasoning_effort or extra_body; it takes top_p, seed" in result.error
    )


def test_an_opening_tag_of_the_template_belongs_to_the_thinking(folder, monkeypatch):
    client = make(folder)
    server = client._server(request_for(""))
    monkeypatch.setattr(server.tokenizer, "chat_template", TEMPLATE + "<think>")
    options = RequestOptions(split_thinking=True)
    whole = client.make_request(request_for("the dog")).completions[0].text
    (output,) = client.make_request(request_for("the dog", options=options)).completions
    assert output.text == "" and output.thinking.text == whole.strip("\n")
