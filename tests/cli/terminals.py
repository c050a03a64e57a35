"""Programs on a terminal of their own, for the tests of what is shown and typed there."""

import os
import pty
import select
import subprocess
import time
import unittest


class Terminal:
    """A program whose standard error, and input where `typed` is true, is a terminal; the rest goes to it as well."""

    def __init__(self, command, typed=False, **keywords):
        try:
            self.leader, follower = pty.openpty()
        except OSError as error:  # e.g. in a chroot
            raise unittest.SkipTest(f"no pseudo-terminal: {error}")
        self.process = subprocess.Popen(command, stdin=follower if typed else subprocess.DEVNULL, stdout=follower, stderr=follower,
                                        start_new_session=True, **keywords)
        os.close(follower)
        self.shown = ""

    def type(self, text):
        os.write(self.leader, text.encode())

    def read(self, until, seconds=60):
        """All that is shown from now on, until until(it) holds or the program has ended."""
        fresh, end = "", time.monotonic() + seconds
        while not until(fresh):
            if time.monotonic() > end:
                raise AssertionError(f"waited in vain for it in {fresh!r}")
            if not select.select([self.leader], [], [], 0.1)[0]:
                continue
            try:
                piece = os.read(self.leader, 4096).decode(errors="replace")
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            fresh += piece
        self.shown += fresh
        return fresh

    def lines(self):
        """What has been shown line by line, also those that were written over."""
        return [line for line in self.shown.replace("\x1b[K", "").replace("\n", "\r").split("\r") if line.strip()]

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.leader)
