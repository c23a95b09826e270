"""The end is the end, a consumed pause stays consumed, versions never change: refused by the database."""

from django.db import migrations

JOB_END = """
CREATE FUNCTION jobs_end_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status IN ('SUCCEEDED', 'PARTIAL_SUCCEEDED', 'FAILED', 'EMPTY_SELECTION', 'CANCELLED') THEN
    RAISE EXCEPTION 'job % has ended as % and cannot become %', OLD.id, OLD.status, NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = 'jobs_end_guard';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER jobs_end_guard BEFORE UPDATE OF status ON jobs
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION jobs_end_guard();
"""

PAUSE_END = """
CREATE FUNCTION pauses_end_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'WAITING' THEN
    RAISE EXCEPTION 'pause % is % for good', OLD.id, OLD.status
      USING ERRCODE = 'check_violation', CONSTRAINT = 'pauses_end_guard';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER pauses_end_guard BEFORE UPDATE OF status, pause_token ON pauses
  FOR EACH ROW WHEN ((OLD.status, OLD.pause_token) IS DISTINCT FROM (NEW.status, NEW.pause_token))
  EXECUTE FUNCTION pauses_end_guard();
"""

IMMUTABLE = """
CREATE TRIGGER candidate_sets_immutable BEFORE UPDATE OR DELETE ON candidate_sets
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER annotations_immutable BEFORE UPDATE OR DELETE ON annotations
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("review", "0002_initial"), ("tasks", "0002_triggers")]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '3s'", migrations.RunSQL.noop),
        migrations.RunSQL(JOB_END, "DROP TRIGGER jobs_end_guard ON jobs; DROP FUNCTION jobs_end_guard();"),
        migrations.RunSQL(
            PAUSE_END, "DROP TRIGGER pauses_end_guard ON pauses; DROP FUNCTION pauses_end_guard();"
        ),
        migrations.RunSQL(
            IMMUTABLE,
            "DROP TRIGGER candidate_sets_immutable ON candidate_sets;"
            "DROP TRIGGER annotations_immutable ON annotations;",
        ),
    ]
