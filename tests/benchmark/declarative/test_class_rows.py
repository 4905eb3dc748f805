"""Judges and metrics that are rows of `classes.yaml` are classes like any other."""

import importlib
import inspect
import pickle

import pytest

from helm.benchmark.annotation.judge_models import GPT_5_4
from helm.benchmark.declarative import class_rows
from helm.benchmark.metrics.metric import MetricMetadata, MetricSpec, create_metric
from helm.common.errors import ConfigError
from helm.common.object_spec import ObjectSpec, create_object

CLASSES = [path for package in class_rows.PACKAGES for path in class_rows.rows(package)]


def find(class_path: str) -> type:
    module, _, name = class_path.rpartition(".")
    return getattr(importlib.import_module(module), name)


@pytest.mark.parametrize("class_path", CLASSES)
def test_a_row_is_a_class_at_its_path(class_path: str):
    found = find(class_path)
    assert f"{found.__module__}.{found.__qualname__}" == class_path
    assert not inspect.isabstract(found) and find(class_path) is found
    assert pickle.loads(pickle.dumps(found)) is found
    assert found.__name__ in dir(importlib.import_module(found.__module__))
    inspect.signature(found)


def test_its_objects_are_made_from_specs():
    from helm.benchmark.annotation.arabic_legal_annotator import ArabicLegalAnnotator
    from helm.benchmark.metrics.alrage_metric import ALRAGEMetric

    judge = create_object(ObjectSpec(f"{ArabicLegalAnnotator.__module__}.ArabicLegalAnnotator", {"auto_client": None}))
    assert type(judge) is ArabicLegalAnnotator and judge._judge == GPT_5_4
    assert judge.name == "arabic_legal" and judge.max_tokens == 100
    metric = create_metric(MetricSpec("helm.benchmark.metrics.alrage_metric.ALRAGEMetric"))
    assert type(metric) is ALRAGEMetric and isinstance(metric.get_metadata()[0], MetricMetadata)
    with pytest.raises(TypeError, match="unexpected keyword argument 'temperature'"):
        create_metric(MetricSpec("helm.benchmark.metrics.alrage_metric.ALRAGEMetric", {"temperature": 1}))


def test_it_can_be_subclassed():
    from helm.benchmark.annotation.harm_bench_annotator import HarmBenchAnnotator
    from helm.benchmark.annotation.safety_judge_annotator import SafetyJudgeAnnotator

    class Own(HarmBenchAnnotator):
        name = "own"

        def get_prompt_name(self, request_state):
            return "harm_bench"

    own = Own(None, {"gpt": "simple/model1"})  # type: ignore[arg-type]
    assert isinstance(own, SafetyJudgeAnnotator) and own.placeholders == ("{{question}}", "{{answer}}")


def test_what_a_module_does_not_have_is_an_attribute_error():
    module = importlib.import_module("helm.benchmark.metrics.spider_metrics")
    with pytest.raises(AttributeError, match="module 'helm.benchmark.metrics.spider_metrics' has no attribute 'Spidr'"):
        getattr(module, "Spidr")  # noqa: B009
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("helm.benchmark.metrics.spider_metric")


def test_an_attribute_that_the_base_lacks_is_refused(monkeypatch):
    path = "helm.benchmark.metrics.made_up_metrics.MadeUpMetric"
    row = {"base": "annotation_score_metric.AnnotationScoreMetric", "stat_nam": "x"}
    monkeypatch.setitem(class_rows.rows("helm.benchmark.metrics"), path, row)
    with pytest.raises(ConfigError, match="MadeUpMetric sets stat_nam, which AnnotationScoreMetric does not have"):
        class_rows.row_class(path)
