import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from lexreview.core.citations import extract
from lexreview.verification.lines import BadLine, read_lines


class Command(BaseCommand):
    help = (
        "Finds the citations of texts. Reads JSON Lines with id, lang and text from standard input, writes one line "
        "with id and citations for each. `auto` takes a line's own jurisdiction where it has one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--jurisdiction", required=True, choices=["pl", "ch", "eu", "it", "auto"])

    def handle(self, *args: Any, **options: Any) -> None:
        chosen = options["jurisdiction"]
        try:
            for record in read_lines(sys.stdin, needed=("id", "text")):
                own = record.get("jurisdiction")
                jurisdiction = own.lower() if chosen == "auto" and isinstance(own, str) and own else chosen
                found = extract(record["text"], jurisdiction=jurisdiction, lang=str(record.get("lang") or ""))
                line = {"id": record["id"], "citations": [citation.to_case() for citation in found]}
                self.stdout.write(json.dumps(line, ensure_ascii=False))
        except BadLine as error:
            raise CommandError(str(error)) from error
