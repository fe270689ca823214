"""Every entity that is there already is found under its names."""

from django.db import migrations

from entities.models import name_key

BATCH = 500


def fill(apps, editor):
    entities = apps.get_model("entities", "Entity").objects
    keys = apps.get_model("entities", "NameKey").objects
    for entity in entities.filter(name_keys__isnull=True).iterator(chunk_size=BATCH):
        others = [name_key(str(alias["name"])) for alias in entity.aliases if alias.get("name")]
        wanted = {**dict.fromkeys(others, False), name_key(entity.name): True}
        keys.bulk_create([keys.model(entity=entity, key=key, own=own) for key, own in wanted.items()])


class Migration(migrations.Migration):
    dependencies = [("entities", "0002_names_of_any_length")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
