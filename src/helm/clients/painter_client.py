"""A model of images that needs no weights, key or network: it draws coloured shapes that a prompt names."""

import hashlib
import os
import re
import time
from random import Random
from typing import Any

from helm.clients.client import Client
from helm.common.files import open_atomically
from helm.common.formats.colours import NAMED_COLOURS
from helm.common.formats.drawing import SHAPES, Pixel, draw
from helm.common.formats.png import write_png
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import EMBEDDING_UNAVAILABLE_REQUEST_RESULT, GeneratedOutput, Request, RequestResult

_SIDE = 64
_MAX_SIDE = 1024
_THING = re.compile(rf"\b({'|'.join(NAMED_COLOURS)}) ({'|'.join(SHAPES)})s?\b", re.IGNORECASE)
_GROUND = re.compile(rf"\b({'|'.join(NAMED_COLOURS)}) background\b", re.IGNORECASE)


class PainterClient(Client):
    """Draws the coloured shapes of a prompt from left to right, in the order in which it names them.

    It knows a few colours and shapes, and nothing of places and numbers: a lower bound that a real model should exceed.

    Args:
        file_cache: where images are kept; equal images are one file.
        reads: whether it reads the prompt; otherwise it draws shapes at random, from the hash of the request.
    """

    def __init__(self, file_cache: Any, reads: bool = True):
        self._folder = os.path.dirname(file_cache.generate_unique_new_file_path())
        self._reads = reads

    def make_request(self, request: Request) -> RequestResult:
        if request.embedding:
            return EMBEDDING_UNAVAILABLE_REQUEST_RESULT
        started_at, started = time.time(), time.perf_counter()
        outputs = [
            GeneratedOutput(
                text="",
                logprob=0,
                tokens=[],
                multimodal_content=MultimediaObject(
                    [MediaObject("image/png", location=self._keep(self.paint(request, i)))]
                ),
            )
            for i in range(request.num_completions)
        ]
        return RequestResult(
            success=True,
            cached=False,
            completions=outputs,
            embedding=[],
            request_time=time.perf_counter() - started,
            request_datetime=int(started_at),
        )

    def paint(self, request: Request, index: int) -> bytes:
        """Return one image as PNG. Equal requests give equal images."""
        parameters = request.image_generation_parameters
        width = (parameters and parameters.output_image_width) or _SIDE
        height = (parameters and parameters.output_image_height) or _SIDE
        things, ground = self._read(request, index)
        return write_png(draw(things, ground, min(width, _MAX_SIDE), min(height, _MAX_SIDE)))

    def _read(self, request: Request, index: int) -> tuple[list[tuple[Pixel, str]], Pixel]:
        """Return the things to draw, and the background."""
        if self._reads:
            things = [
                (NAMED_COLOURS[colour.lower()], shape.lower()) for colour, shape in _THING.findall(request.prompt)
            ]
            ground = _GROUND.search(request.prompt)
            return things, NAMED_COLOURS[ground[1].lower()] if ground else NAMED_COLOURS["white"]
        digest = hashlib.sha256(f"{request.prompt}|{index}|{request.random}".encode(errors="surrogatepass")).digest()
        rng = Random(int.from_bytes(digest, "big"))
        colours, shapes = list(NAMED_COLOURS.values()), list(SHAPES)
        return [(rng.choice(colours), rng.choice(shapes)) for _ in range(rng.randint(1, 2))], rng.choice(colours)

    def _keep(self, content: bytes) -> str:
        path = os.path.join(self._folder, f"{hashlib.sha256(content).hexdigest()[:32]}.png")
        if not os.path.exists(path):
            with open_atomically(path, binary=True) as file:
                file.write(content)
        return path
