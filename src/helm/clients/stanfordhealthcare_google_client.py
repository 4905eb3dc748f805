"""Google's models behind the gateway of Stanford Health Care."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.http.http_client import Call
from helm.clients.http.http_endpoint import read_json_body
from helm.clients.stanfordhealthcare_http_model_client import StanfordHealthCareHTTPModelClient
from helm.common.request import GeneratedOutput, Request


class StanfordHealthCareGoogleClient(StanfordHealthCareHTTPModelClient):
    """The answer is a list of pieces, whose texts follow one another."""

    def get_request(self, request: Request) -> dict[str, Any]:
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

    def _build(self, request: Request, num_missing: int, num_there: int) -> Call:
        return super()._build(request, num_missing, num_there)._replace(decode=_read_pieces)

    def parse_response(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        texts = [
            part["text"]
            for piece in response["pieces"]
            for candidate in piece.get("candidates", [])[:1]
            for part in candidate.get("content", {}).get("parts", [])
        ]
        return [GeneratedOutput(text="".join(texts), logprob=0, tokens=[])] if texts else []


def _read_pieces(data: bytes, content_type: str) -> dict[str, Any]:
    answer = read_json_body(data, content_type)
    return {"pieces": answer if isinstance(answer, list) else [answer]}
