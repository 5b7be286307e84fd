"""Makes the cases beside the tests importable by their bare name."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
