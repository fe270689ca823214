"""The verb that states who owns or controls whom, with the whole interest: type, share or band, days."""

from decimal import Decimal
from typing import Any

from entities import memory
from entities.memory import ChangeLog
from entities.memory.facts import Period
from entities.memory.interests import HELD, OWNERSHIP, TYPES, record_interest
from entities.models import Entity
from entities.ownership.interests import InterestType
from entities.ownership.shares import BAND, BadShare, Share, share_of_ends
from research.verbs.handlers.base import Context, Handler, JsonObject, VerbRefused, Write, find_entity
from research.verbs.handlers.memory import stated_days

# The precision of percentages in memory, so that repeating a statement changes nothing.
PLACES = Decimal("0.0001")
OWNER_TYPES = {
    "person": Entity.Type.PERSON,
    "fund": Entity.Type.FUND,
    "legal-entity": Entity.Type.LEGAL_ENTITY,
    "trust": Entity.Type.LEGAL_ENTITY,
    "government": Entity.Type.LEGAL_ENTITY,
}


def record_ownership(arguments: JsonObject, context: Context) -> Write:
    """Ownership or control, exact, as a band, or of a size that nobody states."""
    owner = Party(arguments, "owner", context, says_what=True)
    owned = Party(arguments, "owned", context)
    kind = str(arguments.get("ownership-type") or "direct_ownership")
    type, way = TYPES[kind]
    interest = InterestType(arguments["interest"]) if arguments.get("interest") else type
    share, percentage = stated_share(arguments), arguments.get("percentage")
    when = stated_days(arguments)
    source = arguments.get("source") or context.source

    def write(log: ChangeLog) -> JsonObject:
        above, below = owner(log), owned(log)
        if arguments.get("interest") or (share and not share.is_exact):
            start, end = when.get("valid_from"), when.get("valid_to")
            record_interest(
                subject=below,
                holder=above,
                type=interest,
                share=share,
                way=way,
                valid=Period(start, end, *when["precision"]),
                source=source,
                as_of=when["as_of"],
                log=log,
            )
        else:
            memory.link(
                subject=below,
                object=above,
                type=HELD[type not in OWNERSHIP],
                percentage=share.low if share else None,
                source=source,
                metadata={"ownership_type": kind},
                log=log,
                **when,
            )
        return {"owner": above.slug, "owned": below.slug, "percentage": percentage, "share": str(share or "")}

    return Write(write, owner.about | owned.about)


def stated_share(arguments: JsonObject) -> Share | None:
    """The exact percentage or the band; None where neither is stated. Raises VerbRefused for a band without a value."""
    exact = arguments.get("percentage")
    if exact is not None:
        return Share.exactly(Decimal(str(exact)).quantize(PLACES))
    stated = {name: arguments.get(name.replace("_", "-")) for name in BAND}
    ends = {name: Decimal(str(end)).quantize(PLACES) for name, end in stated.items() if end is not None}
    try:
        return share_of_ends(ends) if ends else None
    except BadShare as error:
        raise VerbRefused(str(error)) from None


class Party:
    """One side of an ownership: an entity in memory, or a party stated by LEI or name.

    With ``says_what`` a name that memory does not know needs ``{side}-type``: a person is not made a company in
    silence. Whoever has an LEI is a legal entity.
    """

    def __init__(
        self, arguments: JsonObject, side: str, context: Context, *, says_what: bool = False
    ) -> None:
        self._lei = arguments.get(f"{side}-lei") or ""
        self._name = arguments.get(f"{side}-name") or ""
        self._source = context.source
        self._said = str(arguments.get(f"{side}-type") or "")
        reference = arguments.get(side)
        self._entity = find_entity(reference, context) if reference else None
        if not (self._entity or self._lei or self._name):
            raise VerbRefused(f"ownership needs {side}, {side}-lei or {side}-name")
        if says_what and not (self._entity or self._lei or self._said):
            self._entity = memory.resolve(self._name).entity
            if self._entity is None:
                raise VerbRefused(
                    f"nobody knows what {self._name[:100]} is: say it with {side}-type ({', '.join(OWNER_TYPES)})"
                )

    @property
    def about(self) -> set[str]:
        """The keys of the entity, and of those that its name and LEI may turn out to be."""
        named = {"names": [self._name or self._lei], "leis": [self._lei]}
        return memory.keys_of(self._entity) if self._entity else memory.keys_of(**named)

    def __call__(self, log: ChangeLog) -> Entity:
        details: dict[str, Any] = {"stated_by": self._source}
        if self._said in ("trust", "government"):
            details["entity_type"] = self._said
        return self._entity or memory.ensure_entity(
            name=self._name or self._lei,
            type=OWNER_TYPES.get(self._said, Entity.Type.LEGAL_ENTITY),
            lei=self._lei,
            metadata=details,
            log=log,
        )


HANDLERS: dict[str, Handler] = {"ownership.record": record_ownership}
