#include "modules/own_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <ios>
#include <iterator>
#include <regex>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

#include "checksum.hpp"
#include "error.hpp"

namespace polhode {
namespace {

using Path = std::filesystem::path;

[[noreturn]] void refuse(const Path& file, std::string_view why, std::string_view suggestion) {
  throw InputError(fmt::format("cannot use the system {} ({}). {}.", file.string(), why, suggestion));
}

/// A header with the files that it includes in quotes and that are beside it or in the folders named, each once, in
/// their order. Those of the program are found elsewhere, and have a hash of their own. Whether a condition leaves one
/// out is not asked: it counts.
class Reader {
 public:
  explicit Reader(const Path& header) { read(header); }

  const std::vector<std::string>& texts() const { return texts_; }

 private:
  void read(const Path& file) {
    std::error_code ignored;
    const Path canonical = std::filesystem::canonical(file, ignored);
    if (canonical.empty() || !std::filesystem::is_regular_file(canonical, ignored)) return;
    if (!read_.insert(canonical.string()).second) return;
    std::ifstream stream(canonical, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    texts_.push_back(text);
    static const std::regex include("^[ \\t]*#[ \\t]*include[ \\t]*\"([^\"\\n]+)\"", std::regex::multiline);
    for (std::sregex_iterator found(text.begin(), text.end(), include); found != std::sregex_iterator(); ++found)
      read(file.parent_path() / (*found)[1].str());
  }

  std::set<std::string> read_;
  std::vector<std::string> texts_;
};

/// The form whose template stands in the texts, if that is one.
std::optional<SystemForm> form_in(const std::vector<std::string>& texts) {
  std::optional<SystemForm> found;
  for (int i = 0; i < n_system_forms; ++i) {
    const std::string name = std::string(form_templates[i]) + "<";
    if (std::ranges::none_of(texts, [&](const std::string& text) { return text.find(name) != std::string::npos; }))
      continue;
    if (found) return {};
    found = SystemForm{i};
  }
  return found;
}

}  // namespace

OwnHeader read_own_header(const Path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    refuse(file, std::filesystem::exists(file, error) ? "it is no file" : "no such file", "Check the path");
  if (file.extension() == ".so") refuse(file, "it is a library, and a system is a header now", "Name its header");
  const Path path = std::filesystem::absolute(file).lexically_normal();
  if (path.string().find_first_of("\"\n\\") != std::string::npos)
    refuse(file, "its path has characters that no #include has", "Give it another");
  const std::vector<std::string> texts = Reader(path).texts();
  if (texts.empty()) refuse(file, "it cannot be read", "Check its permissions");
  if (texts.front().find("POLHODE_SYSTEM") == std::string::npos)
    refuse(file, "it names no system", "End it with POLHODE_SYSTEM(TYPE)");
  Checksum sum;
  for (const std::string& text : texts) {
    sum.add(std::as_bytes(std::span(text)));
    sum.add(std::as_bytes(std::span("", 1)));  // the end of a file
  }
  return {file.filename().string(), path.string(), fmt::format("{:016x}", sum.value()), form_in(texts)};
}

}  // namespace polhode
