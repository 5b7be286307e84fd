"""``python -m argnp``: the command line."""

import sys

from argnp.cli.main import main

sys.exit(main())
