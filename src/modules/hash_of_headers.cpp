#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <ios>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "checksum.hpp"
#include "modules/headers.hpp"
#include "modules/includes.hpp"

namespace polhode {
namespace {

void add(Checksum& sum, std::string_view text) {
  sum.add(std::as_bytes(std::span(text)));
  sum.add(std::as_bytes(std::span("", 1)));  // the end of a text
}

std::string to_text(const Checksum& sum) { return fmt::format("{:016x}", sum.value()); }

std::optional<std::string> content_of(const HeaderFolders& folders, const std::string& header) {
  std::ifstream file;
  for (const auto& folder : {folders.include, folders.sources, folders.device})
    if (file.open(folder / header, std::ios::binary); file)
      return std::string{std::istreambuf_iterator<char>(file), {}};
  return {};
}

using Texts = std::map<std::string, std::string, std::less<>>;

/// Adds to `found` a header, and all that it includes, directly or not, of the headers in `texts`. texts: contents of
/// all headers that modules include, by name. Throws std::runtime_error for an include in quotes of any other file.
void find_closure(const Texts& texts, const std::string& header, std::set<std::string>& found) {
  if (!found.insert(header).second) return;
  for (std::string_view rest = texts.at(header); !rest.empty();) {
    const std::optional<Include> include = include_of(take_line(rest));
    if (!include) continue;
    if (const auto included = texts.find(include->name); included != texts.end())
      find_closure(texts, included->first, found);
    else if (include->in_quotes)
      throw std::runtime_error(fmt::format("{} includes {}, which is no header of modules", header, include->name));
  }
}

}  // namespace

std::string hash_of_all(const HeaderFolders& folders, std::span<const char* const> headers) {
  Checksum sum;
  for (const char* const header : headers) {
    const std::optional<std::string> content = content_of(folders, header);
    if (!content) return {};
    add(sum, *content);
  }
  return to_text(sum);
}

std::vector<std::string> hashes_of_closures(const HeaderFolders& folders, std::span<const char* const> headers) {
  Texts texts;
  for (const char* const header : headers)
    if (auto content = content_of(folders, header))
      texts[header] = *std::move(content);
    else
      throw std::runtime_error(fmt::format("cannot read {}", header));
  std::vector<std::string> hashes;
  for (const char* const header : headers) {
    std::set<std::string> closure;
    find_closure(texts, header, closure);
    Checksum sum;
    for (const std::string& name : closure) {
      add(sum, name);
      add(sum, texts.at(name));
    }
    hashes.push_back(to_text(sum));
  }
  return hashes;
}

std::string hash_of_headers(std::span<const std::string> headers, std::span<const HeaderHash> hashes) {
  Checksum sum;
  for (const std::string& header : headers) {
    const auto found = std::ranges::find(hashes, std::string_view(header), &HeaderHash::header);
    if (found == hashes.end()) throw std::logic_error(header);
    add(sum, found->hash);
  }
  return to_text(sum);
}

}  // namespace polhode
