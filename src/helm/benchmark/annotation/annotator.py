"""The interface of annotators, which add data to finished requests: judges, parsers, classifiers."""

from abc import ABC, abstractmethod
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.specs import AnnotatorSpec
from helm.common.errors import HelmError
from helm.common.request import RequestResult

__all__ = ["Annotator", "AnnotatorSpec", "DummyAnnotator", "UnjudgedError"]


class UnjudgedError(HelmError):
    """An annotator could not judge a request, because its judge failed or gave an unusable reply.

    The run continues: `annotation` is recorded for the request, and metrics count it as unjudged.

    Args:
        annotation: plain JSON data that describe the error, with None in place of the judgement.
    """

    def __init__(self, message: str, annotation: Any = None):
        super().__init__(message)
        self.annotation = annotation


class Annotator(ABC):
    """Looks at a request state with a result and returns plain JSON data about it."""

    name: str
    """Key of the annotation in `RequestState.annotations`."""

    @abstractmethod
    def annotate(self, request_state: RequestState) -> Any:
        """Return the annotation of a request.

        Raises: UnjudgedError if this request could not be judged; any other error, which makes the run fail and name
        the request.
        """

    def annotate_all(self, request_states: list[RequestState]) -> list[Any]:
        """Annotate several states at once; the result has the order of the states."""
        return [self.annotate(request_state) for request_state in request_states]


class DummyAnnotator(Annotator):
    """Returns every completion in capitals; for tests."""

    name = "dummy"

    def annotate(self, request_state: RequestState) -> list[dict[str, str]]:
        if not isinstance(request_state.result, RequestResult):
            raise ValueError("Annotation requires a result")
        return [{"all_caps": completion.text.upper()} for completion in request_state.result.completions]
