import io
import zipfile
from http.client import HTTPResponse
from pathlib import Path

import pytest
from tests.data.benchmarks.test_zinc import molecule, write_raw
from torch_geometric.datasets import ZINC, MoleculeNet

from argnp.data.benchmarks.download import NoDownloadError, fetch
from argnp.data.benchmarks.named import load_named
from argnp.errors import UserError


def half_a_file(failure):
    def download(scratch):
        (scratch / "raw").mkdir()
        (scratch / "raw" / "set.csv").write_text("half")
        raise failure

    return download


def both_files(scratch):
    (scratch / "raw" / "more").mkdir(parents=True)
    for name in ("a.txt", "b.txt", "more/c.txt"):
        (scratch / "raw" / name).write_text("theirs")
    return scratch / "raw"


@pytest.mark.parametrize("failure", [OSError("gone"), SystemExit(-1), EOFError("cut off")])
def test_half_a_download_leaves_nothing(tmp_path, failure):
    folder = tmp_path / "Set" / "raw"
    with pytest.raises(NoDownloadError, match=r"set: set.csv is missing.*http://set") as told:
        fetch("set", folder, ["set.csv"], "http://set", half_a_file(failure))
    assert str(folder) in str(told.value)
    assert not list(tmp_path.iterdir())


def test_an_interrupted_download_leaves_nothing(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        fetch("set", tmp_path / "raw", ["set.csv"], "http://set", half_a_file(KeyboardInterrupt()))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("promised", "arrives"), [(4, True), (9, False)])
def test_a_connection_closed_early_is_no_end_of_the_file(tmp_path, promised, arrives):
    class Connection:
        def makefile(self, _mode):
            return io.BytesIO(f"HTTP/1.1 200 OK\r\nContent-Length: {promised}\r\n\r\nhalf".encode())

    def download(scratch):
        answer = HTTPResponse(Connection())
        answer.begin()
        with (scratch / "set.csv").open("wb") as out:
            while chunk := answer.read(100):
                out.write(chunk)
        return scratch

    if arrives:
        fetch("set", tmp_path / "raw", ["set.csv"], "http://set", download)
        assert (tmp_path / "raw" / "set.csv").read_text() == "half"
        return
    with pytest.raises(NoDownloadError, match=r"set.csv is missing.*5 more expected"):
        fetch("set", tmp_path / "raw", ["set.csv"], "http://set", download)
    assert not list(tmp_path.iterdir())


def test_files_that_are_there_stay_as_they_are(tmp_path):
    (tmp_path / "raw" / "more").mkdir(parents=True)
    (tmp_path / "raw" / "a.txt").write_text("mine")
    with pytest.raises(NoDownloadError, match=r"b.txt is missing"):
        fetch("set", tmp_path / "raw", ["a.txt", "b.txt"], "http://set", half_a_file(OSError()))
    assert (tmp_path / "raw" / "a.txt").read_text() == "mine"
    fetch("set", tmp_path / "raw", ["a.txt", "b.txt", "more/c.txt"], "http://set", both_files)
    texts = [(tmp_path / "raw" / name).read_text() for name in ("a.txt", "b.txt", "more/c.txt")]
    assert texts == ["mine", "theirs", "theirs"]
    assert [path.name for path in tmp_path.iterdir()] == ["raw"]


def test_a_download_without_the_file_says_so(tmp_path):
    with pytest.raises(NoDownloadError, match=r"d.txt was not in the download") as told:
        fetch("set", tmp_path / "raw", ["a.txt", "d.txt"], "http://set", both_files)
    assert str(tmp_path / "raw") in str(told.value)


def test_a_truncated_table_is_not_read_the_next_time(tmp_path, monkeypatch):
    pytest.importorskip("rdkit")

    def download(self):
        file = Path(self.raw_dir) / "delaney-processed.csv"
        file.write_text("head\nx,a,b,c,d,e,f,g,-1,CC")
        raise OSError("the line is dead")

    monkeypatch.setattr(MoleculeNet, "download", download)
    for _ in range(2):
        with pytest.raises(UserError, match=r"delaney-processed.csv is missing.*line is dead"):
            load_named("moleculenet:ESOL", tmp_path)
    assert not (tmp_path / "esol").exists()


def test_a_truncated_archive_is_fetched_anew(tmp_path, monkeypatch):
    fetched = []

    def download_url(url, folder):
        fetched.append(url)
        path = Path(folder) / "molecules.zip"
        path.write_bytes(b"PK half of it")
        return str(path)

    monkeypatch.setattr("torch_geometric.datasets.zinc.download_url", download_url)
    for _ in range(2):
        with pytest.raises(UserError, match=r"train.pickle is missing.*not a zip file"):
            load_named("zinc", tmp_path)
    assert fetched == [ZINC.url] * 2
    assert not list(tmp_path.iterdir())


def test_an_archive_arrives_in_its_place(tmp_path, monkeypatch):
    write_raw(tmp_path / "published" / "molecules", [molecule(n + 2, float(n)) for n in range(5)])

    def download_url(url, folder):
        source = tmp_path / "published" / "molecules"
        path = Path(folder) / url.rpartition("/")[2].split("?")[0]
        if path.suffix == ".index":
            path.write_text((source / path.name).read_text())
            return str(path)
        with zipfile.ZipFile(path, "w") as archive:
            for file in source.glob("*.pickle"):
                archive.write(file, f"molecules/{file.name}")
        return str(path)

    monkeypatch.setattr("torch_geometric.datasets.zinc.download_url", download_url)
    assert len(load_named("zinc", tmp_path).splits["train"]) == 3
    assert len(list((tmp_path / "ZINC" / "raw").iterdir())) == 6
    assert sorted(path.name for path in (tmp_path / "ZINC").iterdir()) == ["raw", "subset"]
