"""A mint is 32 bytes in base58, and nothing else is one."""

from hypothesis import given
from hypothesis import strategies as st

from entities.lei import complete, is_valid
from entities.markets.mint import ALPHABET, is_mint
from tests.cases import cases
from tests.entities.markets.market import MINT, address


def encode(data: bytes) -> str:
    number, digits = int.from_bytes(data), ""
    while number:
        number, digit = divmod(number, 58)
        digits = ALPHABET[digit] + digits
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + digits


@given(st.binary(min_size=32, max_size=32))
def test_every_32_bytes_are_an_address(data):
    assert is_mint(encode(data))


@given(st.binary(max_size=40).filter(lambda data: len(data) != 32))
def test_any_other_number_of_bytes_is_none(data):
    assert not is_mint(encode(data))


@cases(
    "text",
    [
        "",
        MINT[:31],
        MINT[:40],  # the right shape, but less than 32 bytes
        MINT + "1",
        "z" * 44,  # the right shape, but more than 32 bytes
        "1" * 33,
        MINT.replace("E", "0", 1),
        MINT.replace("E", "l", 1),
        f" {MINT}",
        f"{MINT}\n",
        "Ｅ" + MINT[1:],
    ],
)
def test_it_refuses_what_only_looks_like_one(text):
    assert not is_mint(text)


@given(st.text("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=18, max_size=18))
def test_no_lei_is_an_address(start):
    lei = complete(start)
    assert is_valid(lei)
    assert not is_mint(lei)


def test_the_double_makes_addresses():
    assert is_mint(address(1))
