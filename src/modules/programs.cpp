#include "modules/programs.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <span>
#include <sstream>
#include <system_error>

#include "checksum.hpp"

namespace polhode {

using Path = std::filesystem::path;

void append(Command& command, const std::vector<std::string>& words) {
  command.insert(command.end(), words.begin(), words.end());
}

std::vector<std::string> words_of(std::string text) {
  for (char& c : text)
    if (c == ';') c = ' ';
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::optional<Path> find_program(const std::string& name) {
  const auto is_program = [](const Path& file) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return is_program(name) ? std::optional<Path>(name) : std::nullopt;
  std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty() && is_program(Path(folder) / name)) return Path(folder) / name;
  return std::nullopt;
}

std::optional<Command> find_command(const std::string& text) {
  Command command = find_program(text) ? Command{text} : words_of(text);
  const std::optional<Path> file = command.empty() ? std::nullopt : find_program(command.front());
  if (!file) return {};
  command.front() = file->string();
  return command;
}

std::string identity_of(const Path& program) {
  std::error_code ignored;
  const Path file = std::filesystem::canonical(program, ignored);
  struct stat status = {};
  stat(file.c_str(), &status);
  return fmt::format("{} {} {} {}", file.string(), status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

std::string folder_name(const std::string& name, const std::string& identity) {
  Checksum sum;
  sum.add(std::as_bytes(std::span(identity)));
  return fmt::format("{}-{:016x}", name, sum.value());
}

}  // namespace polhode
