"""The interface of extractors: from the text of a completion to the answer in it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from helm.benchmark.specs import ExtractorSpec
from helm.common.errors import ConfigError
from helm.common.formats.thinking import without_thinking
from helm.common.object_spec import create_object

MOST_CHARACTERS = 1 << 17
"""The longest text that is searched. Of a longer one, this many of the last characters are, because answers come last."""


@dataclass(frozen=True)
class Question:
    """The facts of a question that tell its answer from other text."""

    choices: Mapping[str, str] = field(default_factory=dict)
    """Maps the labels of the choices to their texts; empty if there are none."""

    entry_point: str | None = None
    """Name of the function that a program must define; None if unknown."""


class Extractor(ABC):
    """Finds the answer in a text. Takes time linear in its length, whatever it contains, and never raises.

    Args:
        form: what the metrics see of an answer, with `{}` in its place, for metrics that look for certain words; None
            means the answer itself.

    Raises: ConfigError for a form without `{}`.
    """

    most_characters = MOST_CHARACTERS

    def __init__(self, form: str | None = None):
        if form is not None and "{}" not in form:
            raise ConfigError(f"{type(self).__name__}: the form of the answer is '{form}', which lacks {{}}.")
        self.form = form

    @abstractmethod
    def find(self, text: str, question: Question) -> str | None:
        """Return the answer in a text without thinking, or None if there is no answer or more than one."""

    def extract(self, text: str, question: Question | None = None) -> str | None:
        """Return the answer in the text of a completion, or None. Thinking never counts as an answer."""
        answer = without_thinking(text).strip()
        if not answer:
            return None
        return self.find(answer[-self.most_characters :], question or Question())

    def render(self, answer: str, question: Question) -> str:
        """Return what the metrics see of an answer."""
        return answer if self.form is None else self.form.replace("{}", answer, 1)


def create_extractor(spec: ExtractorSpec) -> Extractor:
    """Create the extractor. Raises: ConfigError that names the class which cannot be imported or created."""
    try:
        extractor = create_object(spec)
    except (ImportError, AttributeError, ValueError) as e:
        raise ConfigError(f"Cannot import the extractor {spec.class_name}: {e}.") from e
    except TypeError as e:
        raise ConfigError(f"Cannot make the extractor {spec.class_name} with {spec.args}: {e}") from e
    if not isinstance(extractor, Extractor):
        raise ConfigError(
            f"{spec.class_name} is no extractor: expected a subclass of {Extractor.__module__}.Extractor."
        )
    return extractor
