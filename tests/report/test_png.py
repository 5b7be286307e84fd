import random
import struct
import sys
from pathlib import Path
from typing import Any

import pytest

from argnp.arch import sample
from argnp.errors import UserError
from argnp.report import png


@pytest.fixture(autouse=True)
def fresh() -> None:
    png._fonts.cache_clear()


def test_a_picture_of_twice_the_size() -> None:
    pytest.importorskip("resvg_py")
    svg = sample(4, random.Random(0)).svg()
    content = png.to_png(svg)
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", content[16:24])
    assert f'viewBox="0 0 {width // 2}' in svg
    assert height > width / 2


def test_without_the_package_the_way_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(UserError, match=r"pip install 'argnp\[png\]'"):
        png.to_png("<svg/>")


def no_system_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    renderer = pytest.importorskip("resvg_py")
    real = renderer.svg_to_bytes

    def bare(**options: Any) -> bytes:
        return bytes(real(skip_system_fonts=True, **options))

    monkeypatch.setattr(renderer, "svg_to_bytes", bare)


def test_a_machine_without_fonts_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    no_system_fonts(monkeypatch)
    monkeypatch.setattr(png, "_BUNDLED", ())
    with pytest.raises(UserError, match="pip install font-source-sans-pro"):
        png.to_png(sample(1, random.Random(0)).svg())


def test_a_font_in_a_package_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rdkit")
    no_system_fonts(monkeypatch)
    monkeypatch.setattr(png, "_BUNDLED", (("rdkit", "Data/Fonts"),))
    svg = sample(1, random.Random(0)).svg()
    with_letters = png.to_png(svg)
    monkeypatch.setattr(png, "_fonts", dict)
    assert with_letters != png.to_png(svg)


def test_a_folder_without_fonts_gives_no_options(tmp_path: Path) -> None:
    assert png._options(tmp_path) == {}
