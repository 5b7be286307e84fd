"""Names of the operations that the paper's search space is made of."""

from typing import Final

SKIP: Final = "skip"
ZERO: Final = "zero"

NODE_OPERATIONS: Final = (
    "V_MEAN",
    "V_SUM",
    "V_MAX",
    "V_STD",
    "V_GEM2",
    "V_GEM3",
    SKIP,
    ZERO,
)
RELATION_OPERATIONS: Final = (
    "E_SUB",
    "E_GAUSS",
    "E_HAD",
    "E_MAX",
    "E_SUM",
    "E_MEAN",
    SKIP,
    ZERO,
)
PARAMETER_FREE: Final = frozenset({SKIP, ZERO})
