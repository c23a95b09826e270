"""What the operators' pages call these tables."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0004_times_from_the_database"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="apitoken",
            options={"verbose_name": "API token"},
        ),
        migrations.AlterModelOptions(
            name="auditentry",
            options={"verbose_name_plural": "audit entries"},
        ),
        migrations.AlterModelOptions(
            name="batch",
            options={"verbose_name_plural": "batches"},
        ),
        migrations.AlterModelOptions(
            name="projectpolicy",
            options={"verbose_name_plural": "project policies"},
        ),
    ]
