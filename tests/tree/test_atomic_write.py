"""A file is the old one or the new one, whatever happens while it is written."""

from __future__ import annotations

import errno
import os
import random
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import handmade
import pytest

from refusals import lacking, refused
from treewright.errors import FileReadError
from treewright.tree import load, to_bytes
from treewright.tree.file import atomic_write
from treewright.tree.file.atomic_write import (
    _stem,
    write_all_atomically,
    write_atomically,
)
from treewright.tree.file.save import save

HERE = Path(__file__).parent


@pytest.fixture
def old(tmp_path):
    """A folder with a model in it."""
    path = tmp_path / "model.tw"
    save(handmade.tennis(), path)
    return path


def assert_untouched(path):
    assert path.read_bytes() == to_bytes(handmade.tennis())
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_file_is_replaced_and_nothing_is_left(old):
    save(handmade.cart(), old)
    assert old.read_bytes() == to_bytes(handmade.cart())
    assert [entry.name for entry in old.parent.iterdir()] == ["model.tw"]


def test_link_is_kept_and_its_target_replaced(old, tmp_path):
    link = tmp_path / "link.tw"
    link.symlink_to("model.tw")
    save(handmade.cart(), link)
    assert link.is_symlink()
    assert old.read_bytes() == to_bytes(handmade.cart())


def test_dangling_link_makes_its_target(tmp_path):
    link = tmp_path / "link.tw"
    link.symlink_to("new.tw")
    save(handmade.cart(), link)
    assert link.is_symlink()
    assert load(tmp_path / "new.tw").learner == "cart"


def test_permissions_are_passed_on(old):
    old.chmod(0o640)
    save(handmade.cart(), old)
    assert stat.S_IMODE(old.stat().st_mode) == 0o640


def test_new_file_obeys_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        save(handmade.cart(), tmp_path / "new.tw")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.tw").stat().st_mode) == 0o640


def test_folder_as_a_name_is_refused(tmp_path):
    with refused(FileReadError, tmp_path, "folder"):
        save(handmade.cart(), tmp_path)


def test_device_is_not_replaced():
    with refused(FileReadError, "/dev/null", "regular"):
        save(handmade.cart(), "/dev/null")


def test_absent_folder_is_an_error(tmp_path):
    path = tmp_path / "absent" / "model.tw"
    with refused(FileReadError, path, os.strerror(errno.ENOENT)):
        save(handmade.cart(), path)


@pytest.mark.parametrize("step", ["open", "fsync", "replace"])
@pytest.mark.parametrize(
    "error",
    [OSError(28, "No space left on device"), OSError(30, "Read-only file system")],
    ids=["full", "read-only"],
)
def test_system_error_leaves_the_old_file(old, monkeypatch, step, error):
    def fail(*_args, **_options):
        raise error

    monkeypatch.setattr(os, step, fail)
    with refused(FileReadError, old, error.strerror):
        save(handmade.cart(), old)
    monkeypatch.undo()
    assert_untouched(old)


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_interrupt_leaves_the_old_file(old, monkeypatch, step):
    def interrupt(*_args):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, step, interrupt)
    with pytest.raises(KeyboardInterrupt):
        save(handmade.cart(), old)
    monkeypatch.undo()
    assert_untouched(old)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_read_only_folder_is_an_error(old):
    old.parent.chmod(0o500)
    try:
        with refused(FileReadError, old, os.strerror(errno.EACCES)):
            save(handmade.cart(), old)
    finally:
        old.parent.chmod(0o700)
    assert_untouched(old)


@pytest.mark.slow
def test_full_disk_is_an_error(old):
    """A limit on the size of files is as good as a full disk."""
    program = (
        "import resource, sys\n"
        "from treewright.errors import FileReadError\n"
        "from treewright.tree.file.atomic_write import write_atomically\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))\n"
        "try:\n"
        f"    write_atomically({str(old)!r}, bytes(100_000))\n"
        "except FileReadError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert lacking(done.stdout, (old, os.strerror(errno.EFBIG))) == []
    assert_untouched(old)


def test_temporary_of_a_living_process_is_kept(old):
    save(handmade.cart(), old)
    name = f"{_stem(old.name)}{os.getppid()}.0123456789abcdef.tmp"
    (old.parent / name).write_bytes(b"being written")
    save(handmade.cart(), old)
    assert (old.parent / name).exists()


def test_failed_sync_of_the_folder_is_no_error(tmp_path, monkeypatch):
    real = os.fsync

    def only_files(handle):
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(22, "Invalid argument")
        real(handle)

    monkeypatch.setattr(os, "fsync", only_files)
    write_atomically(tmp_path / "file", b"content")
    assert (tmp_path / "file").read_bytes() == b"content"


SAVER = f"""
import sys; sys.path.insert(0, {str(HERE)!r})
import handmade
from treewright.tree.file.save import save
models = [handmade.chain(2000), handmade.chain(3000)]
print("go", flush=True)
for turn in range(10**9):
    save(models[turn % 2], sys.argv[1])
"""


@pytest.mark.slow
def test_kill_at_any_moment_leaves_an_old_or_a_new_file(tmp_path):
    path = tmp_path / "model.tw"
    save(handmade.chain(2000), path)
    whole = {to_bytes(handmade.chain(n)) for n in (2000, 3000)}
    seed = random.Random(5)
    for _ in range(3):
        with subprocess.Popen(
            [sys.executable, "-c", SAVER, str(path)], stdout=subprocess.PIPE
        ) as saver:
            saver.stdout.readline()
            time.sleep(seed.uniform(0.0, 0.1))
            saver.send_signal(signal.SIGKILL)
        assert path.read_bytes() in whole
        assert len(list(tmp_path.iterdir())) <= 2  # at most one stray
    save(handmade.tennis(), path)
    assert_untouched(path)


@pytest.mark.parametrize("fails_at", [0, 1, 2])
def test_of_several_files_all_are_written_or_none(tmp_path, monkeypatch, fails_at):
    paths = [tmp_path / name for name in ("a.svg", "b.svg", "page.md")]
    files = dict.fromkeys(map(str, paths), b"new")
    paths[0].write_bytes(b"old")
    write, n_calls = atomic_write._write_new, []

    def full(path, data, mode):
        n_calls.append(path)
        if len(n_calls) > fails_at:
            Path(path).write_bytes(data[:1])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(path, data, mode)

    monkeypatch.setattr(atomic_write, "_write_new", full)
    with refused(FileReadError, paths[fails_at], os.strerror(errno.ENOSPC)):
        write_all_atomically(files)
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]
    assert paths[0].read_bytes() == b"old"
    monkeypatch.undo()
    write_all_atomically(files)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a.svg",
        "b.svg",
        "page.md",
    ]
    assert not atomic_write._unfinished
