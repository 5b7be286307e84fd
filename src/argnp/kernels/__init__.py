"""The arithmetic of a vertex: what the three computation paths share, and the fast ones."""
