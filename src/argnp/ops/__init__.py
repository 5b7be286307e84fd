"""The operations of the search space, written for reading: the oracle of every faster path."""
