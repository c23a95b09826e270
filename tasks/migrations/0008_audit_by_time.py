"""The audit of a project is listed by the moment of its rows."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0007_all_geometries_by_the_database"),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '3s'", migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name="auditentry",
            index=models.Index(fields=["project_id", "-at", "-id"], name="audit_project_by_time"),
        ),
        migrations.RemoveIndex(
            model_name="auditentry",
            name="audit_project_newest",
        ),
    ]
