"""The client of a source of the law, which needs no key: who is kept out leaves the source alone for a while."""

from common.outside.client import TRIPS, Client, Patience, Traffic
from common.outside.pace import Rate


def open_client(name: str, base_url: str, rate: Rate, traffic: Traffic, *, attempt: float = 15.0) -> Client:
    """Without an address the source is not set up. ``attempt`` bounds one try, in seconds."""
    return Client(
        name,
        base_url,
        rate,
        missing=() if base_url else (f"{name.upper()}_BASE_URL",),
        patience=Patience(attempt=attempt, trips=TRIPS | {"denied"}),
        traffic=traffic,
    )
