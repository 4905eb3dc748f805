"""What tests in a browser share: where it is, how it is started, and what a page must have for everyone to read it."""

import os
import shutil
from pathlib import Path

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip

CHECK_ACCESS = (Path(__file__).parent / "benchmark/server/check_access.js").read_text(encoding="utf-8")
