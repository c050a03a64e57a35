"""Which trajectories of a file end next to an edge of their system's coordinates: within some steps of their speed."""

import numpy

from compare_programs.places import parameter

STEPS_TO_EDGE = 32  # within which a step that fails has left a chart (system/cyclic_coordinate.hpp)


def are_at_edge(file):
    """[trajectory]; of a system in EDGES."""
    h = abs(file.attrs["step"])
    is_at_edge = False
    with numpy.errstate(divide="ignore", invalid="ignore"):
        for distance, speed, size in EDGES[file.attrs["system"]](file, file["final/state"][()].T):
            is_at_edge |= (h * speed <= size) & (distance <= STEPS_TO_EDGE * h * speed)
    return is_at_edge


def edges_of_satellite(file, x):
    """(distance, speed, the size that steps are compared with) of each edge: of the axis."""
    is_reduced = file.attrs["system"].endswith("reduced")
    r, z, radial, mu = x[0], x[1], x[2 if is_reduced else 3], parameter(file, "mu") if is_reduced else x[5]
    yield r, numpy.hypot(radial, mu / r), numpy.hypot(r, z)


def edges_of_pendulum(file, x):
    """The same of the directions in which a rod is vertical and in which it is horizontal."""
    lengths = parameter(file, "l")
    for i, (distance, along, rate) in enumerate(motions_of_rods(file, x)):
        height = numpy.sqrt(lengths[i]**2 - distance**2)
        speed = numpy.hypot(along * lengths[i] / height, distance * rate)
        yield distance, speed, lengths[i]
        yield height, speed, lengths[i]


def motions_of_rods(file, x):
    """(r, r', rate of the azimuth) of both rods. With the rates u of (r1, r2, phi, theta) the kinetic energy of the bobs
    m1, m2 at d1, d1 + d2 is u.G u/2; momenta are G u, in reduced systems less what mu contributes."""
    r1, r2, phi = x[:3]
    (m1, m2), (l1, l2) = parameter(file, "m"), parameter(file, "l")
    zero, one = numpy.zeros_like(r1), numpy.ones_like(r1)
    # Columns of d d1/du and d d2/du: x, y in the frame of rod 1, and z.
    rod1 = numpy.array([[one, zero, r1 / numpy.sqrt(l1**2 - r1**2)], [zero] * 3, [zero] * 3, [zero, r1, zero]])
    across = [-r2 * numpy.sin(phi), r2 * numpy.cos(phi), zero]
    rod2 = numpy.array([[zero] * 3, [numpy.cos(phi), numpy.sin(phi), r2 / numpy.sqrt(l2**2 - r2**2)], across, across])
    both = rod1 + rod2
    metric = numpy.einsum("aik,bik->kab", rod1, rod1) * m1 + numpy.einsum("aik,bik->kab", both, both) * m2
    if file.attrs["system"].endswith("reduced"):
        mu = parameter(file, "mu")
        momenta = numpy.append(x[3:6].T + mu * metric[:, :3, 3] / metric[:, 3:, 3], numpy.full((len(r1), 1), mu), axis=1)
    else:
        momenta = x[4:8].T
    usable = numpy.isfinite(metric).all(axis=(1, 2))
    rates = numpy.full((len(r1), 4), numpy.nan)
    rates[usable] = numpy.linalg.solve(metric[usable], momenta[usable][:, :, None])[:, :, 0]
    v1, v2, turning, rate = rates.T
    return (r1, v1, rate), (r2, v2, rate + turning)


EDGES = {
    "j2-satellite-cylindrical": edges_of_satellite,
    "j2-satellite-reduced": edges_of_satellite,
    "double-spherical-pendulum-cylindrical": edges_of_pendulum,
    "double-spherical-pendulum-reduced": edges_of_pendulum,
}
