"""The tutorial notebook does what it shows, in a kernel of its own, against a chat server on loopback.

`PYTHONPATH=tests python tests/api/test_tutorial.py` stores its output in the notebook; port 8000 must be free.
"""

import tempfile
from pathlib import Path

import pytest

from tutorial_support import AddingServer, make_questions

NOTEBOOK = Path(__file__).parents[2] / "docs" / "tutorial-python.ipynb"


def execute(path, folder, port):
    """Run a notebook in a folder, with servers on `port` where it says 8000."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = cell.source.replace("localhost:8000", f"localhost:{port}")
    client = nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute()
    return notebook


def outputs_of(notebook, text):
    """What the only cell with this text has shown, as one text per kind."""
    (cell,) = [cell for cell in notebook.cells if cell.cell_type == "code" and text in cell.source]
    shown = {}
    for output in cell.outputs:
        for kind, value in output.get("data", {"stream": output.get("text", "")}).items():
            shown[kind] = shown.get(kind, "") + value
    return shown


@pytest.fixture
def shown(own_folder):
    pytest.importorskip("ipykernel")
    make_questions(own_folder / "benchmark_output")
    server = AddingServer()
    try:
        yield execute(NOTEBOOK, own_folder, server.port)
    finally:
        server.close()


def test_the_tutorial_runs_and_shows_what_it_says(shown):
    scores = outputs_of(shown, "served.scores()")["text/plain"]
    assert "exact_match" in scores and "0.94" in scores
    assert outputs_of(shown, '["cached"].mean()')["text/plain"].endswith("1.0)")
    assert "<svg" in outputs_of(shown, "results = helm.evaluate")["text/html"]
    assert "capitals" in outputs_of(shown, "results = helm.evaluate")["text/plain"]
    comparison = outputs_of(shown, "def add_all")
    assert "<svg" in comparison["text/html"] and "python/add_all" in comparison["text/plain"]
    assert "the model has gone" in outputs_of(shown, "returned.failures")["text/plain"]
    assert "http://127.0.0.1" in outputs_of(shown, "open_viewer")["stream"]
    assert "failed" in outputs_of(shown, "runs/failing")["text/plain"]


def test_the_stored_output_is_of_these_cells():
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert not [output for cell in code for output in cell.outputs if output.output_type == "error"]
    assert all(cell.outputs for cell in code[1:])


def test_a_notebook_shows_progress_and_no_log(own_folder):
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    cell = """
import time, helm

def slow(prompt):
    time.sleep(0.1)
    return prompt

helm.evaluate([{"input": str(i), "target": "1"} for i in range(15)], slow)
"""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell)])
    nbformat.write(notebook, own_folder / "slow.ipynb")
    (done,) = execute(own_folder / "slow.ipynb", own_folder, 0).cells
    shown = "".join(output.text for output in done.outputs if output.output_type == "stream")
    assert "%|" in shown and "INFO" not in shown and "Running rows" not in shown


def store_output():
    """Run the notebook, and write it with what it has shown, without what differs from machine to machine."""
    import nbformat

    with tempfile.TemporaryDirectory() as name:
        make_questions(Path(name) / "benchmark_output")
        server = AddingServer(8000)
        try:
            notebook = execute(NOTEBOOK, name, 8000)
        finally:
            server.close()
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            kept = [output for output in cell.outputs if output.get("name") != "stderr"]
            cell.outputs = kept
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook.metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    nbformat.write(notebook, NOTEBOOK)


if __name__ == "__main__":
    store_output()
