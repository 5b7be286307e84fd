"""Drawings of architectures and the page about a run; nothing here computes with networks."""
