"""Image2Webpage: screenshots of web pages."""

import base64
import io
import tarfile
from collections.abc import Mapping
from typing import Any

from helm.benchmark.scenarios.vision_language.image2struct.image2struct_scenario import Image2StructScenario
from helm.common.data.media_store import safe_path
from helm.common.rendering.contract import Rendering
from helm.common.rendering.webpage import check_browser, render_webpage

_PICTURES = ("png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "bmp", "tiff")
_MAX_BYTES = 256 << 20


class WebpageScenario(Image2StructScenario):
    """Write the files of a web page (see `Image2StructScenario`).

    The picture files of a page are assets, which answers may use: two more references have their paths (`asset_path`) and
    their names (`asset_name`).
    """

    name = "image2webpage"
    description = "Screenshots of web pages, to be written as HTML, style sheets and scripts."
    hub_path = "stanford-crfm/i2s-webpage"
    subsets = ("css", "html", "javascript", "wild", "wild_legacy")
    prompt = (
        "Please generate the source code to generate a webpage that looks like this image as much as "
        "feasibly possible.\n"
        "You should output a json object associating each file name with its content.\n"
        "\n"
        "Here is a simple example of the expected structure (that does not correspond to the image). In this "
        "example, 3 files are created: index.html, style.css and script.js.\n"
        "[\n"
        "  {\n"
        '    "filename": "index.html",\n'
        '    "content": "<!DOCTYPE html>\\n<html>\\n<head>\\n<title>Title of the '
        'document</title>\\n</head>\\n<body>\\n\\n<p>Content of the document......</p>\\n\\n</body>\\n</html>"\n'
        "  },\n"
        "  {\n"
        '    "filename": "style.css",\n'
        '    "content": "body {\\n  background-color: lightblue;\\n}\\nh1 {\\n  color: white;\\n  text-align: '
        'center;\\n}"\n'
        "  },\n"
        "  {\n"
        '    "filename": "script.js",\n'
        '    "content": "document.getElementById(\\"demo\\").innerHTML = \\"Hello JavaScript!\\";"\n'
        "  }\n"
        "]\n"
        "You do not have to create files with the same names. Create as many files as you need, you can even "
        "use directories if necessary, they will be created for you automatically. Try to write some "
        "realistic code keeping in mind that it should look like the image as much as feasibly possible."
    )

    def check_programs(self) -> None:
        check_browser()

    def render(self, structure: str) -> Rendering:
        return render_webpage(_files_of(structure))

    def assets_of(self, row: Mapping[str, Any]) -> dict[str, bytes]:
        if "wild" in self._subset:
            return {}
        return {
            name: content
            for name, content in sorted(_files_of(row["structure"]).items())
            if name.rpartition(".")[2].lower() in _PICTURES
            and not any(part == "_site" or part.startswith(".") for part in name.split("/")[:-1])
        }


def _files_of(structure: str) -> dict[str, bytes]:
    """Return the files of a repository, a packed archive as base64. Raises: ValueError, MediaError."""
    files: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(base64.b64decode(structure)), mode="r:gz") as archive:
        total = 0
        for member in archive:
            total += member.size
            if total > _MAX_BYTES:
                raise ValueError(f"the repository has more than {_MAX_BYTES:,} bytes.")
            stream = archive.extractfile(member) if member.isfile() else None
            if stream is not None:
                name = member.name.removeprefix("./")
                safe_path("", name)
                files[name] = stream.read()
    return files
