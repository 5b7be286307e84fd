"""``python -m argnp.data.molecules.worker``: converts the SMILES it is sent until nobody asks."""

import io
import os
import sys

import msgspec

from argnp.data.molecules.featurize import featurize
from argnp.data.molecules.featurizer import Featurizer
from argnp.data.molecules.messages import receive, send


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first message a worker gets; every further one is a list of SMILES."""

    featurizer: Featurizer
    scaffolds: bool
    stop_at_first: bool


def main() -> None:
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    first = receive(requests)
    if first is None:
        return
    settings = msgspec.json.decode(first, type=Settings)
    while (request := receive(requests)) is not None:
        converted = featurize(
            msgspec.json.decode(request, type=list[str]),
            settings.featurizer,
            scaffolds=settings.scaffolds,
            stop_at_first=settings.stop_at_first,
        )
        answer = io.BytesIO()
        converted.write(answer)
        try:
            send(answers, answer.getvalue())
        except BrokenPipeError:
            # Whoever asked was killed; leave without trying to flush what nobody reads.
            os._exit(1)


if __name__ == "__main__":
    main()
