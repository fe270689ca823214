"""Decision, AuditEvent and AuditSeal are append-only in the database itself."""

from django.db import migrations

from research import append_only


class Migration(migrations.Migration):
    dependencies = [("research", "0001_initial")]
    operations = [
        migrations.RunPython(
            lambda apps, editor: append_only.install(editor.connection),
            lambda apps, editor: append_only.remove(editor.connection),
        )
    ]
