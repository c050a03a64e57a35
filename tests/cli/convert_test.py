#!/usr/bin/env python3
"""One physical system in several descriptions: `polhode convert`, and [ensemble] as.

Run with POLHODE set to the program's path."""

import math
import tomllib
import unittest

import h5py
import numpy

from command_line import CONFIG, CliTest, datasets

# Of Jalnapurkar, Leok, Marsden & West's double pendulum, and what the exact flow makes of it in the time 1 (Richardson
# extrapolation of steps in 30 digits).
PENDULUM = ["double-spherical-pendulum", "double-spherical-pendulum-cylindrical", "double-spherical-pendulum-reduced"]
PENDULUM_TABLE = "m = [1.0, 2.0]\nl = [1.0, 0.8]\ng = 1.0\n"
PENDULUM_MU = 2.119705402694607634
PENDULUM_START = [0.5, 0.4, 0.3, 0.2369976071667941632, 0.1079658530603264991, 0.001310541680238141186, 0.25]
PENDULUM_END = [0.598276748641830614, 0.479723761802457618, -0.195095837022994622,
                0.817217084578459834, 0.683107753050637351, -0.0122172033291133267, 1.42454226686848535]
SATELLITE = ["j2-satellite", "j2-satellite-cylindrical", "j2-satellite-reduced"]
SATELLITE_TABLE = "J2 = 0.05\nradius = 0.01\n"
SATELLITE_START = [1.0, 0.1, 0.2, 0.3, 0.4]
SATELLITE_MU = 0.9

# Gauss's method of order 4 and rk4, which has the same errors in no two of them: over this time they are below 1e-11.
STEP, STEPS = 0.001, 1000
ERROR = 1e-11


def configuration(system, table, ensemble, method="gauss"):
    return (f'[system]\nname = "{system}"\n{table}[method]\nname = "{method}"\nstep = {STEP}\n'
            f"[ensemble]\n{ensemble}[run]\nsteps = {STEPS}\n")


def listed(states, more=""):
    return f'from = "states"\nstates = {[list(map(float, state)) for state in states]}\n{more}'


class ConvertTest(CliTest):
    def converted(self, name, to, *arguments):
        """The text that is printed."""
        done = self.polhode("convert", name, "--to", to, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def final(self, name, output="out.h5"):
        """Final states of a run, and the energies at its beginning."""
        self.run_with(name, output)
        with h5py.File(self.path / output) as file:
            return file["/final/state"][()]

    def expect_refused(self, message, *arguments):
        before = sorted(self.path.rglob("*"))
        done = self.polhode(*arguments)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"polhode: {message}\n"), arguments)
        self.assertEqual(sorted(self.path.rglob("*")), before, "something was left behind")


def pendulum_in_space(state):
    """Rods of a reduced state."""
    r1, r2, phi, theta = (*state[:3], state[-1])
    return numpy.array([r1 * math.cos(theta), r1 * math.sin(theta), -math.sqrt(1 - r1**2),
                        r2 * math.cos(theta + phi), r2 * math.sin(theta + phi), -math.sqrt(0.64 - r2**2)])


class OneState(ConvertTest):
    def test_of_the_double_pendulum_runs_in_all_descriptions(self):
        space, cylindrical, reduced = PENDULUM
        self.write(configuration(reduced, f"{PENDULUM_TABLE}mu = {PENDULUM_MU}\n", listed([PENDULUM_START])), "reduced.toml")
        for other in (space, cylindrical):
            self.write(self.converted("reduced.toml", other, "--set", "method.name=rk4"), f"{other}.toml")
        numpy.testing.assert_allclose(self.final("reduced.toml")[0], PENDULUM_END, rtol=0, atol=ERROR)
        end = self.final(f"{cylindrical}.toml")[0]
        numpy.testing.assert_allclose(end[[0, 1, 2, 3]], numpy.array(PENDULUM_END)[[0, 1, 2, 6]], rtol=0, atol=ERROR)
        self.assertAlmostEqual(end[7], PENDULUM_MU, delta=1e-14)
        numpy.testing.assert_allclose(self.final(f"{space}.toml")[0][:6], pendulum_in_space(PENDULUM_END), rtol=0, atol=ERROR)
        # Of another method, which keeps the constraints and has the error of its order 2.
        self.write(self.converted("reduced.toml", space, "--set", "method.name=rattle"), "rattle.toml")
        distance = numpy.abs(self.final("rattle.toml")[0][:6] - pendulum_in_space(PENDULUM_END)).max()
        self.assertTrue(1e-8 < distance < 1e-6, distance)

    def test_of_the_satellite_runs_in_all_descriptions(self):
        space, cylindrical, reduced = SATELLITE
        self.write(configuration(reduced, f"{SATELLITE_TABLE}mu = {SATELLITE_MU}\n", listed([SATELLITE_START])), "reduced.toml")
        for other in (space, cylindrical):
            self.write(self.converted("reduced.toml", other, "--set", "method.name=rk4"), f"{other}.toml")
        r, z, pr, pz, theta = self.final("reduced.toml")[0]
        end = self.final(f"{cylindrical}.toml")[0]
        numpy.testing.assert_allclose(end, [r, z, theta, pr, pz, SATELLITE_MU], rtol=0, atol=ERROR)
        expected = [r * math.cos(theta), r * math.sin(theta), z, pr * math.cos(theta) - SATELLITE_MU / r * math.sin(theta),
                    pr * math.sin(theta) + SATELLITE_MU / r * math.cos(theta), pz]
        numpy.testing.assert_allclose(self.final(f"{space}.toml")[0], expected, rtol=0, atol=ERROR)

    def test_comes_back(self):
        for systems, table, mu, start in ((PENDULUM, PENDULUM_TABLE, PENDULUM_MU, PENDULUM_START),
                                          (SATELLITE, SATELLITE_TABLE, SATELLITE_MU, SATELLITE_START)):
            space, cylindrical, reduced = systems
            self.write(configuration(reduced, f"{table}mu = {mu}\n", listed([start])), "a.toml")
            for i, other in enumerate((space, cylindrical, space, reduced)):
                self.write(self.converted("a.toml", other), "a.toml")
            back = tomllib.loads((self.path / "a.toml").read_text())
            self.assertEqual(back["system"]["name"], reduced)
            self.assertAlmostEqual(back["system"]["mu"], mu, delta=1e-14)
            numpy.testing.assert_allclose(back["ensemble"]["states"], [start], rtol=0, atol=1e-14)


class As(ConvertTest):
    # Momenta that are not on the hidden constraint, and positions to six digits.
    STATES = [[0.6, 0, -0.8, 0.48, 0, -0.64, 0.1, 0.3, 0, 0.2, 0.5, 0],
              [0.3, 0.4, -0.866025, 0.2, -0.3, -0.714143, 0.4, -0.2, 0.1, 0.3, 0.7, 0.2]]

    def same_as_converted(self, to, table, states, more=""):
        """Bit for bit: a run that converts, and one of what has been converted. Its final states."""
        given = configuration(PENDULUM[0], PENDULUM_TABLE, listed(states, more))
        self.write(given, "given.toml")
        self.write(self.converted("given.toml", to), "converted.toml")
        self.write(configuration(to, PENDULUM_TABLE + table, listed(states, f'{more}as = "{PENDULUM[0]}"\n')), "as.toml")
        self.run_with("as.toml", "as.h5")
        self.run_with("converted.toml", "converted.h5")
        found, expected = datasets(self.path / "as.h5"), datasets(self.path / "converted.h5")
        for name in ("initial/state", "final/state", "invariants/max_drift"):
            self.assertEqual(found[name], expected[name], name)
        with h5py.File(self.path / "as.h5") as file:
            return file["final/state"][()]

    def test_is_convert_and_run(self):
        self.same_as_converted(PENDULUM[1], "", self.STATES)
        velocities = self.same_as_converted(PENDULUM[1], "", self.STATES, 'variables = "velocity"\n')
        self.write(configuration(PENDULUM[0], PENDULUM_TABLE, listed(self.STATES, 'variables = "velocity"\n')), "given.toml")
        inside = self.final("given.toml")
        numpy.testing.assert_allclose(velocities[:, 0] * numpy.cos(velocities[:, 3]), inside[:, 0], rtol=0, atol=ERROR)
        self.write(configuration(PENDULUM[0], PENDULUM_TABLE, listed(self.STATES[:1])), "one.toml")
        mu = tomllib.loads(self.converted("one.toml", PENDULUM[2]))["system"]["mu"]
        self.same_as_converted(PENDULUM[2], f"mu = {mu}\n", self.STATES[:1])

    def test_reports_what_was_moved(self):
        self.write(configuration(PENDULUM[1], PENDULUM_TABLE, listed(self.STATES, f'as = "{PENDULUM[0]}"\n')), "as.toml")
        self.assertRegex(self.run_with("as.toml", "out.h5"),
                         r"starts were moved to the constraints: positions by up to \S+ \(trajectory 1\), momenta by up to")
        self.write(configuration(PENDULUM[0], PENDULUM_TABLE, listed(self.STATES)), "given.toml")
        self.assertRegex(self.converted("given.toml", PENDULUM[1]), "^# starts were moved to the constraints: positions by up to ")

    def test_of_a_reduced_description_needs_its_momentum(self):
        ensemble = listed([PENDULUM_START], f'as = "{PENDULUM[2]}"\n')
        self.write(configuration(PENDULUM[0], PENDULUM_TABLE, ensemble + f"mu = {PENDULUM_MU}\n"))
        numpy.testing.assert_allclose(self.final("config.toml")[0][:6], pendulum_in_space(PENDULUM_END), rtol=0, atol=ERROR)
        self.write(configuration(PENDULUM[0], PENDULUM_TABLE, ensemble))
        self.expect_refused("ensemble.mu is missing (angular momentum about the vertical). Give it in [ensemble].", "run", "config.toml")

    def test_continues_the_result_of_another_description(self):
        self.write(configuration(PENDULUM[2], f"{PENDULUM_TABLE}mu = {PENDULUM_MU}\n", listed([PENDULUM_START])), "first.toml")
        self.run_with("first.toml", "first.h5", "--set", f"run.steps={STEPS // 2}")
        for system in PENDULUM[:2]:
            self.write(configuration(system, PENDULUM_TABLE, f'from = "file"\npath = "first.h5"\nas = "{PENDULUM[2]}"\nmu = {PENDULUM_MU}\n'), "second.toml")
            self.run_with("second.toml", "second.h5", "--set", f"run.steps={STEPS // 2}")
            with h5py.File(self.path / "second.h5") as file:
                end = file["final/state"][0]
            expected = pendulum_in_space(PENDULUM_END)
            if system == PENDULUM[1]:
                end, expected = end[:4], [*PENDULUM_END[:3], PENDULUM_END[6]]
            numpy.testing.assert_allclose(end[:6], expected, rtol=0, atol=ERROR)

    def test_is_compared_with_the_columns_of_a_file(self):
        # Equally many columns, of other meaning.
        space, cylindrical, _ = SATELLITE
        self.write(configuration(space, SATELLITE_TABLE, listed([Refusals.IN_SPACE])), "first.toml")
        self.run_with("first.toml", "first.h5")
        for more, system in (("", cylindrical), (f'as = "{cylindrical}"\n', space)):
            self.write(configuration(system, SATELLITE_TABLE, f'from = "file"\npath = "first.h5"\n{more}'))
            self.expect_refused(f"cannot read 'first.h5' ('/final/state' has the columns q1x q1y q1z p1x p1y p1z of {space}, not r z theta pr pz mu "
                                f'of {cylindrical}). Give states of {cylindrical}, or ensemble.as = "{space}" if it is another description of the system.',
                                "run", "config.toml")

    def test_dry_runs_and_goes_on(self):
        self.write(configuration(PENDULUM[1], PENDULUM_TABLE, listed(self.STATES, f'as = "{PENDULUM[0]}"\n')))
        done = self.polhode("run", "config.toml", "--dry-run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 trajectories of double-spherical-pendulum-cylindrical", done.stdout)
        self.expect_same_after_kills(1, "config.toml", ["--set", "run.steps=400000", "--set", "run.checkpoint=0", "--set", "method.step=1e-6"],
                                     ["--set", "run.steps=400000", "--set", "run.checkpoint=0", "--set", "method.step=1e-6"])

    def test_is_of_the_system_itself_too(self):
        self.write(configuration(SATELLITE[2], f"{SATELLITE_TABLE}mu = {SATELLITE_MU}\n", listed([SATELLITE_START], f'as = "{SATELLITE[2]}"\n')), "as.toml")
        self.write(configuration(SATELLITE[2], f"{SATELLITE_TABLE}mu = {SATELLITE_MU}\n", listed([SATELLITE_START])), "itself.toml")
        numpy.testing.assert_array_equal(self.final("as.toml"), self.final("itself.toml"))


class Refusals(ConvertTest):
    IN_SPACE = [1.0, 0, 0.1, 0.3, 0.9, 0.4]  # of angular momentum 0.9

    def refused_as(self, message, system, table, states, more):
        self.write(configuration(system, table, listed(states, more)))
        self.expect_refused(message, "run", "config.toml")

    def test_unknown_descriptions(self):
        as_space = f'as = "{SATELLITE[0]}"\n'
        self.write(CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0', listed([[1, 0, 0, 0, 0, 1]], 'as = "j2-satellite"')))
        self.expect_refused("cannot use ensemble.as (heavy-top has no other description). Leave it out.", "run", "config.toml")
        self.refused_as('cannot use ensemble.as (unknown value "j2-satelite"; nearest known: "j2-satellite"). Choose one of those.',
                        SATELLITE[1], SATELLITE_TABLE, [self.IN_SPACE], 'as = "j2-satelite"\n')
        self.refused_as("cannot use ensemble.mu (it goes with ensemble.as). Leave it out.", SATELLITE[1], SATELLITE_TABLE, [self.IN_SPACE], "mu = 1.0\n")
        self.refused_as("cannot use ensemble.mu (states of j2-satellite are given without). Leave it out.", SATELLITE[1], SATELLITE_TABLE, [self.IN_SPACE], as_space + "mu = 1.0\n")
        self.refused_as("cannot use ensemble.states (state 0 has 5 numbers). Give a list of states, each a list of 6 numbers.",
                        SATELLITE[2], SATELLITE_TABLE + "mu = 0.9\n", [self.IN_SPACE[:5]], as_space)

    def test_outside_the_chart(self):
        self.refused_as("state 1 of the ensemble cannot be used (it is on the axis, where there is no longitude). Correct it.",
                        SATELLITE[1], SATELLITE_TABLE, [self.IN_SPACE, [0, 0, 1.2, 0.1, 0, 0]], f'as = "{SATELLITE[0]}"\n')
        above, vertical = [0.6, 0, 0.8, 0.48, 0, -0.64, 0, 1, 0, 0, 0, 0], [0.6, 0, -0.8, 0, 0, -0.8, 0, 1, 0, 0, 0, 0]
        for state, why in ((above, "a rod does not hang downwards"), (vertical, "a rod is vertical, and has no azimuth")):
            self.refused_as(f"state 0 of the ensemble cannot be used ({why}). Correct it.", PENDULUM[1], PENDULUM_TABLE, [state], f'as = "{PENDULUM[0]}"\n')
            self.write(configuration(PENDULUM[0], PENDULUM_TABLE, listed([state])))
            self.expect_refused(f"cannot convert state 0 of the ensemble to {PENDULUM[2]} ({why}). Leave it out.", "convert", "config.toml", "--to", PENDULUM[2])

    def test_another_momentum(self):
        other, near = [*self.IN_SPACE], [*self.IN_SPACE]
        other[4], near[4] = 0.8, 0.9 * (1 + 1e-10)
        reduced = SATELLITE_TABLE + "mu = 0.9\n"
        as_space = f'as = "{SATELLITE[0]}"\n'
        self.refused_as("state 2 of the ensemble cannot be used (its momentum is 0.8, not mu = 0.9). Correct it.",
                        SATELLITE[2], reduced, [self.IN_SPACE, near, other], as_space)
        self.write(configuration(SATELLITE[0], SATELLITE_TABLE, listed([self.IN_SPACE, near, other])))
        self.expect_refused("cannot convert state 2 of the ensemble to j2-satellite-reduced (its momentum is 0.8, not mu = 0.9). Leave it out.",
                            "convert", "config.toml", "--to", SATELLITE[2])
        # A momentum that differs in the digits that nobody writes becomes mu; nothing else of the state changes.
        self.write(configuration(SATELLITE[2], reduced, listed([self.IN_SPACE, near], as_space)))
        self.final("config.toml")
        with h5py.File(self.path / "out.h5") as file:
            states = file["initial/state"][()]
        numpy.testing.assert_array_equal(states[0], states[1])
        numpy.testing.assert_allclose(states[0], [1, 0.1, 0.3, 0.4, 0], rtol=0, atol=1e-15)

    def test_convert(self):
        self.write(configuration(SATELLITE[0], SATELLITE_TABLE, listed([self.IN_SPACE])))
        see = f"See polhode list systems {SATELLITE[0]}."
        self.expect_refused(f'cannot convert to j2-satellite-reducd (it is no other description of j2-satellite; nearest known: "j2-satellite-reduced"). {see}',
                            "convert", "config.toml", "--to", "j2-satellite-reducd")
        self.expect_refused("cannot write 'a.txt' (a configuration is TOML). Give a name that ends in .toml.", "convert", "config.toml", "--to", SATELLITE[1], "-o", "a.txt")
        self.write("", "there.toml")
        self.expect_refused("output 'there.toml' already exists (nothing has been written). Use --force to replace it or choose another name.",
                            "convert", "config.toml", "--to", SATELLITE[1], "-o", "there.toml")
        self.write(CONFIG, "top.toml")
        self.expect_refused("cannot convert to j2-satellite (heavy-top has no other description). See polhode list systems heavy-top.", "convert", "top.toml", "--to", "j2-satellite")
        # Too many for a list, which is seen before they are made: as many as these would take minutes.
        for ensemble, count in (('from = "random"\ndistribution = "cloud"\nstate = [1, 0, 0.1, 0.3, 0.9, 0.4]\nwidth = 0.01\ncount = 300000000\n', 300000000),
                                (f'from = "line"\nends = [[0.9, 0], [1.1, 0]]\ncount = 100001\nenergy = -0.5\naxes = ["q1x", "p1x"]\nsolve = "p1y"\nbase = {self.IN_SPACE}\n', 100001)):
            self.write(configuration(SATELLITE[0], SATELLITE_TABLE, ensemble) + '[section]\nname = "q1y"\n')
            self.expect_refused(f'cannot convert {count} starts (a configuration lists 100000 at most). Start from a result, with ensemble.as = "j2-satellite".',
                                "convert", "config.toml", "--to", SATELLITE[1])
        # What the other description does not have.
        self.write(configuration(PENDULUM[0], PENDULUM_TABLE, listed([As.STATES[0]]), method="rattle"))
        done = self.polhode("convert", "config.toml", "--to", PENDULUM[1])
        self.assertRegex(done.stderr, rf'^polhode: cannot use method.name \({PENDULUM[1]} has no method "rattle"; .*\)\. See polhode list methods {PENDULUM[1]}\.\n$')
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.write(configuration(PENDULUM[0], PENDULUM_TABLE, listed([As.STATES[0]])) + '[section]\nname = "p1x"\n')
        done = self.polhode("convert", "config.toml", "--to", PENDULUM[1])
        self.assertRegex(done.stderr, rf'^polhode: cannot use section.name \(unknown observable "p1x"; .*\)\. See polhode list sections {PENDULUM[1]}\.\n$')
        self.converted("config.toml", PENDULUM[1], "--set", "section.name=q1x")
        self.converted("config.toml", PENDULUM[1], "--unset", "section")


class Converted(ConvertTest):
    def test_is_the_configuration_in_full(self):
        rest = '[section]\nname = "q1x"\n[record]\nsnapshots = 100\n'
        self.write(configuration(PENDULUM[0], PENDULUM_TABLE, listed(As.STATES[:1])) + rest)
        text = self.converted("config.toml", PENDULUM[1])
        self.assertEqual(self.polhode("convert", "config.toml", "--to", PENDULUM[1], "-o", "new.toml").stdout, "")
        self.assertEqual((self.path / "new.toml").read_text(), text)
        self.assertEqual(sorted(p.name for p in self.path.iterdir()), ["config.toml", "new.toml"])
        before, after = tomllib.loads((self.path / "config.toml").read_text()), tomllib.loads(text)
        for table in ("method", "run", "section", "record"):
            self.assertEqual(after[table], before[table])
        self.assertEqual(after["system"], {**before["system"], "name": PENDULUM[1]})
        self.assertEqual(after["ensemble"].keys(), {"from", "states"})
        self.converted("config.toml", PENDULUM[1], "-o", "new.toml", "--force", "--set", "run.steps=7", "--unset", "record")
        changed = tomllib.loads((self.path / "new.toml").read_text())
        self.assertEqual((changed["run"]["steps"], "record" in changed), (7, False))

    def test_lists_starts_of_any_kind(self):
        self.write(configuration(SATELLITE[0], SATELLITE_TABLE, 'from = "random"\ndistribution = "cloud"\nstate = [1, 0, 0.1, 0.3, 0.9, 0.4]\nwidth = 0.01\ncount = 5\n'))
        self.final("config.toml")
        self.write(self.converted("config.toml", SATELLITE[1]), "new.toml")
        new = self.final("new.toml", "new.h5")
        with h5py.File(self.path / "out.h5") as file:
            end = file["final/state"][()]
        numpy.testing.assert_allclose(new[:, 0] * numpy.cos(new[:, 2]), end[:, 0], rtol=0, atol=ERROR)

    def test_catalog_says_which(self):
        for systems in (PENDULUM, SATELLITE):
            for system in systems:
                others = ", ".join(sorted(set(systems) - {system}))
                text = self.polhode("list", "systems", system).stdout
                named = text.split("  other descriptions\n    ")[1].split("\n")[0]
                self.assertEqual(", ".join(sorted(named.split(", "))), others)
        self.assertNotIn("other descriptions", self.polhode("list", "systems", "heavy-top").stdout)


if __name__ == "__main__":
    unittest.main()
