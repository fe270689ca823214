"""The index of the archive: tables that differ by database, and which documents are not in it yet."""

from django.db import migrations, models

from research.web.archive.search_postgresql import PostgresqlIndex
from research.web.archive.search_sqlite import SqliteIndex


def index_of(editor):
    return PostgresqlIndex() if editor.connection.vendor == "postgresql" else SqliteIndex()


class Migration(migrations.Migration):

    dependencies = [
        ('research', '0006_words_the_database_knows'),
    ]

    operations = [
        migrations.AddField(
            model_name='document',
            name='indexed_at',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddIndex(
            model_name='document',
            index=models.Index(condition=models.Q(('indexed_at__isnull', True)), fields=['id'], name='document_not_indexed'),
        ),
        migrations.RunPython(
            lambda apps, editor: index_of(editor).install(editor.connection),
            lambda apps, editor: index_of(editor).remove(editor.connection),
        ),
    ]
