#include "cli/parse_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "cli/command_names.hpp"
#include "spec/suggestion.hpp"

namespace polhode {
namespace {

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

InputError unknown_option(const CLI::App& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('=')), owner = full_name(command);
  return InputError(fmt::format("unknown option {} ({} has no such option{}). See {} --help.", name, owner,
                                nearest_known(name, option_names(command)), owner));
}

/// Error for the first option on the line that the command does not have.
std::optional<InputError> find_unknown_option(const CLI::App& command) {
  const std::vector<std::string> words = command.remaining();
  const auto word = std::ranges::find_if(words, is_option);
  if (word == words.end()) return std::nullopt;
  return unknown_option(command, *word);
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
  const std::string owner = parsed.empty() ? "polhode" : full_name(*parsed.back());
  return InputError(fmt::format("cannot use these arguments ({}). See {} --help.", error.what(), owner));
}

}  // namespace polhode
