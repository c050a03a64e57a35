"""Reads and draws the result files of polhode.

`polhode.results` opens a file, `polhode.section_plot` draws its Poincare section, and `python -m polhode.plot` is what
`polhode plot` runs. Needs numpy and h5py, and matplotlib to draw.
"""
