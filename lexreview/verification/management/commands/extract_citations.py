import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from lexreview.core.citations import GRAMMARS, extract
from lexreview.verification.lines import BadLine, read_code, read_lines, utf8_lines


class Command(BaseCommand):
    help = (
        "Finds the citations of texts. Reads JSON Lines in UTF-8 with id, text and, where it is known, lang (pl, de, "
        "fr, it, en) from standard input, writes one line with id and citations for each: kind, raw, start and end (in "
        "characters), and what the kind has. `auto` takes a line's own jurisdiction (PL, CH, EU, IT) where it has one, "
        "else goes by the language and what is cited. The first line that cannot be used ends it, named."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--jurisdiction", required=True, choices=list(GRAMMARS))

    def handle(self, *args: Any, **options: Any) -> None:
        chosen = options["jurisdiction"]
        try:
            for record in read_lines(utf8_lines(sys.stdin), needed=("id", "text")):
                takes_own = chosen == "auto" and record.get("jurisdiction")
                jurisdiction = read_code(record, "jurisdiction", known=GRAMMARS) if takes_own else chosen
                found = extract(record["text"], jurisdiction=jurisdiction, lang=str(record.get("lang") or ""))
                line = {"id": record["id"], "citations": [citation.to_case() for citation in found]}
                self.stdout.write(json.dumps(line, ensure_ascii=False))
        except BadLine as error:
            raise CommandError(str(error)) from error
