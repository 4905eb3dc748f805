"""What a static site has beside its pages: the index of its search, lists for crawlers, cards, a page for dead links."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from xml.sax.saxutils import escape

from helm.benchmark.server.site_shards import write_shard
from helm.common.errors import ConfigError
from helm.common.files import write_text_atomically

CARD_SIZE = (1200, 630)
"""Width and height of the pictures for links that services ask for, in pixels."""

SEARCH_FOLDER = "search"
_ENTRIES_PER_SHARD = 4000

# Limit of the protocol for one file.
_MOST_SITEMAP_ENTRIES = 50_000

_NOT_FOUND = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>No such page</title></head>
<body><main><h1>There is no page at this address</h1>
<p>It may belong to an earlier copy of these results. Go to the start of the site and search for it there.</p></main>
</body></html>
"""


@dataclass(frozen=True)
class SearchEntry:
    """A page that the search of the site finds."""

    kind: str
    """What it is, as readers say it: `Model`, `Scenario`, `Run`."""

    title: str

    detail: str
    """What else it is found by: ids, organizations."""

    link: str
    """Its address, relative to the folder of the site."""


def check_site_url(url: str) -> str:
    """Return the address under which a site will be published, ending in a slash. Raises: ConfigError."""
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment or parts.username:
        raise ConfigError(
            f"--export-url takes the address where the site will be, like https://example.org/board/, not '{url}'."
        )
    return url.rstrip("/") + "/"


def card_of(url: str | None, name: str, picture: str) -> str:
    """Return what the head of a page says to programs that show a link to it, besides title and description.

    Args:
        url: the address of the site, ending in a slash. Without it, addresses are relative, which not all programs take.
        name: the file of the page, relative to the site.
        picture: the file of the picture beside the link, relative to the site.
    """
    attributes = {"og:image": (url or "../" * name.count("/")) + picture}
    attributes.update(
        {"og:image:type": "image/png", "og:image:width": str(CARD_SIZE[0]), "og:image:height": str(CARD_SIZE[1])}
    )
    found = ""
    if url:
        attributes["og:url"] = url + ("" if name == "index.html" else name)
        found = f'<link rel="canonical" href="{_quote(attributes["og:url"])}">\n'
    found += "".join(f'<meta property="{key}" content="{_quote(value)}">\n' for key, value in attributes.items())
    return found + '<meta name="twitter:card" content="summary_large_image">\n'


def _quote(text: str) -> str:
    return escape(text, {'"': "&quot;"})


def write_search(folder: str, entries: Sequence[SearchEntry]) -> int:
    """Write the index of the search in shards. Returns the number of shards."""
    os.makedirs(os.path.join(folder, SEARCH_FOLDER), exist_ok=True)
    starts = range(0, len(entries), _ENTRIES_PER_SHARD)
    for number, start in enumerate(starts):
        chunk = entries[start : start + _ENTRIES_PER_SHARD]
        rows = [[entry.kind, entry.title, entry.detail, entry.link] for entry in chunk]
        path = os.path.join(folder, SEARCH_FOLDER, f"{number}.js")
        write_shard(path, f"search/{number}", [("entries", rows), ("shards", len(starts))])
    return len(starts)


def write_crawler_files(folder: str, pages: Sequence[str], url: str | None) -> None:
    """Write `robots.txt`, `sitemap.xml` (which needs the address of the site), and `404.html`."""
    write_text_atomically(os.path.join(folder, "404.html"), _NOT_FOUND)
    write_text_atomically(os.path.join(folder, ".nojekyll"), "")  # GitHub Pages then serves all files as they are
    robots = "User-agent: *\nAllow: /\n"
    if url:
        robots += f"Sitemap: {url}sitemap.xml\n"
        today = date.today().isoformat()
        places = [f"{url}{'' if page == 'index.html' else page}" for page in pages[:_MOST_SITEMAP_ENTRIES]]
        items = "\n".join(f"<url><loc>{escape(place)}</loc><lastmod>{today}</lastmod></url>" for place in places)
        sitemap = (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{items}\n</urlset>\n'
        )
        write_text_atomically(os.path.join(folder, "sitemap.xml"), sitemap)
    write_text_atomically(os.path.join(folder, "robots.txt"), robots)
