"""Runs polhode's GPU checks and measurements, and reports them; started by scripts/gpu-verify."""
