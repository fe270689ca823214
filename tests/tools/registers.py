"""Settings under which national registers are asked, each over its fake."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from tests.entities.registers import doubles
from tests.entities.registers.fake import Fake


@contextmanager
def set_up(settings, *names: str) -> Iterator[dict[str, Fake]]:
    """The registers called ``names``, with their keys; the fakes by name."""
    with ExitStack() as stack:
        fakes = {name: stack.enter_context(Fake()) for name in names}
        for name, fake in fakes.items():
            _set_up_one(settings, name, fake)
        settings.DOSSIER_REGISTERS = list(names)
        yield fakes


def _set_up_one(settings, name: str, fake: Fake) -> None:
    getattr(doubles, f"{name}_fake")(fake)
    keys = {
        "companies_house": {"COMPANIES_HOUSE_API_KEY": doubles.CH_KEY},
        "edgar": {"SEC_EDGAR_USER_AGENT": doubles.CONTACT, "SEC_EDGAR_FILES_URL": fake.url},
        "fca": {"FCA_API_EMAIL": doubles.FCA_EMAIL, "FCA_API_KEY": doubles.FCA_KEY},
        "zefix": {"ZEFIX_USER": doubles.ZEFIX_USER, "ZEFIX_PASSWORD": doubles.ZEFIX_PASSWORD},
    }
    prefix = "SEC_EDGAR" if name == "edgar" else name.upper()
    for key, value in {**keys.get(name, {}), f"{prefix}_BASE_URL": fake.url}.items():
        setattr(settings, key, value)
