"""The kinds of shapes of a new project come from the database, so that no migration imports the app."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0006_hold_stops_work"),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '3s'", migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="project",
            name="geometries",
            field=models.JSONField(db_default=models.Value(["point", "bbox", "polygon"], models.JSONField())),
        ),
    ]
