#include "cli/manual.hpp"

#include <fmt/format.h>

#include "cli/command_names.hpp"
#include "cli/schema.hpp"
#include "error.hpp"
#include "result/run_description.hpp"
#include "version.hpp"

namespace polhode {
namespace {

struct Explained {
  std::string name, meaning;
};

const Explained exit_codes[] = {
    {fmt::format("{}", static_cast<int>(ExitCode::done)), "done"},
    {fmt::format("{}", static_cast<int>(ExitCode::failed)),
     "every trajectory failed; or a check of crosscheck failed, or nothing could be compared; or order saw none"},
    {fmt::format("{}", static_cast<int>(ExitCode::bad_input)), "the arguments, the configuration or a file are wrong"},
    {fmt::format("{}", static_cast<int>(ExitCode::unavailable)), "a backend, a kernel or a Python module is not there"},
    {fmt::format("{}", static_cast<int>(ExitCode::io)), "a file could not be written"},
    {fmt::format("{}", static_cast<int>(ExitCode::interrupted)), "interrupted"},
};
const Explained environment[] = {
    {"POLHODE_CACHE", "folder of kernels; default: polhode in $XDG_CACHE_HOME or ~/.cache"},
    {"POLHODE_COMPILER", "the C++ compiler of kernels; default: that which built the program, or one on the path"},
    {"POLHODE_HOME", "where polhode is installed, if its headers are not found"},
    {"POLHODE_NO_COMPILE", "1: compile no kernel, as --no-compile does"},
    {"POLHODE_PYTHON", "the Python that plot uses, with h5py, matplotlib and numpy; default: the first on the path"},
};
const Explained files[] = {
    {"~/.cache/polhode", "kernels, each of which is compiled again if it is removed"},
    {"FILE.h5.part", "what an interrupted run has computed, from which --resume goes on"},
};

/// Text in which no character has a meaning for man(7).
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\')
      safe += "\\e";
    else if (c == '-')
      safe += "\\-";
    else
      safe += c;
  }
  const bool is_request = !safe.empty() && (safe.front() == '.' || safe.front() == '\'');
  return is_request ? "\\&" + safe : safe;
}

std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string heading(const std::string& title) { return ".SH " + title + "\n"; }
std::string subheading(const std::string& title) { return ".SS \"" + escaped(title) + "\"\n"; }
/// Paragraph below a tag. marked_up_tag: in the language of man(7); plain_text: not escaped yet.
std::string entry(const std::string& marked_up_tag, const std::string& plain_text) {
  return fmt::format(".TP\n{}\n{}\n", marked_up_tag, escaped(plain_text));
}

template <class List>
std::string entries(const List& list) {
  std::string text;
  for (const auto& [name, meaning] : list) text += entry(bold(name), meaning);
  return text;
}

/// Command and its positional arguments in one line, in the language of man(7).
std::string synopsis(const CLI::App& command) {
  std::string line = bold(full_name(command)) + " [" + italic("option") + " ...]";
  for (const CLI::Option* option : positionals_of(command)) {
    const std::string name =
        italic(option->get_name(true)) + (option->get_items_expected_max() > 1 ? " " + italic("...") : "");
    line += option->get_required() ? " " + name : " [" + name + "]";
  }
  return line;
}

std::string tag_of(const CLI::Option& option) {
  if (option.get_positional()) return italic(option.get_name(true));
  std::string tag;
  for (const std::string& name : option.get_snames()) tag += bold("-" + name) + ", ";
  for (const std::string& name : option.get_lnames()) tag += bold("--" + name) + ", ";
  tag.resize(tag.size() - 2);
  return option.get_items_expected_max() == 0 ? tag : tag + " " + italic(option.get_type_name());
}

std::string meaning_of(const CLI::Option& option) {
  const std::string value = option.get_default_str();
  return option.get_description() + (value.empty() ? "" : fmt::format(" (default {})", value));
}

std::string options_of(const CLI::App& command) {
  std::string positional, named;
  for (const CLI::Option* option : command.get_options())
    (option->get_positional() ? positional : named) += entry(tag_of(*option), meaning_of(*option));
  return positional + named;
}

std::string commands(const CLI::App& app) {
  std::string text = heading("COMMANDS");
  for (const CLI::App* command : app.get_subcommands({})) {
    text += subheading(full_name(*command));
    text += synopsis(*command) + "\n.PP\n" + escaped(command->get_description()) + ".\n";
    text += options_of(*command);
  }
  return text;
}

std::string configuration() {
  std::string text = heading("CONFIGURATION");
  text += "A configuration is a TOML file of tables and keys.\n";
  for (const DocumentedTable& table : documented_schema()) {
    text += subheading(fmt::format("[{}]{}{}", table.name, *table.variant ? " " : "", table.variant));
    for (const DocumentedKey& key : table.keys)
      text += entry(bold(key.name) + " (" + escaped(type_text(key.type)) + (key.required ? ", required)" : ")"),
                    describe(key));
  }
  return text;
}

}  // namespace

std::string manual(const CLI::App& app) {
  const std::string about = app.get_description();
  const std::string today = utc_now().substr(0, 10);
  std::string text = fmt::format(".TH POLHODE 1 {} \"polhode {}\" \"User Commands\"\n", today, program_version());
  text += heading("NAME") + "polhode \\- " + escaped(about.substr(about.find(": ") + 2)) + "\n";
  text += heading("SYNOPSIS");
  std::string separator;
  for (const CLI::App* command : app.get_subcommands({})) {
    text += separator + synopsis(*command) + "\n";
    separator = ".br\n";
  }
  text += heading("OPTIONS") + options_of(app);
  text += commands(app);
  text += configuration();
  text += heading("EXIT STATUS") + entries(exit_codes);
  text += heading("ENVIRONMENT") + entries(environment);
  text += heading("FILES") + entries(files);
  return text;
}

}  // namespace polhode
