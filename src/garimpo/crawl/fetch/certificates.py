"""Which certificate authorities are trusted: the system's, wherever this system keeps them."""

import functools
import ssl
from pathlib import Path

_PLACES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/cert.pem",
    "/etc/ssl/ca-bundle.pem",
)


@functools.cache
def bundle() -> str | None:
    """The file of trusted certificates, or None to leave it to libcurl."""
    paths = ssl.get_default_verify_paths()
    return next((place for place in (paths.cafile, paths.openssl_cafile, *_PLACES) if place and Path(place).is_file()), None)
