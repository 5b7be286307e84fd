"""Network proliferation: divide, differentiate, and again until the size is reached."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from argnp.arch import Architecture, Link, Space
from argnp.arch.codec import to_dict
from argnp.arch.graph import Place
from argnp.arch.sample import complete
from argnp.data.dataset import Dataset
from argnp.differentiate.round import Round
from argnp.differentiate.settings import SearchSettings
from argnp.differentiate.strategies import strategy
from argnp.errors import UserError
from argnp.heads.scaling import Scaling
from argnp.kernels.core import Core
from argnp.nets.widths import Widths
from argnp.proliferate.rounds import RoundPlan, next_supernet
from argnp.runs.files import clear_disk_errors, write_whole
from argnp.runs.folder import RunFolder
from argnp.train.memory import peak_bytes, reset_peak
from argnp.train.observer import Observer
from argnp.train.pace import Pace, Unhurried
from argnp.train.seeds import derive, python_random
from argnp.train.settings import TrainSettings


@dataclass(frozen=True)
class Search:
    """Everything a search needs besides its number and the folder it works in."""

    dataset: Dataset
    space: Space
    settings: SearchSettings
    training: TrainSettings
    widths: Widths
    seed: int
    core: Core
    scaling: Scaling | None
    observer: Observer
    checkpoint_seconds: float = 10.0
    device: str = "cpu"
    pace: Pace = field(default_factory=Unhurried)

    def grow(
        self, rounds: Sequence[RoundPlan], number: int, folder: RunFolder | None
    ) -> dict[int, Architecture]:
        """The architecture of every size on the way, by size (cells times vertices).

        Rounds that the folder holds the end of are read from it.
        """
        found: dict[int, Architecture] = {}
        architecture: Architecture | None = None
        for index, planned in enumerate(rounds):
            kept = folder.architecture(number, index) if folder else None
            if kept is not None and kept.exists():
                architecture = _read(kept.read_bytes(), str(kept))
            else:
                architecture = self._round(architecture, planned, number, index, folder)
                if kept is not None:
                    write_whole(kept, architecture.to_json())
            found[architecture.size] = architecture
        return found

    def _round(
        self,
        previous: Architecture | None,
        planned: RoundPlan,
        number: int,
        index: int,
        folder: RunFolder | None,
    ) -> Architecture:
        reset_peak()
        supernet = next_supernet(previous, planned.vertices, self.space)
        labels = {"search": number, "round": index}
        seed = derive(self.seed, "search", number, "round", index)
        if folder is not None:
            with clear_disk_errors(folder.path):
                folder.round(number, index).mkdir(parents=True, exist_ok=True)
        if strategy(planned.strategy).update is None:
            return self._draw(supernet, planned, labels, seed)
        differentiation = Round(
            supernet,
            self.dataset,
            msgspec.structs.replace(self.settings, strategy=planned.strategy),
            self.training,
            self.widths,
            epochs=planned.epochs,
            seed=seed,
            core=self.core,
            scaling=self.scaling,
            observer=self.observer,
            labels=labels,
            folder=folder.round(number, index) if folder else None,
            checkpoint_seconds=self.checkpoint_seconds,
            device=self.device,
            pace=self.pace,
        )
        self._tell_start(supernet, planned, labels, differentiation.parameters)
        architecture = differentiation.run()
        self._tell_end(architecture, labels, differentiation.seconds, differentiation.peak_bytes)
        return architecture

    def _draw(
        self, supernet: Architecture, planned: RoundPlan, labels: dict[str, int], seed: int
    ) -> Architecture:
        """A round that trains nothing: mixture links are decided by lot."""
        began = time.monotonic()
        self._tell_start(supernet, planned, labels, 0)
        architecture = complete(supernet, python_random(seed, "random"))
        for place, link in architecture.places():
            self._tell_lot(supernet, place, link, labels)
        self._tell_end(architecture, labels, time.monotonic() - began, peak_bytes())
        return architecture

    def _tell_start(
        self, supernet: Architecture, planned: RoundPlan, labels: dict[str, int], parameters: int
    ) -> None:
        self.observer.event(
            "round-start",
            **labels,
            size=supernet.size,
            architecture=to_dict(supernet),
            parameters=parameters,
            epochs=planned.epochs,
            strategy=planned.strategy,
        )

    def _tell_lot(
        self, supernet: Architecture, place: Place, link: Link, labels: dict[str, int]
    ) -> None:
        """The decision by lot that left this link, if it was one."""
        before = supernet.vertex(place.vertex).links(place.space)
        index = [other.source for other in before].index(link.source)
        if not before[index].decided:
            self.observer.event(
                "decision",
                **labels,
                epoch=0,
                **place._replace(link=index)._asdict(),
                source=link.source,
                operation=link.operation,
                score=None,
            )

    def _tell_end(
        self, architecture: Architecture, labels: dict[str, int], seconds: float, peak: int
    ) -> None:
        self.observer.event(
            "round-end",
            **labels,
            size=architecture.size,
            architecture=to_dict(architecture),
            seconds=seconds,
            peak_bytes=peak,
        )


def _read(text: bytes, name: str) -> Architecture:
    try:
        return Architecture.from_json(text)
    except ValueError as error:
        raise UserError(f"{name}: {error}; delete the file to search this round again") from None
