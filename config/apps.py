"""Django's admin with the site of this house."""

from django.contrib.admin.apps import SimpleAdminConfig


class DossierAdmin(SimpleAdminConfig):
    default_site = "config.site.DossierSite"
