"""Compiles LaTeX code that models write."""

from typing import TYPE_CHECKING, Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.image2struct.image_compiler_annotator import ImageCompilerAnnotator
from helm.common.rendering.latex import check_latex, code_block, render_latex

if TYPE_CHECKING:
    from PIL.Image import Image


class LatexCompilerAnnotator(ImageCompilerAnnotator):
    """Compiles LaTeX code, up to three times with repairs; a completion may have the code in a code block.

    Beside the picture, an annotation has `image_size`, `latex_code` (the document that was compiled) and `text` (the part of
    it that the model wrote).
    """

    name = "latex_compiler"

    def check_programs(self) -> None:
        check_latex()

    def compile_completion_into_image(
        self, request_state: RequestState, completion_text: str
    ) -> "tuple[Image, dict[str, Any]]":
        rendering = render_latex(code_block(completion_text, "latex"))
        return rendering.picture, dict(rendering.infos)
