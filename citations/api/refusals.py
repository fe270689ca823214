"""What the paths of citations refuse beyond what every path does; all of them become problem documents."""

import math
from datetime import datetime

from rest_framework import status
from rest_framework.exceptions import APIException, ErrorDetail, Throttled


class TooLarge(APIException):
    """The text is larger than is read in one request."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"


class TooMany(Throttled):
    """The person has had more citations read than they may for now; ``members`` go into the problem document."""

    default_code = "too_many_citations"

    def __init__(self, wait_until: datetime, now: datetime) -> None:
        wait = max(1, math.ceil((wait_until - now).total_seconds()))
        super().__init__(wait)
        sentence = f"You have had as many citations read as you may for now; go on in {wait} seconds."
        self.detail = ErrorDetail(sentence, self.default_code)
        self.members = {"wait_until": wait_until.isoformat(timespec="seconds").replace("+00:00", "Z")}
