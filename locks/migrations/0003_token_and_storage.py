"""The fence's sequence, and storage that keeps heartbeats HOT (no index on the time columns)."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("locks", "0002_initial")]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '3s'", migrations.RunSQL.noop),
        migrations.RunSQL(
            "CREATE SEQUENCE task_locks_token AS bigint", "DROP SEQUENCE IF EXISTS task_locks_token"
        ),
        migrations.RunSQL(
            "ALTER TABLE task_locks SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05)",
            "ALTER TABLE task_locks RESET (fillfactor, autovacuum_vacuum_scale_factor)",
        ),
        migrations.RunSQL(
            "ALTER TABLE task_locks ADD CONSTRAINT task_locks_times CHECK (expire_at >= heartbeat_at)",
            "ALTER TABLE task_locks DROP CONSTRAINT task_locks_times",
        ),
    ]
