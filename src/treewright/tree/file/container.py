"""The file as bytes: a safetensors container with a signed JSON header.

The container is eight bytes of length, a JSON table of the arrays, and the arrays. Our
header is a JSON text under the one metadata key "treewright". Nothing in a file is ever
executed. This part knows the container, the version and the checksum; `header.py` and
`arrays.py` know what stands in it. docs/model-format.md describes it for other readers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from treewright.errors import ModelFileError
from treewright.tree.file.strict_json import canonical_json, parse_json, take

Arrays = Mapping[str, npt.NDArray[Any]]

FORMAT_MAJOR = 1
FORMAT_MINOR = 7
FORMAT = f"{FORMAT_MAJOR}.{FORMAT_MINOR}"

_KEY = "treewright"


def pack(header: Mapping[str, Any], arrays: Arrays) -> bytes:
    """Return the bytes of a file; equal contents give equal bytes."""
    import safetensors.numpy  # noqa: PLC0415 - only files need it

    tidy = {name: np.ascontiguousarray(arrays[name]) for name in sorted(arrays)}
    signed = {**header, "format": header.get("format", FORMAT)}
    signed["checksum"] = checksum(signed, tidy)
    # one key only: the container writes several in no fixed order
    return safetensors.numpy.save(tidy, {_KEY: canonical_json(signed)})


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Return header and arrays of a file that is whole and of a version we read."""
    import safetensors  # noqa: PLC0415
    import safetensors.numpy  # noqa: PLC0415

    table = _read_table(data)
    header = _read_header(table)
    _check_format(header)
    try:
        arrays = safetensors.numpy.load(data)
    except (safetensors.SafetensorError, ValueError, KeyError) as error:
        # the container checks every shape against the file's size before it allocates;
        # the others are dtypes and shapes that NumPy does not have
        raise ModelFileError(f"damaged model file: {error}") from None
    stated = take(header, "checksum", str)
    if stated != checksum(header, arrays):
        raise ModelFileError(
            "damaged model file: the checksum does not match the content; "
            "save the model again or restore the file"
        )
    return header, arrays


def checksum(header: Mapping[str, Any], arrays: Arrays) -> str:
    """Return the sha256 (hex) over the header without its checksum and all arrays."""
    digest = hashlib.sha256()
    content = {key: value for key, value in header.items() if key != "checksum"}
    digest.update(canonical_json(content).encode())
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(canonical_json([name, array.dtype.name, array.shape]).encode())
        little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        digest.update(little.reshape(-1).view(np.uint8).data)
    return digest.hexdigest()


def _read_table(data: bytes) -> dict[str, Any]:
    """The container's own table of contents, as strictly read as ours."""
    known = describe_foreign(data)
    if known is not None:
        raise ModelFileError(f"not a treewright model: {known}")
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or data[8:9] not in (b"{", b""):
        raise ModelFileError("not a treewright model: the bytes make no sense")
    if length > len(data) - 8:
        raise ModelFileError(
            "not a treewright model: the file is cut short or was never whole"
        )
    try:
        text = data[8 : 8 + length].decode()
    except UnicodeDecodeError:
        raise ModelFileError(
            "not a treewright model: its header is not UTF-8 text"
        ) from None
    return _object(text)


def _read_header(table: dict[str, Any]) -> dict[str, Any]:
    """Our header in the container's metadata."""
    metadata = table.get("__metadata__")
    if not isinstance(metadata, dict) or _KEY not in metadata:
        raise ModelFileError(
            "not a treewright model: a safetensors file without a treewright header"
        )
    return _object(take(metadata, _KEY, str))


def _object(text: str) -> dict[str, Any]:
    data = parse_json(text)
    if not isinstance(data, dict):
        raise ModelFileError("not a treewright model: its header is not an object")
    return data


def _check_format(header: dict[str, Any]) -> None:
    """Refuse a newer major version; a newer minor one only adds optional parts."""
    written = take(header, "format", str)
    major, dot, minor = written.partition(".")
    if not (dot and _is_number(major) and _is_number(minor)):
        raise ModelFileError(f"not a treewright model: format {written[:40]!r}")
    if int(major) != FORMAT_MAJOR:
        raise ModelFileError(
            f"written by format {int(major)}, this treewright reads {FORMAT_MAJOR}; "
            "install a treewright that knows it"
        )


def _is_number(text: str) -> bool:
    """Whether a version part is a plain number."""
    return text.isascii() and text.isdigit() and len(text) <= 6


_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x1f\x8b", "a gzip file"),
    (b"PAR1", "a Parquet table"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x89HDF", "an HDF5 file"),
)
_PICKLE = "a Python pickle, which treewright does not open: it can run code"
_PICKLE_STARTS = tuple(bytes([0x80, protocol]) for protocol in range(2, 6))


def describe_foreign(data: bytes) -> str | None:
    """Return what a file is, from its first bytes; None if nothing is known of it."""
    if not data:
        return "the file is empty"
    if data.startswith(_PICKLE_STARTS) or _is_old_pickle(data):
        return _PICKLE
    for magic, what in _MAGIC:
        if data.startswith(magic):
            return what
    if data.lstrip()[:1] in (b"{", b"["):
        return "JSON text"
    return None


def _is_old_pickle(data: bytes) -> bool:
    """Whether the bytes are a pickle of protocol 0 or 1, which have no mark.

    Its instructions are listed, not run.
    """
    if not data.endswith(b"."):
        return False
    import pickletools  # noqa: PLC0415 - only for files that are no models

    try:
        return all(True for _ in pickletools.genops(data))
    except Exception:  # the lister raises whatever the bytes provoke
        return False
