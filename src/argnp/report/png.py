"""SVG to PNG, without another program: the extra ``png``."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from argnp.errors import UserError

_SCALE: Final = 2.0
_BLANK: Final = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">{}</svg>'
_TEXT: Final = '<text x="2" y="16" font-size="16" font-family="sans-serif">A</text>'

# Packages that bring a sans-serif font, and where in them it lies.
_BUNDLED: Final = (
    ("font_source_sans_pro", "files"),
    ("matplotlib", "mpl-data/fonts/ttf"),
    ("rdkit", "Data/Fonts"),
)


def to_png(svg: str, *, scale: float = _SCALE) -> bytes:
    """The picture on its light ground, ``scale`` pixels to a unit of the drawing."""
    renderer = _renderer()
    return bytes(renderer.svg_to_bytes(svg_string=svg, zoom=scale, **_fonts()))


def _renderer() -> Any:
    try:
        import resvg_py
    except ImportError:
        raise UserError(
            "PNG needs the package resvg-py, which is not installed: pip install 'argnp[png]'; "
            "or take the SVG"
        ) from None
    return resvg_py


@cache
def _fonts() -> dict[str, Any]:
    """Where the renderer finds letters: on the machine, or in an installed package."""
    if _writes({}):
        return {}
    for package, inside in _BUNDLED:
        found = find_spec(package)
        folders = (found.submodule_search_locations or []) if found else []
        for folder in folders:
            options = _options(Path(folder) / inside)
            if options and _writes(options):
                return options
    raise UserError(
        "PNG needs a font and this machine has none: pip install font-source-sans-pro, "
        "or install the system's font package (such as fonts-dejavu-core); or take the SVG"
    )


def _options(folder: Path) -> dict[str, Any]:
    names = sorted(folder.glob("*.ttf"))
    wanted = [name for name in names if name.stem in _REGULAR] or names
    if not wanted:
        return {}
    family = _REGULAR.get(wanted[0].stem, wanted[0].stem)
    return {
        "font_files": [str(name) for name in names],
        "font_family": family,
        "sans_serif_family": family,
    }


_REGULAR: Final = {
    "SourceSansPro-Regular": "Source Sans Pro",
    "DejaVuSans": "DejaVu Sans",
    "Telex-Regular": "Telex",
}


def _writes(options: dict[str, Any]) -> bool:
    """Does a letter leave a mark?"""
    draw = _renderer().svg_to_bytes
    return bool(
        draw(svg_string=_BLANK.format(_TEXT), **options)
        != draw(svg_string=_BLANK.format(""), **options)
    )
