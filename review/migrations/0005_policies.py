"""Where a policy acted: which version, on what; and the job that asks a person after all."""

import django.db.models.deletion
import uuid_utils.compat
from django.db import migrations, models

# The versions are those of the moment of its making: none is written onto a pause that already waits (I5).
PAUSE_VERSIONS = """
CREATE FUNCTION pauses_versions_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'pause % keeps the policy versions under which it was made', OLD.id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'pauses_versions_guard';
END $$;
CREATE TRIGGER pauses_versions_guard BEFORE UPDATE OF default_policy_id, queue_policy_id ON pauses
  FOR EACH ROW WHEN ((OLD.default_policy_id, OLD.queue_policy_id)
                     IS DISTINCT FROM (NEW.default_policy_id, NEW.queue_policy_id))
  EXECUTE FUNCTION pauses_versions_guard();
"""

APPEND_ONLY = """
CREATE TRIGGER policy_acts_append_only BEFORE UPDATE OR DELETE ON policy_acts
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('review', '0004_ignored_report'),
        ('tasks', '0003_project_policies'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '3s'", migrations.RunSQL.noop),
        migrations.CreateModel(
            name='PolicyAct',
            fields=[
                ('id', models.UUIDField(default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False)),
                ('outcome', models.CharField(max_length=40)),
                ('reason', models.TextField()),
                ('effect', models.JSONField()),
                ('created_at', models.DateTimeField()),
            ],
            options={
                'db_table': 'policy_acts',
            },
        ),
        migrations.AddField(
            model_name='job',
            name='compensates',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='compensations', to='review.job'),
        ),
        migrations.AddField(
            model_name='pause',
            name='default_policy',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tasks.projectpolicy'),
        ),
        migrations.AddField(
            model_name='pause',
            name='queue_policy',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tasks.projectpolicy'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(('compensates', None), ('policy_version', ''), _connector='OR'), name='jobs_compensation_is_a_persons'),
        ),
        migrations.AddConstraint(
            model_name='pause',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status', 'CONSUMED'), _negated=True), models.Q(('consumed_intervention', ''), _negated=True), models.Q(models.Q(('policy_version', ''), _negated=True), ('default_policy__isnull', False)), _connector='OR'), name='pauses_consumed_by_somebody'),
        ),
        migrations.AddField(
            model_name='policyact',
            name='candidate_set',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='review.candidateset'),
        ),
        migrations.AddField(
            model_name='policyact',
            name='job',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='policy_acts', to='review.job'),
        ),
        migrations.AddField(
            model_name='policyact',
            name='pause',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='policy_acts', to='review.pause'),
        ),
        migrations.AddField(
            model_name='policyact',
            name='policy',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='acts', to='tasks.projectpolicy'),
        ),
        migrations.AddConstraint(
            model_name='policyact',
            constraint=models.UniqueConstraint(fields=('pause', 'policy'), name='policy_acts_once'),
        ),
        migrations.AddConstraint(
            model_name='policyact',
            constraint=models.UniqueConstraint(condition=models.Q(('pause', None)), fields=('job',), name='policy_acts_one_routing'),
        ),
        migrations.RunSQL(
            PAUSE_VERSIONS,
            "DROP TRIGGER pauses_versions_guard ON pauses; DROP FUNCTION pauses_versions_guard();",
        ),
        migrations.RunSQL(APPEND_ONLY, "DROP TRIGGER policy_acts_append_only ON policy_acts;"),
    ]
