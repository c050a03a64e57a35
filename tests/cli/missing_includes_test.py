#!/usr/bin/env python3
"""scripts/check-missing-includes: what it finds in small source trees, and what it leaves alone."""

import pathlib
import subprocess
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "scripts/check-missing-includes"


class MissingIncludes(unittest.TestCase):
    def problems(self, **files):
        """Of a tree with these files, NAME.hpp and NAME.cpp in src, by name."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "src").mkdir()
            for name, text in files.items():
                (pathlib.Path(folder) / "src" / name.replace("_", ".")).write_text(text)
            done = subprocess.run([CHECK, folder], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        lines = done.stdout.splitlines()
        if done.returncode == 0:
            self.assertRegex(lines.pop(), r"^\d+ names have their headers$")
        return lines

    def test_a_name_without_its_header(self):
        self.assertEqual(self.problems(a_cpp="#include <cmath>\n\nint most = std::max({1, 2});\n"),
                         ["src/a.cpp:3: std::max needs <algorithm>"])
        self.assertEqual(self.problems(a_cpp="#include <vector>\nauto n = std::ranges::find(x, 1);\nstd::vector<int> x;\n"),
                         ["src/a.cpp:2: std::find needs <algorithm>"])
        self.assertEqual(self.problems(a_cpp="#include <fcntl.h>\nint f = ::open(name, 0), g = ::close(f);\n"),
                         ["src/a.cpp:2: ::close needs <unistd.h>"])
        self.assertEqual(self.problems(a_cpp="#include <cstdint>\nstd::int64_t e = errno;\n"), ["src/a.cpp:2: errno needs <cerrno>"])

    def test_any_of_the_headers_that_declare_a_name_will_do(self):
        self.assertEqual(self.problems(a_cpp="#include <cstring>\nstd::size_t n;\n"), [])
        self.assertEqual(self.problems(a_cpp="#include <span>\nauto n = std::ssize(x);\n"), [])
        self.assertRegex(self.problems(a_cpp="#include <cmath>\nstd::size_t n;\n")[0], "needs <cstddef> or <cstdio> or ")

    def test_headers_of_the_project_include_for_those_that_include_them(self):
        use = "int most = std::max({1, 2});\n"
        self.assertEqual(self.problems(a_cpp='#include "a.hpp"\n' + use, a_hpp='#include "b.hpp"\n', b_hpp="#include <algorithm>\n"), [])
        self.assertEqual(len(self.problems(a_cpp='#include "a.hpp"\n' + use, a_hpp="", b_hpp="#include <algorithm>\n")), 1)
        # One that is named in a comment is not included.
        self.assertEqual(len(self.problems(a_cpp='// #include "b.hpp"\n' + use, b_hpp="#include <algorithm>\n")), 1)

    def test_what_is_no_code_uses_nothing(self):
        used = "#include <cstdint>\nstd::int64_t n = 1'000'000;\n"
        for text in ("// std::max\n", "/* std::max\n*/\n", 'auto t = "std::max";\n', 'auto t = R"(\nstd::max)";\n', "auto c = '\"';  // std::max\n",
                     "auto n = other::std::max;\n", "auto n = h5::File::open;\n"):
            self.assertEqual(self.problems(a_cpp=used + text), [], text)
        for text in ("auto n = 10'0 + std::max(1, 2);\n", "auto c = '\"'; auto n = std::max(1, 2);  // \"\n", "/* */ auto n = std::max(1, 2);\n"):
            self.assertEqual(self.problems(a_cpp=used + text), ["src/a.cpp:3: std::max needs <algorithm>"], text)

    def test_a_name_that_is_not_known_has_to_be_entered(self):
        self.assertEqual(self.problems(a_cpp="std::flat_map<int, int> x;\n"),
                         ["src/a.cpp:1: std::flat_map is in no table of scripts/check-missing-includes"])

    def test_nothing_to_check_is_a_failure(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(subprocess.run([CHECK, folder], capture_output=True).returncode, 1)


if __name__ == "__main__":
    unittest.main()
