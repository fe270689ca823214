"""The tables of citations and of the lists of what exists."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AuthorityList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(choices=[('bge', 'BGE series'), ('codes', 'Law codes'), ('articles', 'Articles of acts')], max_length=10)),
                ('file', models.CharField(max_length=300)),
                ('digest', models.CharField(help_text='SHA-256 of what was read.', max_length=64)),
                ('rows', models.PositiveIntegerField()),
                ('as_of', models.DateField(help_text='The day that the list speaks of; that of the import unless it was given.')),
                ('imported_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'ordering': ['-imported_at', '-pk'],
                'get_latest_by': ['imported_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='BgeSeries',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('volume', models.PositiveSmallIntegerField()),
                ('division', models.CharField(max_length=4)),
                ('starts', models.JSONField()),
                ('window', models.PositiveSmallIntegerField(help_text='pages of the longest decision')),
            ],
            options={
                'verbose_name_plural': 'BGE series',
                'ordering': ['volume', 'division'],
                'constraints': [models.UniqueConstraint(fields=('volume', 'division'), name='bge_series_once')],
            },
        ),
        migrations.CreateModel(
            name='Citation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('key', models.CharField(help_text='The canonical form: BGE 142 III 239.', max_length=300)),
                ('verdict', models.CharField(choices=[('start', 'Begins on this page'), ('exists', 'Exists'), ('interior', 'Page within a decision'), ('nonexistent', 'Does not exist'), ('not_found_here', 'Not found here'), ('undecidable', 'Undecidable'), ('unknown', 'Unknown')], max_length=15)),
                ('reason', models.CharField(blank=True, max_length=40)),
                ('message', models.TextField(blank=True)),
                ('authority', models.CharField(blank=True, max_length=40)),
                ('url', models.CharField(blank=True, max_length=1000)),
                ('as_of', models.CharField(blank=True, help_text="The day that the authority's word is of.", max_length=10)),
                ('evidence', models.JSONField(default=dict)),
                ('suggestions', models.JSONField(default=list)),
                ('checked_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['key', 'kind'],
                'permissions': [('verify_citation', 'Can have citations verified again')],
                'indexes': [models.Index(fields=['verdict', 'key'], name='citation_by_verdict')],
                'constraints': [models.UniqueConstraint(fields=('kind', 'key'), name='citation_once'), models.CheckConstraint(condition=models.Q(('verdict__in', ['start', 'exists', 'interior', 'nonexistent', 'not_found_here', 'undecidable', 'unknown'])), name='citation_verdict')],
            },
        ),
        migrations.CreateModel(
            name='CitationAllowance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('due_at', models.DateTimeField()),
                ('person', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='LawArticle',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.CharField(max_length=60)),
                ('article', models.CharField(help_text='Digits and small letters: 336c.', max_length=20)),
                ('repealed', models.BooleanField(default=False)),
            ],
            options={
                'ordering': ['number', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('number', 'article'), name='law_article_once')],
            },
        ),
        migrations.CreateModel(
            name='LawCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('canton', models.CharField(blank=True, max_length=2)),
                ('number', models.CharField(max_length=60)),
                ('abbr_de', models.CharField(blank=True, max_length=80)),
                ('abbr_fr', models.CharField(blank=True, max_length=80)),
                ('abbr_it', models.CharField(blank=True, max_length=80)),
                ('title', models.TextField(blank=True)),
            ],
            options={
                'ordering': ['canton', 'number', 'pk'],
                'indexes': [models.Index(fields=['canton', 'number'], name='law_code_number')],
            },
        ),
        migrations.CreateModel(
            name='BulkVerification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('finished', 'Finished')], default='queued', max_length=10)),
                ('total', models.PositiveIntegerField()),
                ('done', models.PositiveIntegerField(default=0)),
                ('trouble', models.CharField(blank=True, help_text='The last thing that went wrong.', max_length=300)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('alive_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('asked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('citations', models.ManyToManyField(related_name='+', to='citations.citation')),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'finished'])), name='bulk_verification_state')],
            },
        ),
        migrations.CreateModel(
            name='CitationUse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('label', models.CharField(max_length=40)),
                ('reference', models.CharField(max_length=100)),
                ('pointer', models.CharField(blank=True, max_length=500)),
                ('start', models.PositiveIntegerField()),
                ('end', models.PositiveIntegerField()),
                ('raw', models.CharField(max_length=500)),
                ('pinpoints', models.JSONField(default=list)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('citation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='uses', to='citations.citation')),
            ],
            options={
                'ordering': ['label', '-at', 'pk'],
                'indexes': [models.Index(fields=['label', 'reference'], name='citation_use_place')],
                'constraints': [models.UniqueConstraint(fields=('citation', 'label', 'reference', 'pointer', 'start'), name='citation_use_once')],
            },
        ),
    ]
