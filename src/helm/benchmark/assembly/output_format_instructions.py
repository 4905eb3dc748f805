"""The sentences that tell a model how to format its answer, by scenario and adaptation method."""

from helm.benchmark.adaptation.adapter_spec import (
    ADAPT_GENERATION,
    ADAPT_MULTIPLE_CHOICE_JOINT,
    ADAPT_MULTIPLE_CHOICE_JOINT_CHAIN_OF_THOUGHT,
    AdapterSpec,
)
from helm.common.errors import ConfigError, suggest

_ARABIC_LETTER = "اكتب حرف الإجابة فقط، دون أي إضافات أخرى."

_LETTER = "Answer with only a single letter."

_JOINT: dict[str, str] = {
    "mmlu_only_last_question": "Answer only the last question with only a single letter.",
    "mcqa_only_last_question": "Answer only the last question with only a single letter.",
    "mcqa_no_period": "Answer with only a single letter. Do not include a period in your answer.",
    "arabic_mcqa": _ARABIC_LETTER,
}

_GENERATION: dict[str, str] = {
    "narrative_qa": "Answer with one word, a few-word phrase, or a short sentence. "
    "Avoid extra, unnecessary information in the answer.",
    "natural_qa": "Answer with a short answer or a boolean 'yes' or 'no' answer.",
    "natural_qa_short_answer": "Answer with a short answer.",
    "legalbench_abercrombie": "Answer with only 'generic', 'descriptive', 'suggestive', 'arbitrary' or 'fanciful'.",
    "legalbench_function_of_decision_section": "Answer with only 'Facts', 'Procedural History', 'Issue', 'Rule', "
    "'Analysis', 'Conclusion' or 'Decree'.",
    "legalbench_yes_or_no": "Answer with only 'Yes' or 'No'.",
    "wmt_14": "Answer with the English translation.",
    "wmt_14_only_last_sentence": "Answer with only the English translation for the last sentence.",
    "math": "Wrap the final answer with the \\boxed{} command.",
    "numeric_nlg": "Answer with only description of the last table as a single paragraph on a single line.",
    "tab_fact": "Answer with only the classification of the last statement, either 'refuted' or 'entailed'.",
    "wikitq": "Answer only the last question with a short answer. Avoid extra, unnecessary information in the answer.",
    "arabic_mcqa": _ARABIC_LETTER,
}

_CHAIN_OF_THOUGHT: dict[str, str] = dict.fromkeys(
    ("mmlu_pro", "gpqa"),
    'In your response, replace "insert answer here" with the single uppercase letter corresponding to your answer.',
)


def get_output_format_instructions(scenario: str, adapter_spec: AdapterSpec) -> str:
    """Return the sentence for a scenario; for legalbench it depends on the output noun.

    Raises: ConfigError for a scenario or a method that has none.
    """
    if adapter_spec.method == ADAPT_MULTIPLE_CHOICE_JOINT:
        return _JOINT.get(scenario, _LETTER)
    if adapter_spec.method == ADAPT_MULTIPLE_CHOICE_JOINT_CHAIN_OF_THOUGHT:
        return _look_up(_CHAIN_OF_THOUGHT, scenario)
    if adapter_spec.method == ADAPT_GENERATION:
        if scenario == "legalbench":
            noun = adapter_spec.output_prefix.split(":")[0]
            return f"Answer with the {noun.lower()}." if noun != "Answer" else "Answer yes or no."
        return _look_up(_GENERATION, scenario)
    raise ConfigError(f"output_format_instructions has no text for the adaptation method {adapter_spec.method}.")


def _look_up(table: dict[str, str], scenario: str) -> str:
    if scenario not in table:
        error = ConfigError(f"Unknown scenario {scenario}")
        error.add_note(f"output_format_instructions knows {', '.join(table)}.{suggest(scenario, table)}")
        raise error
    return table[scenario]
