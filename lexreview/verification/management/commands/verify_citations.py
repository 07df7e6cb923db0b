import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from lexreview.verification.corpus import Corpus
from lexreview.verification.layer import check_citations
from lexreview.verification.lines import BadLine, case_of, read_code, read_day, read_lines, utf8_lines

FIELDS = ("id", "lang", "jurisdiction", "legal_state_date", "text")


class Command(BaseCommand):
    help = (
        "Checks the citations of texts against the stored law. Reads JSON Lines in UTF-8 with id, lang, jurisdiction, "
        "legal_state_date (2026-10-01) and text from standard input, writes one line with id and citations for each. "
        "The first line that cannot be used ends it, named. docs/law.md says what the fields hold."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = Corpus.current()
        try:
            for record in read_lines(utf8_lines(sys.stdin), needed=FIELDS):
                rows = check_citations(
                    record["text"],
                    jurisdiction=read_code(record, "jurisdiction", known=corpus.jurisdictions),
                    lang=record["lang"],
                    on=read_day(record, "legal_state_date"),
                    corpus=corpus,
                )
                line = {"id": record["id"], "citations": [case_of(row) for row in rows]}
                self.stdout.write(json.dumps(line, ensure_ascii=False))
        except BadLine as error:
            raise CommandError(str(error)) from error
