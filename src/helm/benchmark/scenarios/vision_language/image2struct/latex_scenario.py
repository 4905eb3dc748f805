"""Image2LaTeX: pictures of formulas, tables, plots and algorithms."""

from helm.benchmark.scenarios.vision_language.image2struct.image2struct_scenario import Image2StructScenario
from helm.common.rendering.contract import Rendering
from helm.common.rendering.latex import check_latex, render_latex


class LatexScenario(Image2StructScenario):
    """Write the LaTeX code of a picture (see `Image2StructScenario`)."""

    name = "image2latex"
    description = "Pictures of formulas, tables, plots and algorithms, to be written as LaTeX."
    hub_path = "stanford-crfm/i2s-latex"
    subsets = ("equation", "table", "plot", "algorithm", "wild", "wild_legacy")
    prompt = (
        "Please provide the LaTeX code used to generate this image. Only generate the code relevant to what you see. "
        "Your code will be surrounded by all the imports necessary as well as the begin and end document delimiters."
    )

    def check_programs(self) -> None:
        check_latex()

    def render(self, structure: str) -> Rendering:
        return render_latex(structure)
