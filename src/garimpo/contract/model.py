"""The one container for trained models: a zip with `model.json` and `.npy` arrays. Never pickle."""

import io
import os
import struct
import tokenize
import zipfile
import zlib
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish
from garimpo.contract.versions import MODEL_FORMAT, WORDS

_EPOCH = (1980, 1, 1, 0, 0, 0)
MOST_BYTES = 1 << 29
"""What a model may take unpacked."""
_DAMAGE = (
    OSError, zipfile.BadZipFile, KeyError, ValueError, msgspec.DecodeError, zlib.error, EOFError, tokenize.TokenError,
    SyntaxError, NotImplementedError, RuntimeError, OverflowError, struct.error, MemoryError, TypeError,
)  # fmt: skip
"""What reading a damaged zip file or array can raise."""


@dataclass(slots=True)
class Model:
    """A trained model as stored: what it is (`kind`, `method`), its plain parameters, and its arrays.

    Args:
        parameters: plain values by name.
        arrays: arrays of numbers by name.
        threshold: the score from which the answer is yes.
        words: the definition of words it was made with.
    """

    kind: str
    method: str
    parameters: dict[str, Any] = field(default_factory=dict)
    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)
    threshold: float = 0.5
    words: str = WORDS


def save_model(path: str | os.PathLike[str], model: Model) -> None:
    """Write a model by atomic rename; the same model gives the same bytes.

    Args:
        path: the file.
        model: what to write.
    """
    head = {
        "format": "garimpo-model",
        "version": MODEL_FORMAT,
        "kind": model.kind,
        "method": model.method,
        "parameters": model.parameters,
        "words": model.words,
        "threshold": model.threshold,
    }
    with publish(path) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "model.json", msgspec.json.format(msgspec.json.encode(head), indent=1))
        for name in sorted(model.arrays):
            buffer = io.BytesIO()
            np.save(buffer, model.arrays[name], allow_pickle=False)
            _add(archive, f"{name}.npy", buffer.getvalue())


def load_model(path: str | os.PathLike[str], kind: str) -> Model:
    """Read a model of the given kind; anything else is `BadInput`.

    Args:
        path: the file.
        kind: what kind of model it must be.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
            if size > MOST_BYTES:
                raise BadInput(f"{path}: a model of {size:,} bytes unpacked, over {MOST_BYTES:,}")
            head = msgspec.json.decode(archive.read("model.json"))
            arrays = {
                name.removesuffix(".npy"): np.load(io.BytesIO(archive.read(name)), allow_pickle=False)
                for name in archive.namelist()
                if name.endswith(".npy")
            }
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file") from None
    except _DAMAGE as error:
        raise BadInput(f"{path}: not a model file ({' '.join(str(error).split())[:200]})") from None
    if not isinstance(head, dict) or head.get("format") != "garimpo-model":
        raise BadInput(f"{path}: not a model file")
    if head.get("version") != MODEL_FORMAT:
        raise BadInput(f"{path}: model format {head.get('version')}, this program reads {MODEL_FORMAT}: train it again")
    missing = [name for name in ("kind", "method", "parameters", "words", "threshold") if name not in head]
    if missing:
        raise BadInput(f"{path}: not a model file (it lacks {', '.join(missing)})")
    if head["kind"] != kind:
        raise BadInput(f"{path}: a {head['kind']} model, not a {kind} model")
    if head["words"] != WORDS:
        raise BadInput(f"{path}: made with {head['words']}, this program has {WORDS}: train it again")
    return Model(kind, head["method"], head["parameters"], arrays, head["threshold"], head["words"])


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)
