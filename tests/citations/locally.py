"""Judging a text by the imported lists alone."""

from collections.abc import Sequence
from itertools import zip_longest

from citations.mention import Mention
from citations.verify.judge import Judgement, Lists, Standing, judge, local_standing


def judge_locally(mentions: Sequence[Mention], lists: Lists, text: str = "") -> list[Judgement]:
    """Every citation of a text by the lists alone; each work is looked up once."""
    standings: dict[tuple[str, str | None], Standing] = {}
    judged = []
    for mention, following in zip_longest(mentions, mentions[1:]):
        key = (mention.kind, mention.normalized)
        if key not in standings:
            standings[key] = local_standing(mention, lists)
        judged.append(judge(mention, standings[key], lists, text=text, following=following))
    return judged
