"""What must never happen, refused by the database itself."""

from django.db import migrations

# Kept equal to tasks/domain/matrix.py by tests/contract/test_status_trigger.py.
STATUS_GUARD = """
CREATE FUNCTION tasks_status_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT ((OLD.status, NEW.status) IN (
    ('uploading', 'pending'),
    ('pending', 'in_progress'),
    ('in_progress', 'review'),
    ('in_progress', 'pending'),
    ('review', 'in_progress'),
    ('review', 'completed'),
    ('review', 'pending'),
    ('completed', 'pending')
  )) THEN
    RAISE EXCEPTION 'a task cannot go from % to %', OLD.status, NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = 'tasks_status_guard';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER tasks_status_guard BEFORE UPDATE OF status ON tasks
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION tasks_status_guard();
"""

APPEND_ONLY = """
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_no_update BEFORE UPDATE ON events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("tasks", "0001_initial")]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '3s'", migrations.RunSQL.noop),
        migrations.RunSQL(
            STATUS_GUARD,
            "DROP TRIGGER tasks_status_guard ON tasks; DROP FUNCTION tasks_status_guard();",
        ),
        migrations.RunSQL(
            APPEND_ONLY,
            "DROP TRIGGER audit_append_only ON audit; DROP TRIGGER audit_no_truncate ON audit;"
            "DROP TRIGGER events_no_update ON events; DROP FUNCTION refuse_change();",
        ),
    ]
