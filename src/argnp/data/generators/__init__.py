"""Data made from a recipe and a seed: no file, no download."""
