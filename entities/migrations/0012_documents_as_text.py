"""Documents of LEI records as text, which costs half of ``jsonb`` to take in; and no index for LIKE on LEIs.

Django makes that index for every key that is text. An LEI is only ever looked up whole, and each import pays for it.
"""

from django.db import migrations

import entities.models.fields

FIND = (
    "SELECT quote_ident(c.relname) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
    "WHERE i.indrelid = 'entities_leirecord'::regclass AND c.relname LIKE 'entities_leirecord_lei_%%_like'"
)
MAKE = "CREATE INDEX entities_leirecord_lei_back_like ON entities_leirecord (lei varchar_pattern_ops)"


def drop(apps, editor):
    if editor.connection.vendor == "postgresql":
        with editor.connection.cursor() as cursor:
            cursor.execute(FIND, [])
            for (name,) in cursor.fetchall():
                editor.execute(f"DROP INDEX {name}")


def make(apps, editor):
    if editor.connection.vendor == "postgresql":
        editor.execute(MAKE)


class Migration(migrations.Migration):

    dependencies = [
        ('entities', '0011_records_left_out'),
    ]

    operations = [
        migrations.AlterField(
            model_name='leirecord',
            name='attributes',
            field=entities.models.fields.DocumentField(),
        ),
        migrations.RunPython(drop, make),
    ]
