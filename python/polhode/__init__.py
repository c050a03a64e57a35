"""Reads and draws the result files of polhode.

`polhode.results` opens a file; `polhode.snapshots` and `polhode.tops` say more about what it holds; each `..._plot`
draws one view, in space with `polhode.space`; `python -m polhode.plot` is what `polhode plot` runs. Needs numpy and
h5py, and matplotlib to draw.
"""
