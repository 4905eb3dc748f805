"""Shows web pages that models write."""

from helm.benchmark.annotation.image2struct.image_compiler_annotator import Asset, ImageCompilerAnnotator
from helm.common.rendering.contract import Rendering
from helm.common.rendering.webpage import check_browser, parse_files, render_webpage, with_assets


class WebpageCompilerAnnotator(ImageCompilerAnnotator):
    """Shows a web page in a browser without a network. A completion is a JSON list of `{filename, content}`.

    Beside the picture, an annotation has `html` (the page as the browser has it) and `text`.
    """

    name = "webpage_compiler"

    def check_programs(self) -> None:
        check_browser()

    def compile_code(self, text: str, assets: list[Asset]) -> Rendering:
        files = parse_files(text)
        return render_webpage(with_assets(files, {asset.name: asset.content for asset in assets}))
