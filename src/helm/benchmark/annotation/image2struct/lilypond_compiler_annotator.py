"""Compiles LilyPond code that models write."""

from typing import TYPE_CHECKING, Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.image2struct.image_compiler_annotator import ImageCompilerAnnotator
from helm.common.rendering.lilypond import check_lilypond, render_lilypond

if TYPE_CHECKING:
    from PIL.Image import Image


class LilypondCompilerAnnotator(ImageCompilerAnnotator):
    """Compiles sheet music. HELM: the whole completion is the code, even if it has a code block."""

    name = "lilypond_compiler"

    def check_programs(self) -> None:
        check_lilypond()

    def compile_completion_into_image(
        self, request_state: RequestState, completion_text: str
    ) -> "tuple[Image, dict[str, Any]]":
        return render_lilypond(completion_text).picture, {}
