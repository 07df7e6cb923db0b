"""The demonstration's bundle at a smaller size, with an answer to its undisclosed question, and what is known of it."""

import hashlib
import json
from pathlib import Path
from typing import Any

import yaml
from django.conf import settings

from lexreview.reports.bundle.files import read_files

SLUG = "kestria-01"
DEMO = Path(settings.BASE_DIR) / "fixtures/demo"
ANSWERED = ("P01", "P02", "P07", "P09")
REVIEWED = ("P01", "P07", "P09")
HIDDEN = "P11_argon-4_W0_r1"
SECRET_ANSWER = "The lease of the Zirkonhalle is valid and can be ended by notice (Art. 381 § 2 CC).\n"
SECRET_REVIEW = {
    "reviewer": "reviewer",
    "scores": {"A-R": 2, "A1": 2, "A2": 1, "P": 0, "B1": 2, "B2": 1},
    "citations": {"Art. 381 § 2 CC": "confirmed"},
}


def bundle_with_a_secret() -> dict[str, bytes]:
    """The files: all answers to four of the questions, and one to the undisclosed question."""
    whole = read_files(DEMO / "bundle")
    files = {name: content for name, content in whole.items() if _stays(name)}
    for name in files:
        if name.startswith("verdicts/"):
            lines = files[name].splitlines(keepends=True)
            files[name] = b"".join(line for line in lines if json.loads(line)["answer"].startswith(ANSWERED))
        elif name.startswith("decisions/"):
            files[name] = _of_answered_cards(files[name])
    text = SECRET_ANSWER.encode()
    like = json.loads(whole["answers/P01_argon-4_W0_r1.json"])
    record = {**like, "identifier": HIDDEN, "question": "P11", "sha256": hashlib.sha256(text).hexdigest()}
    return files | {f"answers/{HIDDEN}.json": json.dumps(record).encode(), f"answers/{HIDDEN}.md": text}


def _stays(name: str) -> bool:
    folder, _, rest = name.partition("/")
    return folder != "answers" or rest.startswith(ANSWERED)


def _of_answered_cards(content: bytes) -> bytes:
    """A decision that touches only cards that are here."""
    record = yaml.safe_load(content)
    record["touches"]["cards"] = [card for card in record["touches"]["cards"] if card.startswith(ANSWERED)]
    return yaml.safe_dump(record, allow_unicode=True, sort_keys=False).encode()


def demo_review() -> dict[str, Any]:
    """What the demonstration's lawyer says, by answer."""
    records: dict[str, Any] = yaml.safe_load((DEMO / "review.yaml").read_text(encoding="utf-8"))
    return records


def reviewed_here() -> dict[str, Any]:
    """The part of it that is reviewed here, and the answer that nobody may see."""
    chosen = {name: record for name, record in demo_review().items() if name.startswith(REVIEWED)}
    return {**chosen, HIDDEN: SECRET_REVIEW}


def expected_labels() -> dict[str, str]:
    """By hand from the records: a finding, else a full core with a confirmed citation, else neither."""
    labels, files = {}, bundle_with_a_secret()
    for name, record in reviewed_here().items():
        state = json.loads(files[f"answers/{name}.json"])["state"]
        confirmed = "confirmed" in (record.get("citations") or {}).values()
        if state != "answered":
            labels[name] = {"provider_block": "provider_block", "empty": "none"}[state]
        elif record.get("findings"):
            labels[name] = "hallucinated"
        else:
            labels[name] = "correctly_grounded" if record["scores"]["A-R"] == 2 and confirmed else "no_hallucination"
    return labels
