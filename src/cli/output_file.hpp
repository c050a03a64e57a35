// Files of text that a command writes at its end.
#pragma once

#include <filesystem>
#include <string>

namespace polhode {

/// Throws InputError where `file` does not have the extension, e.g. ".json", is a folder, is in a folder that is
/// missing or cannot be written to, or exists and `replace` is false. content: the reason for the extension, e.g. "the
/// figures are JSON". Does nothing where `file` is empty.
void check_output_file(const std::filesystem::path& file, const char* extension, const char* content, bool replace);
/// Writes all of the text, or nothing and throws IoError. Does nothing without a name.
void write_output_file(const std::filesystem::path& file, const std::string& text);

}  // namespace polhode
