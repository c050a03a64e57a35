"""What a report says about the machine."""

import os
import platform
import re
import shutil
import subprocess


def gpu():
    """What the driver's own tool says about the first GPU; None where it finds none."""
    fields = ("name", "driver_version", "memory.total", "compute_cap", "clocks.max.sm")
    if not shutil.which("nvidia-smi"):
        return None
    process = subprocess.run(["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader"],
                             capture_output=True, text=True)
    lines = process.stdout.strip().splitlines()
    if process.returncode != 0 or not lines:
        return None
    return dict(zip(fields, (value.strip() for value in lines[0].split(","))))


def nvcc():
    """The release of the CUDA compiler here, if there is one."""
    program = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    text = subprocess.run([program, "--version"], capture_output=True, text=True).stdout if program else ""
    release = re.search(r"V(\d+\.\d+\.\d+)", text)
    return release[1] if release else None


def host():
    with open("/proc/cpuinfo") as file:
        model = re.search(r"^model name\s*:\s*(.*)$", file.read(), re.MULTILINE)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {"processor": model[1] if model else "unknown", "cores": len(os.sched_getaffinity(0)),
            "memory_gib": round(memory / 2**30), "kernel": platform.release(), "glibc": platform.libc_ver()[1]}
