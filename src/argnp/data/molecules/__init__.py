"""Molecules from a table: SMILES to graphs. ``load.py`` is the door; the parts need no torch."""
