"""A relationship that the register ended before its stated beginning ends on that day: the next migration insists."""

from django.db import migrations
from django.db.models import F


def mend(apps, editor):
    rows = apps.get_model("entities", "Relationship").objects
    rows.filter(valid_to__lt=F("valid_from")).update(valid_to=F("valid_from"))


class Migration(migrations.Migration):
    dependencies = [("entities", "0004_golden_copy")]
    operations = [migrations.RunPython(mend, migrations.RunPython.noop)]
