from django.db import migrations

FUNCTION = """
CREATE FUNCTION ledger_refuse() RETURNS trigger AS $$
BEGIN
    RAISE EXCEPTION 'the ledger only grows: % of events is refused', TG_OP;
END;
$$ LANGUAGE plpgsql;
CREATE TRIGGER ledger_refuse_change BEFORE UPDATE OR DELETE ON ledger_event
    FOR EACH ROW EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER ledger_refuse_truncate BEFORE TRUNCATE ON ledger_event
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
"""
REMOVAL = """
DROP TRIGGER ledger_refuse_truncate ON ledger_event;
DROP TRIGGER ledger_refuse_change ON ledger_event;
DROP FUNCTION ledger_refuse();
"""


def create_triggers(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(FUNCTION, params=None)


def drop_triggers(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(REMOVAL, params=None)


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_initial")]

    operations = [migrations.RunPython(create_triggers, drop_triggers)]
