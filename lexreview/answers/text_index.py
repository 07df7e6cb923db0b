"""Looking for words in answers by an index of three-letter pieces, so that a search need not read every answer.

PostgreSQL has trigram indexes (migration `answers.0003`), which Django's `icontains` uses by itself. SQLite has the
virtual table `answers_text` of its FTS5 with the tokenizer "trigram" (3.34 and newer), kept by triggers and asked with
MATCH. Django knows nothing of that table, and a migration that rebuilds the table of answers loses its triggers, so
they are looked for after every `migrate`. Where SQLite lacks the tokenizer, answers are read one by one.
"""

from collections.abc import Collection
from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Q, QuerySet
from django.db.utils import OperationalError

from lexreview.answers.models import Answer

SHORTEST = 3
"""Characters that a word needs to be in the index."""
TABLE = "answers_text"
_ANSWERS = "answers_answer"
_ADD = "INSERT INTO answers_text (rowid, text, identifier) VALUES (new.id, new.text, new.identifier);"
_TAKE = (
    "INSERT INTO answers_text (answers_text, rowid, text, identifier) "
    "VALUES ('delete', old.id, old.text, old.identifier);"
)
TRIGGERS = {
    "answers_text_added": f"AFTER INSERT ON {_ANSWERS} BEGIN {_ADD} END",
    "answers_text_removed": f"AFTER DELETE ON {_ANSWERS} BEGIN {_TAKE} END",
    "answers_text_changed": f"AFTER UPDATE OF text, identifier ON {_ANSWERS} BEGIN {_TAKE} {_ADD} END",
}


def answers_with(text: str, fields: Collection[str]) -> QuerySet[Answer]:
    """The answers that have `text` in one of `fields` (of "text" and "identifier"), in upper or lower case."""
    if len(text) < SHORTEST or connection.vendor != "sqlite" or not _is_there(str(connection.settings_dict["NAME"])):
        return Answer.objects.filter(any_contains(text, fields))
    phrase = text.replace('"', '""')
    # A join with a table that Django has no model of; names are our own, what was typed is a bound value.
    return Answer.objects.extra(  # noqa: S610
        tables=[TABLE],
        where=[f"{TABLE}.rowid = {_ANSWERS}.id", f"{TABLE} MATCH %s"],
        params=[f'{{{" ".join(fields)}}} : "{phrase}"'],
    )


def any_contains(text: str, fields: Collection[str]) -> Q:
    return Q(*[(f"{name}__icontains", text) for name in fields], _connector=Q.OR)


def index_answers(using: str = DEFAULT_DB_ALIAS, **_signal: Any) -> None:
    """Make the index where it or one of its triggers is missing; done after every `migrate`, on SQLite only."""
    database = connections[using]
    if database.vendor != "sqlite" or _ANSWERS not in database.introspection.table_names():
        return
    with database.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        if TRIGGERS.keys() <= {name for (name,) in cursor.fetchall()}:
            return
        try:
            cursor.execute(
                "CREATE VIRTUAL TABLE IF NOT EXISTS answers_text USING fts5(text, identifier, "
                "content='answers_answer', content_rowid='id', columnsize=0, tokenize='trigram')"
            )
        except OperationalError as error:
            if "no such" not in str(error) and "tokenizer" not in str(error):
                raise
            return
        for name, rule in TRIGGERS.items():
            cursor.execute(f"CREATE TRIGGER IF NOT EXISTS {name} {rule}")
        cursor.execute("INSERT INTO answers_text (answers_text) VALUES ('rebuild')")
    _is_there.cache_clear()


@cache
def _is_there(_database: str) -> bool:
    return TABLE in connection.introspection.table_names()
