#!/usr/bin/env python3
"""Runs tell how far they are, end when they are asked to, and let the interpreter go on."""

import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import h5py
import numpy
from package_support import EXAMPLES, FOREVER, TOP, Package

import polhode as ph


class Running(Package):
    def test_progress_is_told_and_stops_a_run(self):
        told = []

        def stop(now):
            told.append(now)
            return len(told) < 3

        run = ph.run(**TOP, steps=FOREVER, progress=stop)
        self.assertFalse(run.report.complete)
        self.assertIn("stopped, without a result", str(run.report))
        self.assertEqual(len(told), 3)
        self.assertGreater(told[2].steps, told[1].steps)
        self.assertEqual(told[2].all, FOREVER * run.report.trajectories)
        with self.assertRaisesRegex(KeyError, "since the run was stopped"):
            run["/final/state"]

    def test_a_false_value_of_numpy_stops_a_run(self):
        self.assertFalse(ph.run(**TOP, steps=FOREVER, progress=lambda now: now.fraction < numpy.float64(0)).report.complete)
        self.assertTrue(ph.run(**TOP, steps=10, progress=None).report.complete)

    def test_what_progress_raises_is_raised(self):
        def fail(now):
            raise ZeroDivisionError("here")

        with self.assertRaisesRegex(ZeroDivisionError, "here"):
            ph.run(**TOP, steps=FOREVER, progress=fail)

    def test_an_interruption_stops_a_run(self):
        for progress in (False, True):
            timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
            begin = time.monotonic()
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                ph.run(**TOP, steps=FOREVER, progress=progress)
            self.assertLess(time.monotonic() - begin, 20)  # a segment is a tenth of a second

    def test_an_interruption_of_a_run_into_a_file_tells_how_it_goes_on(self):
        for progress in (True, False):
            threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            with self.assertRaises(KeyboardInterrupt) as caught:
                ph.run(**TOP, steps=FOREVER, file=self.path / "out.h5", force=True, progress=progress)
            self.assertRegex(caught.exception.__notes__[0], r"^polhode: interrupted at \d+% of its steps .*out.h5.part'\). Go on with resume=True.$")

    def test_a_terminated_run_into_a_file_goes_on(self):
        configuration = ph.load(EXAMPLES / "heavy_top_section.toml").replace(**{"run.steps": FOREVER})
        (self.path / "top.toml").write_text(configuration.to_toml())
        code = "import polhode as ph; ph.load('top.toml').run('out.h5')"
        process = subprocess.Popen([sys.executable, "-c", code], cwd=self.path, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not (self.path / "out.h5.part").exists():
            time.sleep(0.01)
        time.sleep(1)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM, errors)
        self.assertRegex(errors, r"polhode: interrupted at \d+% of its steps \(a checkpoint is in 'out.h5.part'\). Go on with resume=True.\n$")
        told = []
        configuration.run(self.path / "out.h5", resume=True, progress=lambda now: told.append(now) or False)
        self.assertGreater(told[0].steps_before, 0)
        self.assertIs(signal.getsignal(signal.SIGTERM), signal.SIG_DFL)

    def test_an_interruption_ends_a_compilation(self):
        cache = self.path / "cache"
        code = ("import polhode as ph; ph.run(ph.System('henon-heiles'), ph.Method('gauss', 0.1), ph.starts.Section((4, 4), 0.1), 10,"
                "section=ph.Section('q1'))")
        process = subprocess.Popen([sys.executable, "-c", code], env=os.environ | {"POLHODE_CACHE": str(cache)}, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not list(cache.rglob("*.cpp")):
            time.sleep(0.01)
        time.sleep(0.2)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - begin, 5)
        self.assertTrue(errors.endswith("KeyboardInterrupt\n"), errors)
        self.assertEqual(list(cache.rglob("*.so")), [])
        without_sanitizer = os.environ | {"LD_PRELOAD": ""}  # in which pgrep hangs
        self.assertEqual(subprocess.run(["pgrep", "-f", str(cache)], capture_output=True, text=True, env=without_sanitizer).stdout, "")

    def interrupted(self, code, wait_for, seconds=5):
        """What a process that runs the code says after an interruption, which comes when wait_for() holds."""
        process = subprocess.Popen([sys.executable, "-c", code], env=os.environ | {"POLHODE_CACHE": str(self.path / "cache")}, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        end = time.monotonic() + 60
        while process.poll() is None and not wait_for() and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.5)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - begin, seconds)
        return errors

    def test_an_interruption_ends_the_wait_for_another_process(self):
        """That has the lock of a module."""
        code = "import polhode as ph; ph.run(ph.System('henon-heiles'), ph.Method('gauss', 0.1), ph.starts.Section((4, 4), 0.1), 10, section=ph.Section('q1'))"
        first = subprocess.Popen([sys.executable, "-c", code], env=os.environ | {"POLHODE_CACHE": str(self.path / "cache")}, stderr=subprocess.DEVNULL)
        self.addCleanup(first.kill)
        while not list((self.path / "cache").rglob("*.lock")):
            time.sleep(0.01)
        first.send_signal(signal.SIGSTOP)
        errors = self.interrupted(code, lambda: True)
        first.send_signal(signal.SIGCONT)
        first.kill()
        first.wait()
        self.assertTrue(errors.endswith("KeyboardInterrupt\n"), errors)

    def test_an_interruption_ends_the_making_of_starts(self):
        ph.run(ph.System("heavy-top", alpha=[0.44, 0.5, 1.0]), ph.Method("rattle", 0.05), ph.starts.Section((4, 4), 1.0), 1)
        marker = self.path / "begun"
        code = (f"import pathlib, polhode as ph; pathlib.Path({str(marker)!r}).touch();"
                "ph.run(ph.System('heavy-top', alpha=[0.44, 0.5, 1.0]), ph.Method('rattle', 0.05), ph.starts.Section((20000, 20000), 1.0), 1, threads=1)")  # fmt: skip
        self.assertTrue(self.interrupted(code, marker.exists).endswith("KeyboardInterrupt\n"))

    def test_threads_that_run_at_the_end_do_not_abort(self):
        code = ("import threading, time, polhode as ph\n"
                "def work():\n"
                " while True:\n"
                "  try: ph.run(ph.System('heavy-top', alpha=[0.44, 0.5, 1.0]), ph.Method('rattle', 0.05), ph.starts.Section((6, 6), 1.0), 10**9)\n"
                "  except Exception: pass\n"
                "for _ in range(3): threading.Thread(target=work, daemon=True).start()\n"
                "time.sleep(0.5)")  # fmt: skip
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_handlers_of_signals_raise_what_they_raise(self):
        """Also while kernels are compiled."""
        def late(*_):
            raise TimeoutError("mine")

        before = signal.signal(signal.SIGALRM, late)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        code = ("import signal, polhode as ph\ndef late(*_): raise TimeoutError('mine')\nsignal.signal(signal.SIGALRM, late)\nsignal.setitimer(signal.ITIMER_REAL, 1)\n"
                "ph.run(ph.System('henon-heiles'), ph.Method('gauss', 0.1), ph.starts.Section((4, 4), 0.1), 10)")
        done = subprocess.run([sys.executable, "-c", code], env=os.environ | {"POLHODE_CACHE": str(self.path / "cache")}, capture_output=True, text=True)
        self.assertTrue(done.stderr.endswith("TimeoutError: mine\n"), done.stderr)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with self.assertRaisesRegex(TimeoutError, "mine"):
            ph.run(**TOP, steps=FOREVER)

    def test_an_interrupted_run_goes_on(self):
        configuration = ph.load(EXAMPLES / "heavy_top_section.toml").replace(**{"run.steps": 4000, "run.checkpoint": 0, "run.segment": 100})
        calls = []
        stopped = configuration.run(self.path / "out.h5", progress=lambda now: calls.append(now) or len(calls) < 8)
        self.assertFalse(stopped.report.complete)
        self.assertEqual(list(stopped), [])
        self.assertTrue((self.path / "out.h5.part").exists())
        resumed = configuration.run(self.path / "out.h5", resume=True)
        self.assertTrue(resumed.report.complete)
        self.assertEqual(resumed.path, self.path / "out.h5")
        numpy.testing.assert_array_equal(resumed.section.state, configuration.run().section.state)
        self.assert_is_file(configuration.run(), self.path / "out.h5")
        longer = ph.load(self.path / "out.h5").replace(**{"run.steps": 5000}).run(self.path / "out.h5", resume=True)
        numpy.testing.assert_array_equal(longer.final.state, configuration.replace(**{"run.steps": 5000}).run().final.state)

    def test_the_compression_of_a_configuration(self):
        configuration = ph.load(EXAMPLES / "heavy_top_section.toml").replace(**{"run.steps": 400, "output.compression": 6})
        for name, given in (("own.h5", {}), ("none.h5", {"compression": 0})):
            configuration.run(self.path / name, **given)
            with h5py.File(self.path / name) as file:
                self.assertEqual(file["section/state"].compression_opts, None if given else 6)

    def test_other_threads_go_on(self):
        """Ticks of another thread come all the time; with the interpreter's lock held they would wait for the run's end."""
        ticks, ended = [], threading.Event()

        def tick():
            while not ended.wait(0.01):
                ticks.append(time.monotonic())

        ph.run(**TOP, steps=10)  # the kernel
        ticker = threading.Thread(target=tick)
        ticker.start()
        begin = time.monotonic()
        ph.run(**TOP, steps=1_500_000, threads=1, progress=False)
        end = time.monotonic()
        ended.set()
        ticker.join()
        self.assertLess(numpy.diff([begin, *ticks, end]).max(), (end - begin) / 2)

    def test_runs_side_by_side(self):
        runs = {}

        def integrate(k):
            runs[k] = ph.run(**TOP, steps=100_000 + k, threads=1, section=ph.Section("gamma3"))

        workers = [threading.Thread(target=integrate, args=(k,)) for k in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        for k in range(4):
            numpy.testing.assert_array_equal(runs[k].section.state, ph.run(**TOP, steps=100_000 + k, section=ph.Section("gamma3")).section.state)


if __name__ == "__main__":
    unittest.main()
