#!/usr/bin/env python3
"""The wheel of scripts/wheel, in an empty environment without a compiler. Named by POLHODE_WHEEL; else one without kernels is
made, in some minutes, with POLHODE_TEST_ALL alone."""

import os
import subprocess
import sys
import tempfile
import unittest
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOP = 'ph.configure(system=ph.System("heavy-top", inertia=[1.5, 1.44, 0.94], chi=[0, 0, 1], c=1.0), method=ph.Method("rattle", step=0.05), ' \
      'ensemble=ph.starts.Section(grid=(4, 4), energy=1.0), section=ph.Section("gamma3"), steps=300)'
RUN = f"import polhode as ph; run = {TOP}.run()\nassert len(run.section.state) > 20"
# Each of two libraries writes, reads what the other has written, and writes again.
WITH_H5PY = """
import sys, numpy
MODULES = sys.argv[1].split(",")
for name in MODULES: __import__(name)
import h5py, netCDF4, polhode as ph
run = CONFIGURATION.run("out.h5", force=True)
with h5py.File("mine.h5", "w") as file: file["x"] = numpy.arange(5)
with netCDF4.Dataset("mine.nc", "w") as file:
    file.createDimension("x", 5); file.createVariable("x", "f8", ("x",))[:] = numpy.arange(5)
with h5py.File("out.h5") as file: assert (file["section/state"][:] == run.section.state).all()
with netCDF4.Dataset("out.h5") as file: assert (file["section/state"][:] == run.section.state).all()
run.save("saved.h5", force=True)
CONFIGURATION.run("again.h5", force=True)
""".replace("CONFIGURATION", TOP)


def wheel():
    """The path of the wheel."""
    if path := os.environ.get("POLHODE_WHEEL"):
        return Path(path)
    if not os.environ.get("POLHODE_TEST_ALL"):
        print("skipped: a wheel takes minutes to make; POLHODE_TEST_ALL or POLHODE_WHEEL is not set")
        sys.exit(77)
    subprocess.run([ROOT / "scripts/wheel", "none"], check=True, env={**os.environ, "PYTHON": sys.executable})
    return max((ROOT / "dist").glob("polhode-*.whl"), key=lambda path: path.stat().st_mtime)


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.wheel = wheel()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = Path(folder.name)
        venv.create(cls.path / "python", with_pip=True)
        cls.python = cls.path / "python/bin/python"
        cls.call(cls.python, "-m", "pip", "install", "--quiet", f"{cls.wheel}[compiler]", "h5py", "netCDF4")
        # Without what this machine has, but for what every machine has.
        (few := cls.path / "few").mkdir()
        (few / "env").symlink_to("/usr/bin/env")
        cls.environment = {"PATH": f"{cls.python.parent}:{few}", "HOME": folder.name, "POLHODE_CACHE": str(cls.path / "cache")}

    @classmethod
    def call(cls, *command, env=None):
        done = subprocess.run(command, capture_output=True, text=True, cwd=cls.path, env=env)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def within(self, *command):
        return self.call(*command, env=self.environment)

    def test_its_name_says_where_it_goes(self):
        self.assertIn("manylinux", self.wheel.name)

    def test_without_a_compiler_the_one_of_the_extra_is_taken(self):
        self.within(self.python, "-c", RUN)

    def test_the_command_is_there(self):
        (self.path / "top.toml").write_text(self.within(self.python, "-c", f"import polhode as ph; print({TOP}.to_toml())"))
        self.within(self.python.parent / "polhode", "run", "top.toml", "-o", "top.h5", "--force")
        states = self.within(self.python, "-c", f'import polhode as ph; print(({TOP}.run().section.state == ph.open("top.h5").section.state).all())')
        self.assertEqual(states, "True\n")

    def test_others_may_bring_their_hdf5(self):
        for order in ("polhode._core,h5py,netCDF4", "netCDF4,h5py,polhode._core", "h5py,polhode._core,netCDF4"):
            with self.subTest(order):
                self.within(self.python, "-c", WITH_H5PY, order)

    def test_it_names_no_folder_of_the_machine_that_made_it(self):
        installed = next((self.path / "python/lib").glob("python3*/site-packages/polhode"))
        for file in installed.glob("*.so"):
            self.assertNotIn(str(ROOT).encode(), file.read_bytes(), file)


if __name__ == "__main__":
    unittest.main()
