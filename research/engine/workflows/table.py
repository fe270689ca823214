"""Owners out of a table that a person uploaded: read by code, without a model; reviewed and signed as any result."""

from research.engine.results import Extras
from research.engine.stops import Ended
from research.engine.worker import Worker
from research.jsontext import JsonObject

TOOL = "owners_table"
OPTIONS = ("header_row", "owned", "owner_type", "unit", "day_order")


class OwnersTable:
    """read → checks → result. The rows that cannot be read are limitations of it."""

    def perform(self, worker: Worker) -> None:
        params = worker.run.params
        columns = {role: place for role, place in params["columns"].items() if place}
        given = {name: params[name] for name in OPTIONS if params.get(name) not in (None, "")}
        [answer] = worker.gather("table", [(TOOL, {"table": params["table"], "columns": columns, **given})])
        if not answer["success"]:
            raise Ended(answer["error"]["code"], answer["error"]["message"])
        read = answer["data"]
        if not read["owners"]:
            raise Ended("nothing_read", f"No row of the table can be read. {_told(read['faults'])}")
        data: JsonObject = {
            "source": {"name": params["source"], "stated_on": params["stated_on"]},
            "ownership_chain": read["owners"],
        }
        if read["faults"]:
            data["not_read"] = read["faults"]
        limitations = [*read["notes"], *filter(None, [_told(read["faults"])])]
        worker.conclude_data(data, Extras(limitations=limitations))


def _told(faults: list[JsonObject]) -> str:
    """One sentence about the rows that were not read, with the first of them."""
    if not faults:
        return ""
    first = faults[0]
    count = f"{len(faults)} row{'s' * (len(faults) != 1)} could not be read"
    return f"{count}; row {first['row']}, {first['column'].replace('_', ' ')}: {first['reason']}."
