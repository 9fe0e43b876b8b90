"""Which addresses are not of the public internet."""

import pytest

from garimpo.url.addresses import is_private_address


@pytest.mark.parametrize(
    ("address", "private"),
    [
        ("8.8.8.8", False), ("127.0.0.1", True), ("169.254.169.254", True), ("0.0.0.0", True), ("::1", True),
        ("::ffff:10.0.0.1", True), ("64:ff9b::7f00:1", True), ("2002:7f00:1::", True), ("fd00::1", True),
        ("2606:4700:4700::1111", False), ("100.64.0.1", True), ("224.0.0.1", True),
    ],
)  # fmt: skip
def test_private_addresses_in_all_their_disguises(address: str, private: bool) -> None:
    assert is_private_address(address) is private
