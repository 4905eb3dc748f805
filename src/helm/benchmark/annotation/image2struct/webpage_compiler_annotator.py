"""Shows web pages that models write."""

from typing import TYPE_CHECKING, Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.image2struct.image_compiler_annotator import ImageCompilerAnnotator, assets_of
from helm.common.rendering.webpage import check_browser, parse_files, render_webpage, with_assets

if TYPE_CHECKING:
    from PIL.Image import Image


class WebpageCompilerAnnotator(ImageCompilerAnnotator):
    """Shows a web page in a browser without a network. A completion is a JSON list of `{filename, content}`.

    Beside the picture, an annotation has `html` (the page as the browser has it) and `text`.
    """

    name = "webpage_compiler"

    def check_programs(self) -> None:
        check_browser()

    def compile_completion_into_image(
        self, request_state: RequestState, completion_text: str
    ) -> "tuple[Image, dict[str, Any]]":
        assets = {asset.name: asset.content for asset in assets_of(request_state.instance)}
        rendering = render_webpage(with_assets(parse_files(completion_text), assets))
        return rendering.picture, dict(rendering.infos)
