// Which program this is, for --version and the files that it writes.
#pragma once

namespace polhode {

/// The version of the project, e.g. "0.1.0".
const char* program_version();
/// The commit as of the build, by git describe, with "-dirty" after changes; empty where it was not built in a
/// checkout.
const char* program_git();

}  // namespace polhode
