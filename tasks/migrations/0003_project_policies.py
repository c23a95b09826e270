"""Policies have versions, which are never changed; the unused column of the project goes."""

import django.db.models.deletion
import uuid_utils.compat
from django.conf import settings
from django.db import migrations, models

APPEND_ONLY = """
CREATE TRIGGER project_policies_append_only BEFORE UPDATE OR DELETE ON project_policies
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER project_policies_no_truncate BEFORE TRUNCATE ON project_policies
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('tasks', '0002_triggers'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '3s'", migrations.RunSQL.noop),
        migrations.RemoveField(
            model_name='project',
            name='policies',
        ),
        migrations.CreateModel(
            name='ProjectPolicy',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('routing', 'routing'), ('timeout_default', 'timeout_default'), ('timeout_to_queue', 'timeout_to_queue')], max_length=20)),
                ('version', models.PositiveIntegerField()),
                ('is_on', models.BooleanField()),
                ('threshold', models.FloatField(null=True)),
                ('calibration', models.TextField(blank=True, default='')),
                ('below', models.CharField(blank=True, choices=[('ask', 'ask'), ('leave_out', 'leave_out')], default='', max_length=20)),
                ('after_seconds', models.PositiveIntegerField(null=True)),
                ('answer', models.CharField(blank=True, choices=[('keep_shown', 'keep_shown'), ('keep_none', 'keep_none')], default='', max_length=20)),
                ('group', models.CharField(blank=True, choices=[('annotators', 'annotators'), ('reviewers', 'reviewers'), ('admins', 'admins')], default='', max_length=20)),
                ('authorisation', models.TextField(blank=True, default='')),
                ('created_at', models.DateTimeField()),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='policies', to='tasks.project')),
            ],
            options={
                'db_table': 'project_policies',
                'constraints': [models.UniqueConstraint(fields=('project', 'kind', 'version'), name='policies_version_once'), models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='policies_version_from_one'), models.CheckConstraint(condition=models.Q(('kind__in', ['routing', 'timeout_default', 'timeout_to_queue'])), name='policies_kind_known'), models.CheckConstraint(condition=models.Q(models.Q(('is_on', True), ('kind', 'routing'), _negated=True), models.Q(('below__in', ['ask', 'leave_out']), ('calibration__regex', '\\S'), ('threshold__gt', 0), ('threshold__isnull', False), ('threshold__lte', 1)), _connector='OR'), name='policies_routing_terms'), models.CheckConstraint(condition=models.Q(models.Q(('is_on', True), ('kind', 'timeout_default'), _negated=True), models.Q(('after_seconds__gte', 60), ('after_seconds__isnull', False), ('answer__in', ['keep_shown', 'keep_none']), ('authorisation__regex', '\\S')), _connector='OR'), name='policies_default_terms'), models.CheckConstraint(condition=models.Q(models.Q(('is_on', True), ('kind', 'timeout_to_queue'), _negated=True), models.Q(('after_seconds__gte', 60), ('after_seconds__isnull', False), ('group__in', ['annotators', 'reviewers', 'admins'])), _connector='OR'), name='policies_queue_terms')],
            },
        ),
        migrations.RunSQL(
            APPEND_ONLY,
            "DROP TRIGGER project_policies_append_only ON project_policies;"
            "DROP TRIGGER project_policies_no_truncate ON project_policies;",
        ),
    ]
