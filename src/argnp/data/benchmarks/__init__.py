"""Published benchmarks, read by the loaders of PyTorch Geometric and ogb, offline if need be."""
