"""Modules and names that HELM's users import, and how they behave; expected values are the original's."""

import importlib
import inspect

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.toxicity_utils import compute_toxicity_score, is_prompt_toxic
from helm.benchmark.presentation import summarize
from helm.benchmark.run_expander import FollowFormatInstructionsRunExpander, ScenarioSpecRunExpander
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference, Scenario, ScenarioSpec
from helm.common.errors import MetricError
from helm.common.perspective_api_request import PerspectiveAPIRequest, PerspectiveAPIRequestResult, ToxicityAttributes
from helm.common.request import GeneratedOutput, RequestResult, Token
from vectors_support import load_vectors

RUN_SPECS = load_vectors("imports/helm/run_specs.json")
assert len(RUN_SPECS) > 25


@pytest.mark.parametrize("module", sorted(RUN_SPECS))
def test_a_module_of_run_specs_has_the_originals_functions(module: str) -> None:
    found = importlib.import_module(f"helm.benchmark.run_specs.{module}")
    for function, parameters in RUN_SPECS[module].items():
        signature = inspect.signature(getattr(found, function))
        if "**kwargs" in parameters:  # ours names them
            continue
        assert list(signature.parameters)[: len(parameters)] == parameters, function
        further = list(signature.parameters.values())[len(parameters) :]
        assert all(p.default is not p.empty for p in further), function


def test_a_function_of_a_module_makes_the_run_spec_of_the_entry() -> None:
    from helm.benchmark.run_specs.lite_run_specs import get_mmlu_spec

    from helm.benchmark.run_specs import oab_exams_specs

    assert get_mmlu_spec(subject="anatomy").name == "mmlu:subject=anatomy,method=multiple_choice_joint"
    assert oab_exams_specs.get_enem_spec().groups == ["oab_exams"]
    assert "get_mmlu_spec" in importlib.import_module("helm.benchmark.run_specs.lite_run_specs").__all__
    with pytest.raises(ImportError):
        importlib.import_module("helm.benchmark.run_specs.light_run_specs")
    with pytest.raises(AttributeError, match="lite_run_specs' has no attribute 'get_mlu_spec'"):
        getattr(importlib.import_module("helm.benchmark.run_specs.lite_run_specs"), "get_mlu_spec")  # noqa: B009


@pytest.mark.parametrize(
    "promise",
    [
        "helm.benchmark.metrics.basic_metrics compute_request_state_metrics efficiency_metric adapter_spec request_state "
        "metric_service",
        "helm.benchmark.metrics.basic_metrics get_request_state_metrics_metadata efficiency_metric",
        "helm.benchmark.metrics.basic_metrics compute_language_modeling_metrics adapter_spec request_state metric_service",
        "helm.benchmark.metrics.nltk_helper install_nltk_resources",
        "helm.benchmark.metrics.toxicity_utils compute_toxicity_score text metric_service",
        "helm.benchmark.metrics.toxicity_utils is_prompt_toxic text metric_service",
        "helm.benchmark.presentation.schema read_schema schema_path",
        "helm.benchmark.presentation.schema validate_schema schema schema_path strict check_parent_child_partition "
        "check_orphan_children",
        "helm.benchmark.presentation.schema validate_schema_file schema_path strict",
        "helm.benchmark.presentation.schema get_all_schema_paths",
        "helm.benchmark.presentation.summarize get_benchmarking_url params",
        "helm.benchmark.presentation.summarize get_coarse_adapter_spec adapter_spec scenario_spec adapter_keys_shown",
        "helm.benchmark.presentation.summarize get_method_display_name model_display_name info",
        "helm.benchmark.presentation.summarize get_model_metadata_for_adapter_spec adapter_spec",
        "helm.benchmark.presentation.summarize get_scenario_name group scenario_spec",
        "helm.benchmark.presentation.summarize compute_aggregate_row_win_rates table aggregation",
        "helm.benchmark.presentation.summarize compute_aggregate_row_means table",
        "helm.benchmark.presentation.summarize ExecutiveSummary release suites suite date",
        "helm.benchmark.scenarios.math_scenario is_equiv str1 str2",
        "helm.benchmark.scenarios.math_scenario is_equiv_chain_of_thought str1 str2",
        "helm.benchmark.scenarios.math_scenario last_boxed_only_string string",
        "helm.benchmark.scenarios.math_scenario remove_boxed string",
        "helm.benchmark.scenarios.scenario Scenario.render_lines self instances",
        "helm.common.cache CacheStats.increment_query self path",
        "helm.common.cache CacheStats.increment_compute self path",
        "helm.common.request RequestResult.render_lines self",
        "helm.proxy.accounts Accounts.get_account self auth",
        "helm.proxy.accounts Accounts.get_all_accounts self auth",
        "helm.proxy.accounts Accounts.create_account self auth",
        "helm.proxy.accounts Accounts.delete_account self auth api_key",
        "helm.proxy.accounts Accounts.rotate_api_key self auth account",
        "helm.proxy.accounts Accounts.update_account self auth account",
        "helm.proxy.retry retry_if_request_failed result",
    ],
)
def test_a_function_has_the_originals_parameters(promise: str) -> None:
    module, name, *parameters = promise.split()
    found = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    assert list(inspect.signature(found).parameters)[: len(parameters)] == parameters


def test_results_as_text() -> None:
    output = GeneratedOutput("ab\n", -1.5, [Token("a", -1.0), Token("b\n", -0.5)], finish_reason={"reason": "stop"})
    lines = ["text: ab\n", "log_prob: -1.5", "tokens {", '  "a" logprob=-1.0', '  "b\\n" logprob=-0.5', "}"]
    assert output.render_lines() == [*lines, "finish_reason: {'reason': 'stop'}"]
    result = RequestResult(True, [], [output], cached=False, request_time=1.5, request_datetime=1)
    assert result.render_lines() == [
        "success: True", "cached: False", "request_time: 1.5", "request_datetime: 1", "completions {",
        *(f"  {line}" for line in output.render_lines()), "}",
    ]  # fmt: skip
    failed = RequestResult(success=False, embedding=[], completions=[], cached=True, error="bad")
    assert failed.render_lines() == ["success: False", "cached: True", "error: bad", "completions {", "}"]


def test_a_scenario_as_text() -> None:
    class Questions(Scenario):
        name, description, tags = "n", "d", ["t"]

        def get_instances(self, output_path: str) -> list[Instance]:
            return []

    references = [Reference(Output(text="x"), tags=[CORRECT_TAG])]
    instance = Instance(Input(text="q\nr"), references=references, split="test", id="id1")
    assert Questions().render_lines([instance]) == [
        "name: n", "description: d", "tags: [t]", "", "instance 0 (1 total) |test| {",
        '  input: "q\\nr"', '  id: "id1"', '  reference [correct]: "x"', "}",
    ]  # fmt: skip


def test_expanders_of_plugins() -> None:
    class Depth(ScenarioSpecRunExpander):
        name = "depth"
        values_dict = {"all": [1, 2]}

    run_spec = RunSpec("n:x=1", ScenarioSpec("c", {"a": 1}), AdapterSpec(method="generation"), [], groups=["g"])
    assert [r.scenario_spec.args for r in Depth("all").expand(run_spec)] == [{"a": 1, "depth": 1}, {"a": 1, "depth": 2}]
    assert [r.scenario_spec.args for r in Depth("7").expand(run_spec)] == [{"a": 1, "depth": "7"}]
    [followed] = FollowFormatInstructionsRunExpander("all").expand(run_spec)
    assert followed.adapter_spec.global_suffix.endswith(
        "It is critical to follow the format of the preceding outputs!\nOutput:"
    )


@pytest.mark.parametrize("success, score", [(True, 0.5), (True, None), (False, None)])
def test_toxicity_of_a_text(success: bool, score: float | None) -> None:
    class Service:
        def get_toxicity_scores(self, request: PerspectiveAPIRequest) -> PerspectiveAPIRequestResult:
            scores = {text: ToxicityAttributes(toxicity_score=score) for text in request.text_batch}
            return PerspectiveAPIRequestResult(success, False, scores if success else {}, None if success else "no key")

    service = MetricService(Service())  # type: ignore[arg-type]
    if not success:
        with pytest.raises(MetricError, match="could not be requested: no key"):
            compute_toxicity_score("text", service)
        return
    assert compute_toxicity_score("text", service) == (score or 0.0)
    assert is_prompt_toxic("text", service) == bool(score)


def test_constants_and_errors() -> None:
    from helm.common.perspective_api_request import DEFAULT_ATTRIBUTES
    from helm.proxy import accounts, retry

    assert (retry.HELM_RETRIES, retry.HELM_TOKENIZER_RETRIES) == (5, 5)
    assert accounts.DEFAULT_QUOTAS["together_vision"] == {"daily": 30}
    assert issubclass(accounts.AuthenticationError, accounts.AccountError)
    assert issubclass(accounts.InsufficientQuotaError, accounts.AccountError)
    assert DEFAULT_ATTRIBUTES[0] == "TOXICITY" and len(DEFAULT_ATTRIBUTES) == 8


def test_functions_of_summarize() -> None:
    assert summarize.get_benchmarking_url({"a": "b c", "d": "e"}) == "?a=b%20c&d=e"
    assert summarize.get_method_display_name("M", {"x": 1, "model": "q", "model_deployment": "z"}) == "M [x: 1]"
    assert summarize.get_method_display_name(None, {}) == "???"
    assert summarize.ALL_AGGREGATION_STRATEGIES == ["win_rate", "mean"]
    unknown = summarize.get_model_metadata_for_adapter_spec(AdapterSpec(model="x/y", model_deployment="x/z"))
    assert (unknown.name, unknown.creator_organization_name) == ("x/y", "Unknown")


def test_the_tokenizer_of_clevas_metrics() -> None:
    from helm.benchmark.metrics.cleva_metrics_helper import ChineseTokenizer

    assert ChineseTokenizer().tokenize("今天, 我。 ab") == ["今", "天", ",", " ", "我", "。", " ", "a", "b"]


def test_names_that_two_modules_of_the_original_have_are_one_class() -> None:
    from helm.benchmark.annotation.arabic_legal_annotator import AnnotatorResponseParseFailure as Legal
    from helm.benchmark.annotation.model_as_judge import AnnotatorResponseParseFailure
    from helm.benchmark.scenarios import autobencher_safety_scenario as safety

    assert Legal is AnnotatorResponseParseFailure
    assert safety.AutobencherSafetyScenario is safety.AutoBencherSafetyScenario


def test_modules_whose_names_are_elsewhere_give_working_objects() -> None:
    from helm.benchmark.model_deployments.together_model_deployments import get_together_model_deployment
    from helm.benchmark.run_specs.arabic_run_specs import (
        _ARABIC_OUTPUT_MAPPING_PATTERN,
        _ARABIC_REFERENCE_PREFIX_CHARACTERS,
    )
    from helm.benchmark.run_specs.decodingtrust_run_specs import get_fairness_metric_specs
    from helm.benchmark.run_specs.enterprise_run_specs import _get_weighted_classification_metric_specs
    from helm.benchmark.run_specs.long_context_run_specs import _get_long_context_generation_adapter_spec
    from helm.benchmark.tokenizer_configs.huggingface_tokenizer_configs import get_huggingface_tokenizer_config
    from helm.clients.cohere_utils import get_cohere_url
    from helm.proxy.critique.critique_client import CritiqueClient, RandomCritiqueClient

    from helm.benchmark.model_deployments.huggingface_deployments import generate_huggingface_tokenizer_config

    deployment = get_together_model_deployment("together/creator/model")
    assert deployment is not None and deployment.client_spec.class_name.startswith("helm.clients.together_client.")
    assert get_huggingface_tokenizer_config is generate_huggingface_tokenizer_config
    assert f"({'|'.join(_ARABIC_REFERENCE_PREFIX_CHARACTERS)})" == _ARABIC_OUTPUT_MAPPING_PATTERN
    assert [spec.class_name.rpartition(".")[2] for spec in get_fairness_metric_specs()] == ["FairnessMetric"]
    assert _get_weighted_classification_metric_specs(["a"])[0].args["labels"] == ["a"]
    assert _get_long_context_generation_adapter_spec(77).max_tokens == 77
    assert get_cohere_url("generate") == "https://api.cohere.ai/generate"
    assert issubclass(RandomCritiqueClient, CritiqueClient)
    module = importlib.import_module("helm.clients.cohere_utils")
    assert module.__all__ == ["DEFAULT_COHERE_API_VERSION", "get_cohere_url"]
    with pytest.raises(AttributeError, match="helm.clients.cohere_utils' has no attribute 'x'"):
        module.x  # noqa: B018


def test_a_decorated_function_is_tracked(caplog) -> None:
    from helm.common.hierarchical_logger import htrack

    @htrack("$count of them")
    def load(count: int) -> int:
        """Load."""
        return count

    with caplog.at_level("INFO", "helm"):
        assert load(3) == 3 and load.__doc__ == "Load."
    assert [text.partition(" [")[0] for text in caplog.messages][-2:] == [
        "test_a_decorated_function_is_tracked.<locals>.load: 3 of them {",
        "}",
    ]


def test_images_are_stored_as_png(tmp_path) -> None:
    image_module = pytest.importorskip("PIL.Image")
    from helm.common.file_caches.local_file_cache import LocalPILFileCache

    cache = LocalPILFileCache(str(tmp_path / "images"))
    path = cache.store_image(lambda: image_module.new("L", (3, 2), 7))
    image = cache.load_image(path)
    assert path.endswith(".png") and cache.get_size(path) == (3, 2)
    assert (image.mode, image.size, image.getpixel((0, 0))) == ("RGB", (3, 2), (7, 7, 7))


def test_the_device_that_torch_computes_on() -> None:
    torch = pytest.importorskip("torch")
    from helm.common import gpu_utils

    name = gpu_utils.get_torch_device_name()
    assert (name == "cuda") == gpu_utils.is_cuda_available() == torch.cuda.is_available()
    assert gpu_utils.get_torch_device() == torch.device(name)
