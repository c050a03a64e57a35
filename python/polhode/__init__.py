"""Reads and draws the result files of polhode.

`polhode.results` opens a file; `snapshots`, `tops` and `branches` derive more from it; `wanted`, `trajectories` and
`section_points` choose what is drawn; each `..._plot` draws one view as a `picture`, in the plane of a `chart` within
a `frame`, or in `space`, with a `heading`. `python -m polhode.plot` is what `polhode plot` runs. Needs numpy and h5py,
and matplotlib to draw.
"""
