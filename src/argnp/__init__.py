"""argnp: graph neural networks that are searched for, not guessed."""

from typing import Final

__version__: Final = "0.1.0"
