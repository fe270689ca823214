"""The numbers that registers give to companies: what is one, and how it is written. Pure.

Swiss UID: eCH-0097, modulus 11 with the weights 5 4 3 2 7 6 5 4. Companies House: eight characters, numbers padded with
zeros, some with two letters in front. SEC: the Central Index Key, ten digits. FCA: the Firm Reference Number.
"""

import re

from entities.registers.errors import BadNumber

_UID = re.compile(r"CHE([0-9]{9})(?:MWST|TVA|IVA|HR|RC)?")
_COMPANY = re.compile(r"(?:[A-Z]{2}[0-9]{1,6}|R0[0-9]{1,6}|[0-9]{1,8}|[A-Z]{2}[0-9]{5}[A-Z])")
_WEIGHTS = (5, 4, 3, 2, 7, 6, 5, 4)
MAX_WRITTEN = 40


def swiss_uid(written: str) -> str:
    """ "CHE-123.456.788" of any spelling of a UID. Raises BadNumber when the form or the check digit is wrong."""
    found = _UID.fullmatch(_bare(written))
    if not found:
        raise BadNumber(
            f"“{_shown(written)}” is not a Swiss UID: CHE and nine digits, as in CHE-123.456.788."
        )
    digits = found[1]
    if uid_check_digit(digits[:8]) != int(digits[8]):
        raise BadNumber(f"The check digit of the Swiss UID {_dotted(digits)} is wrong.")
    return _dotted(digits)


def uid_check_digit(eight: str) -> int:
    """The ninth digit; 10 for a number that is never given out."""
    rest = sum(int(digit) * weight for digit, weight in zip(eight, _WEIGHTS, strict=True)) % 11
    return (11 - rest) % 11


def uid_digits(uid: str) -> str:
    """ "CHE123456788", as services want it."""
    return uid.replace("-", "").replace(".", "")


def company_number(written: str) -> str:
    """ "00445790" or "SC123456". Raises BadNumber."""
    bare = _bare(written)
    if not _COMPANY.fullmatch(bare):
        raise BadNumber(
            f"“{_shown(written)}” is not a company number: eight digits, or two letters and six digits."
        )
    if bare.isdigit():
        return bare.zfill(8)
    return bare if len(bare) == 8 else bare[:2] + bare[2:].zfill(6)


def cik(written: str) -> str:
    """Ten digits: "0000320193". Raises BadNumber."""
    bare = _bare(written).removeprefix("CIK")
    if not bare.isascii() or not bare.isdigit() or len(bare) > 10 or not int(bare):
        raise BadNumber(f"“{_shown(written)}” is not a CIK: up to ten digits.")
    return bare.zfill(10)


def firm_reference(written: str) -> str:
    """Up to seven digits: "122702". Raises BadNumber."""
    bare = _bare(written).removeprefix("FRN")
    if not bare.isascii() or not bare.isdigit() or len(bare) > 7 or not int(bare):
        raise BadNumber(f"“{_shown(written)}” is not a firm reference number: up to seven digits.")
    return bare.lstrip("0")


def _bare(written: str) -> str:
    return "".join(char for char in written[:MAX_WRITTEN].upper() if char not in " -.\u00a0\t/")


def _dotted(digits: str) -> str:
    return f"CHE-{digits[:3]}.{digits[3:6]}.{digits[6:]}"


def _shown(written: str) -> str:
    return " ".join(written.split())[:MAX_WRITTEN]
