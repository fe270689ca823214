"""The tables of entity memory and of the LEI register, the thresholds to begin with, and the index of names by pieces.

What is made after every migrate stands in ``entities/database.py``.
"""

import django.db.models.deletion
import django.db.models.functions.comparison
import django.utils.timezone
import entities.models.fields
import uuid
from django.conf import settings
from django.db import migrations, models

from entities.names.index import name_index


THRESHOLDS = {
    "": ("0.900", "0.700", "0.500"),
    "gleif": ("0.920", "0.750", "0.500"),
    "companies_house": ("0.880", "0.700", "0.500"),
}


def fill_thresholds(apps, editor):
    """People edit them."""
    rows = apps.get_model("entities", "RegisterThreshold").objects
    for register, (auto, ambiguous, reject) in THRESHOLDS.items():
        rows.create(register=register, auto=auto, ambiguous=ambiguous, reject=reject)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='GleifImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(help_text='tree, managed-funds or client-group.', max_length=30)),
                ('root', models.CharField(max_length=20)),
                ('options', models.JSONField(default=dict)),
                ('register', models.CharField(choices=[('local', 'golden copy'), ('gleif', "GLEIF's API"), ('demo', 'demo register')], max_length=10)),
                ('as_of', models.CharField(blank=True, max_length=40)),
                ('counts', models.JSONField(default=dict)),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name': 'GLEIF import',
                'ordering': ['-started_at'],
            },
        ),
        migrations.CreateModel(
            name='LeiRecord',
            fields=[
                ('lei', models.CharField(max_length=20, primary_key=True, serialize=False)),
                ('legal_name', models.TextField()),
                ('jurisdiction', models.CharField(blank=True, max_length=10)),
                ('category', models.CharField(blank=True, max_length=40)),
                ('entity_status', models.CharField(blank=True, max_length=20)),
                ('registration_status', models.CharField(blank=True, max_length=30)),
                ('next_renewal', models.DateField(blank=True, null=True)),
                ('successor', models.CharField(blank=True, max_length=20)),
                ('attributes', entities.models.fields.DocumentField()),
                ('register', models.CharField(choices=[('local', 'golden copy'), ('gleif', "GLEIF's API"), ('demo', 'demo register')], max_length=10)),
                ('as_of', models.CharField(blank=True, help_text="The register's publish date.", max_length=40)),
                ('fetched_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField(blank=True, help_text='Until when an answer of the API stands for it; empty: it is not asked again.', null=True)),
            ],
            options={
                'verbose_name': 'LEI record',
                'ordering': ['lei'],
            },
        ),
        migrations.CreateModel(
            name='Entity',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('slug', models.SlugField(max_length=120, unique=True)),
                ('name', models.TextField()),
                ('symbol', models.CharField(blank=True, max_length=30)),
                ('type', models.CharField(max_length=40)),
                ('lei', models.CharField(blank=True, max_length=20)),
                ('jurisdiction', models.CharField(blank=True, max_length=10)),
                ('aliases', models.JSONField(blank=True, default=list, help_text='[{name, type, language}]')),
                ('verified', models.BooleanField(default=False)),
                ('verified_by', models.CharField(blank=True, choices=[('team', 'Team'), ('community', 'Community'), ('auto', 'Auto')], max_length=10)),
                ('verified_at', models.DateTimeField(blank=True, null=True)),
                ('pending_verification', models.BooleanField(default=False)),
                ('metadata', models.JSONField(blank=True, default=dict)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('merged_into', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged_from', to='entities.entity')),
            ],
            options={
                'verbose_name_plural': 'entities',
                'ordering': ['name', 'id'],
                'permissions': [('verify_entity', 'Can verify entities, and take it back'), ('merge_entity', 'Can merge entities, and undo it')],
                'indexes': [models.Index(fields=['type'], name='entities_en_type_58b53d_idx'), models.Index(fields=['-created_at'], name='entities_en_created_2cd135_idx')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('lei', ''), _negated=True), fields=('lei',), name='entity_lei'), models.CheckConstraint(condition=models.Q(models.Q(('verified', False), ('verified_by', '')), models.Q(('verified', True), models.Q(('verified_by', ''), _negated=True)), _connector='OR'), name='entity_verified_by_someone'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='entity_name'), models.CheckConstraint(condition=models.Q(('pending_verification', True), ('verified', True), _negated=True), name='entity_verified_or_pending'), models.CheckConstraint(condition=models.Q(('merged_into__isnull', True), models.Q(('merged_into', models.F('id')), _negated=True), _connector='OR'), name='entity_not_merged_into_itself'), models.CheckConstraint(condition=models.Q(('verified_by__in', ['team', 'community', 'auto', ''])), name='entity_verified_by')],
            },
        ),
        migrations.CreateModel(
            name='EntityAct',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('verified', 'Verified'), ('unverified', 'Unverified'), ('merged', 'Merged'), ('merge-undone', 'Merge Undone'), ('told-apart', 'Told Apart'), ('put-off', 'Put Off')], max_length=20)),
                ('reason', models.TextField()),
                ('changes', models.JSONField(default=dict)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('entity', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='acts', to='entities.entity')),
                ('other', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='acts_as_other', to='entities.entity')),
                ('undoes', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='undone_by', to='entities.entityact')),
            ],
            options={
                'ordering': ['-at', '-id'],
                'indexes': [models.Index(fields=['entity', '-at'], name='entities_en_entity__d778b9_idx')],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['verified', 'unverified', 'merged', 'merge-undone', 'told-apart', 'put-off'])), name='entityact_kind'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='entityact_reason')],
            },
        ),
        migrations.CreateModel(
            name='EntityResearch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ttl', models.PositiveIntegerField(help_text='Seconds, 5 minutes to 90 days.')),
                ('expires_at', models.DateTimeField()),
                ('findings', models.JSONField()),
                ('sources', models.JSONField(default=list)),
                ('confidence', models.PositiveSmallIntegerField()),
                ('reference', models.CharField(blank=True, help_text='The result or run it came from.', max_length=64)),
                ('invalidated_at', models.DateTimeField(blank=True, null=True)),
                ('invalidated_why', models.CharField(blank=True, max_length=300)),
                ('entity', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='research', to='entities.entity')),
                ('invalidated_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'entity research',
                'ordering': ['-at', '-id'],
                'indexes': [models.Index(fields=['entity', '-at'], name='entities_en_entity__361e5e_idx')],
                'constraints': [models.CheckConstraint(condition=models.Q(('confidence__lte', 100)), name='research_confidence'), models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('at'))), name='research_expires_after_it_is_stored')],
            },
        ),
        migrations.CreateModel(
            name='EntityType',
            fields=[
                ('word', models.SlugField(max_length=40, primary_key=True, serialize=False)),
                ('label', models.CharField(max_length=60)),
                ('ttl', models.PositiveIntegerField(default=1800, help_text='Seconds that findings live unless whoever stores them says otherwise.')),
                ('longest_ttl', models.PositiveIntegerField(default=86400, help_text='Seconds that findings live at most, 5 minutes to 90 days.')),
                ('offered', models.BooleanField(default=True, help_text='New entities may have this type.')),
            ],
            options={
                'ordering': ['word'],
                'constraints': [models.CheckConstraint(condition=models.Q(('word', ''), _negated=True), name='entitytype_word'), models.CheckConstraint(condition=models.Q(('longest_ttl__lte', 7776000), ('ttl__gte', 300), ('ttl__lte', models.F('longest_ttl'))), name='entitytype_ttl', violation_error_message='Findings live from 5 minutes to 90 days, and never longer than at most.')],
            },
        ),
        migrations.CreateModel(
            name='GoldenCopyImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('lei2', 'LEI records'), ('rr', 'relationships'), ('repex', 'reporting exceptions')], max_length=10)),
                ('scope', models.CharField(choices=[('full', 'everything'), ('IntraDay', '8 hours'), ('LastDay', '24 hours'), ('LastWeek', '7 days'), ('LastMonth', '31 days')], max_length=10)),
                ('source', models.TextField(help_text="The file's name.")),
                ('publish_date', models.DateTimeField()),
                ('state', models.CharField(choices=[('running', 'Running'), ('live', 'Live'), ('failed', 'Failed')], default='running', max_length=10)),
                ('phase', models.CharField(blank=True, max_length=40)),
                ('done', models.BigIntegerField(default=0, help_text='Bytes of the file that are read.')),
                ('total', models.BigIntegerField(default=0, help_text='Bytes of the file.')),
                ('counts', models.JSONField(default=dict)),
                ('error', models.TextField(blank=True)),
                ('left_out', models.JSONField(blank=True, default=list, help_text='Records that were wrong and are not imported, a sentence each.')),
                ('owner', models.CharField(blank=True, help_text='Host and process.', max_length=120)),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('beat_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name': 'golden copy import',
                'ordering': ['-started_at', '-id'],
                'indexes': [models.Index(fields=['kind', 'state', '-id'], name='golden_copy_newest')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'running')), fields=('state',), name='golden_copy_one_running'), models.CheckConstraint(condition=models.Q(('state__in', ['running', 'live', 'failed'])), name='golden_copy_state')],
            },
        ),
        migrations.CreateModel(
            name='LeiName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('lei', models.CharField(max_length=20)),
                ('name', models.TextField()),
                ('type', models.CharField(max_length=60)),
                ('language', models.CharField(blank=True, max_length=20)),
                ('key', models.CharField(max_length=300)),
            ],
            options={
                'verbose_name': 'LEI name',
                'ordering': ['lei', 'id'],
                'indexes': [models.Index(fields=['lei'], name='lei_name_lei'), models.Index(fields=['key'], name='lei_name_key')],
            },
        ),
        migrations.CreateModel(
            name='LeiPolicy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('values', models.JSONField(default=dict, help_text='What differs from the defaults, name by name.')),
                ('note', models.CharField(help_text='Why it was changed.', max_length=500)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'LEI policy',
                'verbose_name_plural': 'LEI policies',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='LeiRelationship',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('start', models.CharField(max_length=20)),
                ('end', models.CharField(max_length=20)),
                ('type', models.CharField(max_length=40)),
                ('status', models.CharField(blank=True, max_length=20)),
                ('attributes', models.JSONField(default=dict)),
                ('register', models.CharField(choices=[('local', 'golden copy'), ('gleif', "GLEIF's API"), ('demo', 'demo register')], max_length=10)),
                ('as_of', models.CharField(blank=True, max_length=40)),
                ('fetched_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'verbose_name': 'LEI relationship',
                'ordering': ['start', 'type'],
                'indexes': [models.Index(fields=['end', 'type'], name='lei_relationship_end')],
                'constraints': [models.UniqueConstraint(fields=('start', 'end', 'type'), name='lei_relationship')],
            },
        ),
        migrations.CreateModel(
            name='NameKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(help_text='See name_key.', max_length=64)),
                ('own', models.BooleanField(help_text='Its name; else an alias.')),
                ('spelled', models.CharField(blank=True, help_text='See entities.names.keys.search_key; names alike are found by it.', max_length=300)),
                ('entity', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='name_keys', to='entities.entity')),
            ],
            options={
                'indexes': [models.Index(fields=['key'], name='entities_na_key_7cdd50_idx'), models.Index(fields=['spelled'], name='entities_na_spelled_262078_idx')],
                'constraints': [models.UniqueConstraint(fields=('entity', 'key'), name='namekey_once')],
            },
        ),
        migrations.CreateModel(
            name='EntityPair',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('state', models.CharField(choices=[('open', 'Open'), ('later', 'Later'), ('same', 'Same'), ('different', 'Different')], default='open', max_length=10)),
                ('score', models.FloatField()),
                ('explanation', models.TextField()),
                ('found_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('found_by', models.CharField(blank=True, help_text='A run, a register, a person; if known.', max_length=300)),
                ('judged_at', models.DateTimeField(blank=True, null=True)),
                ('entity', models.ForeignKey(help_text='The one that was found to be alike.', on_delete=django.db.models.deletion.CASCADE, related_name='pairs', to='entities.entity')),
                ('judged_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('other', models.ForeignKey(help_text='The one known before.', on_delete=django.db.models.deletion.CASCADE, related_name='pairs_as_other', to='entities.entity')),
            ],
            options={
                'verbose_name': 'pair of entities',
                'verbose_name_plural': 'pairs of entities',
                'ordering': ['-score', 'id'],
                'indexes': [models.Index(fields=['state', '-score', 'id'], name='entities_en_state_971653_idx')],
                'constraints': [models.UniqueConstraint(django.db.models.functions.comparison.Least('entity', 'other'), django.db.models.functions.comparison.Greatest('entity', 'other'), condition=models.Q(('state__in', ('open', 'later'))), name='entitypair_undecided'), models.CheckConstraint(condition=models.Q(('entity', models.F('other')), _negated=True), name='entitypair_not_with_itself'), models.CheckConstraint(condition=models.Q(('score__gte', 0), ('score__lte', 100)), name='entitypair_score'), models.CheckConstraint(condition=models.Q(('state', 'open'), models.Q(('judged_at__isnull', False), ('judged_by__isnull', False)), _connector='OR'), name='entitypair_judged_by_someone'), models.CheckConstraint(condition=models.Q(('state__in', ['open', 'later', 'same', 'different'])), name='entitypair_state')],
            },
        ),
        migrations.CreateModel(
            name='RegisterSelection',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('register', models.CharField(max_length=40)),
                ('query', models.JSONField(help_text='{name, jurisdiction, number}')),
                ('candidates', models.JSONField(default=list, help_text='[{number, name, score, status, explanation, doubts}]')),
                ('thresholds', models.JSONField(default=dict)),
                ('verdict', models.CharField(choices=[('auto-selected', 'Auto Selected'), ('user-selected', 'User Selected'), ('user-confirmed', 'User Confirmed'), ('ambiguous', 'Ambiguous'), ('no-match', 'No Match'), ('rejected', 'Rejected')], max_length=20)),
                ('number', models.CharField(blank=True, help_text='What was chosen.', max_length=60)),
                ('score', models.DecimalField(blank=True, decimal_places=3, max_digits=4, null=True)),
                ('chooser', models.CharField(choices=[('rule', 'Rule'), ('model', 'Model'), ('person', 'Person')], max_length=10)),
                ('model', models.CharField(blank=True, help_text='The model that chose, if one did.', max_length=100)),
                ('reason', models.TextField()),
                ('reference', models.CharField(blank=True, help_text='The result or run it came from.', max_length=64)),
                ('url', models.TextField(blank=True)),
                ('as_of', models.CharField(blank=True, max_length=40)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('chosen_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('entity', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='register_selections', to='entities.entity')),
            ],
            options={
                'ordering': ['-at'],
                'permissions': [('decide_register', 'Can choose and correct what registers say of an entity')],
                'indexes': [models.Index(fields=['entity', 'register'], name='entities_re_entity__7c643b_idx')],
                'constraints': [models.CheckConstraint(condition=models.Q(('verdict__in', ['auto-selected', 'user-selected', 'user-confirmed', 'ambiguous', 'no-match', 'rejected'])), name='selection_verdict'), models.CheckConstraint(condition=models.Q(('chooser__in', ['rule', 'model', 'person'])), name='selection_chooser'), models.CheckConstraint(condition=models.Q(models.Q(('verdict__in', ['auto-selected', 'user-selected', 'user-confirmed']), models.Q(('number', ''), _negated=True)), models.Q(models.Q(('verdict__in', ['auto-selected', 'user-selected', 'user-confirmed']), _negated=True), ('number', '')), _connector='OR'), name='selection_number_when_chosen'), models.CheckConstraint(condition=models.Q(models.Q(('chooser', 'person'), _negated=True), ('chosen_by__isnull', False), _connector='OR'), name='selection_person_has_a_name')],
            },
        ),
        migrations.CreateModel(
            name='RegisterCorrection',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('wrong-entity', 'Wrong Entity'), ('wrong-jurisdiction', 'Wrong Jurisdiction'), ('stale-data', 'Stale Data'), ('merge-required', 'Merge Required'), ('unlink', 'Unlink')], max_length=20)),
                ('reason', models.TextField()),
                ('undone', models.JSONField(default=list, help_text='[{fact, action, note}]')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('corrected_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('replacement', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='replaces', to='entities.registerselection')),
                ('selection', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='correction', to='entities.registerselection')),
            ],
            options={
                'ordering': ['-at'],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['wrong-entity', 'wrong-jurisdiction', 'stale-data', 'merge-required', 'unlink'])), name='correction_kind'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='correction_reason')],
            },
        ),
        migrations.CreateModel(
            name='ImportedFact',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ordinal', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('representation', 'Representation'), ('relationship', 'Relationship'), ('entity', 'Entity'), ('field', 'Field'), ('event', 'Event')], max_length=20)),
                ('row', models.CharField(help_text='The key of the row that was written.', max_length=40)),
                ('field', models.CharField(blank=True, max_length=60)),
                ('old', models.JSONField(blank=True, null=True)),
                ('new', models.JSONField(blank=True, null=True)),
                ('entity', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='entities.entity')),
                ('selection', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='facts', to='entities.registerselection')),
            ],
            options={
                'ordering': ['selection', 'ordinal'],
                'constraints': [models.UniqueConstraint(fields=('selection', 'ordinal'), name='fact_ordinal'), models.CheckConstraint(condition=models.Q(('kind__in', ['representation', 'relationship', 'entity', 'field', 'event'])), name='fact_kind')],
            },
        ),
        migrations.CreateModel(
            name='RegisterThreshold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('register', models.CharField(blank=True, max_length=40, unique=True)),
                ('auto', models.DecimalField(decimal_places=3, help_text='From here on a rule may choose.', max_digits=4)),
                ('ambiguous', models.DecimalField(decimal_places=3, help_text="From here on a line is worth a person's look.", max_digits=4)),
                ('reject', models.DecimalField(decimal_places=3, help_text='Below it a line is not shown.', max_digits=4)),
                ('always_human', models.BooleanField(default=False, help_text='No rule ever chooses.')),
                ('updated_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'ordering': ['register'],
                'constraints': [models.CheckConstraint(condition=models.Q(('ambiguous__gte', models.F('reject')), ('auto__gte', models.F('ambiguous')), ('auto__lte', 1), ('reject__gte', 0)), name='threshold_order', violation_error_message='It must hold that 0 ≤ reject ≤ ambiguous ≤ auto ≤ 1.')],
            },
        ),
        migrations.CreateModel(
            name='Relationship',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('type', models.CharField(choices=[('directly-consolidated-by', 'Directly Consolidated By'), ('ultimately-consolidated-by', 'Ultimately Consolidated By'), ('fund-managed-by', 'Fund Managed By'), ('subfund-of', 'Subfund Of'), ('feeder-to', 'Feeder To'), ('branch-of', 'Branch Of'), ('owned-by', 'Owned By'), ('controlled-by', 'Controlled By'), ('succeeded-by', 'Succeeded By'), ('member-of', 'Member Of'), ('founded-by', 'Founded By'), ('partner-of', 'Partner Of'), ('competes-with', 'Competes With'), ('integrated-with', 'Integrated With'), ('listed-on', 'Listed On')], max_length=30)),
                ('percentage', models.DecimalField(blank=True, decimal_places=4, max_digits=7, null=True)),
                ('source', models.CharField(blank=True, max_length=300)),
                ('valid_from', models.DateField(blank=True, null=True)),
                ('valid_to', models.DateField(blank=True, null=True)),
                ('metadata', models.JSONField(blank=True, default=dict)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('object', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='related_from', to='entities.entity')),
                ('subject', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='relationships', to='entities.entity')),
            ],
            options={
                'ordering': ['subject', 'type', 'object'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('valid_to__isnull', True)), fields=('subject', 'object', 'type'), name='relationship_current'), models.CheckConstraint(condition=models.Q(('percentage__isnull', True), models.Q(('percentage__gte', 0), ('percentage__lte', 100)), _connector='OR'), name='relationship_percentage'), models.CheckConstraint(condition=models.Q(('subject', models.F('object')), _negated=True), name='relationship_not_to_itself'), models.CheckConstraint(condition=models.Q(('valid_from__isnull', True), ('valid_to__isnull', True), ('valid_to__gte', models.F('valid_from')), _connector='OR'), name='relationship_ends_after_it_begins'), models.CheckConstraint(condition=models.Q(('type__in', ['directly-consolidated-by', 'ultimately-consolidated-by', 'fund-managed-by', 'subfund-of', 'feeder-to', 'branch-of', 'owned-by', 'controlled-by', 'succeeded-by', 'member-of', 'founded-by', 'partner-of', 'competes-with', 'integrated-with', 'listed-on'])), name='relationship_type')],
            },
        ),
        migrations.CreateModel(
            name='ReportingException',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('lei', models.CharField(max_length=20)),
                ('category', models.CharField(max_length=60)),
                ('reason', models.CharField(max_length=60)),
                ('reference', models.TextField(blank=True)),
                ('register', models.CharField(choices=[('local', 'golden copy'), ('gleif', "GLEIF's API"), ('demo', 'demo register')], max_length=10)),
                ('as_of', models.CharField(blank=True, max_length=40)),
                ('fetched_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'ordering': ['lei', 'category'],
                'constraints': [models.UniqueConstraint(fields=('lei', 'category'), name='reporting_exception')],
            },
        ),
        migrations.CreateModel(
            name='Representation',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('type', models.CharField(choices=[('lei', 'Lei'), ('register-number', 'Register Number'), ('isin', 'Isin'), ('bic', 'Bic'), ('docket', 'Docket'), ('spot-token', 'Spot Token'), ('perp-contract', 'Perp Contract'), ('lp-pair', 'Lp Pair'), ('lending', 'Lending'), ('staking', 'Staking'), ('futures', 'Futures'), ('option', 'Option'), ('former-slug', 'Former Slug'), ('other', 'Other')], max_length=20)),
                ('authority', models.CharField(blank=True, help_text='Register, court, venue or protocol.', max_length=60)),
                ('chain', models.CharField(blank=True, max_length=40)),
                ('key', models.CharField(max_length=200)),
                ('context', models.JSONField(blank=True, default=dict)),
                ('active', models.BooleanField(default=True)),
                ('discovered_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('last_seen_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('entity', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='representations', to='entities.entity')),
            ],
            options={
                'ordering': ['type', 'key'],
                'indexes': [models.Index(fields=['key'], name='entities_re_key_909540_idx')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('active', True)), fields=('type', 'authority', 'chain', 'key'), name='representation_active_key'), models.UniqueConstraint(condition=models.Q(('active', True), ('type__in', ['lei', 'isin', 'former-slug'])), fields=('type', 'key'), name='representation_by_itself'), models.UniqueConstraint(condition=models.Q(('active', True), ('type__in', ['perp-contract', 'lp-pair'])), fields=('type', 'authority', 'key'), name='representation_of_a_protocol'), models.CheckConstraint(condition=models.Q(('key', ''), _negated=True), name='representation_key'), models.CheckConstraint(condition=models.Q(('type__in', ['lei', 'register-number', 'isin', 'bic', 'docket', 'spot-token', 'perp-contract', 'lp-pair', 'lending', 'staking', 'futures', 'option', 'former-slug', 'other'])), name='representation_type')],
            },
        ),
        migrations.CreateModel(
            name='EntityEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('type', models.CharField(max_length=40)),
                ('summary', models.TextField()),
                ('data', models.JSONField(blank=True, default=dict)),
                ('source', models.CharField(blank=True, max_length=300)),
                ('source_type', models.CharField(blank=True, choices=[('register', 'Register'), ('research', 'Research'), ('news', 'News'), ('social', 'Social'), ('protocol', 'Protocol'), ('price', 'Price'), ('transaction', 'Transaction'), ('manual', 'Manual')], max_length=12)),
                ('confidence', models.PositiveSmallIntegerField(default=100)),
                ('importance', models.PositiveSmallIntegerField(default=5)),
                ('entity', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='entities.entity')),
                ('related', models.ManyToManyField(blank=True, related_name='mentioned_in', to='entities.entity')),
                ('representation', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='events', to='entities.representation')),
            ],
            options={
                'ordering': ['-at', '-id'],
                'indexes': [models.Index(fields=['entity', '-at'], name='entities_en_entity__6bff32_idx'), models.Index(fields=['-at', '-id'], name='entities_en_at_d72ba3_idx')],
                'constraints': [models.CheckConstraint(condition=models.Q(('importance__lte', 10)), name='event_importance'), models.CheckConstraint(condition=models.Q(('confidence__lte', 100)), name='event_confidence'), models.CheckConstraint(condition=models.Q(('source_type__in', ['register', 'research', 'news', 'social', 'protocol', 'price', 'transaction', 'manual', ''])), name='event_source_type')],
            },
        ),
        migrations.CreateModel(
            name='Statement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('property', models.CharField(max_length=40)),
                ('key', models.CharField(blank=True, max_length=200)),
                ('slot', models.CharField(help_text='Digest of what only one current statement may have: see slot_of.', max_length=32)),
                ('value', models.TextField(blank=True)),
                ('data', models.JSONField(blank=True, default=dict)),
                ('share_low', models.DecimalField(blank=True, decimal_places=4, max_digits=7, null=True)),
                ('share_high', models.DecimalField(blank=True, decimal_places=4, max_digits=7, null=True)),
                ('share_low_open', models.BooleanField(default=False)),
                ('share_high_open', models.BooleanField(default=False)),
                ('valid_from', models.DateField(blank=True, null=True)),
                ('valid_to', models.DateField(blank=True, null=True)),
                ('valid_from_precision', models.CharField(choices=[('day', 'Day'), ('month', 'Month'), ('year', 'Year'), ('unknown', 'Unknown')], default='unknown', max_length=7)),
                ('valid_to_precision', models.CharField(choices=[('day', 'Day'), ('month', 'Month'), ('year', 'Year'), ('unknown', 'Unknown')], default='unknown', max_length=7)),
                ('recorded_from', models.DateTimeField(default=django.utils.timezone.now)),
                ('recorded_to', models.DateTimeField(blank=True, null=True)),
                ('source_kind', models.CharField(blank=True, choices=[('register', 'Register'), ('decision', 'Decision'), ('document', 'Document'), ('import', 'Import'), ('person', 'Person'), ('research', 'Research')], max_length=10)),
                ('source', models.CharField(blank=True, max_length=300)),
                ('as_of', models.DateField(blank=True, help_text='The day for which the source speaks.', null=True)),
                ('document', models.CharField(blank=True, help_text='An address or a number of the document.', max_length=2000)),
                ('call', models.BigIntegerField(blank=True, help_text='The verb call that wrote it.', null=True)),
                ('decision', models.BigIntegerField(blank=True, help_text='The decision that it rests on.', null=True)),
                ('signed_by', models.CharField(blank=True, max_length=150)),
                ('confidence', models.PositiveSmallIntegerField(default=100)),
                ('contradicts', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='entities.statement')),
                ('cut_by', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='entities.statement')),
                ('object', models.ForeignKey(blank=True, db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='stated_in', to='entities.entity')),
                ('subject', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='statements', to='entities.entity')),
                ('superseded_by', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='entities.statement')),
            ],
            options={
                'ordering': ['subject', 'property', 'key', 'id'],
                'indexes': [models.Index(condition=models.Q(('object__isnull', False)), fields=['object', 'property'], name='statement_of_object'), models.Index(condition=models.Q(('call__isnull', False)), fields=['call'], name='statement_of_call'), models.Index(condition=models.Q(('contradicts__isnull', False), ('recorded_to__isnull', True)), fields=['recorded_from'], name='statement_contradicting')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('recorded_to__isnull', True)), fields=('subject', 'slot'), name='statement_current'), models.CheckConstraint(condition=models.Q(('property__in', ['name', 'alias', 'type', 'kind', 'symbol', 'jurisdiction', 'address', 'status', 'registration-status', 'legal-form', 'category', 'birth-date', 'nationality', 'identifier', 'detail', 'directly-consolidated-by', 'ultimately-consolidated-by', 'fund-managed-by', 'subfund-of', 'feeder-to', 'branch-of', 'owned-by', 'controlled-by', 'succeeded-by', 'member-of', 'founded-by', 'partner-of', 'competes-with', 'integrated-with', 'listed-on', 'shareholding', 'votingRights', 'appointmentOfBoard', 'otherInfluenceOrControl', 'seniorManagingOfficial', 'settlor', 'trustee', 'protector', 'beneficiaryOfLegalArrangement', 'rightsToSurplusAssetsOnDissolution', 'rightsToProfitOrIncome', 'rightsGrantedByContract', 'conditionalRightsGrantedByContract', 'controlViaCompanyRulesOrArticles', 'controlByLegalFramework', 'boardMember', 'boardChair', 'unknownInterest', 'unpublishedInterest', 'enjoymentAndUseOfAssets', 'rightToProfitOrIncomeFromAssets', 'nominee', 'nominator'])), name='statement_property'), models.CheckConstraint(condition=models.Q(('source_kind__in', ['register', 'decision', 'document', 'import', 'person', 'research', ''])), name='statement_source_kind'), models.CheckConstraint(condition=models.Q(('valid_from_precision__in', ['day', 'month', 'year', 'unknown'])), name='statement_valid_from_precision'), models.CheckConstraint(condition=models.Q(('valid_to_precision__in', ['day', 'month', 'year', 'unknown'])), name='statement_valid_to_precision'), models.CheckConstraint(condition=models.Q(('valid_from__isnull', True), ('valid_to__isnull', True), ('valid_to__gte', models.F('valid_from')), _connector='OR'), name='statement_valid_order'), models.CheckConstraint(condition=models.Q(('recorded_to__isnull', True), ('recorded_to__gte', models.F('recorded_from')), _connector='OR'), name='statement_recorded_order'), models.CheckConstraint(condition=models.Q(('superseded_by__isnull', True), ('recorded_to__isnull', False), _connector='OR'), name='statement_superseded_has_ended'), models.CheckConstraint(condition=models.Q(models.Q(('share_high__isnull', True), ('share_low__isnull', True)), models.Q(('share_high__gte', models.F('share_low')), ('share_high__lte', 100), ('share_low__gte', 0)), _connector='OR'), name='statement_share'), models.CheckConstraint(condition=models.Q(('object__isnull', True), models.Q(('object', models.F('subject')), _negated=True), _connector='OR'), name='statement_not_to_itself'), models.CheckConstraint(condition=models.Q(('confidence__lte', 100)), name='statement_confidence')],
            },
        ),
        migrations.CreateModel(
            name='ListVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('list_name', models.CharField(choices=[('ofac-sdn', 'OFAC SDN list'), ('ofac-consolidated', 'OFAC consolidated list (not SDN)'), ('un', 'UN Security Council list'), ('eu', 'EU financial sanctions list'), ('uk', 'UK Sanctions List'), ('seco', 'SECO sanctions list')], max_length=20)),
                ('state', models.CharField(choices=[('reading', 'Reading'), ('live', 'Live'), ('replaced', 'Replaced'), ('failed', 'Failed')], default='reading', max_length=10)),
                ('source', models.TextField(help_text='The address or the name of the file.')),
                ('digest', models.CharField(help_text='SHA-256 of the file.', max_length=64)),
                ('size', models.BigIntegerField(help_text='Bytes.')),
                ('published', models.DateTimeField(blank=True, help_text='As the file itself says.', null=True)),
                ('counts', models.JSONField(default=dict)),
                ('left_out', models.JSONField(blank=True, default=list)),
                ('error', models.TextField(blank=True)),
                ('owner', models.CharField(blank=True, help_text='Host and process.', max_length=120)),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('beat_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('confirmed_at', models.DateTimeField(blank=True, help_text='When the publisher was last seen to publish this file.', null=True)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('list_name__in', ['ofac-sdn', 'ofac-consolidated', 'un', 'eu', 'uk', 'seco'])), name='listversion_list'), models.CheckConstraint(condition=models.Q(('state__in', ['reading', 'live', 'replaced', 'failed'])), name='listversion_state'), models.UniqueConstraint(condition=models.Q(('state', 'live')), fields=('list_name',), name='listversion_one_live'), models.UniqueConstraint(condition=models.Q(('state', 'reading')), fields=('list_name',), name='listversion_one_reading')],
            },
        ),
        migrations.CreateModel(
            name='ScreeningHit',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('source', models.CharField(help_text='The list, or the match API with its data set.', max_length=60)),
                ('key', models.CharField(max_length=200)),
                ('name', models.TextField(help_text='The first name of the entry.')),
                ('score', models.DecimalField(decimal_places=1, max_digits=4)),
                ('evidence', models.JSONField(default=dict, help_text='entities.screening.scoring.Likeness as JSON.')),
                ('subject', models.JSONField(default=dict, help_text="The entity's facts as they were compared.")),
                ('entry', models.JSONField(default=dict, help_text="The entry's facts as they were compared.")),
                ('subject_digest', models.CharField(max_length=64)),
                ('entry_digest', models.CharField(max_length=64)),
                ('fingerprint', models.CharField(max_length=64)),
                ('state', models.CharField(choices=[('open', 'Open'), ('true-match', 'True Match'), ('false-positive', 'False Positive'), ('unsure', 'Unsure')], default='open', max_length=20)),
                ('standing', models.BooleanField(default=True)),
                ('note', models.CharField(blank=True, help_text='Why it was reopened, or no longer stands.', max_length=300)),
                ('revision', models.PositiveIntegerField(default=1)),
                ('found_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('changed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('entity', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='screening_hits', to='entities.entity')),
                ('version', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='hits', to='entities.listversion')),
            ],
            options={
                'ordering': ['-score', 'found_at'],
                'permissions': [('decide_screeninghit', 'Can decide what hits of lists are'), ('run_screening', 'Can screen entities and import lists')],
            },
        ),
        migrations.CreateModel(
            name='ScreeningDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveIntegerField(help_text='The revision of the hit that was decided.')),
                ('verdict', models.CharField(choices=[('true-match', 'True Match'), ('false-positive', 'False Positive'), ('unsure', 'Unsure')], max_length=20)),
                ('reason', models.TextField()),
                ('basis', models.JSONField(default=dict)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('hit', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='entities.screeninghit')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='ScreeningPolicy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('values', models.JSONField(default=dict, help_text='What differs from the defaults, name by name.')),
                ('note', models.CharField(help_text='Why it was changed.', max_length=500)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'screening policies',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='ScreeningRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('running', 'Running'), ('done', 'Done')], default='running', max_length=10)),
                ('coverage', models.JSONField(default=list)),
                ('algorithm', models.CharField(max_length=40)),
                ('policy', models.JSONField(default=dict)),
                ('counts', models.JSONField(default=dict)),
                ('outcome', models.CharField(blank=True, help_text='hits, none or unknown.', max_length=10)),
                ('position', models.CharField(blank=True, max_length=40)),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('entity', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='screenings', to='entities.entity')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='ListEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('list_name', models.CharField(choices=[('ofac-sdn', 'OFAC SDN list'), ('ofac-consolidated', 'OFAC consolidated list (not SDN)'), ('un', 'UN Security Council list'), ('eu', 'EU financial sanctions list'), ('uk', 'UK Sanctions List'), ('seco', 'SECO sanctions list')], max_length=20)),
                ('key', models.CharField(max_length=100)),
                ('digest', models.CharField(max_length=64)),
                ('kind', models.CharField(choices=[('person', 'Person'), ('entity', 'Entity'), ('vessel', 'Vessel'), ('aircraft', 'Aircraft')], max_length=10)),
                ('name', models.TextField(help_text='Its first name on the list.')),
                ('content', entities.models.fields.DocumentField(help_text='entities.screening.records.Entry as JSON.')),
                ('since', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='brought', to='entities.listversion')),
                ('until', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='ended', to='entities.listversion')),
            ],
            options={
                'verbose_name_plural': 'list entries',
                'ordering': ['list_name', 'key', 'id'],
                'indexes': [models.Index(fields=['list_name', 'key'], name='listentry_key')],
                'constraints': [models.CheckConstraint(condition=models.Q(('list_name__in', ['ofac-sdn', 'ofac-consolidated', 'un', 'eu', 'uk', 'seco'])), name='listentry_list'), models.CheckConstraint(condition=models.Q(('kind__in', ['person', 'entity', 'vessel', 'aircraft'])), name='listentry_kind'), models.UniqueConstraint(condition=models.Q(('until__isnull', True)), fields=('list_name', 'key'), name='listentry_one_current')],
            },
        ),
        migrations.AddIndex(
            model_name='screeninghit',
            index=models.Index(fields=['state', 'standing', '-score'], name='screeninghit_queue'),
        ),
        migrations.AddIndex(
            model_name='screeninghit',
            index=models.Index(fields=['source', 'key'], name='screeninghit_entry'),
        ),
        migrations.AddConstraint(
            model_name='screeninghit',
            constraint=models.UniqueConstraint(fields=('entity', 'source', 'key'), name='screeninghit_pair'),
        ),
        migrations.AddConstraint(
            model_name='screeninghit',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['open', 'true-match', 'false-positive', 'unsure'])), name='screeninghit_state'),
        ),
        migrations.AddConstraint(
            model_name='screeningdecision',
            constraint=models.UniqueConstraint(fields=('hit', 'revision'), name='screeningdecision_once'),
        ),
        migrations.AddConstraint(
            model_name='screeningdecision',
            constraint=models.CheckConstraint(condition=models.Q(('verdict__in', ['true-match', 'false-positive', 'unsure'])), name='screeningdecision_verdict'),
        ),
        migrations.AddConstraint(
            model_name='screeningdecision',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='screeningdecision_reason'),
        ),
        migrations.AddIndex(
            model_name='screeningrun',
            index=models.Index(fields=['entity', '-id'], name='screeningrun_entity'),
        ),
        migrations.AddConstraint(
            model_name='screeningrun',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['running', 'done'])), name='screeningrun_state'),
        ),
        migrations.AddConstraint(
            model_name='screeningrun',
            constraint=models.CheckConstraint(condition=models.Q(('outcome__in', ['', 'hits', 'none', 'unknown'])), name='screeningrun_outcome'),
        ),
        migrations.RunPython(fill_thresholds, migrations.RunPython.noop),
        migrations.RunPython(
            lambda apps, editor: name_index(using=editor.connection).install(editor.connection) and None,
            lambda apps, editor: name_index(using=editor.connection).remove(editor.connection),
        ),
    ]
