"""The index of names by pieces, where the database can have one: pg_trgm on PostgreSQL, FTS5 on SQLite."""

from django.db import migrations

from entities.gleif.name_index import name_index


class Migration(migrations.Migration):

    dependencies = [
        ('entities', '0008_lei_policy'),
    ]

    operations = [
        migrations.RunPython(
            lambda apps, editor: name_index(editor.connection).install(editor.connection) and None,
            lambda apps, editor: name_index(editor.connection).remove(editor.connection),
        ),
    ]
