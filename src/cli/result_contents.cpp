#include "cli/result_contents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "catalog/catalog.hpp"
#include "output/read_after_trial.hpp"

namespace polhode {
namespace {

using Texts = std::vector<std::string>;

/// Text attribute; empty if there is none.
std::string text_of(const h5::Object& object, const std::string& name) {
  if (!object.has_attribute(name)) return "";
  const Attribute value = object.attribute(name);
  const auto* text = std::get_if<std::string>(&value);
  return text ? *text : "";
}

/// Attribute that is a list of texts, or one text; empty if there is none.
Texts texts_of(const h5::Object& object, const std::string& name) {
  if (!object.has_attribute(name)) return {};
  const Attribute value = object.attribute(name);
  if (const auto* texts = std::get_if<Texts>(&value)) return *texts;
  const auto* text = std::get_if<std::string>(&value);
  return text ? Texts{*text} : Texts();
}

/// Names, units and meanings of the columns of datasets that have no attributes for them: names are in other datasets
/// of the file, units and meanings in the catalog.
class KnownColumns {
 public:
  explicit KnownColumns(const h5::File& file) : file_(file), system_(find_system(text_of(file, "system"))) {}

  Texts columns_of(const std::string& path) const {
    if (path == "/section/state" || path == "/snapshots/state")
      return texts_of(file_.dataset("/final/state"), "columns");
    if (path == "/invariants/initial" || path == "/invariants/max_drift" || path == "/invariants/drift_before_end" ||
        path == "/snapshots/invariants")
      return content_of("/invariants/names");
    if (path == "/statistics/mean" || path == "/statistics/variance" || path == "/statistics/minimum" ||
        path == "/statistics/maximum")
      return content_of("/statistics/observables");
    return {};
  }
  /// Quantity in the column `name` of a dataset, or null. An invariant and an observable may share a name.
  const Quantity* find(const std::string& path, const std::string& name) const {
    if (!system_) return nullptr;
    const bool is_invariant = path.starts_with("/invariants/") || path == "/snapshots/invariants";
    const std::span<const Quantity> list = is_invariant ? system_->invariants : system_->observables;
    const auto found = std::ranges::find(list, name, &Quantity::name);
    return found == list.end() ? nullptr : &*found;
  }

 private:
  Texts content_of(const std::string& path) const {
    const auto names = file_.find_dataset(path);
    return names ? names->read_text() : Texts();
  }

  const h5::File& file_;
  const SystemEntry* system_;
};

/// Unit of a quantity in a dataset; of a variance the square of the quantity's unit.
std::string unit_in(const std::string& path, const Quantity& quantity) {
  const std::string unit = quantity.unit;
  return path == "/statistics/variance" && unit != "1" ? fmt::format("({})^2", unit) : unit;
}

std::vector<ColumnContents> columns_of(const h5::Dataset& dataset, const std::string& path, const KnownColumns& known) {
  Texts names = texts_of(dataset, "columns");
  if (names.empty()) names = known.columns_of(path);
  const Texts units = texts_of(dataset, "unit"), meanings = texts_of(dataset, "meaning");
  // One text for each column, or one for all.
  const auto pick = [&](const Texts& texts, std::size_t i) {
    return texts.size() == names.size() ? texts[i] : texts.size() == 1 ? texts[0] : "";
  };
  std::vector<ColumnContents> columns;
  for (std::size_t i = 0; i < names.size(); ++i) {
    ColumnContents column{names[i], pick(units, i), pick(meanings, i)};
    if (const Quantity* quantity = known.find(path, column.name)) {
      if (column.unit.empty()) column.unit = unit_in(path, *quantity);
      if (column.meaning.empty()) column.meaning = quantity->meaning;
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

/// Meaning of a dataset without columns; an attribute that is a list has the meanings of the values 0, 1, ...
std::string meaning_of(const h5::Dataset& dataset) {
  const Texts meanings = texts_of(dataset, "meaning");
  if (meanings.size() == 1) return meanings[0];
  std::string text;
  for (std::size_t value = 0; value < meanings.size(); ++value)
    text += fmt::format("{}{}: {}", value > 0 ? "; " : "", value, meanings[value]);
  return text;
}

void append_datasets(const h5::Group& group, const std::string& prefix, const KnownColumns& known,
                     std::vector<DatasetContents>& datasets) {
  for (const std::string& name : group.names()) {
    const std::string path = prefix + name;
    if (const auto dataset = group.find_dataset(name)) {
      if (dataset->is_name_only()) continue;
      DatasetContents& contents = datasets.emplace_back();
      contents = {path, dataset->type(), dataset->shape(), {}, {}, columns_of(*dataset, path, known)};
      if (!contents.columns.empty()) continue;
      contents.unit = text_of(*dataset, "unit");
      contents.meaning = meaning_of(*dataset);
    } else if (const auto inner = group.find_group(name)) {
      append_datasets(*inner, path + "/", known, datasets);
    }
  }
}

std::vector<ParameterContents> read_parameters(const h5::File& file) {
  std::vector<ParameterContents> parameters;
  const auto group = file.find_group("parameters");
  if (!group) return parameters;
  for (const std::string& name : group->names()) {
    const h5::Dataset dataset = group->dataset(name);
    parameters.push_back(
        {name, text_of(dataset, "unit"), text_of(dataset, "meaning"), dataset.read_all(), !dataset.shape().empty()});
  }
  return parameters;
}

ResultContents read_untried(const std::filesystem::path& path) {
  const h5::File file = h5::File::open(path);
  ResultContents contents;
  for (const std::string& name : file.attribute_names()) contents.attributes[name] = file.attribute(name);
  contents.parameters = read_parameters(file);
  append_datasets(file, "/", KnownColumns(file), contents.datasets);
  return contents;
}

}  // namespace

ResultContents read_contents(const std::filesystem::path& path) {
  return read_after_trial(path, [&] { return read_untried(path); });
}

}  // namespace polhode
