"""Compares what two builds of polhode compute, byte for byte; started by scripts/compare-programs."""
