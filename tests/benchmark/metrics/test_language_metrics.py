"""Metrics for particular languages and translations: CLEVA, MELT, SEA-HELM, LMKT, COMET."""

import types
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics import (
    comet_metric,
    lmkt_metric_specs,
    lmkt_metrics,
    melt_metric_specs,
    melt_toxicity_metric,
    seahelm_metrics_specs,
)
from helm.benchmark.metrics.cleva_accuracy_metrics import CLEVATopKAccuracyMetric
from helm.benchmark.metrics.cleva_harms_metrics import CLEVABiasMetric, CLEVACopyrightMetric, CLEVAToxicityMetric
from helm.benchmark.metrics.evaluate_instances_metric import EvaluateInstancesMetric
from helm.benchmark.metrics.machine_translation_metrics import (
    CLEVAMachineTranslationMetric,
    MachineTranslationMetric,
    is_chinese,
)
from helm.benchmark.metrics.melt_bias_metric import VietnameseBiasMetric, read_literal_lists
from helm.benchmark.metrics.melt_toxicity_metric import VietnameseToxicityMetric
from helm.benchmark.metrics.metric import Metric, create_metric
from helm.benchmark.metrics.metric_data import DATA_FOLDER_VARIABLE, MetricDataFile
from helm.benchmark.metrics.paraphrase_generation_metrics import CLEVAParaphraseGenerationMetric
from helm.benchmark.metrics.seahelm_metrics import SEAHELMMachineTranslationMetric, SEAHELMQAMetric
from helm.common.errors import ConfigError, MetricError
from helm.common.optional_dependencies import OptionalDependencyNotInstalled
from helm.common.request import GeneratedOutput
from metrics_support import make_generation_state as state


def evaluate(metric: Metric, request_state: RequestState, num_outputs: int = 1) -> dict:
    stats = metric.evaluate_generation(AdapterSpec(num_outputs=num_outputs), request_state, None, "")  # type: ignore
    return {stat.name.name: stat.mean for stat in stats}


def score(metric: EvaluateInstancesMetric, *states: RequestState) -> Any:
    (stat,) = metric.evaluate_instances(list(states), "")
    return stat.mean


def likely(text: str, logprob: float) -> GeneratedOutput:
    return GeneratedOutput(text, logprob, [])


# --- CLEVA: values recorded from crfm-helm 0.5.16 ---------------------------------------------------------------------


def test_chinese_ibleu() -> None:
    metric = CLEVAParaphraseGenerationMetric()
    first = state(["今天天气不错"], ["今天天气很好"], "今天的天气很好")
    assert score(metric, first) == pytest.approx(0.42046910334791815, rel=1e-12)
    second = state(["abc"], ["abd", "abcd"], "ab")
    assert score(metric, first, second) == pytest.approx(0.48888888888888893, rel=1e-12)
    assert score(metric, state(["今天天气不错吗", "x"], ["今天天气很好"], "今天的天气很好")) == pytest.approx(
        0.34285714285714286
    )
    assert score(metric, state([" a b "], ["ab"], "q")) == pytest.approx(0.32)
    assert score(metric, state([""], ["今天"], "今天")) == 0
    with pytest.raises(ValueError, match="instance id0 has no reference"):
        score(metric, state(["a"], [], "q"))


def test_cleva_top_k_accuracy() -> None:
    metric = CLEVATopKAccuracyMetric(k=1, cut_off=5)
    assert score(metric, state(["abcdefg"], ["efg"])) == 1.0  # one common character among the first five
    assert score(metric, state(["     cd"], ["cd"])) == 0.0
    assert score(metric, state(["CD"], ["cd"])) == 0.0
    assert score(metric, state([""], ["cd"])) == score(metric, state(["cd"], [""])) == 0.0
    assert score(metric, state([likely("zz", -2.0), likely("cd", -1.0)], ["cd"])) == 1.0
    assert score(metric, state(["zz", "cd"], ["cd"])) == 0.0
    assert score(CLEVATopKAccuracyMetric(k=2, cut_off=5), state(["zz", "cd"], ["cd"])) == 1.0
    assert score(metric, state(["cd"], ["cd"]), state(["zz"], ["cd"])) == 0.5
    assert score(metric) is None
    assert metric.get_metadata()[0].name == "cleva_top1_accuracy"


COPYRIGHT = [
    ("longest_common_prefix_length", {}, [3.0, 5.0, 1.0]),
    ("longest_common_prefix_length", {"normalize_by_prefix_length": True}, [1.0, 5 / 3, 1 / 3]),
    ("longest_common_prefix_length", {"normalize_newline_space_tab": True}, [3.0, 7.0, 1.0]),
    ("edit_distance", {}, [1.0, 1.0, 2.0]),
    ("edit_distance", {"normalize_by_prefix_length": True}, [1 / 3, 1 / 3, 2 / 3]),
    ("edit_distance", {"normalize_newline_space_tab": True}, [1.0, 0.0, 1.0]),
    ("edit_similarity", {}, [0.75, 6 / 7, 0.75]),
    ("edit_similarity", {"normalize_by_prefix_length": True}, [0.25, 2 / 7, 0.25]),
    ("edit_similarity", {"normalize_newline_space_tab": True}, [0.75, 1.0, 0.875]),
]


@pytest.mark.parametrize(("name", "args", "expected"), COPYRIGHT)
def test_cleva_copyright_counts_characters(name: str, args: dict, expected: list[float]) -> None:
    metric = CLEVACopyrightMetric(name, **args)
    for completion, value in zip(["天气很坏", " 天气很好啊 x", "天 气很好啊\tx"], expected, strict=True):
        assert evaluate(metric, state([completion], ["今天 天气很好啊\nx"], "今天 "))[name] == pytest.approx(value)


@pytest.fixture
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(DATA_FOLDER_VARIABLE, str(tmp_path))
    monkeypatch.setenv("HELM_OFFLINE", "1")
    return tmp_path


def test_cleva_bias_segments_words(data_folder: Path) -> None:
    lists = {"male": "他\n男 人\n父亲,x\n", "female": "她\n女人\n母亲\n女孩\n", "profession": "医生\n老师\n"}
    for name, content in lists.items():
        (data_folder / f"{name}_word_list.txt").write_text(content, encoding="utf-8")
    representation = CLEVABiasMetric("representation", "gender")
    expected = {"她是医生": 0.5, "他": 0.5, "男 人": None, "父亲": None, "女人和她": 0.5, "他们": None}
    assert {text: score(representation, state([text])) for text in expected} == expected
    associations = CLEVABiasMetric("associations", "gender", "profession")
    assert score(associations, state(["她是医生"])) == 0.5
    assert score(associations, state(["他是老师医生"])) == 0.5
    assert score(associations, state(["他是医生", "她是医生"])) == pytest.approx(1 / 14)  # of 3 and 4 words


def test_missing_word_lists_are_told_with_where_to_get_them(data_folder: Path) -> None:
    with pytest.raises(MetricError, match=r"CLEVABiasMetric needs male_word_list.txt.*HELM_OFFLINE.*HELM_METRIC_DATA"):
        score(CLEVABiasMetric("representation", "gender"), state(["他"]))


def test_a_file_with_another_checksum_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (DATA_FOLDER_VARIABLE, "HELM_OFFLINE", "HF_HUB_OFFLINE"):
        monkeypatch.delenv(variable, raising=False)
    source = tmp_path / "source.txt"
    source.write_text("words\n")
    (tmp_path / "cache").mkdir()
    file = MetricDataFile("words.txt", source.as_uri(), sha256="0" * 64)
    with pytest.raises(MetricError, match="its SHA-256 is"):
        file.find_for("SomeMetric", str(tmp_path / "cache"))
    assert not (tmp_path / "cache" / "words.txt").exists()
    good = MetricDataFile("words.txt", source.as_uri())
    assert Path(good.find_for("SomeMetric", str(tmp_path / "cache"))).read_text() == "words\n"


def test_cleva_toxicity_asks_in_chinese() -> None:
    request = CLEVAToxicityMetric().make_request(["你好"])
    assert request.languages == ["zh"]
    expected = ["TOXICITY", "SEVERE_TOXICITY", "IDENTITY_ATTACK", "INSULT", "PROFANITY", "THREAT"]
    assert request.attributes == expected


# --- translations -----------------------------------------------------------------------------------------------------


def test_is_chinese() -> None:
    assert is_chinese("今天天气很好, ok") and is_chinese("價格是10元")
    assert not any(is_chinese(text) for text in ["", "123", "It is raining.", "今日はとても天気がいい"])


def test_cleva_translation_counts_characters_of_chinese_and_takes_several_references() -> None:
    metric = CLEVAMachineTranslationMetric()
    assert score(metric, state(["今天天气很好"], ["今天天气很好"])) == pytest.approx(100)
    assert 0 < score(metric, state(["今天天气不好"], ["今天天气很好"])) < 100
    two = state(["the cat sat on the mat"], ["a dog ran", "the cat sat on the mat"])
    one = state(["it is raining today again"], ["it is raining today again"])
    assert score(metric, two, one) == pytest.approx(100)


@pytest.mark.parametrize("metric", [MachineTranslationMetric(), CLEVAMachineTranslationMetric()])
def test_translations_need_one_completion_and_a_reference(metric: EvaluateInstancesMetric) -> None:
    with pytest.raises(ValueError, match="exactly one completion; instance id0 has 2"):
        score(metric, state(["a", "b"], ["c"]))
    with pytest.raises(ValueError, match="reference"):
        score(metric, state(["a"], []))
    assert score(metric, state([""], ["c"])) == 0.0


def test_comet_asks_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list = []

    class Model:
        def predict(self, rows: list, batch_size: int, gpus: int, progress_bar: bool) -> dict:
            asked.append((rows, gpus))
            return {"scores": [0.875]}

    monkeypatch.setattr(comet_metric, "load_comet", lambda name: Model())
    metric = comet_metric.CometMetric("task", device="cuda")
    assert evaluate(metric, state([" A cat. "], ["The cat."], "Eine Katze.")) == {"comet": 0.875}
    assert asked == [([{"src": "Eine Katze.", "mt": "A cat.", "ref": "The cat."}], 1)]
    with pytest.raises(ValueError, match="exactly one reference"):
        evaluate(metric, state(["a"], ["b", "c"]))


# --- MELT -------------------------------------------------------------------------------------------------------------

WORD_LISTS = '''"""Words."""
FEMALE_WORDS = ["gái", "con gái"]
MALE_WORDS: list = ["trai"]
GENDER_TO_WORD_LISTS = {"female": FEMALE_WORDS}
ADJECTIVE_LIST = ["kiêu"]
BAD = [print("never run")]
'''


def test_vietnamese_bias(data_folder: Path, capsys: pytest.CaptureFixture) -> None:
    (data_folder / "melt_bias_word_lists.py").write_text(WORD_LISTS, encoding="utf-8")
    metric = VietnameseBiasMetric("representation", "gender")
    assert score(metric, state(["Gái đẹp"])) == 0.5
    assert score(metric, state(["gái và trai"])) == pytest.approx(abs(1 / 3 - 1 / 2))  # lists of two words and of one
    assert score(VietnameseBiasMetric("associations", "gender", "adjective"), state(["gái kiêu"])) == 0.5
    with pytest.raises(MetricError, match="has no list PROFESSION_LIST"):
        score(VietnameseBiasMetric("associations", "gender", "profession"), state(["gái"]))
    assert capsys.readouterr().out == ""


def test_word_lists_that_are_no_python_file_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "lists.py"
    path.write_text("FEMALE_WORDS = [")
    with pytest.raises(MetricError, match="Cannot read the word lists"):
        read_literal_lists(str(path))


def test_vietnamese_toxicity(monkeypatch: pytest.MonkeyPatch) -> None:
    class Classifier:
        model = types.SimpleNamespace(config=types.SimpleNamespace(id2label={0: "LABEL_0", 1: "LABEL_1"}))

        def __call__(self, texts: list[str], **kwargs: Any) -> list:
            scores = [0.7 if text == "a" else 0.2 for text in texts]
            return [[{"label": "LABEL_1", "score": s}, {"label": "LABEL_0", "score": 1 - s}] for s in scores]

    monkeypatch.setattr(melt_toxicity_metric, "load_classifier", Classifier)
    names = ["expected_max_toxicity", "max_toxicity_probability", "toxic_frac"]
    assert evaluate(VietnameseToxicityMetric(), state(["a", "b", ""])) == dict(zip(names, [0.7, 1.0, 0.5], strict=True))
    assert evaluate(VietnameseToxicityMetric(), state(["a", "a"])) == dict(zip(names, [0.7, 1.0, 1.0], strict=True))
    assert evaluate(VietnameseToxicityMetric(), state([])) == dict.fromkeys(names, 0.0)


# --- SEA-HELM: values recorded from crfm-helm 0.5.16 ------------------------------------------------------------------

NORMALIZED = [
    ("en", "The cat, a dog! An x", ["cat", "dog", "x"]),
    ("id", "The cat, a dog! An x", ["the", "cat", "a", "dog", "an", "x"]),
    ("vi", "Con mèo.  là", ["con", "mèo", "là"]),
    ("ta", "“Quote” 50% a.b-c", ["“quote”", "50", "abc"]),
    ("th", "แมวดำกินปลา", ["แมว", "ดำ", "กิน", "ปลา"]),
    ("th", "The cat", ["the", " ", "cat"]),
]


@pytest.mark.parametrize(("language", "text", "words"), NORMALIZED)
def test_words_of_answers(language: str, text: str, words: list[str]) -> None:
    assert SEAHELMQAMetric(language).normalize_answer(text) == words


def test_squad_scores() -> None:
    metric = SEAHELMQAMetric("id")
    names = ["squad_exact_match_score", "squad_f1_score"]
    assert evaluate(metric, state(["Jakarta city"], ["Jakarta", "the jakarta city"])) == dict(
        zip(names, [0.0, 0.8], strict=True)
    )
    two = evaluate(metric, state(["x", "Jakarta"], ["Jakarta"]), num_outputs=2)
    assert two == {names[0]: 0.0, f"{names[0]}@2": 1.0, names[1]: 0.0, f"{names[1]}@2": 1.0}
    assert list(two) == [names[0], f"{names[0]}@2", names[1], f"{names[1]}@2"]
    best = state([likely("zz", -2.0), likely("jakarta", -1.0)], ["jakarta"])
    assert evaluate(metric, best) == dict(zip(names, [1.0, 1.0], strict=True))
    assert evaluate(metric, state(["..."], ["..."])) == dict(zip(names, [1.0, 0.0], strict=True))
    assert metric.squad_f1_score("a a b", "a b b") == pytest.approx(2 / 3)
    assert evaluate(metric, state(["a"], [])) == {}


def test_chr_f_plus_plus() -> None:
    metric = SEAHELMMachineTranslationMetric()
    value = evaluate(metric, state(["the cat sat"], ["the cat sat down", "a cat"]))["chr_f_plus_plus"]
    assert value == pytest.approx(68.3557292119746, rel=1e-9)
    assert evaluate(metric, state(["\nkucing duduk"], ["kucing duduk"])) == {"chr_f_plus_plus": pytest.approx(100.0)}
    assert evaluate(metric, state([""], ["x"])) == {"chr_f_plus_plus": 0.0}
    with pytest.raises(ValueError, match="needs a reference"):
        evaluate(metric, state(["x"], []))


# --- LMKT -------------------------------------------------------------------------------------------------------------


def test_semantic_similarity_is_the_mean_over_completions_and_references(monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    class Model:
        def encode(self, texts: list[str]) -> Any:
            return np.array([[text.count("a"), text.count("b")] for text in texts], dtype=float)

        def similarity(self, a: Any, b: Any) -> Any:
            return a @ b.T

    monkeypatch.setattr(lmkt_metrics, "load_sentence_transformer", lambda name: Model())
    metric = lmkt_metrics.SemanticSimilarityMetric()
    assert evaluate(metric, state(["a", "b"], ["a", "aa"])) == {"semantic_similarity": (1 + 2 + 0 + 0) / 4}
    with pytest.raises(ValueError, match="needs a correct reference"):
        evaluate(metric, state(["a"], []))
    with pytest.raises(ConfigError, match="Did you mean 'cosine'"):
        lmkt_metrics.SemanticSimilarityMetric("cosin")


# --- what is not installed, and specs ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("load", "package", "extra"),
    [
        (lambda: comet_metric.load_comet("m"), "comet", "comet"),
        (lambda: lmkt_metrics.load_sentence_transformer("cosine"), "sentence_transformers", "lmkt"),
        (melt_toxicity_metric.load_classifier, "torch", "huggingface"),
    ],
    ids=["comet", "lmkt", "huggingface"],
)
def test_a_missing_package_is_told_with_its_extra(
    load: Any, package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, package, None)  # importing it fails
    with pytest.raises(OptionalDependencyNotInstalled, match=rf"helm-evals\[{extra}\]"):
        load()


def test_metric_specs_name_classes_that_exist() -> None:
    specs = [
        *lmkt_metric_specs.get_semantic_similarity_metric_specs(),
        *seahelm_metrics_specs.get_seahelm_machine_translation_metric_specs(),
        *seahelm_metrics_specs.get_seahelm_qa_metric_specs({"language": "th"}),
        *melt_metric_specs.get_vietnamese_generative_harms_metric_specs(True, True),
    ]
    for spec in specs:
        create_metric(spec)
    names = [spec.class_name.rpartition(".")[2] for spec in specs]
    assert names[:3] == ["SemanticSimilarityMetric", "SEAHELMMachineTranslationMetric", "SEAHELMQAMetric"]
    assert names[3:6] == ["BasicGenerationMetric", "BasicReferenceMetric", "InstancesPerSplitMetric"]
    assert names[6:] == ["VietnameseBiasMetric"] * 6 + ["VietnameseToxicityMetric"]
    assert specs[0].args == {"similarity_fn_name": "cosine"} and specs[2].args == {"language": "th"}
    assert melt_metric_specs.get_vietnamese_generative_harms_metric_specs() == []
