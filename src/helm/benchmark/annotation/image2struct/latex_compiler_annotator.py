"""Compiles LaTeX code that models write."""

from helm.benchmark.annotation.image2struct.image_compiler_annotator import Asset, ImageCompilerAnnotator
from helm.common.rendering.contract import Rendering
from helm.common.rendering.latex import check_latex, code_block, render_latex


class LatexCompilerAnnotator(ImageCompilerAnnotator):
    """Compiles LaTeX code, up to three times with repairs; a completion may have the code in a code block.

    Beside the picture, an annotation has `image_size`, `latex_code` (the document that was compiled) and `text` (the part of
    it that the model wrote).
    """

    name = "latex_compiler"

    def check_programs(self) -> None:
        check_latex()

    def compile_code(self, text: str, assets: list[Asset]) -> Rendering:
        return render_latex(code_block(text, "latex"))
