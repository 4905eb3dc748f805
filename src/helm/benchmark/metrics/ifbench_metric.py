"""The metric of IFBench."""

from helm.benchmark.metrics.frontier_metrics import FinalAnswerMetric, extra_value
from helm.benchmark.metrics.ifbench.following import follows, follows_loosely
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance
from helm.common.errors import MetricError


class IFBenchMetric(FinalAnswerMetric):
    """Checks the instructions of IFBench and IFEval in a request.

    Reads `instruction_ids` and `instruction_kwargs`, two lists of equal length, from the instance's extra data. Emits
    `ifbench_prompt_strict` and `ifbench_prompt_loose`, 1 if all instructions are followed, and `ifbench_instruction_strict` and
    `ifbench_instruction_loose`, the share of them. Loosely, the first or the last line and asterisks may be left out. Needs
    NLTK, its data `punkt_tab`, and for some instructions `stopwords` and `averaged_perceptron_tagger_eng`.
    """

    described_stats = (
        "ifbench_prompt_strict",
        "ifbench_prompt_loose",
        "ifbench_instruction_strict",
        "ifbench_instruction_loose",
    )

    def score_text(self, text: str, instance: Instance) -> NamedValues:
        ids, arguments = extra_value(instance, "instruction_ids"), extra_value(instance, "instruction_kwargs")
        if len(ids) != len(arguments):
            raise MetricError(
                f"Instance {instance.id}: {len(ids)} instructions, but {len(arguments)} sets of arguments."
            )
        given = [
            (name, values, f"{instance.id}:{i}") for i, (name, values) in enumerate(zip(ids, arguments, strict=True))
        ]
        strict = [follows(name, values, text, seed) for name, values, seed in given]
        loose = [follows_loosely(name, values, text, seed) for name, values, seed in given]
        return [
            ("ifbench_prompt_strict", int(all(strict))),
            ("ifbench_prompt_loose", int(all(loose))),
            ("ifbench_instruction_strict", sum(strict) / len(ids)),
            ("ifbench_instruction_loose", sum(loose) / len(ids)),
        ]
