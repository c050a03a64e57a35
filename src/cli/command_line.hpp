// The command line as a function, for the program and for the Python package.
#pragma once

namespace polhode {

/// Exit code (docs/configuration.md) of a command line, once it has been run. Of a process that does nothing else: the
/// handling of its signals and of its files at the end is changed.
int run_command_line(int argc, char** argv);

}  // namespace polhode
