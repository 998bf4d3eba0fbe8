"""The bytes of a text file in blocks, always as UTF-8.

gzip is known by its first bytes, whatever the file's name. Wrong bytes are refused with
the number of the line in which they stand. Memory is bounded by the block.
"""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from treewright.errors import FileReadError, SettingError

BLOCK_BYTES = 1 << 20
GZIP_MAGIC = b"\x1f\x8b"
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def byte_blocks(
    path: Path, encoding: str = "utf-8", raw: Iterable[bytes] | None = None
) -> Iterator[bytes]:
    """Yield the text of a file as UTF-8 bytes without a byte order mark.

    - `path`: the file, compressed with gzip or not.
    - `encoding`: how the file encodes its text.
    - `raw`: its bytes, an empty block at the end, if they are not to be read from
      `path`.
    - Raises `FileReadError`: the file is not there, is damaged, or is not text in this
      encoding.
    """
    try:
        decoder = codecs.getincrementaldecoder(encoding)()
    except LookupError:
        raise SettingError(
            f"encoding {encoding!r} is not known; use for example 'utf-8' or 'latin-1'"
        ) from None
    n_lines = 0
    for n_block, block in enumerate(_raw_blocks(path) if raw is None else raw):
        text = _decode(decoder, block, path=path, encoding=encoding, n_lines=n_lines)
        if n_block == 0:
            text = text.removeprefix("\ufeff")
        if "\0" in text:
            line = n_lines + text.count("\n", 0, text.index("\0")) + 1
            raise FileReadError(
                f"{path}, line {line}: a NUL byte, which text does not have; "
                "export the file again, or remove the byte"
            )
        n_lines += text.count("\n")
        yield text.encode()


def read_lines(path: Path, encoding: str = "utf-8") -> list[str]:
    """Return the lines of a text file."""
    return b"".join(byte_blocks(path, encoding)).decode().splitlines()


def _raw_blocks(path: Path) -> Iterator[bytes]:
    """Yield the bytes of the file, unpacked; an empty block marks the end."""
    try:
        with path.open("rb") as file:
            packed = file.read(2) == GZIP_MAGIC
            file.seek(0)
            stream: IO[bytes] = gzip.open(file) if packed else file  # type: ignore[assignment]
            while block := stream.read(BLOCK_BYTES):
                yield block
            yield b""
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FileReadError(
            f"{path}: the gzip data is damaged ({error}); fetch the file again"
        ) from None
    except OSError as error:
        reason = error.strerror or error
        raise FileReadError(
            f"{path} cannot be read: {reason}; check the path"
        ) from None


def _decode(
    decoder: codecs.IncrementalDecoder,
    block: bytes,
    *,
    path: Path,
    encoding: str,
    n_lines: int,
) -> str:
    """Return the block as text; a character may be cut at its end."""
    kept, _ = decoder.getstate()
    try:
        return decoder.decode(block, final=not block)
    except UnicodeDecodeError as error:
        line = n_lines + (kept + block).count(b"\n", 0, error.start) + 1
        wrong = error.object[error.start]
        other = "utf-16" if block.startswith(_UTF16_MARKS) else "latin-1"
        raise FileReadError(
            f"{path}, line {line}: byte 0x{wrong:02x} is not {encoding}; "
            f"say how the file is encoded, for example encoding={other!r}"
        ) from None
