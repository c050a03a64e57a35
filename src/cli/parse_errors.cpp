#include "cli/parse_errors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "cli/command_names.hpp"
#include "suggestion.hpp"

namespace polhode {
namespace {

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

InputError unknown_option(const CLI::App& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('=')), owner = full_name(command);
  return InputError(fmt::format("unknown option {} ({} has no such option{}). See {} --help.", name, owner,
                                nearest_known(name, option_names(command)), owner));
}

/// Error about the first option that CLI11 left over because the command has none of that name; none where there is no
/// such option.
std::optional<InputError> find_unknown_option(const CLI::App& command) {
  const std::vector<std::string> words = command.remaining();
  const auto word = std::ranges::find_if(words, is_option);
  if (word == words.end()) return std::nullopt;
  return unknown_option(command, *word);
}

/// A colon, and after it the meaning of the argument that is missing, or where no command is given, all commands; empty
/// for other errors.
std::string missing_in_words(const CLI::App& command, const CLI::ParseError& error) {
  if (!dynamic_cast<const CLI::RequiredError*>(&error)) return "";
  if (!command.get_parent()) return fmt::format(": {}", fmt::join(command_names(command), ", "));
  for (const CLI::Option* option : command.get_options())
    if (option->get_required() && option->count() == 0) return fmt::format(": {}", option->get_description());
  return "";
}

}  // namespace

InputError unknown_command(const CLI::App& app, const std::string& name) {
  return InputError(fmt::format("unknown command {} (polhode has no such command{}). See polhode --help.", name,
                                nearest_known(name, command_names(app))));
}

InputError explain(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  const std::vector<std::string> words = app.remaining();
  if (parsed.empty() && !words.empty() && !is_option(words.front())) return unknown_command(app, words.front());
  if (const auto unknown = find_unknown_option(app)) return *unknown;
  for (const CLI::App* command : parsed)
    if (const auto unknown = find_unknown_option(*command)) return *unknown;
  const CLI::App& command = parsed.empty() ? app : *parsed.back();
  return InputError(fmt::format("cannot use these arguments ({}{}). See {} --help.", error.what(),
                                missing_in_words(command, error), full_name(command)));
}

}  // namespace polhode
