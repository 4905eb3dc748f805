"""Contents of rows that are in a file while the rows are worked on."""

import os

import pytest

from helm.common.data.content_spool import ContentSpool, SpooledContent


def test_contents_leave_the_rows_and_can_be_read_in_any_order(tmp_path):
    folder = tmp_path / "made"
    with ContentSpool(str(folder), {"image", "bare", "many", "absent"}) as spool:
        row = {
            "image": {"bytes": b"a" * 10, "path": "a.png"},
            "bare": b"b" * 20,
            "many": [{"bytes": b"c"}, {"bytes": None}, None],
            "other": b"stays",
        }
        assert spool.without_contents(row) is row
        second = spool.without_contents({"bare": b"", "other": 1})
        assert (
            row["other"] == b"stays" and row["image"]["path"] == "a.png" and row["many"][1:] == [{"bytes": None}, None]
        )
        assert isinstance(row["bare"], SpooledContent) and len(row["bare"]) == 20
        assert not second["bare"], "an empty content is empty"
        assert (second["bare"].read(), row["many"][0]["bytes"].read()) == (b"", b"c")
        assert (row["bare"].read(), row["image"]["bytes"].read()) == (b"b" * 20, b"a" * 10)
        assert os.listdir(folder) == [], "the file has no name, so a killed process leaves none"
    with pytest.raises(ValueError, match="closed"):
        row["bare"].read()
