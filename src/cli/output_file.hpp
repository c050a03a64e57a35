// Files of text that a command writes at its end.
#pragma once

#include <filesystem>
#include <string>

namespace polhode {

/// Refuses a name without the extension, since the content is what `content` says, e.g. "the figures are JSON"; a
/// folder that cannot be written to; and a file that is there, unless it is to be replaced. Does nothing without a
/// name.
void check_output_file(const std::filesystem::path& file, const char* extension, const char* content, bool replace);
/// Writes all of the text or nothing. Throws IoError. Does nothing without a name.
void write_output_file(const std::filesystem::path& file, const std::string& text);

}  // namespace polhode
