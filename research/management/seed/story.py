"""What happens in the example, when, and in which case.

Every company in it is one of the demo register (``entities/gleif/demo``: real entities, public data of GLEIF), and what
is said of it is what that register says. Invented is who asked and decided, and why; and the company that nobody finds.
"""

from typing import NamedTuple

from research.jsontext import JsonObject
from research.management.seed.acts import (
    Act,
    approve,
    ask,
    ask_for_changes,
    execute,
    look_again,
    look_every,
    reject,
    roll_back,
    vouch_for,
    write_memo,
)
from research.models.states import Autonomy
from research.services.reviews import Patch

NOBODY = "Example Fishing & Sons (invented)"


class Moment(NamedTuple):
    """One act, so many days before today."""

    days: float
    case: str
    act: Act


def without_the_last_fund(data: JsonObject) -> Patch:
    """The edit of a reviewer, which a later look finds missing."""
    return [{"op": "remove", "path": f"/funds/{len(data['funds']) - 1}"}]


ALLIANZ, SHELL, FUNDS = "Example: the Allianz group", "Example: Shell", "Example: who owns the fund manager"
BANK, PUMA, AIRPORT = (
    "Example: a bank that was taken back",
    "Example: PUMA, rejected",
    "Example: Fraport, changed",
)
MICROSOFT, APPLE = "Example: Microsoft in the register", "Example: Apple, approved only"

STORY: tuple[Moment, ...] = (
    Moment(38.2, ALLIANZ, ask("client-discovery", client_name="Allianz SE")),
    Moment(37.9, ALLIANZ, approve("The last fund is looked at in a case of its own.", without_the_last_fund)),
    Moment(37.8, ALLIANZ, execute),
    Moment(37.7, ALLIANZ, write_memo),
    Moment(
        36.5,
        ALLIANZ,
        vouch_for("529900K9B0N5BT694847", "Read beside the record of the register, field by field."),
    ),
    Moment(33.1, SHELL, ask("client-discovery", client_name="Shell plc")),
    Moment(32.6, SHELL, approve()),
    Moment(32.5, SHELL, execute),
    Moment(30.2, FUNDS, ask("ubo-investigation", entity_name="Allianz Global Investors GmbH")),
    Moment(29.4, FUNDS, approve()),
    Moment(29.3, FUNDS, execute),
    Moment(29.2, FUNDS, write_memo),
    Moment(29.1, FUNDS, look_every(35)),
    Moment(24.3, PUMA, ask("client-discovery", client_name="PUMA SE")),
    Moment(24.0, PUMA, reject("The client is PUMA Europe GmbH, not the head of its group.")),
    Moment(20.4, BANK, ask("client-discovery", client_name="COMMERZBANK Aktiengesellschaft")),
    Moment(20.1, BANK, approve()),
    Moment(20.0, BANK, execute),
    Moment(18.6, BANK, roll_back("The mandate was not accepted, so nothing about this client is kept.")),
    Moment(
        16.2, AIRPORT, ask("client-discovery", client_name="Fraport AG Frankfurt Airport Services Worldwide")
    ),
    Moment(14.3, MICROSOFT, ask("regulatory-check", entity_name="MICROSOFT CORPORATION")),
    Moment(14.0, MICROSOFT, approve("Supervisors are asked in writing.")),
    Moment(13.9, MICROSOFT, execute),
    Moment(
        12.5,
        "Example: what memory knows",
        ask("entity-research", identifiers=["SHELL PLC", "PUMA SE", "GITHUB INC"]),
    ),
    Moment(9.3, SHELL, look_again),
    Moment(6.2, ALLIANZ, look_again),
    Moment(5.4, APPLE, ask("client-discovery", client_name="Apple Inc.")),
    Moment(5.1, APPLE, approve()),
    Moment(4.3, AIRPORT, ask_for_changes("Please look once more, and say what the register does not tell.")),
    Moment(3.2, "Example: Provenant", ask("ubo-investigation", entity_name="PROVENANT INC.")),
    Moment(2.8, "Example: nobody of that name", ask("client-discovery", client_name=NOBODY)),
    Moment(
        2.1,
        "Example: a question of Swiss law",
        ask(
            "legal-research",
            autonomy=Autonomy.CAUTIOUS,
            question="Was sind die Voraussetzungen der Mängelhaftung im Werkvertrag?",
        ),
    ),
    Moment(
        1.2, "Example: a model is needed", ask("deep-research", question="Which of our clients are listed?")
    ),
    Moment(0.3, "Example: Amazon", ask("client-discovery", client_name="AMAZON.COM, INC.")),
)
