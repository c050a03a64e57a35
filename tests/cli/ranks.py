"""Starts ranks of polhode-mpi on this machine, for the tests of what they share.

Run with POLHODE and POLHODE_MPI set to the programs' paths."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

from command_line import CONFIG, PROGRAM, CliTest, everything, wait_until

SHARED = os.environ.get("POLHODE_MPI", "")

# 3420 trajectories in four slices of 1024, of which some fail, and everything that a file can hold of them.
MANY = CONFIG.replace("grid = [6, 6]", "grid = [66, 66]").replace("step = 0.05", "step = 0.6").replace("steps = 600", "steps = 60\nslice = 1024") + everything(15, 4)

# Ranks may be more than the processors.
LAUNCH = ["mpirun", "--map-by", ":OVERSUBSCRIBE", "--bind-to", "none"]

# They may be root's. Of the others Open MPI 5 does not know most: for ranks on this machine, 4 needs neither a network
# nor a way to other machines.
SETTINGS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_plm": "isolated",
    "OMPI_MCA_oob_tcp_if_include": "lo",
    "OMPI_MCA_btl": "self,vader",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}


def open_mpi():
    """Its major version."""
    version = subprocess.run(["mpirun", "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
    return int(re.search(r"\(Open MPI\) (\d+)", version)[1])


def is_running(process):
    """Whether the process of this number has not ended, nor been killed."""
    try:
        status = pathlib.Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] not in "ZX"


class RanksTest(CliTest):
    def setUp(self):
        super().setUp()
        # Sockets of the launcher have names that must be short.
        self.session = tempfile.mkdtemp(prefix="p", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.session, ignore_errors=True)
        self.environment = {**os.environ, **SETTINGS, "TMPDIR": self.session}
        self.errors = pathlib.Path(self.session) / "errors"

    def start(self, command, patience=0, other=None, elsewhere=None):
        """patience: seconds that Open MPI 4 leaves the ranks when one has failed or mpirun is interrupted.
        other: the arguments of rank 1, if not those of all; mpirun's own way to say so kills that of Open MPI 5.0.7.
        elsewhere: variables of rank 1, as of another machine."""
        choice = f'[ "$OMPI_COMM_WORLD_RANK" != 1 ] || set -- {shlex.join(other)}; ' if other else ""
        for name, value in (elsewhere or {}).items():
            choice += f'[ "$OMPI_COMM_WORLD_RANK" != 1 ] || export {name}={shlex.quote(str(value))}; '
        # What ranks say of errors goes by the launcher, which adds to it, and loses it when it is interrupted.
        rank = ["sh", "-c", f'{choice}exec "$0" "$@" 2>>{self.errors}']
        words = [word for argument in map(str, command) for word in ([*rank, argument] if argument in (PROGRAM, SHARED) else [argument])]
        self.errors.unlink(missing_ok=True)
        environment = dict(self.environment, OMPI_MCA_odls_base_sigkill_timeout=str(patience))
        return subprocess.Popen([*LAUNCH, *words], cwd=self.path, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end(self, process):
        """What the ranks have said, or the launcher if there were none."""
        try:
            stdout, stderr = process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        if self.errors.exists():
            stderr = self.errors.read_text()
        return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)

    def share(self, ranks, *arguments, program=None):
        return self.end(self.start(["-n", ranks, program or SHARED, *arguments]))

    def has_gpu(self):
        backends = json.loads(self.polhode("list", "backends", "--json").stdout)
        return {backend["name"]: backend["available"] for backend in backends}["cuda"]

    def content(self, name):
        return sorted(path.relative_to(self.path) for path in (self.path / name).rglob("*"))

    def ranks_of(self, process):
        """Process ids, in the order of ranks."""
        found = {}
        for folder in pathlib.Path("/proc").iterdir():
            try:
                parent = folder.name.isdigit() and int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
                if parent != process.pid:
                    continue
                variables = (folder / "environ").read_text().split("\0")
            except OSError:
                continue
            for variable in variables:
                if variable.startswith("OMPI_COMM_WORLD_RANK="):
                    found[int(variable.split("=")[1])] = int(folder.name)
        return [found[rank] for rank in sorted(found)]

    def interrupt(self, command, stop, patience=0):
        """Once all three ranks are at work: they write checkpoints all the time."""
        folders = [self.path / "out.h5.part" / name for name in ("", "rank-1", "rank-2")]

        def checkpoint(folder):
            try:
                status = (folder / "checkpoint").stat()
            except OSError:
                return None
            return status.st_ino, status.st_mtime_ns

        before = {folder: checkpoint(folder) for folder in folders}
        process = self.start(command, patience)
        self.addCleanup(process.kill)  # which does nothing to one that has ended

        def all_are_at_work():
            if process.poll() is not None:
                self.fail(f"the run ended too early: {self.end(process).stderr}")
            return not any(checkpoint(folder) in (None, before[folder]) for folder in folders)

        wait_until(all_are_at_work, "checkpoints of all ranks", pause=0.02)
        ranks = self.ranks_of(process)
        stop(process)
        result = self.end(process)
        # A launcher that kills its ranks does not wait for their end, and until then they hold the output.
        wait_until(lambda: not any(map(is_running, ranks)), f"the end of ranks {ranks}", pause=0.02)
        return result


def main():
    """The tests of a module, where ranks can be started."""
    if not SHARED:
        print("skipped: polhode-mpi is not built (there was no MPI)")
        sys.exit(77)
    if not shutil.which("mpirun"):
        print("skipped: there is no mpirun")
        sys.exit(77)
    unittest.main()
