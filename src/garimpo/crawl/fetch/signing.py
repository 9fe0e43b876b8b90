"""Signed requests (Web Bot Auth): HTTP Message Signatures, RFC 9421, with an Ed25519 key of the user's."""

import base64
import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path

from garimpo.contract.errors import BadInput
from garimpo.crawl.fetch.robots import origin
from garimpo.crawl.settings import Settings

VALID_SECONDS = 300
Signer = Callable[[str], list[tuple[str, str]]]


def make_signer(settings: Settings) -> Signer | None:
    """The signer the settings ask for, or None."""
    return None if settings.sign_key is None else signer(Path(settings.sign_key), settings.sign_agent)


def signer(key_file: Path, agent: str | None) -> Signer:
    """A function from a URL to the headers that sign a request for it.

    `key_file` holds an Ed25519 private key in PEM; `agent` is the address of the directory with the public key.
    """
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key
    except ImportError:
        raise BadInput("sign-key: signing needs the extra 'signing' (pip install 'garimpo[signing]')") from None
    try:
        key = load_pem_private_key(key_file.read_bytes(), None)
    except (ValueError, TypeError, OSError) as error:
        raise BadInput(f"{key_file}: no private key in PEM ({error})") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise BadInput(f"{key_file}: not an Ed25519 key")
    name = thumbprint(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))

    def sign(url: str) -> list[tuple[str, str]]:
        parameters = _parameters(name, agent is not None)
        signature = base64.b64encode(key.sign(signature_base(url, agent, parameters))).decode()
        headers = [("Signature-Agent", f'"{agent}"')] if agent else []
        return [*headers, ("Signature-Input", f"sig1={parameters}"), ("Signature", f"sig1=:{signature}:")]

    return sign


def thumbprint(public: bytes) -> str:
    """The JWK thumbprint (RFC 7638) of an Ed25519 public key: how the key is named."""
    jwk = f'{{"crv":"Ed25519","kty":"OKP","x":"{_base64url(public)}"}}'
    return _base64url(hashlib.sha256(jwk.encode()).digest())


def signature_base(url: str, agent: str | None, parameters: str) -> bytes:
    """What is signed (RFC 9421, 2.5)."""
    lines = [f'"@authority": {origin(url).partition("://")[2]}']
    if agent:
        lines.append(f'"signature-agent": "{agent}"')
    return "\n".join([*lines, f'"@signature-params": {parameters}']).encode()


def _parameters(key_name: str, with_agent: bool) -> str:
    covered = '("@authority" "signature-agent")' if with_agent else '("@authority")'
    now, nonce = int(time.time()), base64.b64encode(os.urandom(32)).decode()
    times = f"created={now};expires={now + VALID_SECONDS}"
    return f'{covered};{times};keyid="{key_name}";alg="ed25519";nonce="{nonce}";tag="web-bot-auth"'


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
