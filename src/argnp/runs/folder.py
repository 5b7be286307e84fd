"""Where everything of a run lies, and who may write there."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from argnp.errors import UserError
from argnp.runs.files import clear_disk_errors, sweep
from argnp.runs.lock import exclusive


@dataclass(frozen=True)
class RunFolder:
    """The paths of a run. Nothing is created or read by naming them."""

    path: Path

    @property
    def config(self) -> Path:
        """All settings after defaults."""
        return self.path / "config.toml"

    @property
    def journal(self) -> Path:
        return self.path / "journal.jsonl"

    @property
    def data(self) -> Path:
        """What the data is, its fingerprint included."""
        return self.path / "data.json"

    @property
    def model(self) -> Path:
        """Folder of the portable model."""
        return self.path / "model"

    @property
    def report(self) -> Path:
        return self.path / "report.html"

    def round(self, search: int, number: int) -> Path:
        """Folder of a round: its checkpoints, and the architecture it ended with."""
        return self.path / "search" / str(search) / f"round-{number}"

    def architecture(self, search: int, number: int) -> Path:
        return self.round(search, number) / "architecture.json"

    def training(self, search: int, size: int, seed: int, variant: str = "") -> Path:
        """Folder of a training: its checkpoints and metrics."""
        name = f"size-{size}-{variant}" if variant else f"size-{size}"
        return self.path / "train" / str(search) / name / f"seed-{seed}"

    def metrics(self, search: int, size: int, seed: int, variant: str = "") -> Path:
        return self.training(search, size, seed, variant) / "metrics.json"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Create the folder if need be and be the only process that works in it."""
        try:
            with clear_disk_errors(self.path):
                self.path.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise UserError(
                f"{self.path}: a file stands where the run folder should be; "
                "choose another folder with -o"
            ) from None
        with exclusive(self.path / ".lock"):
            sweep(self.path)
            yield
