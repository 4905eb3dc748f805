"""What the site has beyond the pages of `docs/`: its navigation, pages from the root of the repository, the Python interface."""

import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
ROOT_PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")

# What plugins are written against, by the page it is shown on.
PYTHON_PAGES = {
    "scenarios": ("Scenarios", ["helm.benchmark.scenarios.scenario"]),
    "adapters": ("Adapters", ["helm.benchmark.adaptation.adapter_spec", "helm.benchmark.adaptation.request_state"]),
    "metrics": ("Metrics", ["helm.benchmark.metrics.metric", "helm.benchmark.metrics.statistic"]),
    "run-specs": ("Run specs", ["helm.benchmark.run_spec", "helm.benchmark.assembly.run_expander_base"]),
    "clients": ("Clients", ["helm.clients.client", "helm.common.request"]),
    "ad-tools": ("AD tools", ["helm.common.evaluate_request"]),
    "compilers": ("Compilers", ["helm.common.episode_request", "helm.compiler_gym.policies"]),
}

_SECTIONS = (
    ("Tutorials", "tutorial-"),
    ("How to", "howto-"),
    ("Coming from", "coming-from-"),
    ("Reference", "reference-"),
)
_OUTSIDE = re.compile(r"\[([^\]]*)\]\(\.\./(?!docs/)([^)#]*)(#[^)]*)?\)")


def on_config(config):
    pages = sorted(path.name for path in (ROOT / "docs").glob("*.md"))
    navigation = [{"Documentation": "README.md"}]
    for title, prefix in _SECTIONS:
        chosen = [page for page in pages if page.startswith(prefix)]
        navigation.append({title: [*chosen, "metrics.md"] if title == "Reference" else chosen})
    navigation.append({"Python": [{title: f"python/{name}.md"} for name, (title, _) in PYTHON_PAGES.items()]})
    navigation.append({"Project": ["design.md", *ROOT_PAGES]})
    config.nav = navigation
    return config


def on_files(files, config):
    for name in ROOT_PAGES:
        files.append(File.generated(config, name, content=(ROOT / name).read_text()))
    for name, (title, modules) in PYTHON_PAGES.items():
        content = f"# {title}\n\n" + "\n".join(f"::: {module}\n" for module in modules)
        files.append(File.generated(config, f"python/{name}.md", content=content))
    return files


def on_page_markdown(markdown, page, config, files):
    """Links to pages of the root stay links; those to code, which is not part of the site, become its name."""

    def replace(match: re.Match[str]) -> str:
        text, target, anchor = match[1], match[2].rstrip("/"), match[3] or ""
        if not (ROOT / target).exists():
            return match[0]  # the check of links says so
        if target in ROOT_PAGES:
            return f"[{text}]({target}{anchor})"
        return text if f"`{target}`" == text else f"{text} (`{target}`)"

    if page.file.src_uri in ROOT_PAGES:
        return re.sub(r"\]\(docs/", "](", markdown)
    return _OUTSIDE.sub(replace, markdown)
