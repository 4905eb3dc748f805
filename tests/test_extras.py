"""The message about a missing package names an extra that exists."""

import configparser
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_suggested_extra_is_defined():
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    defined = set(setup["options.extras_require"])
    call = re.compile(r"(?:handle_module_not_found_error\(.*,\s*(?:suggestions=)?\[|with needs_extra\()([^\])]*)[\])]")
    suggested = set()
    for path in (ROOT / "src").rglob("*.py"):
        for names in call.findall(path.read_text(encoding="utf-8")):
            suggested.update(re.findall(r'"([a-z-]+)"', names))
    assert len(suggested) > 10, "few calls were found: has the function another name?"
    assert suggested <= defined
