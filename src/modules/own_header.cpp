#include "modules/own_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <ios>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "checksum.hpp"
#include "error.hpp"
#include "modules/includes.hpp"
#include "modules/module_source.hpp"

namespace polhode {
namespace {

using Path = std::filesystem::path;

[[noreturn]] void refuse_header(const Path& file, std::string_view why, std::string_view suggestion) {
  throw InputError(fmt::format("cannot use the system {} ({}). {}.", file.string(), why, suggestion));
}

/// Reader of a header and of the files that it includes in quotes, directly or not: each file is looked for beside the
/// one that includes it, and read once, in the order of the includes. Files that are not there are left out: the
/// program's headers are found elsewhere, and have a hash of their own. Preprocessor conditions around an include are
/// ignored.
class Reader {
 public:
  explicit Reader(const Path& header) { read(header); }

  const std::vector<std::string>& files() const { return files_; }
  const std::vector<std::string>& texts() const { return texts_; }
  bool names_a_system() const { return names_a_system_; }

 private:
  void read(const Path& file) {
    std::error_code ignored;
    const Path canonical = std::filesystem::canonical(file, ignored);
    if (canonical.empty() || !std::filesystem::is_regular_file(canonical, ignored)) return;
    std::ifstream stream(canonical, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (!stream.is_open() || !read_.insert(canonical.string()).second) return;
    files_.push_back(file.string());
    texts_.push_back(texts_.empty() ? text : file.filename().string() + "\n" + text);
    std::string_view rest = text;
    if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);  // a byte order mark
    while (!rest.empty()) {
      const std::string_view line = take_line(rest);
      if (const auto names = rest_after(line, "POLHODE_SYSTEM"); names && names->starts_with('('))
        names_a_system_ = true;
      if (const auto include = include_of(line); include && include->in_quotes)
        read(file.parent_path() / include->name);
    }
  }

  std::set<std::string> read_;
  std::vector<std::string> files_, texts_;
  bool names_a_system_ = false;
};

/// Form whose template stands in one of the texts; none where the template of no form does, or those of several.
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

/// Hash of the texts of files.
std::string content_of(const std::vector<std::string>& texts) {
  Checksum sum;
  for (const std::string& text : texts) {
    sum.add(std::as_bytes(std::span(text)));
    sum.add(std::as_bytes(std::span("", 1)));  // the end of a file
  }
  return fmt::format("{:016x}", sum.value());
}

}  // namespace

OwnHeader read_own_header(const Path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    refuse_header(file, std::filesystem::exists(file, error) ? "it is no file" : "no such file", "Check the path");
  if (file.extension() == ".so")
    refuse_header(file, "it is a library, and a system is a header now", "Name its header");
  const Path path = std::filesystem::absolute(file).lexically_normal();
  if (path.string().find_first_of("\"\n\\") != std::string::npos)
    refuse_header(file, "its path has characters that no #include has", "Give it another");
  const Reader reader(path);
  if (reader.texts().empty()) refuse_header(file, "it cannot be read", "Check its permissions");
  if (!reader.names_a_system()) refuse_header(file, "it names no system", "End it with POLHODE_SYSTEM(TYPE)");
  return {file.filename().string(), path.string(), content_of(reader.texts()), reader.files(), form_in(reader.texts())};
}

SourceType source_of(const OwnHeader& header) {
  return {header.path.c_str(), type_of_own_system, header.content.c_str(),
          header.definition.empty() ? nullptr : header.definition.c_str()};
}

OwnHeader own_header_of(FormulaSystem formulas) {
  const std::string definition = header_text(formulas);
  return {.name = "formula",
          .path = "polhode/system/form.hpp",
          .content = content_of(std::vector{definition}),
          .files = {},
          .form = formulas.form(),
          .formulas = std::make_shared<const FormulaSystem>(std::move(formulas)),
          .definition = definition};
}

}  // namespace polhode
