from django.db import migrations

INDEXES = {
    'question_code_trigrams': 'code',
    'question_original_text_trigrams': 'original_text',
    'question_benchmark_text_trigrams': 'benchmark_text',
}


def create_indexes(apps, schema_editor):
    """PostgreSQL: what makes a search in questions fast. A server without the extension pg_trgm reads them all."""
    if schema_editor.connection.vendor != 'postgresql':
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm'")
        if cursor.fetchone() is None:
            return
    schema_editor.execute('CREATE EXTENSION IF NOT EXISTS pg_trgm')
    for name, column in INDEXES.items():
        # As Django writes `icontains`.
        schema_editor.execute(
            f'CREATE INDEX {name} ON questions_question USING gin (UPPER("{column}"::text) gin_trgm_ops)'
        )


def drop_indexes(apps, schema_editor):
    if schema_editor.connection.vendor == 'postgresql':
        for name in INDEXES:
            schema_editor.execute(f'DROP INDEX IF EXISTS {name}')


class Migration(migrations.Migration):

    dependencies = [
        ('questions', '0002_benchmark_masks_systems'),
    ]

    operations = [migrations.RunPython(create_indexes, drop_indexes)]
