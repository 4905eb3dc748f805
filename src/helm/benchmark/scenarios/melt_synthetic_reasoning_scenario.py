"""Abstract reasoning in Vietnamese."""

from helm.benchmark.scenarios.synthetic_reasoning_scenario import (  # noqa: F401
    MATH_SYMBOLS,
    RULE_SYMBOLS,
    ReasoningWords,
    SyntheticReasoningScenario,
    pattern_subst,
    subst,
)

VIETNAMESE = ReasoningWords(
    animals=(
        "con ngựa vằn", "con rắn hổ mang", "con cò", "con chim cánh cụt", "con cá mập", "con sư tử", "con trâu",
        "con cá voi", "con hải cẩu", "con đại bàng", "con ngựa", "con chuột",
    ),
    fruits=(
        "quả táo", "quả đào", "quả dưa hấu", "quả chuối", "quả nho", "quả kiwi", "quả lê", "quả dâu tây",
        "quả việt quất", "quả mâm xôi",
    ),
    two_results="Hai kết quả",
    rule="Quy luật",
    rules="Các quy luật",
    substitutions="Thay thế",
    result="Kết quả",
    by="bởi",
)  # fmt: skip
ANIMALS, FRUITS = list(VIETNAMESE.animals), list(VIETNAMESE.fruits)


class MELTSyntheticReasoningScenario(SyntheticReasoningScenario):
    """`SyntheticReasoningScenario` with Vietnamese words: the same draws, so the same patterns."""

    words = VIETNAMESE
