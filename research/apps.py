from django.apps import AppConfig


class ResearchConfig(AppConfig):
    name = "research"
    verbose_name = "Research"

    def ready(self) -> None:
        from research import access_log
        from research.services import system_checks  # noqa: F401 - importing it registers them

        access_log.listen()
