"""How many LEIs a second are checked, against the plain loop that joins the digits and takes the remainder.

The plain loop is the floor: it checks only the remainder. Ours also checks length, alphabet and canonical check digits.
python-stdnum is measured when it is installed. Run: ``python -m bench.lei_checksum``.
"""

import random
import time
from collections.abc import Callable

from entities.lei import complete, is_valid

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = {char: str(value) for value, char in enumerate(ALPHABET)}
COUNT, ROUNDS = 10_000, 25


def plain_loop(lei: str) -> bool:
    """MOD 97-10 and nothing else."""
    return int("".join([DIGITS[char] for char in lei])) % 97 == 1


def candidates() -> dict[str, Callable[[str], bool]]:
    found: dict[str, Callable[[str], bool]] = {
        "plain digit join": plain_loop,
        "entities.lei.is_valid": is_valid,
    }
    try:
        from stdnum import lei as stdnum_lei  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return found
    return found | {"python-stdnum": stdnum_lei.is_valid}


def per_second(check: Callable[[str], bool], leis: list[str]) -> float:
    begin = time.perf_counter()
    good = sum(map(check, leis))
    took = time.perf_counter() - begin
    if good != len(leis):
        raise AssertionError(f"{check} refuses {len(leis) - good} good LEIs")
    return len(leis) / took


def measure() -> list[tuple[str, float, float]]:
    """(name, best checks a second, ratio to the floor), rounds interleaved so that a busy machine hits all alike."""
    draw = random.Random(97)  # noqa: S311 - reproducible, not secret
    leis = [complete("".join(draw.choices(ALPHABET, k=18))) for _ in range(COUNT)]
    checks = candidates()
    rates: dict[str, list[float]] = {name: [] for name in checks}
    for _ in range(ROUNDS):
        for name, check in checks.items():
            rates[name].append(per_second(check, leis))
    best = {name: max(found) for name, found in rates.items()}
    floor = best["plain digit join"]
    return [(name, rate, rate / floor) for name, rate in best.items()]


def main() -> None:
    print(f"LEI check, {COUNT:,} LEIs, best of {ROUNDS} rounds")
    for name, rate, ratio in measure():
        print(f"  {name:<24}{rate:>12,.0f} /s{ratio:>8.2f} x")


if __name__ == "__main__":
    main()
