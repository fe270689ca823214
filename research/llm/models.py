"""Choosing a researcher by its name, as ``DOSSIER_MODEL`` writes it."""

from research.llm.base import Model
from research.llm.register.model import RegisterModel


class UnknownModel(ValueError):
    """This name is no researcher that Dossier can open."""


def open_model(name: str) -> Model:
    """``register`` is the keyless researcher; language models join here with their adapters.

    Raises:
        UnknownModel: with the names that are known.
    """
    if name == "register":
        return RegisterModel()
    raise UnknownModel(f"DOSSIER_MODEL: {name!r} is not known; use: register")
