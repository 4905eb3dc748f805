# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MELTMATHScenario(DeclarativeScenario):
    """The problems of MATH in Vietnamese."""
    def __init__(self, subject: str, level: Any, use_official_examples: bool = ..., use_chain_of_thought: bool = ...) -> None: ...

class MELTQAMLQAScenario(DeclarativeScenario):
    """Vietnamese questions on Wikipedia passages, from MLQA."""
    def __init__(self) -> None: ...

class MELTQAXQuADScenario(DeclarativeScenario):
    """Vietnamese questions on Wikipedia passages, from XQuAD."""
    def __init__(self) -> None: ...

class MELTSummarizationVietnewsScenario(DeclarativeScenario):
    """Summaries of Vietnamese news articles."""
    def __init__(self, train_min_length: Any, train_max_length: Any, doc_max_length: Any) -> None: ...

class MELTSummarizationWikilinguaScenario(DeclarativeScenario):
    """Summaries of Vietnamese how-to guides."""
    def __init__(self, train_min_length: Any, train_max_length: Any, doc_max_length: Any) -> None: ...

class MELTTSentimentAnalysisVLSPScenario(DeclarativeScenario):
    """Sentiment of Vietnamese comments, from VLSP 2016."""
    def __init__(self) -> None: ...

class MELTTSentimentAnalysisVSFCScenario(DeclarativeScenario):
    """Sentiment of Vietnamese students' feedback."""
    def __init__(self) -> None: ...

class MELTTextClassificationPhoATISScenario(DeclarativeScenario):
    """The intents of Vietnamese questions to an airline."""
    def __init__(self) -> None: ...

class MELTTextClassificationVSMECScenario(DeclarativeScenario):
    """The emotion of Vietnamese comments."""
    def __init__(self) -> None: ...

class MELTToxicityDetectionViCTSDScenario(DeclarativeScenario):
    """Toxicity of Vietnamese comments."""
    def __init__(self) -> None: ...

class MELTToxicityDetectionViHSDScenario(DeclarativeScenario):
    """Hate speech in Vietnamese comments."""
    def __init__(self) -> None: ...
