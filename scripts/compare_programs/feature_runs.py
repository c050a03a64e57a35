"""What a run may have beside a system and a method: where it starts, how it ends, what it keeps, and how it is cut."""

from compare_programs.run import Run

TOP = """
[system]
name = "heavy-top"
alpha = [0.44, 0.5, 1.0]
[method]
name = "rattle"
step = 0.05
[run]
steps = 400
[section]
name = "gamma3"
[record]
snapshots = 50
"""
ON_SECTION = """
[ensemble]
from = "section"
grid = [6, 7]
energy = 1.0
"""
PENDULUM = """
[system]
name = "spherical-pendulum"
m = 1.0
l = 1.0
[method]
name = "shake"
step = 0.05
final_projection = true
[ensemble]
from = "states"
variables = "velocity"
states = [[0.6, 0, -0.8, 0, 0.3, 0], [0, 0.6, -0.8, 0.5, 0, 0]]
[run]
steps = 100
[section]
name = "q1x"
direction = "both"
[record]
snapshots = 20
"""
SWING = """
[system]
name = "spherical-pendulum"
m = 1.0
l = 1.0
[method]
name = "rattle"
step = 0.05
[run]
steps = 400
[section]
name = "azimuth"
direction = "both"
[record]
snapshots = 50
"""
IN_PLANES = """
[ensemble]
from = "states"
states = [[0.6, 0, -0.8, 0, 0, 0], [0, 0.6, -0.8, 0, 0, 0], [0.6, 0, -0.8, 0, 0.3, 0]]
"""
ON_SECTION_OF_SWING = """
[ensemble]
from = "section"
grid = [9, 8]
energy = -0.5
"""
NEARLY_UPRIGHT = """
[ensemble]
from = "states"
states = [[1e-17, 0, 1, 0, 0, 1], [0.1, 0.2, 1, 0.6, 0, 0.8]]
"""
OSCILLATOR = """
[system]
name = "central"
k2 = 1.0
k4 = 0.0
[method]
name = "splitting"
step = 0.5
[ensemble]
from = "states"
states = [[1, 0, 0, 0], [1, 0, 0, 0.1], [0.5, 0, 0, 0.1], [0.98, 0, 0.3, 0]]
[run]
steps = 100
[section]
name = "q1"
value = 0.99
[record]
snapshots = 10
invariants_every = 5
"""
ESCAPES = """
[system]
name = "henon-heiles"
[method]
name = "stoermer-verlet"
step = 0.05
[ensemble]
from = "states"
states = [[0, 0.9, 0.5, 0.5], [0.9, 0, 0.6, 0.6]]
[run]
steps = 4000
[record]
snapshots = 100
"""


def random(distribution, count=70):
    return f'[ensemble]\nfrom = "random"\ndistribution = {distribution}\ncount = {count}\nseed = 5\n'


MOMENTS = '[statistics]\nevery = 20\nobservables = ["pi2", "energy"]\n'
CENTRE = "state = [1.6, 0.5, 0.02, -0.6, 0.8, 0.0]"
FEATURES = (
    Run("a section down, with a condition", TOP + ON_SECTION,
        ("--set", 'section.direction="down"', "--set", 'section.where="pi1 > 0 and gamma1 < 0.5"')),
    Run("a section of an angle", PENDULUM, ("--set", 'section.name="azimuth"')),
    Run("a section of an angle, of many", SWING + random('"canonical"\ntemperature = 0.5'),
        ("--set", "section.value=0.3")),
    Run("a section of an angle that jumps", SWING + IN_PLANES),
    Run("a section of round-off", TOP + NEARLY_UPRIGHT,
        ("--set", "system.alpha=[0.5, 0.5, 1.0]", "--set", 'section.name="pi1"', "--set", 'section.direction="both"')),
    Run("a terminal section", TOP + ON_SECTION, ("--set", "section.terminal=true", "--set", "section.value=0.2")),
    Run("a terminal section, crossed twice in a step", OSCILLATOR, ("--set", "section.terminal=true")),
    Run("a density without points", TOP + ON_SECTION + "[density]\naxes = ['pi2', 'pi3']\nbins = [9, 11]\n"
        "range = [[-1, 1], [-1, 1]]\n", ("--set", "section.points=false")),
    Run("a step too long for some", TOP + random('"canonical"\ntemperature = 0.5') + MOMENTS, ("--set", "method.step=0.7")),
    Run("a step too long for all", TOP + ON_SECTION, ("--set", "method.step=0.7"), code=1),
    Run("backwards in time", TOP + ON_SECTION, ("--set", "method.step=-0.05")),
    Run("no invariants", TOP + ON_SECTION, ("--set", "record.invariants=false")),
    Run("invariants seldom", TOP + ON_SECTION, ("--set", "record.invariants_every=300")),
    Run("projected final momenta", PENDULUM),
    Run("microcanonical starts", TOP + random('"microcanonical"\nenergy = 1.0')),
    Run("microcanonical starts of a momentum", TOP + random('"microcanonical"\nenergy = 1.0\nmomentum = 0.1')),
    Run("canonical starts", TOP + random('"canonical"\ntemperature = 0.3')),
    Run("starts in a cloud", TOP + random(f'"cloud"\n{CENTRE}\nwidth = 0.01')),
    Run("starts turned at random", TOP + random(f'"attitudes"\n{CENTRE}')),
    Run("a grid over a pendulum's section", SWING + ON_SECTION_OF_SWING),
    Run("moments of an angle", SWING + random('"canonical"\ntemperature = 0.5') + MOMENTS,
        ("--set", 'statistics.observables=["azimuth", "q1z"]')),
    Run("escapes from an open system", ESCAPES),
    Run("slices", TOP + random('"canonical"\ntemperature = 0.3', 2500) + MOMENTS, ("--set", "run.slice=1024")),
    Run("segments", TOP + ON_SECTION, ("--set", "run.segment=7")),
    Run("compressed", TOP + random('"canonical"\ntemperature = 0.3', 2500), ("--set", "output.compression=4")),
    Run("interrupted and resumed", TOP + ON_SECTION,
        ("--set", "run.steps=40000", "--set", "run.segment=100", "--set", "run.checkpoint=0"), interrupted=True),
    Run("rejected: a key", TOP + ON_SECTION, ("--set", "run.stepz=3"), code=2),
    Run("rejected: a bound", TOP + ON_SECTION, ("--set", "run.steps=0"), code=2),
    Run("rejected: an ensemble", TOP + ON_SECTION, ("--set", "ensemble.energy=-9"), code=2),
)


def runs(program):
    for feature in FEATURES:
        yield from feature.on_each(program.isas)
