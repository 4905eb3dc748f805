"""Compiles LilyPond code that models write."""

from helm.benchmark.annotation.image2struct.image_compiler_annotator import Asset, ImageCompilerAnnotator
from helm.common.rendering.contract import Rendering
from helm.common.rendering.lilypond import check_lilypond, render_lilypond


class LilypondCompilerAnnotator(ImageCompilerAnnotator):
    """Compiles sheet music. HELM: the whole completion is the code, even if it has a code block."""

    name = "lilypond_compiler"

    def check_programs(self) -> None:
        check_lilypond()

    def compile_code(self, text: str, assets: list[Asset]) -> Rendering:
        return render_lilypond(text)
