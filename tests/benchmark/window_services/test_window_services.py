"""Window services: golden vectors, and what the vectors do not reach."""

import pytest

from helm.benchmark.window_services.default_window_service import DefaultWindowService
from helm.benchmark.window_services.image_generation.clip_window_service import CLIPWindowService
from helm.benchmark.window_services.image_generation.openai_dalle_window_service import OpenAIDALLEWindowService
from helm.benchmark.window_services.tokenizer_service import TokenizerService
from helm.benchmark.window_services.window_service_factory import WindowServiceFactory
from helm.common.errors import ConfigError
from helm.common.tokenization_request import TokenizationToken
from helm_core_support import error_mismatch, within_a_second
from vectors_support import vector_cases

PROPERTIES = [
    "tokenizer_name",
    "max_sequence_length",
    "max_request_length",
    "max_sequence_and_generated_tokens_length",
    "end_of_text_token",
    "prefix_token",
]


def outcome(window, op, args, kwargs):
    """What the operation gives, in the form of the vectors."""
    if op == "properties":
        return {name: value_or_error(window, name) for name in PROPERTIES} | {
            "class": f"{type(window).__module__}.{type(window).__qualname__}"
        }
    if op == "decode":
        args = [[TokenizationToken(value) for value in args[0]], *args[1:]]
    result = getattr(window, op)(*args, **kwargs)
    return {"text": result.text, "token_values": result.token_values} if op == "encode" else result


def value_or_error(window, name):
    try:
        return getattr(window, name)
    except NotImplementedError as e:
        return {"error": {"type": type(e).__name__, "message": str(e)}}


def run(case, service):
    window = WindowServiceFactory.get_window_service(case["deployment"], service)
    return outcome(window, case["op"], case["args"], case.get("kwargs", {}))


def test_window_vectors(vector_environment, local_context):
    service = TokenizerService(local_context)
    for case in vector_cases("helm-core/windows.json"):
        error, result = None, None
        try:
            result = within_a_second(run, case, service)
        except Exception as e:
            error = e
        if case.get("hang"):
            continue
        if "error" in case:
            assert error_mismatch(error, case["error"]) is None, f"{case}: {error_mismatch(error, case['error'])}"
        else:
            assert error is None, f"{case}: {error!r}"
            assert result == case["result"], f"{case}: {result}"


@pytest.fixture
def simple_window(vector_environment, local_context):
    def make(window_class, length):
        return window_class(TokenizerService(local_context), "simple/tokenizer1", length)

    return make


def test_max_tokens_beyond_the_window_is_an_error_that_says_both_numbers(simple_window):
    with pytest.raises(ConfigError, match=r"max_tokens=21 .* window of 20 tokens"):
        simple_window(DefaultWindowService, 20).truncate_from_right("a", 21)


def test_a_huge_text_is_cut_at_once(simple_window):
    text = "abcdefghij" * 200_000
    cut = within_a_second(lambda: simple_window(DefaultWindowService, 50).truncate_from_right(text, 7))
    assert cut == text[:43]


def test_counting_makes_no_tokens(simple_window, local_context, monkeypatch):
    window = simple_window(DefaultWindowService, 20)
    monkeypatch.setattr(local_context.tokenizer, "tokenize", None)
    assert window.get_num_tokens("four") == 4
    assert window.fits_within_context_window("four", 16)
    assert not window.fits_within_context_window("four", 17)


def test_clip_counts_the_completion_only_when_it_fits(simple_window):
    window = simple_window(CLIPWindowService, 10)
    assert window.truncate_from_right("0123456789ab", 5) == "0123456789"
    assert not window.fits_within_context_window("0123456789", 5)


def test_dalle_counts_characters(simple_window):
    window = simple_window(OpenAIDALLEWindowService, 3)
    assert isinstance(window, CLIPWindowService)  # as in HELM
    assert window.fits_within_context_window("日本語", 99)
    assert window.truncate_from_right("日本語x", 99) == "日本語"


def test_a_deployment_with_half_a_window_is_named(vector_environment, local_context):
    from helm.benchmark.model_deployment_registry import ClientSpec, ModelDeployment, register_model_deployment

    register_model_deployment(ModelDeployment("vec/half", ClientSpec("x.Y"), tokenizer_name="simple/tokenizer1"))
    with pytest.raises(ConfigError, match="vec/half.*max_sequence_length"):
        WindowServiceFactory.get_window_service("vec/half", TokenizerService(local_context))


def test_a_window_service_class_that_does_not_import_is_named(vector_environment, local_context):
    from helm.benchmark.model_deployment_registry import (
        ClientSpec,
        ModelDeployment,
        WindowServiceSpec,
        register_model_deployment,
    )

    spec = WindowServiceSpec("no_such_package.Window")
    register_model_deployment(ModelDeployment("vec/odd", ClientSpec("x.Y"), window_service_spec=spec))
    with pytest.raises(ConfigError, match="vec/odd.*no_such_package.Window"):
        WindowServiceFactory.get_window_service("vec/odd", TokenizerService(local_context))


def test_a_mapped_window_service_is_used_unless_the_deployment_names_one(
    vector_environment, local_context, monkeypatch
):
    path = f"{CLIPWindowService.__module__}.{CLIPWindowService.__name__}"
    service = TokenizerService(local_context)
    for name in ("win/seq40", "vec/tokenizer"):
        monkeypatch.setattr(WindowServiceFactory, "window_services", {name: path})
        assert type(WindowServiceFactory.get_window_service("win/seq40", service)) is CLIPWindowService
    monkeypatch.setattr(WindowServiceFactory, "window_services", {"win/other": path})
    assert type(WindowServiceFactory.get_window_service("win/seq40", service)) is DefaultWindowService
