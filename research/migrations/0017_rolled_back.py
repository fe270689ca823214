"""Which rows each verb call writes is on record, so that they can be taken back; both tables are append-only."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from research import append_only


class Migration(migrations.Migration):

    dependencies = [
        ('research', '0016_ends_of_runs_are_found'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Rollback',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.TextField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('counts', models.JSONField(default=dict)),
                ('steps', models.JSONField(default=list)),
            ],
            options={
                'ordering': ['-at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='VerbEffect',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table', models.CharField(max_length=30)),
                ('row', models.CharField(max_length=40)),
                ('how', models.CharField(choices=[('made', 'Made'), ('changed', 'Changed'), ('met', 'Met')], max_length=7)),
                ('entity', models.CharField(help_text='The slug of the entity that the row is about.', max_length=120)),
                ('what', models.TextField()),
                ('old', models.JSONField(default=dict)),
                ('new', models.JSONField(default=dict)),
            ],
            options={
                'ordering': ['call', 'id'],
            },
        ),
        migrations.RemoveConstraint(
            model_name='researchresult',
            name='result_state',
        ),
        migrations.AddField(
            model_name='verbcall',
            name='recorded',
            field=models.BooleanField(default=False, help_text='Every row it wrote is on record (VerbEffect).'),
        ),
        migrations.AlterField(
            model_name='researchresult',
            name='state',
            field=models.CharField(choices=[('pending_review', 'Pending Review'), ('approved', 'Approved'), ('executed', 'Executed'), ('rejected', 'Rejected'), ('superseded', 'Superseded'), ('unchanged', 'Unchanged'), ('rolled_back', 'Rolled Back')], default='pending_review', max_length=20),
        ),
        migrations.AddConstraint(
            model_name='researchresult',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['pending_review', 'approved', 'executed', 'rejected', 'superseded', 'unchanged', 'rolled_back'])), name='result_state'),
        ),
        migrations.AddField(
            model_name='rollback',
            name='actor',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='rollback',
            name='decision',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='rollback', to='research.decision'),
        ),
        migrations.AddField(
            model_name='verbeffect',
            name='call',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='effects', to='research.verbcall'),
        ),
        migrations.AddConstraint(
            model_name='rollback',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='rollback_reason'),
        ),
        migrations.AddIndex(
            model_name='verbeffect',
            index=models.Index(fields=['table', 'row'], name='verbeffect_by_row'),
        ),
        migrations.AddConstraint(
            model_name='verbeffect',
            constraint=models.CheckConstraint(condition=models.Q(('how__in', ['made', 'changed', 'met'])), name='verbeffect_how'),
        ),
        migrations.AddConstraint(
            model_name='verbeffect',
            constraint=models.UniqueConstraint(fields=('call', 'table', 'row'), name='verbeffect_row'),
        ),
        migrations.RunPython(
            lambda apps, editor: append_only.install(editor.connection),
            migrations.RunPython.noop,
        ),
    ]
