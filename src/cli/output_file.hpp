// Files of text that a command writes at its end.
#pragma once

#include <filesystem>
#include <string>

namespace polhode {

/// Throws InputError where `file` has another extension, where its folder cannot be written to, where it is a folder,
/// and where it is there, unless `replace`. content: the reason for the extension, e.g. "the figures are JSON". Does
/// nothing without a name.
void check_output_file(const std::filesystem::path& file, const char* extension, const char* content, bool replace);
/// Writes all of the text, or nothing and throws IoError. Does nothing without a name.
void write_output_file(const std::filesystem::path& file, const std::string& text);

}  // namespace polhode
