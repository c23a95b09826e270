"""A hold may interrupt running work: whose lock it ended does not take it again while the hold lasts."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0005_admin_names"),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '3s'", migrations.RunSQL.noop),
        migrations.AddField(
            model_name="batch",
            name="hold_stops_work",
            field=models.BooleanField(default=False),
        ),
    ]
