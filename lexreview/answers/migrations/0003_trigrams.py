from django.db import migrations

INDEXES = {'answer_text_trigrams': 'text', 'answer_identifier_trigrams': 'identifier'}


def create_indexes(apps, schema_editor):
    """PostgreSQL: what makes a search in answers fast. A server without the extension pg_trgm searches slowly."""
    if schema_editor.connection.vendor != 'postgresql':
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm'")
        if cursor.fetchone() is None:
            return
    schema_editor.execute('CREATE EXTENSION IF NOT EXISTS pg_trgm')
    for name, column in INDEXES.items():
        # As Django writes `icontains`.
        schema_editor.execute(f'CREATE INDEX {name} ON answers_answer USING gin (UPPER("{column}"::text) gin_trgm_ops)')


def drop_indexes(apps, schema_editor):
    if schema_editor.connection.vendor == 'postgresql':
        for name in INDEXES:
            schema_editor.execute(f'DROP INDEX IF EXISTS {name}')


class Migration(migrations.Migration):

    dependencies = [
        ('answers', '0002_exact_costs'),
    ]

    operations = [migrations.RunPython(create_indexes, drop_indexes)]
