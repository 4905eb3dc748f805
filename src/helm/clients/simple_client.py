"""A model that reverses the order of words, for tests and first steps."""

from itertools import cycle, islice
from typing import TypedDict

from helm.clients.client import CachingClient
from helm.common.cache import CacheConfig
from helm.common.request import GeneratedOutput, Request, RequestResult, Token, wrap_request_time
from helm.common.request_options import PLAIN_PROMPT


class SimpleClientRequest(TypedDict):
    """What the model is asked, which is the cache key."""

    engine: str
    prompt: str
    num_completions: int


class SimpleClient(CachingClient):
    """Answers with the words of the prompt, last word first, one per completion; without words there are none.

    HELM: `max_tokens` and stop sequences are ignored.
    """

    takes_options = frozenset((PLAIN_PROMPT,))

    def __init__(self, cache_config: CacheConfig):
        super().__init__(cache_config)

    def make_request(self, request: Request) -> RequestResult:
        raw_request: SimpleClientRequest = {
            "engine": request.model_engine,
            "prompt": request.prompt,
            "num_completions": request.num_completions,
        }
        response, cached = self.cache.get(
            self.make_cache_key(raw_request, request), wrap_request_time(lambda: self.invoke_model(raw_request))
        )
        completions = [
            GeneratedOutput(text=text, logprob=0, tokens=[Token(text=text, logprob=0)])
            for text in response["completions"]
        ]
        return RequestResult(
            success=True,
            cached=cached,
            request_time=response["request_time"],
            request_datetime=response["request_datetime"],
            completions=completions,
            embedding=[],
        )

    @staticmethod
    def invoke_model(raw_request: SimpleClientRequest) -> dict[str, list[str]]:
        words = raw_request["prompt"].split()
        return {"completions": list(islice(cycle(reversed(words)), raw_request["num_completions"]))}
