#include "cli/completion.hpp"

#include <algorithm>

#include "cli/command_names.hpp"

namespace polhode {
namespace {

/// Meaning of the words of a command line before the last one, as CLI11 would parse them.
class Context {
 public:
  Context(const CLI::App& app, const std::vector<std::string>& words) : app_(app), command_(&app) {
    for (std::size_t i = 0; i + 1 < words.size() && command_; ++i) take(words[i]);
  }

  /// Subcommand that the words name; the program where they name none, null where they name an unknown one.
  const CLI::App* command() const { return command_; }
  bool is_at_command() const { return command_ == &app_; }
  bool has_only_positionals() const { return only_positionals_; }
  /// Option whose value the last word is, or else the positional argument that the last word is; null where the command
  /// has no further argument.
  const CLI::Option* awaited() const {
    if (option_) return option_;
    const std::vector<const CLI::Option*> all = positionals_of(*command_);
    if (all.empty()) return nullptr;
    if (n_positionals_ < all.size()) return all[n_positionals_];
    return all.back()->get_items_expected_max() > 1 ? all.back() : nullptr;
  }
  bool awaits_value() const { return option_ != nullptr; }

 private:
  void take(const std::string& word) {
    if (option_) {
      option_ = nullptr;
    } else if (!only_positionals_ && word == "--") {
      only_positionals_ = true;
    } else if (!only_positionals_ && word.size() > 1 && word.front() == '-') {
      const CLI::Option* option = command_->get_option_no_throw(word);
      if (option && option->get_items_expected_max() > 0) option_ = option;
    } else if (is_at_command()) {
      command_ = find_command(app_, word);
    } else {
      ++n_positionals_;
    }
  }

  const CLI::App& app_;
  const CLI::App* command_;
  const CLI::Option* option_ = nullptr;
  std::size_t n_positionals_ = 0;
  bool only_positionals_ = false;
};

/// Pattern of the files that may be the value of an option, "*.toml" for the type name "FILE.toml"; empty for other
/// type names.
std::string pattern_of(const CLI::Option& option) {
  const std::string type = option.get_type_name(), file = "FILE.";
  return type.starts_with(file) ? "*." + type.substr(file.size()) : "";
}

std::vector<std::string> with_prefix(const std::string& prefix, std::vector<std::string> words) {
  for (std::string& word : words) word.insert(0, prefix);
  return words;
}

/// Candidates for the value of an option of which `typed` has been typed. Where that is a list, each candidate is the
/// same list with another last element; where the value is a file, the only candidate is its pattern.
std::vector<std::string> values_of(const CLI::Option& option, const Invocation& invocation, const std::string& typed) {
  if (const std::string pattern = pattern_of(option); !pattern.empty()) return {pattern};
  const auto found = invocation.candidates.find(&option);
  if (found == invocation.candidates.end()) return {};
  const auto last = option.get_delimiter() == '\0' ? std::string::npos : typed.rfind(option.get_delimiter());
  const std::string before = last == std::string::npos ? "" : typed.substr(0, last + 1);
  return with_prefix(before, found->second(typed.substr(before.size())));
}

/// Candidates "--option=value" for a word that has a "=", one for each value of the option; none where there is no such
/// option, or it has no value.
std::vector<std::string> values_in_word(const CLI::App& command, const Invocation& invocation,
                                        const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const CLI::Option* option = command.get_option_no_throw(name);
  if (!option || option->get_items_expected_max() == 0) return {};
  return with_prefix(name + "=", values_of(*option, invocation, word.substr(name.size() + 1)));
}

std::vector<std::string> all_candidates(const Context& context, const Invocation& invocation,
                                        const std::string& typed) {
  const CLI::App& command = *context.command();
  const bool is_option = typed.starts_with('-') && !context.has_only_positionals() && !context.awaits_value();
  if (is_option && typed.find('=') != std::string::npos) return values_in_word(command, invocation, typed);
  if (is_option) return option_names(command);
  if (context.is_at_command()) return command_names(command);
  const CLI::Option* option = context.awaited();
  return option ? values_of(*option, invocation, typed) : std::vector<std::string>();
}

}  // namespace

std::vector<std::string> complete(const CLI::App& app, const Invocation& invocation,
                                  const std::vector<std::string>& words) {
  const Context context(app, words);
  if (!context.command() || words.empty()) return {};
  const std::string& typed = words.back();
  std::vector<std::string> candidates = all_candidates(context, invocation, typed);
  if (candidates.size() == 1 && candidates.front().starts_with("*.")) return candidates;
  std::erase_if(candidates, [&](const std::string& candidate) { return !candidate.starts_with(typed); });
  return candidates;
}

}  // namespace polhode
