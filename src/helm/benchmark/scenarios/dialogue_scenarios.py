"""EmpatheticDialogues: conversations about an emotional situation."""

import csv
import os
from dataclasses import dataclass

from helm.benchmark.scenarios.data_rows import correct_reference, read_table, reading
from helm.benchmark.scenarios.scenario import ALL_SPLITS, Input, Instance, Scenario
from helm.common.general import ensure_file_downloaded

_URL = "https://dl.fbaipublicfiles.com/parlai/empatheticdialogues/empatheticdialogues.tar.gz"
_COLUMNS = ("conv_id", "utterance_idx", "context", "prompt", "speaker_idx", "utterance", "selfeval", "tags")
_SPEAKERS = ("Bob", "Jen")
_MIN_TURNS = 2

Rows = list[dict[str, str]]


@dataclass(frozen=True)
class Speaker:
    """Somebody in a dialogue."""

    id: int
    initiator: bool
    """Whether the first turn is theirs."""

    name: str | None = None


@dataclass(frozen=True)
class Utterance:
    """A turn of a dialogue, as text `Bob: Hello.` with a line end."""

    speaker: Speaker
    text: str

    def __str__(self) -> str:
        return f"{self.speaker.name}: {self.text}\n"


class EmpatheticDialoguesScenario(Scenario):
    """Continue a situation that one of two speakers describes, as a dialogue.

    Input text: the situation. References: the dialogues about it, all correct, with speakers called Bob and Jen; a
    situation without a dialogue of two turns has none. The sub-split is the emotion. Source: Rashkin et al. (2019).
    """

    name = "empatheticdialogues"
    description = "Conversations grounded in emotional situations"
    tags = ["interaction", "dialogue"]

    def get_instances(self, output_path: str) -> list[Instance]:
        folder = os.path.join(output_path, "data")
        ensure_file_downloaded(_URL, folder, unpack=True)
        instances = []
        for split in ALL_SPLITS:
            path = os.path.join(folder, f"{split}.csv")
            if os.path.isfile(path):
                for (prompt, context), conversations in sorted(_group(_read_rows(path)).items()):
                    references = [correct_reference(_dialogue(rows)) for rows in conversations]
                    instances.append(Instance(Input(text=prompt), references, split=split, sub_split=context))
        return instances


def _read_rows(path: str) -> Rows:
    """Return the utterances; cells of this file are never quoted, and their commas are escaped."""
    rows = []
    table = read_table(path, quoting=csv.QUOTE_NONE)
    next(table, None)
    for where, cells in table:
        with reading(where):
            if len(cells) > len(_COLUMNS):
                raise ValueError(f"{len(cells)} cells, not {len(_COLUMNS)}")
            row = dict(zip(_COLUMNS, (cell.replace("_comma_", ",") for cell in cells), strict=False))
            int(row["utterance_idx"])
            rows.append({column: row[column] for column in _COLUMNS[:-1]})
    return rows


def _group(rows: Rows) -> dict[tuple[str, str], list[Rows]]:
    """Group the conversations by situation and emotion, in the order of their ids."""
    situations: dict[tuple[str, str], dict[tuple[str, str], Rows]] = {}
    for row in rows:
        conversations = situations.setdefault((row["prompt"].strip(), row["context"]), {})
        conversations.setdefault((row["conv_id"], row["selfeval"]), []).append(row)
    return {
        situation: [turns for _, turns in sorted(conversations.items()) if len(turns) >= _MIN_TURNS]
        for situation, conversations in situations.items()
    }


def _dialogue(rows: Rows) -> str:
    turns = sorted(rows, key=lambda row: int(row["utterance_idx"]))
    # HELM: a speaker with both of the first two turns is treated as the second speaker.
    speakers = {
        turn["speaker_idx"]: Speaker(i, i == 0, name)
        for i, (turn, name) in enumerate(zip(turns, _SPEAKERS, strict=False))
    }
    with reading(f"Conversation {turns[0]['conv_id']}: the speakers of its first two turns"):
        return "".join(str(Utterance(speakers[turn["speaker_idx"]], turn["utterance"].strip())) for turn in turns)
