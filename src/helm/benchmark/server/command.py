"""The command `helm-server`."""

import argparse
import os
import signal
import sys
import threading

from helm.benchmark.server.site_shards import DEFAULT_EXPORT_MB
from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main
from helm.common.commands.output_path import check_suite_name
from helm.common.errors import ConfigError, HelmError

DEFAULT_PORT = 8000


def build_parser() -> argparse.ArgumentParser:
    """The parser of `helm-server`."""
    parser = SuggestingArgumentParser(
        prog="helm-server",
        description="Look at results in a browser: leaderboards, runs, single instances, comparisons. Serves this machine "
        "only, unless told otherwise; reads results of HELM too.",
        epilog="Example: helm-server --suite mine, then open http://127.0.0.1:8000/. Or: helm-server --export site.",
    )
    add = parser.add_argument
    add("-p", "--port", type=int, default=DEFAULT_PORT, metavar="PORT", help="to listen on; 0: any (%(default)s)")
    add("-o", "--output-path", default="benchmark_output", metavar="FOLDER", help="where results are (%(default)s)")
    add(
        "--suite",
        metavar="SUITE",
        help="show this suite alone (default: all, first the one that changed last)",
    )
    add("--release", metavar="NAME", help="show the tables of this release")
    add("--host", default="127.0.0.1", metavar="ADDRESS", help="address to listen on (%(default)s)")
    add(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a name under which browsers may ask, besides localhost and addresses; may be repeated",
    )
    add("--index-path", metavar="FOLDER", help="where the index is kept (default: .helm-index in the output folder)")
    add("--export", "--export-path", metavar="FOLDER", dest="export", help="write the pages as files, serve nothing")
    add(
        "--export-instances",
        type=int,
        default=1000,
        metavar="N",
        help="with --export: how many instances of each run get a page (%(default)s)",
    )
    add(
        "--export-size",
        type=float,
        default=DEFAULT_EXPORT_MB,
        metavar="MB",
        help="with --export: the size up to which pages of instances are added, alike for each run (%(default)g)",
    )
    add("--export-url", metavar="URL", help="with --export: where the site will be, for search engines and cards")
    add("--local-path", default="prod_env", metavar="FOLDER", help="folder whose prices.yaml counts too (%(default)s)")
    add("--project", default="lite", metavar="NAME", help="as in HELM: the project that config.js names (%(default)s)")
    add("--cache-output-path", metavar="FOLDER", help="as in HELM: a folder served under /cache/output")
    add("--log-config", metavar="FILE", help="YAML file for logging.config.dictConfig")
    return parser


def check_args(args: argparse.Namespace) -> None:
    """Check the arguments. Raises: ConfigError for invalid ones."""
    if args.suite and args.release:
        raise ConfigError("--suite and --release cannot be used together: a release names its suites.")
    for flag, name in (("--suite", args.suite), ("--release", args.release)):
        if name is not None:
            check_suite_name(name, flag)
    if not 0 <= args.port <= 65535:
        raise ConfigError(f"--port takes a number from 0 to 65535, not {args.port}.")
    if args.export_instances < 0:
        raise ConfigError(f"--export-instances takes 0 or more, not {args.export_instances}.")
    if not 0 < args.export_size < float("inf"):
        raise ConfigError(f"--export-size takes a number of megabytes above 0, not {args.export_size:g}.")
    if args.export_url is not None:
        from helm.benchmark.server.site_files import check_site_url

        args.export_url = check_site_url(args.export_url)
    if "://" in args.output_path:
        raise ConfigError(f"--output-path takes a folder, not '{args.output_path}': fetch the results first.")
    if not os.path.isdir(args.output_path):
        raise ConfigError(f"There is no folder {args.output_path}. Run helm-run first, or name another folder with -o.")


@command_main(build_parser)
def main(args: argparse.Namespace) -> None:
    """Run the command. Exits with status 1 after an error message."""
    from helm.common.hierarchical_logger import setup_default_logging

    setup_default_logging(args.log_config)
    check_args(args)
    _register_prices(args.local_path)
    if args.export:
        _export(args)
    else:
        _serve(args)


def _register_prices(local_path: str) -> None:
    """Register prices, so that pages can show costs; nothing else of the catalogue is needed."""
    import helm.config
    from helm.benchmark.config_registry import PRICES_FILE
    from helm.benchmark.price_registry import register_prices_from_path

    for folder in (*helm.config.__path__, local_path):
        path = os.path.join(folder, PRICES_FILE)
        if os.path.isfile(path):
            register_prices_from_path(path)


def _export(args: argparse.Namespace) -> None:
    from helm.benchmark.server.export import export_site
    from helm.benchmark.server.viewer import Settings, Viewer
    from helm.common.formats.number_text import format_size
    from helm.common.hierarchical_logger import hlog
    from helm.results.index.index_folder import IndexFolder
    from helm.results.index.index_worker import Indexer

    folder = IndexFolder(args.output_path, args.index_path, args.suite)
    indexer = Indexer(folder, in_background=False, looks_once=True)
    try:
        settings = Settings(args.suite, args.release, args.project, is_static=True, waits=True, rows_per_page=200)
        settings.media_folder = _media_folder(args)
        viewer = Viewer(indexer, settings)
        suites = [args.suite] if args.suite else None
        max_bytes = round(args.export_size * 10**6)
        exporter = export_site(viewer, args.export, args.export_instances, suites, max_bytes, args.export_url)
    finally:
        indexer.close()
    size = format_size(exporter.num_bytes)
    hlog(f"{exporter.num_pages} pages, {size}, in {args.export}: open {os.path.join(args.export, 'index.html')}")
    if exporter.num_cut:
        hlog(f"{exporter.num_cut} runs have only a part of their instances there; --export-size makes more room.")
    if exporter.problems:
        raise HelmError(f"{len(exporter.problems)} pages could not be made: {'; '.join(exporter.problems[:5])}")


def _media_folder(args: argparse.Namespace) -> str | None:
    """Return the folder with the pictures that models made: the given one, or that of `helm-run` beside the results."""
    if args.cache_output_path:
        return str(args.cache_output_path)
    found = os.path.join(os.path.dirname(os.path.abspath(args.output_path)), "prod_env", "cache", "output")
    return found if os.path.isdir(found) else None


def _serve(args: argparse.Namespace) -> None:
    from helm.benchmark.server.app import create_app
    from helm.benchmark.server.viewer import Settings, Viewer
    from helm.common.hierarchical_logger import hlog, hwarn
    from helm.common.optional_dependencies import needs_extra
    from helm.results.index.index_folder import IndexFolder
    from helm.results.index.index_worker import Indexer

    with needs_extra("server"):
        import uvicorn
    folder = IndexFolder(args.output_path, args.index_path, args.suite)
    if folder.is_temporary:
        hwarn(f"Nothing can be written to {args.output_path}: the index is temporary. Keep one with --index-path.")
    folder.remove_leftovers()
    indexer = Indexer(folder)
    try:
        settings = Settings(args.suite, args.release, args.project, media_folder=_media_folder(args))
        viewer = Viewer(indexer, settings)
        viewer.indexer.refresh()  # starts computing the summaries
        threading.Thread(target=viewer.prepare, daemon=True).start()
        app = create_app(viewer, [args.host, *args.allow_host], args.cache_output_path)
        config = uvicorn.Config(app, args.host, args.port, log_level="warning", access_log=False, server_header=False)
        listening = config.bind_socket()
        listening.listen(config.backlog)  # connections made before the server is ready wait in the backlog
        host, port = listening.getsockname()[:2]
        hlog(f"http://{f'[{host}]' if ':' in host else host}:{port}/ shows {args.output_path}. Ctrl-C ends it.")
        if host not in ("127.0.0.1", "::1"):
            hwarn("Anyone who can reach this address can read the results.")
        # uvicorn re-raises the signal that ended it; turn that into an exception, so that the cleanup below runs
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        indexer.close()
