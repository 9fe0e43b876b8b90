"""Requests that are signed."""

import base64
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from garimpo.contract.errors import BadInput
from garimpo.crawl.fetch.signing import signature_base, signer


def test_a_signature_verifies_with_the_public_key(tmp_path: Path) -> None:
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (tmp_path / "key.pem").write_bytes(pem)
    headers = dict(signer(tmp_path / "key.pem", "https://me.example")("http://a.example:81/x?y"))
    parameters = headers["Signature-Input"].removeprefix("sig1=")
    signature = base64.b64decode(headers["Signature"].removeprefix("sig1=:").removesuffix(":"))
    signed = signature_base("http://a.example:81/x?y", "https://me.example", parameters)
    key.public_key().verify(signature, signed)
    assert b'"@authority": a.example:81' in signed and 'tag="web-bot-auth"' in parameters
    (tmp_path / "bad.pem").write_text("no key")
    with pytest.raises(BadInput, match=r"bad\.pem"):
        signer(tmp_path / "bad.pem", None)
