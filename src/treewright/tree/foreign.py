"""Telling what a file is that is not a model, so that the message can say so."""

from __future__ import annotations

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
