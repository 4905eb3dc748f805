"""Google's models behind the gateway of Stanford Health Care."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.stanfordhealthcare_http_model_client import StanfordHealthCareHTTPModelClient
from helm.common.request import GeneratedOutput, Request


class StanfordHealthCareGoogleClient(StanfordHealthCareHTTPModelClient):
    """The answer is a list of pieces, whose texts follow one another."""

    def _raw_request(self, request: Request, num_completions: int) -> dict[str, Any]:
        return {
            "contents": {"role": "user", "parts": {"text": self._text_prompt(request)}},
            "generation_config": {
                "temperature": request.temperature,
                "topP": request.top_p,
                "topK": request.top_k_per_token,
                "candidateCount": 1,
                "maxOutputTokens": request.max_tokens,
                "stopSequences": request.stop_sequences,
            },
        }

    def _outputs(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        pieces = response["pieces"] if "pieces" in response else [response]
        texts = [
            part["text"]
            for piece in pieces
            for candidate in piece.get("candidates", [])[:1]
            for part in candidate.get("content", {}).get("parts", [])
        ]
        return [GeneratedOutput(text="".join(texts), logprob=0, tokens=[])]
