"""The tables of research, the triggers that keep decisions and the audit trail, and the index of the archive."""

import django.db.models.deletion
import django.utils.timezone
import uuid
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models

from research import append_only
from research.web.archive.search_postgresql import PostgresqlIndex
from research.web.archive.search_sqlite import SqliteIndex


def archive_index(editor):
    return PostgresqlIndex() if editor.connection.vendor == "postgresql" else SqliteIndex()


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('entities', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('action', models.CharField(max_length=60)),
                ('object_type', models.CharField(max_length=40)),
                ('object_id', models.CharField(max_length=64)),
                ('detail', models.JSONField(default=dict)),
                ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='AuditSeal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ordinal', models.PositiveBigIntegerField(unique=True)),
                ('previous', models.CharField(blank=True, max_length=64)),
                ('digest', models.CharField(max_length=64)),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='seal', to='research.auditevent')),
            ],
            options={
                'ordering': ['ordinal'],
            },
        ),
        migrations.CreateModel(
            name='Document',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(help_text='SHA-256 of the text in UTF-8.', max_length=64, unique=True)),
                ('url', models.URLField(blank=True, max_length=2000)),
                ('host', models.CharField(blank=True, db_index=True, max_length=255)),
                ('title', models.CharField(blank=True, max_length=500)),
                ('mime', models.CharField(max_length=100)),
                ('language', models.CharField(blank=True, max_length=10)),
                ('size', models.PositiveIntegerField(help_text='Bytes of the text in UTF-8.')),
                ('text', models.TextField()),
                ('warnings', models.JSONField(default=list, help_text='What is suspicious about the text, in sentences.')),
                ('fetched_at', models.DateTimeField()),
                ('indexed_at', models.DateTimeField(blank=True, editable=False, null=True)),
            ],
            options={
                'ordering': ['-fetched_at', '-id'],
                'indexes': [models.Index(condition=models.Q(('indexed_at__isnull', True)), fields=['id'], name='document_not_indexed')],
            },
        ),
        migrations.CreateModel(
            name='IdempotencyKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=255)),
                ('fingerprint', models.CharField(help_text='SHA-256 of path and body.', max_length=64)),
                ('status', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('body', models.JSONField(blank=True, null=True)),
                ('location', models.CharField(blank=True, max_length=500)),
                ('created_at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at'],
            },
        ),
        migrations.CreateModel(
            name='Macro',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100)),
                ('version', models.CharField(max_length=20)),
                ('status', models.CharField(choices=[('draft', 'Draft'), ('active', 'Active'), ('retired', 'Retired')], default='draft', max_length=10)),
                ('description', models.TextField()),
                ('tags', models.JSONField(blank=True, default=list)),
                ('schema_name', models.CharField(max_length=100)),
                ('text', models.TextField(help_text='The YAML exactly as published.')),
                ('digest', models.CharField(help_text='SHA-256 of the text.', max_length=64)),
                ('origin', models.CharField(blank=True, help_text='The file or person it came from.', max_length=200)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['name', '-created_at'],
                'constraints': [models.UniqueConstraint(fields=('name', 'version'), name='macro_version'), models.UniqueConstraint(condition=models.Q(('status', 'active')), fields=('name',), name='macro_one_active_version'), models.CheckConstraint(condition=models.Q(('status__in', ['draft', 'active', 'retired'])), name='macro_status')],
            },
        ),
        migrations.CreateModel(
            name='Decision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('verdict', models.CharField(choices=[('approved', 'Approved'), ('rejected', 'Rejected'), ('needs_changes', 'Needs Changes')], max_length=15)),
                ('reason', models.TextField(blank=True)),
                ('edits', models.JSONField(default=list, help_text="RFC 6902 operations on the result's data.")),
                ('data', models.JSONField(help_text='The approved data; null unless approved.', null=True)),
                ('result_digest', models.CharField(help_text='Digest of the data the person saw.', max_length=64)),
                ('digest', models.CharField(blank=True, help_text='Digest of the approved data.', max_length=64)),
                ('checks', models.JSONField(default=list, help_text='The checks on the decided data, as they stood.')),
                ('verbs', models.TextField(blank=True, help_text='Rendered from the approved data.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('reviewer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('macro', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='research.macro')),
            ],
            options={
                'ordering': ['-created_at'],
            },
        ),
        migrations.CreateModel(
            name='MemoTemplate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.SlugField(db_index=False, max_length=60)),
                ('version', models.PositiveIntegerField()),
                ('language', models.CharField(blank=True, choices=[('en', 'English'), ('de', 'German'), ('fr', 'French'), ('it', 'Italian')], help_text='Of its own words; empty is any language.', max_length=5)),
                ('values', models.JSONField(help_text='Parts in their order, header, disclaimer, typeface, size, accent.')),
                ('digest', models.CharField(help_text='SHA-256 of the values.', max_length=64)),
                ('note', models.CharField(help_text='Why it was changed.', max_length=500)),
                ('active', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['name', '-version'],
            },
        ),
        migrations.CreateModel(
            name='Memo',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('style', models.CharField(choices=[('memo', 'Memo'), ('bullets', 'Bullets'), ('json', 'Json')], max_length=10)),
                ('format', models.CharField(choices=[('md', 'Markdown'), ('html', 'Html'), ('pdf', 'Pdf'), ('docx', 'Docx'), ('json', 'Json')], max_length=10)),
                ('language', models.CharField(choices=[('en', 'English'), ('de', 'German'), ('fr', 'French'), ('it', 'Italian')], default='en', max_length=5)),
                ('template_digest', models.CharField(blank=True, help_text="SHA-256 of the template's values.", max_length=64)),
                ('digest', models.CharField(help_text='SHA-256 of the bytes.', max_length=64)),
                ('body', models.BinaryField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('decision', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='memos', to='research.decision')),
                ('template', models.ForeignKey(blank=True, help_text='Empty is the one that comes with Dossier.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='memos', to='research.memotemplate')),
            ],
            options={
                'ordering': ['-created_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='ModelPrice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('model', models.CharField(help_text='As the provider writes it, without the protocol before the colon.', max_length=100)),
                ('valid_from', models.DateField()),
                ('input_usd', models.DecimalField(decimal_places=4, help_text='Per million input tokens.', max_digits=10)),
                ('cached_usd', models.DecimalField(decimal_places=4, help_text='Per million input tokens read from the cache.', max_digits=10)),
                ('cache_write_usd', models.DecimalField(decimal_places=4, help_text='Per million input tokens written to the cache.', max_digits=10)),
                ('output_usd', models.DecimalField(decimal_places=4, help_text='Per million output tokens.', max_digits=10)),
                ('search_usd', models.DecimalField(decimal_places=4, default=Decimal('0'), help_text='Per thousand searches on the server.', max_digits=10)),
            ],
            options={
                'ordering': ['model', '-valid_from'],
                'constraints': [models.UniqueConstraint(fields=('model', 'valid_from'), name='modelprice_once_a_day')],
            },
        ),
        migrations.CreateModel(
            name='Page',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url_hash', models.CharField(help_text='SHA-256 of the canonical URL.', max_length=64, unique=True)),
                ('url', models.URLField(help_text='Canonical.', max_length=2000)),
                ('final_url', models.URLField(blank=True, help_text='After redirects.', max_length=2000)),
                ('status', models.PositiveSmallIntegerField()),
                ('etag', models.CharField(blank=True, max_length=300)),
                ('last_modified', models.CharField(blank=True, max_length=100)),
                ('fetched_at', models.DateTimeField()),
                ('document', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='pages', to='research.document')),
            ],
            options={
                'ordering': ['-fetched_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='ResearchResult',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('data', models.JSONField()),
                ('digest', models.CharField(help_text='SHA-256 of the canonical JSON of the data.', max_length=64)),
                ('schema_valid', models.BooleanField()),
                ('schema_errors', models.JSONField(default=list)),
                ('repaired', models.BooleanField(default=False)),
                ('ungrounded', models.BooleanField(default=False, help_text='No source stands behind the data.')),
                ('search_quality', models.CharField(blank=True, max_length=10)),
                ('partial', models.BooleanField(default=False, help_text='A budget ended the research before it was done.')),
                ('limitations', models.JSONField(default=list, help_text='What was not available, in sentences.')),
                ('evidence', models.JSONField(default=list, help_text='[{pointer, source, quote}] as the researcher gave it.')),
                ('coverage', models.JSONField(default=dict, help_text='{claims, quoted, found}: leaves, leaves with a quote, quotes found in a source.')),
                ('fidelity', models.JSONField(blank=True, help_text='Claim verification: {score, supported, partial, unsupported, ...}.', null=True)),
                ('suggested_verbs', models.TextField(blank=True)),
                ('verb_faults', models.JSONField(default=list)),
                ('review', models.CharField(choices=[('required', 'Required'), ('optional', 'Optional'), ('none', 'None')], default='required', max_length=10)),
                ('state', models.CharField(choices=[('pending_review', 'Pending Review'), ('approved', 'Approved'), ('executed', 'Executed'), ('rejected', 'Rejected'), ('superseded', 'Superseded'), ('unchanged', 'Unchanged'), ('rolled_back', 'Rolled Back')], default='pending_review', max_length=20)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('execution_asked_at', models.DateTimeField(blank=True, help_text='When a worker was last rung for to execute the verbs.', null=True)),
                ('baseline', models.ForeignKey(blank=True, help_text='The approval of the same question that it was compared with.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='research.decision')),
                ('execution_asked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at', 'id'],
                'permissions': [('decide_researchresult', 'Can approve or reject research results')],
            },
        ),
        migrations.CreateModel(
            name='MemoOrder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('style', models.CharField(choices=[('memo', 'Memo'), ('bullets', 'Bullets'), ('json', 'Json')], max_length=10)),
                ('language', models.CharField(choices=[('en', 'English'), ('de', 'German'), ('fr', 'French'), ('it', 'Italian')], max_length=5)),
                ('template', models.CharField(blank=True, help_text='Name of the template; empty is standard.', max_length=60)),
                ('content', models.CharField(help_text='SHA-256 of the page that is to be set.', max_length=64)),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('written', 'Written'), ('failed', 'Failed')], default='queued', max_length=10)),
                ('error', models.CharField(blank=True, max_length=500)),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('begun_at', models.DateTimeField(blank=True, null=True)),
                ('asked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('memo', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='orders', to='research.memo')),
                ('result', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memo_orders', to='research.researchresult')),
            ],
            options={
                'ordering': ['-asked_at', '-id'],
            },
        ),
        migrations.AddField(
            model_name='memo',
            name='result',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memos', to='research.researchresult'),
        ),
        migrations.AddField(
            model_name='decision',
            name='result',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='decision', to='research.researchresult'),
        ),
        migrations.CreateModel(
            name='Check',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ordinal', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('schema', 'Schema'), ('lei', 'Lei'), ('citation', 'Citation'), ('quote', 'Quote'), ('claim', 'Claim'), ('source', 'Source')], max_length=10)),
                ('code', models.CharField(max_length=40)),
                ('pointer', models.CharField(blank=True, help_text='RFC 6901; empty is the whole document.', max_length=500)),
                ('subject', models.CharField(blank=True, max_length=300)),
                ('verdict', models.CharField(choices=[('pass', 'Pass'), ('warn', 'Warn'), ('fail', 'Fail'), ('unknown', 'Unknown')], max_length=10)),
                ('message', models.TextField()),
                ('evidence', models.JSONField(default=dict)),
                ('as_of', models.CharField(blank=True, max_length=40)),
                ('checked_at', models.DateTimeField()),
                ('result', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='checks', to='research.researchresult')),
            ],
            options={
                'ordering': ['result', 'ordinal'],
            },
        ),
        migrations.CreateModel(
            name='ResearchSession',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('title', models.CharField(blank=True, max_length=200)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at'],
            },
        ),
        migrations.AddField(
            model_name='researchresult',
            name='session',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='results', to='research.researchsession'),
        ),
        migrations.CreateModel(
            name='Rollback',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.TextField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('counts', models.JSONField(default=dict)),
                ('steps', models.JSONField(default=list)),
                ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('decision', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='rollback', to='research.decision')),
            ],
            options={
                'ordering': ['-at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='Run',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('params', models.JSONField(default=dict)),
                ('feedback', models.TextField(blank=True, help_text='What the reviewer asked for in a re-run.')),
                ('workflow', models.CharField(default='direct', max_length=20)),
                ('autonomy', models.CharField(choices=[('cautious', 'Cautious'), ('balanced', 'Balanced'), ('autonomous', 'Autonomous')], default='balanced', max_length=12)),
                ('depth', models.CharField(choices=[('quick', 'Quick'), ('standard', 'Standard'), ('deep', 'Deep')], default='standard', max_length=10)),
                ('trigger', models.CharField(choices=[('admin', 'Admin'), ('api', 'Api'), ('mcp', 'Mcp'), ('cli', 'Cli'), ('schedule', 'Schedule')], max_length=10)),
                ('directive', models.CharField(blank=True, help_text="Which part of the parent's work this is.", max_length=40)),
                ('model', models.CharField(help_text='The researchers that may answer, in fallback order.', max_length=400)),
                ('register', models.CharField(help_text='gleif (live) or demo.', max_length=10)),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('awaiting_confirmation', 'Awaiting Confirmation'), ('awaiting_children', 'Awaiting Children'), ('waiting', 'Waiting'), ('succeeded', 'Succeeded'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=24)),
                ('phase', models.CharField(blank=True, max_length=30)),
                ('cancel_requested', models.BooleanField(default=False)),
                ('lease_owner', models.CharField(blank=True, max_length=100)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('fence', models.PositiveIntegerField(default=0)),
                ('wake_at', models.DateTimeField(blank=True, null=True)),
                ('deadline', models.DateTimeField(blank=True, null=True)),
                ('max_turns', models.PositiveIntegerField()),
                ('max_tool_calls', models.PositiveIntegerField()),
                ('budget_usd', models.DecimalField(blank=True, decimal_places=4, max_digits=10, null=True)),
                ('reserved_usd', models.DecimalField(decimal_places=6, default=Decimal('0'), max_digits=12)),
                ('spent_usd', models.DecimalField(decimal_places=6, default=Decimal('0'), max_digits=12)),
                ('lost_usd', models.DecimalField(decimal_places=6, default=Decimal('0'), help_text='Possibly paid: reserved for calls whose answer never arrived.', max_digits=12)),
                ('error', models.JSONField(blank=True, help_text='{code, message, ...} when failed.', null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('seen_at', models.DateTimeField(blank=True, help_text='When a person dismissed its failure: it waits for nobody any more.', null=True)),
                ('macro', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='research.macro')),
                ('parent', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='children', to='research.run')),
                ('requested_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('rerun_of', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reruns', to='research.researchresult')),
                ('seen_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('session', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='research.researchsession')),
                ('subject', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='entities.entity')),
            ],
            options={
                'ordering': ['-created_at', 'id'],
                'permissions': [('start_run', 'Can start, resume and cancel research')],
            },
        ),
        migrations.AddField(
            model_name='researchresult',
            name='run',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='result', to='research.run'),
        ),
        migrations.CreateModel(
            name='Source',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('kind', models.CharField(default='register', max_length=20)),
                ('url', models.URLField(blank=True, max_length=2000)),
                ('title', models.CharField(max_length=500)),
                ('snippet', models.TextField(blank=True)),
                ('quality', models.CharField(blank=True, max_length=10)),
                ('novelty', models.CharField(blank=True, max_length=10)),
                ('domain', models.CharField(blank=True, help_text='The registrable domain of the URL.', max_length=255)),
                ('found_by', models.CharField(blank=True, help_text='The search provider or tool.', max_length=40)),
                ('warnings', models.JSONField(default=list, help_text='What is suspicious about it, in sentences.')),
                ('as_of', models.CharField(blank=True, help_text="The register's own publish date.", max_length=40)),
                ('key', models.CharField(help_text='What makes it one source, for example an LEI.', max_length=200)),
                ('document', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='uses', to='research.document')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='sources', to='research.run')),
            ],
            options={
                'ordering': ['run', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Step',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('phase', 'Phase'), ('model', 'Model'), ('tool', 'Tool'), ('check', 'Check'), ('note', 'Note')], max_length=10)),
                ('name', models.CharField(max_length=100)),
                ('intent', models.JSONField(default=dict)),
                ('answer', models.JSONField(blank=True, null=True)),
                ('raw', models.JSONField(blank=True, help_text="The provider's blocks verbatim.", null=True)),
                ('usage', models.JSONField(blank=True, null=True)),
                ('reserved_usd', models.DecimalField(decimal_places=6, default=Decimal('0'), max_digits=12)),
                ('cost_usd', models.DecimalField(decimal_places=6, default=Decimal('0'), max_digits=12)),
                ('lost_usd', models.DecimalField(decimal_places=6, default=Decimal('0'), max_digits=12)),
                ('fence', models.PositiveIntegerField()),
                ('attempt', models.PositiveSmallIntegerField(default=1)),
                ('started_at', models.DateTimeField(auto_now_add=True)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='research.run')),
            ],
            options={
                'ordering': ['run', 'seq'],
            },
        ),
        migrations.CreateModel(
            name='VerbCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ordinal', models.PositiveIntegerField()),
                ('verb', models.CharField(max_length=100)),
                ('text', models.TextField(help_text='The call as printed.')),
                ('arguments', models.JSONField(default=dict)),
                ('binding', models.CharField(blank=True, max_length=100)),
                ('state', models.CharField(choices=[('pending', 'Pending'), ('running', 'Running'), ('succeeded', 'Succeeded'), ('failed', 'Failed'), ('skipped', 'Skipped'), ('rolled_back', 'Rolled Back')], default='pending', max_length=12)),
                ('output', models.JSONField(blank=True, null=True)),
                ('changed', models.JSONField(default=list, help_text='[{entity, field, old, new}]')),
                ('recorded', models.BooleanField(default=False, help_text='Every row it wrote is on record (VerbEffect).')),
                ('error', models.JSONField(blank=True, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('alive_at', models.DateTimeField(blank=True, help_text='The last sign of life of whoever executes it.', null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('decision', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='verb_calls', to='research.decision')),
                ('executed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['decision', 'ordinal'],
                'permissions': [('execute_verbs', 'Can execute approved verbs')],
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
                ('call', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='effects', to='research.verbcall')),
            ],
            options={
                'ordering': ['call', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Watch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('macro_name', models.CharField(max_length=100)),
                ('params', models.JSONField(default=dict)),
                ('question', models.CharField(help_text="SHA-256 of the macro's name and the parameters.", max_length=64)),
                ('state', models.CharField(choices=[('resting', 'Resting'), ('refreshing', 'Refreshing'), ('changed', 'Changed'), ('paused', 'Paused')], default='resting', max_length=12)),
                ('every_days', models.PositiveIntegerField(help_text='How long an answer counts as fresh, in days.', verbose_name='days')),
                ('importance', models.PositiveSmallIntegerField(default=5, help_text='0 to 10; the highest is looked at first.')),
                ('budget_usd', models.DecimalField(blank=True, decimal_places=4, help_text='For one refresh; empty: as the run had.', max_digits=10, null=True, verbose_name='budget (USD)')),
                ('due_at', models.DateTimeField(help_text='When it is looked at again.')),
                ('fresh_until', models.DateTimeField(help_text='Until when what was approved counts as fresh.')),
                ('failures', models.PositiveSmallIntegerField(default=0, help_text='Refreshes in a row that told nothing.')),
                ('outcome', models.CharField(blank=True, help_text='How the last look went, in a sentence.', max_length=300)),
                ('checked_at', models.DateTimeField(help_text='When the checks were last run on what was approved.')),
                ('worsened', models.JSONField(blank=True, default=list, help_text='Checks that are worse than when it was approved.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('decision', models.ForeignKey(help_text='The approval that is kept fresh.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='research.decision')),
                ('run', models.ForeignKey(blank=True, help_text='The last refresh.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='research.run')),
            ],
            options={
                'verbose_name_plural': 'watches',
                'ordering': ['due_at', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.CharField(max_length=2000)),
                ('description', models.CharField(blank=True, max_length=200)),
                ('events', models.JSONField(default=list, help_text='The kinds of events that are sent.')),
                ('active', models.BooleanField(default=True)),
                ('secret', models.CharField(editable=False, max_length=100)),
                ('former_secret', models.CharField(blank=True, editable=False, max_length=100)),
                ('former_until', models.DateTimeField(blank=True, editable=False, null=True)),
                ('position', models.PositiveBigIntegerField(default=0, editable=False, help_text='Up to which seal of the audit trail deliveries were made.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at'],
            },
        ),
        migrations.CreateModel(
            name='WebhookDelivery',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('type', models.CharField(max_length=40)),
                ('payload', models.JSONField()),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('delivered', 'Delivered'), ('failed', 'Failed')], default='queued', max_length=10)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('next_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('attempts', models.JSONField(default=list, help_text='{at, status, answer, trouble, milliseconds} of each.')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='research.auditevent')),
                ('webhook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='research.webhook')),
            ],
            options={
                'verbose_name_plural': 'webhook deliveries',
                'ordering': ['-created_at', '-id'],
            },
        ),
        migrations.AddIndex(
            model_name='auditevent',
            index=models.Index(fields=['object_type', 'object_id'], name='research_au_object__670961_idx'),
        ),
        migrations.AddConstraint(
            model_name='idempotencykey',
            constraint=models.UniqueConstraint(fields=('user', 'key'), name='idempotency_key_once'),
        ),
        migrations.AddConstraint(
            model_name='memotemplate',
            constraint=models.UniqueConstraint(fields=('name', 'version'), name='memo_template_version'),
        ),
        migrations.AddConstraint(
            model_name='memotemplate',
            constraint=models.UniqueConstraint(condition=models.Q(('active', True)), fields=('name',), name='memo_template_one_active_version'),
        ),
        migrations.AddConstraint(
            model_name='memoorder',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'written', 'failed'])), name='memo_order_state'),
        ),
        migrations.AddConstraint(
            model_name='memoorder',
            constraint=models.UniqueConstraint(fields=('result', 'style', 'language', 'template', 'content'), name='memo_ordered_once'),
        ),
        migrations.AddConstraint(
            model_name='memo',
            constraint=models.CheckConstraint(condition=models.Q(('style__in', ['memo', 'bullets', 'json'])), name='memo_style'),
        ),
        migrations.AddConstraint(
            model_name='memo',
            constraint=models.CheckConstraint(condition=models.Q(('format__in', ['md', 'html', 'pdf', 'docx', 'json'])), name='memo_format'),
        ),
        migrations.AddConstraint(
            model_name='memo',
            constraint=models.CheckConstraint(condition=models.Q(('language__in', ['en', 'de', 'fr', 'it'])), name='memo_language'),
        ),
        migrations.AddConstraint(
            model_name='memo',
            constraint=models.UniqueConstraint(fields=('result', 'style', 'format', 'language', 'template_digest', 'digest'), name='memo_same_bytes_once'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.CheckConstraint(condition=models.Q(('verdict__in', ['approved', 'rejected', 'needs_changes'])), name='decision_verdict'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('data__isnull', False), ('verdict', 'approved'), models.Q(('digest', ''), _negated=True)), models.Q(models.Q(('verdict', 'approved'), _negated=True), ('data__isnull', True), ('digest', '')), _connector='OR'), name='decision_approves_data'),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=models.UniqueConstraint(fields=('result', 'ordinal'), name='check_ordinal'),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['schema', 'lei', 'citation', 'quote', 'claim', 'source'])), name='check_kind'),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=models.CheckConstraint(condition=models.Q(('verdict__in', ['pass', 'warn', 'fail', 'unknown'])), name='check_verdict'),
        ),
        migrations.AddConstraint(
            model_name='rollback',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='rollback_reason'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['state'], name='research_ru_state_acf8b7_idx'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['-created_at'], name='research_ru_created_87a03e_idx'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['finished_at'], name='research_ru_finishe_6a15a2_idx'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'awaiting_confirmation', 'awaiting_children', 'waiting', 'succeeded', 'failed', 'cancelled'])), name='run_state'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('autonomy__in', ['cautious', 'balanced', 'autonomous'])), name='run_autonomy'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('depth__in', ['quick', 'standard', 'deep'])), name='run_depth'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('trigger__in', ['admin', 'api', 'mcp', 'cli', 'schedule'])), name='run_trigger'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.UniqueConstraint(condition=models.Q(('parent__isnull', True), ('state__in', ['queued', 'running', 'awaiting_confirmation', 'awaiting_children', 'waiting'])), fields=('session',), name='run_one_open_per_session'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.UniqueConstraint(condition=models.Q(('directive', ''), _negated=True), fields=('parent', 'directive'), name='run_one_child_per_directive'),
        ),
        migrations.AddIndex(
            model_name='researchresult',
            index=models.Index(fields=['state', '-created_at'], name='research_re_state_5cb461_idx'),
        ),
        migrations.AddIndex(
            model_name='researchresult',
            index=models.Index(fields=['-created_at'], name='research_re_created_c86d45_idx'),
        ),
        migrations.AddConstraint(
            model_name='researchresult',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['pending_review', 'approved', 'executed', 'rejected', 'superseded', 'unchanged', 'rolled_back'])), name='result_state'),
        ),
        migrations.AddConstraint(
            model_name='researchresult',
            constraint=models.CheckConstraint(condition=models.Q(('review__in', ['required', 'optional', 'none'])), name='result_review'),
        ),
        migrations.AddConstraint(
            model_name='researchresult',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'pending_review')), fields=('session',), name='result_one_pending_per_session'),
        ),
        migrations.AddConstraint(
            model_name='source',
            constraint=models.UniqueConstraint(fields=('run', 'number'), name='source_number'),
        ),
        migrations.AddConstraint(
            model_name='source',
            constraint=models.UniqueConstraint(fields=('run', 'kind', 'key'), name='source_once_per_run'),
        ),
        migrations.AddConstraint(
            model_name='step',
            constraint=models.UniqueConstraint(fields=('run', 'seq'), name='step_seq'),
        ),
        migrations.AddConstraint(
            model_name='step',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['phase', 'model', 'tool', 'check', 'note'])), name='step_kind'),
        ),
        migrations.AddConstraint(
            model_name='verbcall',
            constraint=models.UniqueConstraint(fields=('decision', 'ordinal'), name='verbcall_ordinal'),
        ),
        migrations.AddConstraint(
            model_name='verbcall',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['pending', 'running', 'succeeded', 'failed', 'skipped', 'rolled_back'])), name='verbcall_state'),
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
        migrations.AddIndex(
            model_name='watch',
            index=models.Index(fields=['state', 'due_at'], name='research_wa_state_4fa22a_idx'),
        ),
        migrations.AddConstraint(
            model_name='watch',
            constraint=models.UniqueConstraint(fields=('question',), name='watch_question'),
        ),
        migrations.AddConstraint(
            model_name='watch',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['resting', 'refreshing', 'changed', 'paused'])), name='watch_state'),
        ),
        migrations.AddConstraint(
            model_name='watch',
            constraint=models.CheckConstraint(condition=models.Q(('importance__lte', 10)), name='watch_importance'),
        ),
        migrations.AddConstraint(
            model_name='watch',
            constraint=models.CheckConstraint(condition=models.Q(('every_days__gte', 1), ('every_days__lte', 3650)), name='watch_every_days'),
        ),
        migrations.AddIndex(
            model_name='webhookdelivery',
            index=models.Index(fields=['state', 'next_at'], name='research_we_state_5336df_idx'),
        ),
        migrations.AddIndex(
            model_name='webhookdelivery',
            index=models.Index(fields=['created_at'], name='research_we_created_335e93_idx'),
        ),
        migrations.AddConstraint(
            model_name='webhookdelivery',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'delivered', 'failed'])), name='webhook_delivery_state'),
        ),
        migrations.AddConstraint(
            model_name='webhookdelivery',
            constraint=models.UniqueConstraint(fields=('webhook', 'event'), name='webhook_event_once'),
        ),
        migrations.RunPython(
            lambda apps, editor: archive_index(editor).install(editor.connection),
            lambda apps, editor: archive_index(editor).remove(editor.connection),
        ),
        migrations.RunPython(
            lambda apps, editor: append_only.install(editor.connection),
            lambda apps, editor: append_only.remove(editor.connection),
        ),
    ]
