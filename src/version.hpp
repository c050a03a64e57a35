// Version of this program, for --version and for the files that it writes.
#pragma once

namespace polhode {

/// The version of the project, e.g. "0.1.0".
const char* program_version();
/// The commit from which the program was built, as git describe names it, with "-dirty" if files were changed after it;
/// empty where the program was not built in a checkout.
const char* program_git();

}  // namespace polhode
