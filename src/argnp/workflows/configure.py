"""Settings from defaults, a recipe, a published table, a file and flags, in this order."""

import difflib
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from argnp.errors import UserError
from argnp.train.settings import RECIPES
from argnp.workflows.published import published
from argnp.workflows.settings import Settings

Tree = dict[str, Any]

BUDGET: Final = 1800.0  # seconds that a fit takes where nothing says how long it may


def configure(
    *, flags: Mapping[str, Any], config: Path | None = None, fits: bool = False
) -> Settings:
    """The settings of a run. ``flags`` maps dotted names to values and wins over the file.

    Where it ``fits``, and neither flags nor file say a budget, a plan or epochs, `BUDGET` holds:
    never silently hours. A saved configuration says all of it, so it is the same run again.
    """
    given = read_settings(config) if config else {}
    _settle(given, flags)
    for name, value in flags.items():
        put(given, name, value)
    recipe = given.get("recipe", "modern")
    if not isinstance(recipe, str) or recipe not in RECIPES:
        raise UserError(f"recipe {recipe!r}: there are {', '.join(RECIPES)}")
    tree: Tree = msgspec.to_builtins(Settings(recipe=recipe, train=RECIPES[recipe]))
    data = given.get("data", {})
    name = data.get("data", "") if isinstance(data, dict) else ""
    merge(tree, published(str(name), recipe))
    if fits and recipe == "modern" and not _says_how_long(given):
        tree["time_budget"] = BUDGET
    merge(tree, given)
    return to_settings(tree)


def _says_how_long(given: Tree) -> bool:
    train = given.get("train")
    return bool({"time_budget", "plan"} & given.keys()) or (
        isinstance(train, dict) and "epochs" in train
    )


def _settle(stored: Tree, flags: Mapping[str, Any]) -> None:
    """A flag for a budget takes the place of a plan in a file, and the other way round."""
    for one, other in (("plan", "time_budget"), ("time_budget", "plan")):
        if flags.get(one):
            stored.pop(other, None)


def reconfigure(stored: Tree, flags: Mapping[str, Any]) -> Settings:
    """The settings of a run that was, changed by flags."""
    tree: Tree = msgspec.to_builtins(Settings())  # also the names that are not set in the run
    stored = dict(stored)
    _settle(stored, flags)
    merge(tree, stored)
    changes: Tree = {}
    for name, value in flags.items():
        put(changes, name, value)
    if "recipe" in changes:
        changed = configure(flags={"data.data": tree["data"]["data"], "recipe": changes["recipe"]})
        tree["train"] = msgspec.to_builtins(changed.train)
    merge(tree, changes)
    return to_settings(tree)


def to_settings(tree: Tree) -> Settings:
    """Checked; what does not fit is named."""
    try:
        settings = msgspec.convert(tree, Settings, strict=False)
    except msgspec.ValidationError as error:
        found = re.fullmatch(r"(.*) - at `\$\.?(.*)`", str(error))
        told = f"setting {found[2]}: {found[1]}" if found else f"settings: {error}"
        raise UserError(told) from None
    if settings.plan and settings.time_budget:
        raise UserError("--plan and --time-budget: a plan says all epochs itself; leave one out")
    return settings


def put(tree: Tree, name: str, value: Any) -> None:
    """Set ``a.b.c`` in nested tables."""
    *tables, last = name.split(".")
    for table in tables:
        tree = tree.setdefault(table, {})
        if not isinstance(tree, dict):
            raise UserError(f"--set {name}: {table} is no table")
    tree[last] = value


def parse_assignment(text: str) -> tuple[str, Any]:
    """``a.b=c`` as typed after --set; the value as in TOML, or else plain text."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise UserError(f"--set {text}: NAME=VALUE is expected, as train.lr=0.001")
    try:
        return name.strip(), tomllib.loads(f"x = {value}")["x"]
    except tomllib.TOMLDecodeError:
        return name.strip(), value.strip()


def read_settings(path: Path) -> Tree:
    """A TOML file of settings."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: {error}") from None


def merge(tree: Tree, changes: Mapping[str, Any], above: str = "") -> None:
    """Take over the changes, table by table; an unknown name is refused."""
    for key, value in changes.items():
        name = f"{above}{key}"
        if key not in tree and above != "data.recipe.":
            near = difflib.get_close_matches(key, tree, n=1)
            hint = f"; did you mean {above}{near[0]}?" if near else ""
            raise UserError(
                f"setting {name}: unknown{hint or '.'} There are {', '.join(sorted(tree))}"
            )
        if isinstance(tree.get(key), dict) and isinstance(value, Mapping):
            merge(tree[key], value, f"{name}.")
        else:
            tree[key] = value
