#!/usr/bin/env python3
"""Wrong input: one line, the exit code, and nothing left behind.

Run with POLHODE set to the program's path."""

import json
import os
import resource
import subprocess
import unittest

import h5py
import numpy

from command_line import CONFIG, PROGRAM, CliTest


class BadInput(CliTest):
    def test_configuration(self):
        def change(old, new):
            self.assertIn(old, CONFIG)
            return CONFIG.replace(old, new)

        cases = [
            (change("steps = 600", "steps = 600\nstepz = 3"),
             'unknown key run.stepz ([run] has no such key; nearest known: "steps"). Correct or remove it.'),
            (CONFIG + "[sectoin]\nname = 'pi1'\n",
             'unknown table [sectoin] (a configuration has no such table; nearest known: "section"). Correct or remove it.'),
            (change('"heavy-top"', '"heavy-topp"'),
             'cannot use system.name (unknown system "heavy-topp"; nearest known: "heavy-top"). See polhode list systems.'),
            (change('"rattle"', '"ratle"'),
             'cannot use method.name (heavy-top has no method "ratle"; nearest known: "rattle"). See polhode list methods heavy-top.'),
            (change("step = 0.05", 'step = 0.05\nsolver = "caley"'),
             'cannot use method.solver (unknown value "caley"; nearest known: "cayley"). Choose one of those.'),
            (change("step = 0.05", 'step = "small"'),
             "cannot use method.step (it is not a number). Give a number."),
            (change("step = 0.05", "step = nan"),
             "cannot use method.step (it is not finite). Give a finite number."),
            (change("step = 0.05", "step = 0"),
             "cannot use method.step = 0 (it must be finite and not zero). Give a time step."),
            (change("step = 0.05", "step = 0.05\ncomposition = [0.5, 0.25]"),
             "cannot use method.composition (its fractions sum up to 0.75). Give fractions whose sum is 1."),
            (change("step = 0.05", 'step = 0.05\ncomposition = "yoshida"'),
             'cannot use method.composition (unknown value "yoshida"; nearest known: "yoshida4"). Choose one of those.'),
            (change("step = 0.05", "step = 0.05\norder = 4"),
             "unknown key method.order (rattle has no such key; known: name, solver, step, composition). Correct or remove it."),
            (change("step = 0.05", ""),
             "method.step is missing (the time step h). Give it in [method]."),
            (change("steps = 600", "steps = 600.5"),
             "cannot use run.steps (it is not an integer). Give an integer that fits into 64 bits."),
            (change("steps = 600", "steps = 1e6"),
             "cannot use run.steps (1e6 is a real number, not an integer). Give 1000000."),
            (change("steps = 600", "steps = 2.5e10"),
             "cannot use run.steps (2.5e10 is a real number, not an integer). Give 25000000000."),
            (change("steps = 600", "steps = 600.0"),
             "cannot use run.steps (600.0 is a real number, not an integer). Give 600."),
            (change("grid = [6, 6]", "grid = [6, 1e3]"),
             "cannot use ensemble.grid (1000.0 is a real number, not an integer in element 1, counted from 0). Give 1000."),
            (change("steps = 600", "steps = 1e30"),
             "cannot use run.steps (it is not an integer). Give an integer that fits into 64 bits."),
            (change("steps = 600", "steps = 0"),
             "cannot use run.steps = 0 (it must be between 1 and 2^53). Give the number of steps."),
            (change("steps = 600", "steps = -5"),
             "cannot use run.steps = -5 (it must be between 1 and 2^53). Give the number of steps."),
            (change("steps = 600", "steps = 9223372036854775807"),
             "cannot use run.steps = 9223372036854775807 (it must be between 1 and 2^53). Give the number of steps."),
            (change("steps = 600", "steps = 92233720368547758070"),
             "cannot read config.toml (line 13, column 29: Error while parsing decimal integer: '92233720368547758070' is not representable in 64 bits). Correct the TOML."),
            (change("steps = 600", "steps = true"),
             "cannot use run.steps (it is not an integer). Give an integer that fits into 64 bits."),
            (change("steps = 600", "steps = 600\nthreads = -1"),
             "cannot use run.threads = -1 (it must be between 0 and 4096). Give 0 for one a processor."),
            (change("steps = 600", "steps = 600\nsegment = -1"),
             "cannot use run.segment = -1 (it must be between 0 and 2^53). Give 0 for automatic."),
            (change("alpha = [0.44, 0.5, 1.0]", "inertia = [1, 1, -1]"),
             "cannot use inertia = 1, 1, -1 (it must be positive). Correct it in [system]."),
            (change("alpha = [0.44, 0.5, 1.0]", "inertia = [1, 1, 0]"),
             "cannot use inertia = 1, 1, 0 (it must be positive). Correct it in [system]."),
            (change("alpha = [0.44, 0.5, 1.0]", "inertia = [1, 1]"),
             "cannot use system.inertia (it has 2 numbers). Give 3."),
            (change("alpha = [0.44, 0.5, 1.0]", "inertia = [1, 1, nan]"),
             "cannot use system.inertia (it is not finite in element 2, counted from 0). Give a finite number."),
            (change("alpha = [0.44, 0.5, 1.0]", "alpha = [-3, 2, 2]"),
             "cannot use inertia = 4, -1, -1 (it must be positive). Correct it in [system]."),
            (change("alpha = [0.44, 0.5, 1.0]", ""),
             "system.inertia is missing (principal moments about the fixed point (or give alpha)). Give it in [system]."),
            (change("alpha = [0.44, 0.5, 1.0]", "alpha = [0.44, 0.5, 1.0]\ninertia = [1, 1, 1]"),
             "cannot use system.alpha (inertia is given too). Give one of them."),
            (change("alpha = [0.44, 0.5, 1.0]", "alpha = [0.44, 0.5, 1.0]\nchi = [0, 0, 2]"),
             "cannot use chi = 0, 0, 2 (it must be a unit vector, to 1e-6). Correct it in [system]."),
            (change("alpha = [0.44, 0.5, 1.0]", "alpha = [0.44, 0.5, 1.0]\nc = inf"),
             "cannot use system.c (it is not finite). Give a finite number."),
            (change("energy = 1.0", "energy = -1.0"),
             "no state of the section gamma3 = 0, up has energy -1 (the least is 0). Change ensemble.energy."),
            (change("alpha = [0.44, 0.5, 1.0]", "alpha = [0.44, 0.5, 1.0]\nchi = [0.6, 0, 0.8]").replace("energy = 1.0", "energy = -0.61"),
             "no state of the section gamma3 = 0, up has energy -0.61 (the least is -0.6). Change ensemble.energy."),
            # Gamma = e1, the axis of the largest moment in the plane: sqrt(2 * 1.5 * 1).
            (change("energy = 1.0", "energy = 1.0\nmomentum = 50"),
             "no state of the section gamma3 = 0, up has momentum 50 at energy 1 (it is 1.73205 at most). Change ensemble.momentum or energy."),
            (change("energy = 1.0", "energy = 1.0\nmomentum = 1.7320"),
             "no start on the section (no point of the 6 x 6 grid has energy 1 and momentum 1.732 on branch pi1+). Change ensemble.energy, momentum, branch or grid."),
            (change("energy = 1.0", 'energy = 1.0\nbranch = "left"'),
             'cannot use ensemble.branch (unknown value "left"; known: pi1+, pi1+2, pi1+3, pi1+4, pi1-, pi1-2, pi1-3, pi1-4). Choose one of those.'),
            (change("energy = 1.0", 'energy = 1.0\nbranch = "pi1_"'),
             'cannot use ensemble.branch (unknown value "pi1_"; nearest known: "pi1+"). Choose one of those.'),
            (change("energy = 1.0", 'energy = 1.0\nbranch = "pi1-2"'),
             "no start on the section (no point of the 6 x 6 grid has energy 1 and momentum 0 on branch pi1-2). Change ensemble.energy, momentum, branch or grid."),
            (change("grid = [6, 6]", "grid = [0, 6]"),
             "cannot use ensemble.grid = [0, 6] (it must be at least 1). Give positive numbers of cells."),
            (change("grid = [6, 6]", "grid = [6]"),
             "cannot use ensemble.grid (it has 1 numbers). Give 2."),
            (change("grid = [6, 6]", "grid = [4000000000, 4000000000]"),
             "cannot use ensemble.grid = [4000000000, 4000000000] (it has more than 2^32 cells). Give the cells along m13 and m12."),
            (change("grid = [6, 6]", "grid = [6, 6]\nstates = [[1,2,3,0,0,1]]"),
             'unknown key ensemble.states (with from = "section"; known: from, grid, window, energy, momentum, branch, axes, solve, base). '
             "Correct or remove it."),
            (change('"gamma3"', '"gama3"'),
             'cannot use section.name (unknown observable "gama3"; nearest known: "gamma3"). See polhode list sections heavy-top.'),
            (change('"gamma3"', '"gamma3"\ndirection = "upp"'),
             'cannot use section.direction (unknown value "upp"; nearest known: "up"). Choose one of those.'),
            (change('"gamma3"', '"gamma3"\nwhere = "pi1 = 0"'),
             'cannot use section.where ("=" has no meaning, and comparisons are <, <=, > and >=, at character 5, after "pi1"). Correct it.'),
            (change('"gamma3"', '"gamma3"\nwhere = "pi9 > 0"'),
             'cannot use section.where (unknown name "pi9", at its beginning; nearest known: "pi1"). Correct it.'),
            (change('"gamma3"', '"gamma3"\nwhere = "pi1 > 0 or pi2 > 0"'),
             'cannot use section.where (comparisons are joined by "and" alone, at character 9, after "pi1 > 0"). Correct it.'),
            (change('"gamma3"', '"gamma3"\nwhere = "' + " and ".join(65 * ["pi1 > 0"]) + '"'),
             "cannot use section.where (it has more than 64 comparisons). Use fewer."),
            ('[system]\nname = "j2-satellite-reduced"\nmu = 0.9\n[method]\nname = "gauss"\nstep = 0.01\n[ensemble]\nfrom = "states"\n'
             'states = [[1, 0, 0, 0.1, 0]]\n[run]\nsteps = 10\n[section]\nname = "z"\nwhere = "theta > -1 and theta > 4"\n',
             'cannot use section.where = "theta > -1 and theta > 4" (theta is in [-pi, pi) there). Give a value in it.'),
            (CONFIG + "[record]\nsnapshots = -1\n",
             "cannot use record.snapshots = -1 (it must be between 0 and 2^53). Give 0 for none."),
            (CONFIG + "[record]\ninvariants_every = 0\n",
             "cannot use record.invariants_every = 0 (it must be between 1 and 2^53). Give a number of steps."),
            (CONFIG + "[record]\ninvariants = 1\n",
             "cannot use record.invariants (it is neither true nor false). Give true or false."),
            (change("energy = 1.0", "energy = 1e308"),
             "no start on the section (no point of the 6 x 6 grid has energy 1e+308 and momentum 0 on branch pi1+). Change ensemble.energy, momentum, branch or grid."),
            (change("steps = 600", "steps = 600\nisa = 'mmx'"),
             'cannot use run.isa (unknown value "mmx"; known: auto, scalar, avx2, avx512). Choose one of those.'),
            (change("steps = 600", 'steps = 600\n"a\\nb" = 1'),
             "unknown key run.a b ([run] has no such key; known: steps, backend, precision, threads, segment, slice, checkpoint, energy_limit, isa). Correct or remove it."),
            ("[system\nname = 1",
             "cannot read config.toml (line 1, column 8: Error while parsing table header: expected ']', saw '\\n'). Correct the TOML."),
            ("system = 3\n",
             "cannot use system (it is not a table). Write [system] on a line of its own."),
            ("",
             "system.name is missing (which system to integrate; may be left out with a header). Give it in [system]."),
        ]
        for config, message in cases:
            with self.subTest(message):
                self.expect_message(message, config=config)

    def test_huge_integers(self):
        for value in (2**62, 2**63 - 1, -(2**63)):
            for key, message in (
                ("run.steps", f"run.steps = {value} (it must be between 1 and 2^53). Give the number of steps."),
                ("run.segment", f"run.segment = {value} (it must be between 0 and 2^53). Give 0 for automatic."),
                ("run.threads", f"run.threads = {value} (it must be between 0 and 4096). Give 0 for one a processor."),
                ("record.snapshots", f"record.snapshots = {value} (it must be between 0 and 2^53). Give 0 for none."),
                ("record.invariants_every",
                 f"record.invariants_every = {value} (it must be between 1 and 2^53). Give a number of steps."),
            ):
                with self.subTest(key=key, value=value):
                    self.expect_message(f"cannot use {message}", arguments=["--set", f"{key}={value}"])

    def test_angles_that_there_are_none_of(self):
        pendulum = ('[system]\nname = "spherical-pendulum"\nm = 1\nl = 1\n[method]\nname = "rattle"\nstep = 0.05\n[ensemble]\nfrom = "states"\n'
                    'states = [[0.6, 0, -0.8, 0, 0.5, 0]]\n[run]\nsteps = 10\n[output]\nfile = "out.h5"\n[section]\nname = "azimuth"\n')
        axes = '[density]\naxes = ["q1z", "azimuth"]\nbins = [4, 4]\nrange = [[-1, 1], RANGE]\n'
        cells = '[statistics]\nevery = 5\nobservables = ["azimuth"]\nbins = 4\nrange = [RANGE]\n'
        for added, message in (
            ("value = 4\n", "cannot use section.value = 4 (azimuth is in (-pi, pi]). Give -2.2831853071795862, which is equal modulo 2 pi."),
            ("value = -3.5\n", "cannot use section.value = -3.5 (azimuth is in (-pi, pi]). Give 2.7831853071795862, which is equal modulo 2 pi."),
            ('where = "azimuth < -4"\n', 'cannot use section.where = "azimuth < -4" (azimuth is in (-pi, pi] there). Give a value in it.'),
            (axes.replace("RANGE", "[3.5, 4]"), "cannot use density.range (azimuth is in (-pi, pi], and [3.5, 4] is beyond). "
             "Give [-2.7831853071795862, -2.2831853071795862], which is equal modulo 2 pi."),
            (cells.replace("RANGE", "[0, 6.28]"), "cannot use statistics.range (azimuth is in (-pi, pi], and [0, 6.28] is beyond). "
             "Give [-3.141592653589793, 3.141592653589793] or less."),
        ):
            with self.subTest(message):
                self.expect_message(message, config=pendulum + added)
        for allowed in ("value = -3.141592653589793\n", axes.replace("RANGE", "[-3.142, 3.142]")):
            self.assertEqual(self.polhode("run", self.write(pendulum + allowed), "--force").returncode, 0)

    def test_states(self):
        def states(text):
            return CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0', 'from = "states"\nstates = ' + text)

        for text, message in (
            ("[[1, 2, 3, 0, 0, 1], [1, 2, 3, 0, 1, 1]]",
             "state 1 of the ensemble cannot be used (gamma is off length 1 by more than a hundredth: by 0.41 of it). Correct it."),
            ("[[1, 2, 3, 0, 0]]",
             "cannot use ensemble.states (state 0 has 5 numbers). Give a list of states, each a list of 6 numbers."),
            ("[[1, 2, nan, 0, 0, 1]]",
             "cannot use ensemble.states (it is not finite in row 0, column 2, counted from 0). Give a finite number."),
            ("[[1, 2, 3, 0, 0, 1], [1, 2, 3, 0, 0, 1], [1, inf, 3, 0, 0, 1]]",
             "cannot use ensemble.states (it is not finite in row 2, column 1, counted from 0). Give a finite number."),
            ("[[1, 2, 3, 0, 0, 1], [1, 2, 3, 0, 0, '1']]",
             "cannot use ensemble.states (it is not a number in row 1, column 5, counted from 0). Give a number."),
            ("[1, 2, 3]",
             "cannot use ensemble.states (an element is not a list). Give a list of states, each a list of numbers."),
            ("[]",
             "the ensemble is empty (it has no states). Give at least one."),
        ):
            with self.subTest(text):
                self.expect_message(message, config=states(text))

    def test_files(self):
        def from_file(name, dataset="/final/state"):
            return CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0', f'from = "file"\npath = "{name}"\ndataset = "{dataset}"')

        with h5py.File(self.path / "data.h5", "w") as file:
            file["wide"] = numpy.zeros((3, 7))
            file["flat"] = numpy.zeros(6)
            file["nan"] = numpy.full((2, 6), numpy.nan)
            file["text"] = "states"
            file["none"] = numpy.zeros((0, 6))
        (self.path / "foreign.h5").write_bytes(b"not HDF5" * 100)
        self.expect_message("cannot read 'missing.h5' (No such file or directory). Check its name and permissions.",
                            config=from_file("missing.h5"))
        self.expect_message("cannot read 'foreign.h5' (not an HDF5 file). Give the .h5 file of a finished run.",
                            config=from_file("foreign.h5"))
        other_shape = "instead of [n, 6] with n > 0). Give a dataset of states of heavy-top."
        for dataset, message in (
            ("wide", f"'/wide' is [3, 7] {other_shape}"),
            ("flat", f"'/flat' is [6] {other_shape}"),
            ("nan", "'/nan' is not finite in row 0, column 0, counted from 0). Remove that state."),
            ("text", f"'/text' is [] {other_shape}"),
            ("none", f"'/none' is [0, 6] {other_shape}"),
            ("absent", "there is no dataset '/absent'). Give another file or dataset; `polhode info` lists them."),
        ):
            with self.subTest(dataset=dataset):
                self.expect_message(f"cannot read 'data.h5' ({message}", config=from_file("data.h5", "/" + dataset))

    def test_arguments(self):
        self.write()
        unusable = lambda why, command="polhode run": f"cannot use these arguments ({why}). See {command} --help."
        no_hdf5 = "cannot read 'config.toml' (not an HDF5 file). Give the .h5 file of a finished run."
        for arguments, message in (
            (["run"], unusable("config is required: configuration, TOML; or a result, whose configuration is taken")),
            (["run", "missing.toml"],
             "cannot read missing.toml (no such file or not readable). Check the path."),
            (["run", "config.toml", "more.toml"], unusable("The following argument was not expected: more.toml")),
            (["run", "config.toml", "--fotce"],
             'unknown option --fotce (polhode run has no such option; nearest known: "--force"). See polhode run --help.'),
            (["walk"],
             "unknown command walk (polhode has no such command; known: run, convert, crosscheck, order, workprec, bench, compile, list, info, cite, plot, new-system, help). "
             "See polhode --help."),
            ([], unusable("A subcommand is required: run, convert, crosscheck, order, workprec, bench, compile, list, info, cite, plot, new-system, help", "polhode")),
            (["convert", "config.toml"], unusable("--to is required: the other description (polhode list systems NAME)", "polhode convert")),
            (["list"], unusable("topic is required: systems, methods, sections, keys, backends, schema", "polhode list")),
            (["list", "cats"],
             unusable('topic: unknown value "cats"; known: systems, methods, sections, keys, backends, schema', "polhode list")),
            (["list", "systems", "heavy-topp"],
             'unknown name heavy-topp (no system is called that; nearest known: "heavy-top"). See polhode list systems.'),
            (["run", "config.toml", "--unset", "ensembl"],
             "cannot use --unset ensembl (the configuration has no such table or key; nearest known: \"ensemble\"). "
             "Leave it out."),
            (["run", "config.toml", "--progress=jsn"],
             unusable('--progress: unknown value "jsn"; nearest known: "json"')),
            (["info", "config.toml", "--json"], no_hdf5),
            (["info", "config.toml", "--columns"], no_hdf5),
            (["run", "config.toml", "--isa", "mmx"],
             'cannot use run.isa (unknown value "mmx"; known: auto, scalar, avx2, avx512). Choose one of those.'),
            (["run", "config.toml", "--threads", "many"],
             "cannot use run.threads (it is not an integer). Give an integer that fits into 64 bits."),
            (["run", "config.toml", "--set", "step"],
             "cannot use --set step (there is no key=value). Write for example --set method.step=0.01."),
            (["run", "config.toml", "--set", "step=3"],
             "cannot use --set step=3 (the key must be TABLE.KEY). Write for example --set method.step=0.01."),
            (["run", "config.toml", "--set", "method.step.size=3"],
             "cannot use --set method.step.size=3 (step is not a table). Set it as a whole."),
            (["run", "config.toml", "--unset", "method.step.size"],
             "cannot use --unset method.step.size (the configuration has no such table or key; nearest known: "
             '"method.step"). Leave it out.'),
            (["run", "config.toml", "--backend", "gpu"],
             'cannot use run.backend (unknown value "gpu"; nearest known: "cuda"). Choose one of those.'),
            (["run", "config.toml", "-o", "-"],
             "cannot use output.file (HDF5 cannot be written to standard output). Give a file name."),
            (["plot", "config.toml", "--width", "5"],
             "unknown option --width (polhode plot has no such option; known: --help, -h, --output, -o, --view, --axes, --range, "
             "--trajectories, --side, --colour, --size, --dpi, --title, --labels, --dots, --style, --methods). See polhode plot --help."),
            (["run", ".", "--quiet"],
             "cannot read . (it is a directory). Give a configuration file."),
            (["run", "config.toml", "--resume"],
             "nothing to resume ('out.h5.part' does not exist). Leave out --resume to start the run."),
            (["run", "config.toml", "--resume", "--force"],
             "cannot use --resume and --force together (one continues, the other starts anew). Choose one."),
            (["info", "missing.h5"],
             "cannot read 'missing.h5' (No such file or directory). Check its name and permissions."),
            (["info", "config.toml"], no_hdf5),
            (["plot", "config.toml"], no_hdf5),
            (["plot"], unusable("files is required: results, HDF5; several: of one system with different steps; or JSON of order or "
                                "workprec", "polhode plot")),
            (["plot", "config.toml", "--view", "cats"],
             "unknown view 'cats' (there are section, density, section3d, invariants, shadow, statistics, polhodes, and for "
             "several files invariants, error, section). Choose one of them."),
            (["plot", "config.toml", "missing.h5"], no_hdf5),
        ):
            with self.subTest(arguments=arguments):
                self.expect_printed(arguments, message)

    def test_plot_hands_over_files_and_view(self):
        config = self.write(CONFIG + "[record]\nsnapshots = 10\n")
        for step in ("0.05", "0.1"):
            done = self.polhode("run", config, "-o", f"-{step}.h5", "--set", f"method.step={step}")
            self.assertEqual(done.returncode, 0, done.stderr)
        for options, picture in (([], "-0.05.png"), (["-o", "3d.png", "--view", "section3d"], "3d.png")):
            done = self.polhode("plot", *options, "--", "-0.05.h5")
            if done.returncode == 3:
                self.skipTest(done.stderr)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual((self.path / picture).read_bytes()[1:4], b"PNG")
        done = self.polhode("plot", "-o", "both.png", "--", "-0.05.h5", "-0.1.h5")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((self.path / "both.png").read_bytes()[1:4], b"PNG")

    def test_cuda_without_a_gpu(self):
        backends = json.loads(self.polhode("list", "backends", "--json").stdout)
        if backends[2]["available"]:
            self.skipTest("there is a GPU")
        self.expect_message(f"backend cuda is unavailable ({backends[2]['meaning']}). Use --backend cpu.", 3,
                            arguments=["--backend", "cuda"])

    def test_no_process_left(self):
        """A file is read by a child process first, which a limit on processes forbids to all but root."""
        self.run_with(self.write(), "out.h5")
        self.path.chmod(0o755)
        user = 65534 if os.geteuid() == 0 else os.geteuid()

        def limit():
            os.setuid(user)
            resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))

        def polhode(*arguments, before):
            return subprocess.run([PROGRAM, *arguments], cwd=self.path, capture_output=True, text=True, preexec_fn=before)

        try:
            can_run = polhode("info", "out.h5", before=lambda: os.setuid(user)).returncode == 0
        except OSError:
            can_run = False
        if not can_run:
            self.skipTest("another user than root cannot run the program here")
        done = polhode("info", "out.h5", before=limit)
        self.assertEqual((done.returncode, done.stderr),
                         (2, "polhode: cannot read 'out.h5' (Resource temporarily unavailable, when a process was started). "
                             "Raise the limit on processes (ulimit -u).\n"))


if __name__ == "__main__":
    unittest.main()
