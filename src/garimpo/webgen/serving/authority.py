"""A made certificate authority for one world, and a certificate for its hosts signed by it."""

import datetime
import ssl
from pathlib import Path

from garimpo.contract.errors import GarimpoError
from garimpo.contract.files import publish_bytes

LONGEST_LIST = 2_000
"""Host names on one certificate; further hosts are served without a name that fits."""


def certificates(folder: Path, hosts: list[str]) -> tuple[Path, Path]:
    """``tls/ca.pem`` (give it to the client) and ``tls/server.pem`` (key and certificate), made if they are not there."""
    authority, server = folder / "tls" / "ca.pem", folder / "tls" / "server.pem"
    if not (authority.exists() and server.exists()):
        (folder / "tls").mkdir(exist_ok=True)
        _make(authority, server, hosts[:LONGEST_LIST])
    return authority, server


def _make(authority: Path, server: Path, hosts: list[str]) -> None:
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.x509.oid import NameOID
    except ImportError:
        raise GarimpoError("serving TLS needs the package cryptography (pip install 'garimpo[test]')") from None

    def name(text: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

    start = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    end = datetime.datetime(2060, 1, 1, tzinfo=datetime.UTC)
    root, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    base = x509.CertificateBuilder().issuer_name(name("Made web")).not_valid_before(start).not_valid_after(end)
    own = base.subject_name(name("Made web")).public_key(root.public_key()).serial_number(1)
    usage = x509.KeyUsage(True, False, False, False, False, True, True, False, False)
    own = own.add_extension(x509.BasicConstraints(True, 0), True).add_extension(usage, True)
    names = x509.SubjectAlternativeName([x509.DNSName(host) for host in hosts])
    leaf = base.subject_name(name("Host of a made web")).public_key(key.public_key()).serial_number(2)
    leaf = leaf.add_extension(names, False).add_extension(x509.BasicConstraints(False, None), True)
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    publish_bytes(authority, own.sign(root, hashes.SHA256()).public_bytes(pem))
    publish_bytes(server, secret + leaf.sign(root, hashes.SHA256()).public_bytes(pem))


def context(server: Path) -> ssl.SSLContext:
    """What the server says in the handshake: HTTP/2 where the client can, else HTTP/1.1."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(server)
    made.set_alpn_protocols(["h2", "http/1.1"])
    return made
