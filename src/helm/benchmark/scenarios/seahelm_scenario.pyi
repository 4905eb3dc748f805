# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class FloresScenario(DeclarativeScenario):
    """Sentences of Wikipedia translated by professionals, from and to English."""
    def __init__(self, pair: Any) -> None: ...

class IndicQAScenario(DeclarativeScenario):
    """Questions on Tamil Wikipedia articles."""
    def __init__(self) -> None: ...

class IndicSentimentScenario(DeclarativeScenario):
    """Sentiment of product reviews translated into Tamil."""
    def __init__(self) -> None: ...

class IndicXNLIScenario(DeclarativeScenario):
    """Natural language inference translated into Tamil."""
    def __init__(self) -> None: ...

class IndoNLIScenario(DeclarativeScenario):
    """Natural language inference in Indonesian, with the test set written by lay people."""
    def __init__(self) -> None: ...

class LINDSEAPragmaticsPresuppositionsScenario(DeclarativeScenario):
    """Whether Indonesian statements follow from what is presupposed."""
    def __init__(self, language: str = ..., subset: str = ...) -> None: ...

class LINDSEAPragmaticsScalarImplicaturesScenario(DeclarativeScenario):
    """Whether Indonesian statements follow from what words like some leave unsaid."""
    def __init__(self, language: str = ..., subset: str = ...) -> None: ...

class LINDSEASyntaxMinimalPairsScenario(DeclarativeScenario):
    """Which of two Indonesian sentences, alike but for one point of grammar, is the better one."""
    def __init__(self, method: str = ..., language: str = ...) -> None: ...

class MLHSDScenario(DeclarativeScenario):
    """Hate speech and abuse in Indonesian tweets."""
    def __init__(self) -> None: ...

class NusaXScenario(DeclarativeScenario):
    """Sentiment of Indonesian comments and reviews."""
    def __init__(self) -> None: ...

class ThaiToxicityTweetsScenario(DeclarativeScenario):
    """Toxicity of Thai tweets."""
    def __init__(self) -> None: ...

class TyDiQAScenario(DeclarativeScenario):
    """Questions on Indonesian Wikipedia articles, asked by people who had not read them."""
    def __init__(self) -> None: ...

class UITVSFCScenario(DeclarativeScenario):
    """Sentiment of Vietnamese students' feedback on their courses."""
    def __init__(self) -> None: ...

class ViHSDScenario(DeclarativeScenario):
    """Hate speech in Vietnamese comments."""
    def __init__(self) -> None: ...

class WisesightScenario(DeclarativeScenario):
    """Sentiment of Thai messages about products and services."""
    def __init__(self) -> None: ...

class XCOPAScenario(DeclarativeScenario):
    """Which of two sentences is the cause or the effect of a third one, in four languages."""
    def __init__(self, language: str = ...) -> None: ...

class XNLIScenario(DeclarativeScenario):
    """Natural language inference translated into Thai or Vietnamese."""
    def __init__(self, language: str = ...) -> None: ...

class XQuADScenario(DeclarativeScenario):
    """SQuAD questions and passages translated into Thai or Vietnamese."""
    def __init__(self, language: str = ...) -> None: ...
