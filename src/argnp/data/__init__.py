"""Graphs on their way in: sources, encodings, splits, the packed store and its batches."""
