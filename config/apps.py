"""Django's admin with the site of this house."""

from django.contrib.admin.apps import SimpleAdminConfig
from django.db.backends.signals import connection_created

from common.private import close_database


class DossierAdmin(SimpleAdminConfig):
    default_site = "config.site.DossierSite"

    def ready(self) -> None:
        super().ready()
        connection_created.connect(close_database)
