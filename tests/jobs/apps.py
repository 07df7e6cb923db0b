from django.apps import AppConfig


class RehearsalsConfig(AppConfig):
    """Registers the kinds of the tests, as an upper room does with its own."""

    name = "tests.jobs"
    label = "rehearsals"

    def ready(self) -> None:
        import tests.jobs.kinds  # noqa: F401
