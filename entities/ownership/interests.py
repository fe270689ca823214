"""Who holds what in whom, as the Beneficial Ownership Data Standard 0.4 (BODS) has it. Values only.

https://standard.openownership.org/en/0.4.0/ names the types of interests and the reasons for which an owner is missing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from types import MappingProxyType
from typing import Literal, TypeAlias

from entities.ownership.shares import UNKNOWN, Share

Way: TypeAlias = Literal["direct", "indirect", "unknown"]


class InterestType(StrEnum):
    """The 23 types of BODS 0.4."""

    SHAREHOLDING = "shareholding"
    VOTING_RIGHTS = "votingRights"
    APPOINTMENT_OF_BOARD = "appointmentOfBoard"
    OTHER_INFLUENCE = "otherInfluenceOrControl"
    SENIOR_MANAGING_OFFICIAL = "seniorManagingOfficial"
    SETTLOR = "settlor"
    TRUSTEE = "trustee"
    PROTECTOR = "protector"
    BENEFICIARY = "beneficiaryOfLegalArrangement"
    SURPLUS_ASSETS = "rightsToSurplusAssetsOnDissolution"
    PROFIT = "rightsToProfitOrIncome"
    RIGHTS_BY_CONTRACT = "rightsGrantedByContract"
    CONDITIONAL_RIGHTS_BY_CONTRACT = "conditionalRightsGrantedByContract"
    CONTROL_BY_ARTICLES = "controlViaCompanyRulesOrArticles"
    CONTROL_BY_LAW = "controlByLegalFramework"
    BOARD_MEMBER = "boardMember"
    BOARD_CHAIR = "boardChair"
    UNKNOWN = "unknownInterest"
    UNPUBLISHED = "unpublishedInterest"
    USE_OF_ASSETS = "enjoymentAndUseOfAssets"
    PROFIT_FROM_ASSETS = "rightToProfitOrIncomeFromAssets"
    NOMINEE = "nominee"
    NOMINATOR = "nominator"


class UnspecifiedReason(StrEnum):
    """Why an owner is not named: the seven reasons of BODS 0.4."""

    NO_BENEFICIAL_OWNERS = "noBeneficialOwners"
    UNABLE_TO_CONFIRM = "subjectUnableToConfirmOrIdentifyBeneficialOwner"
    NOT_PROVIDED = "interestedPartyHasNotProvidedInformation"
    SUBJECT_EXEMPT = "subjectExemptFromDisclosure"
    PARTY_EXEMPT = "interestedPartyExemptFromDisclosure"
    UNKNOWN = "unknown"
    UNKNOWN_TO_PUBLISHER = "informationUnknownToPublisher"


REASONS: Mapping[UnspecifiedReason, str] = MappingProxyType(
    {
        UnspecifiedReason.NO_BENEFICIAL_OWNERS: "there is no beneficial owner",
        UnspecifiedReason.UNABLE_TO_CONFIRM: "the company cannot confirm or identify its owner",
        UnspecifiedReason.NOT_PROVIDED: "the owner has not provided the information",
        UnspecifiedReason.SUBJECT_EXEMPT: "the company is exempt from disclosure",
        UnspecifiedReason.PARTY_EXEMPT: "the owner is exempt from disclosure",
        UnspecifiedReason.UNKNOWN: "the owner is unknown",
        UnspecifiedReason.UNKNOWN_TO_PUBLISHER: "the publisher does not know the owner",
    }
)


class PartyKind(StrEnum):
    """What a party is. ``unknown`` stands for an owner whom nobody names; ``reason`` says why."""

    ENTITY = "entity"
    PERSON = "person"
    ARRANGEMENT = "arrangement"
    STATE = "state"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Party:
    """A party of a structure: ``id`` is unique in it.

    ``listed``: its shares are traded on a public market. ``looked_for``: when its owners were last asked for, None if
    never. ``born`` is a year or a year and month.
    """

    id: str
    name: str
    kind: PartyKind = PartyKind.ENTITY
    reason: UnspecifiedReason | None = None
    jurisdiction: str = ""
    lei: str = ""
    listed: bool = False
    looked_for: date | None = None
    born: str = ""
    nationalities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Interest:
    """``holder`` has an interest in ``held``: both are ids of parties.

    It is in force from ``start`` up to, but not on, ``end``; None is open. ``stated_on`` is the date of the source.
    ``share`` is None for an interest that is no share. ``id`` names the statement it was read from.
    """

    holder: str
    held: str
    type: InterestType = InterestType.SHAREHOLDING
    share: Share | None = None
    way: Way = "direct"
    start: date | None = None
    end: date | None = None
    source: str = ""
    stated_on: date | None = None
    details: str = ""
    id: str = ""
    start_precision: str = "day"  # or month, year
    counts: bool | None = None  # whether the source itself calls it beneficial ownership

    @property
    def since(self) -> str:
        """The beginning as exactly as it is known: 2021, 2021-03 or 2021-03-01; "" where it is open."""
        length = {"year": 4, "month": 7}.get(self.start_precision, 10)
        return self.start.isoformat()[:length] if self.start else ""

    def in_force(self, day: date) -> bool:
        """Whether it holds on the day, as far as is known."""
        return (self.start is None or self.start <= day) and (self.end is None or day < self.end)

    @property
    def amount(self) -> Share:
        """The share; an interest of unknown size is more than nothing."""
        return self.share or UNKNOWN


class Dimension(StrEnum):
    """What shares are counted in. Capital and votes are two graphs that may differ."""

    CAPITAL = "capital"
    VOTES = "votes"
    PROFIT = "profit"
    SURPLUS = "surplus"


COUNTED: Mapping[Dimension, frozenset[InterestType]] = MappingProxyType(
    {
        Dimension.CAPITAL: frozenset({InterestType.SHAREHOLDING}),
        Dimension.VOTES: frozenset({InterestType.VOTING_RIGHTS}),
        Dimension.PROFIT: frozenset({InterestType.PROFIT, InterestType.PROFIT_FROM_ASSETS}),
        Dimension.SURPLUS: frozenset({InterestType.SURPLUS_ASSETS}),
    }
)
# A fixed share of a trust's benefits is counted as a share of what the trust holds.
OF_ARRANGEMENTS = frozenset({InterestType.BENEFICIARY})
# Control without a share. It is passed on down a chain as a majority of votes is.
CONTROL = frozenset(
    {
        InterestType.APPOINTMENT_OF_BOARD,
        InterestType.OTHER_INFLUENCE,
        InterestType.CONTROL_BY_ARTICLES,
        InterestType.CONTROL_BY_LAW,
        InterestType.SETTLOR,
        InterestType.TRUSTEE,
        InterestType.PROTECTOR,
        InterestType.BENEFICIARY,
        InterestType.NOMINATOR,
    }
)


@dataclass(frozen=True)
class Structure:
    """Parties and the interests between them, on a day. Interests not in force on that day are left out.

    The order of ``interests`` changes nothing.
    """

    parties: Mapping[str, Party]
    interests: tuple[Interest, ...]
    as_of: date
    held: Mapping[str, tuple[Interest, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        current: dict[str, list[Interest]] = {}
        for interest in self.interests:
            if interest.in_force(self.as_of):
                current.setdefault(interest.held, []).append(interest)
        object.__setattr__(self, "held", {held: tuple(each) for held, each in current.items()})

    def party(self, id: str) -> Party:
        """The party; one that is only mentioned is an entity of that name."""
        return self.parties.get(id) or Party(id, id)

    def above(self, subject: str) -> list[str]:
        """The subject and everyone who holds an interest in it through any chain, nearest first."""
        found, queue = {subject: None}, [subject]
        for held in queue:
            for interest in self.held.get(held, ()):
                if interest.holder not in found:
                    found[interest.holder] = None
                    queue.append(interest.holder)
        return list(found)
