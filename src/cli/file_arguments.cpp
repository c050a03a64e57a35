// polhode info, cite and plot: their arguments.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "catalog/own_systems.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"

namespace polhode {
namespace {

CLI::Option* add_file(CLI::App& command, std::string& file) {
  return command.add_option("file", file, "result, HDF5")->required()->type_name("FILE.h5");
}

}  // namespace

void add_info(CLI::App& app, Invocation& invocation) {
  struct Arguments {
    std::string file;
    InfoOptions options;
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("info", "Show what a result file holds");
  add_file(*command, arguments->file);
  command->add_flag("--columns", arguments->options.columns, "the columns of every dataset, with unit and meaning");
  command->add_flag("--json", arguments->options.json, "as JSON, with the columns");
  command->callback(
      [arguments, &invocation] { invocation.result = info_command(arguments->file, arguments->options); });
}

void add_cite(CLI::App& app, Invocation& invocation) {
  struct Arguments {
    std::string file;
    std::vector<std::string> systems;
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("cite", "Print the publications behind a result, as BibTeX");
  add_file(*command, arguments->file);
  add_systems(*command, arguments->systems);
  command->callback([arguments, &invocation] {
    for (const std::string& header : arguments->systems) require_system(header);
    invocation.result = cite_command(arguments->file);
  });
}

void add_plot(CLI::App& app, Invocation& invocation) {
  const auto arguments = std::make_shared<PlotArguments>();
  CLI::App* command =
      app.add_subcommand("plot", "Draw a result file, a measurement, or compare the energy errors of several");
  command
      ->add_option("files", arguments->files,
                   "results, HDF5; several: of one system with different steps; or JSON of order or workprec")
      ->required()
      ->type_name("FILE.h5");
  struct Documented {
    const char *name, *type, *meaning;
  };
  static constexpr Documented options[] = {
      {"--output", "FILE.png",
       "picture, a name that ends in .png, .pdf or .svg; default: the first file's name with .png"},
      {"--view", "VIEW",
       "section, density, section3d, invariants, shadow, statistics, polhodes; default: the section, else its density, "
       "the statistics or the invariants; of several files: invariants (default), error or section"},
      {"--axes", "A,B", "two columns or observables A,B, or formulas of them, in whose plane the section is drawn"},
      {"--range", "LOW,HIGH,LOW,HIGH",
       "bounds of the horizontal and the vertical axis of a section or density, as in the picture"},
      {"--trajectories", "LIST", "the trajectories that are drawn, by number from 0, such as 0,5,10-20"},
      {"--side", "SIDE", "of a section that has two: positive, negative or both"},
      {"--colour", "QUANTITY",
       "of each trajectory, by which section points are coloured: an invariant or a column at the start, drift, "
       "drift.INVARIANT, count, time, status, trajectory"},
      {"--size", "WIDTH[,HEIGHT]", "inches, or with a unit, as 8.6cm; or column, as that of a journal is wide"},
      {"--dpi", "NUMBER", "pixels per inch"},
      {"--title", "TEXT", "in place of what the picture is of; an empty one: none"},
      {"--labels", "X,Y", "of the axes of a section or density"},
      {"--dots", "POINTS", "diameter of section points, 1/72 inch"},
      {"--style", "STYLE", "a style of matplotlib, or its file"},
      {"--methods", "LIST", "those that are drawn of a measurement by workprec, such as gauss,rattle"},
  };
  const std::vector<std::string> views{"section", "density",    "section3d", "invariants",
                                       "shadow",  "statistics", "polhodes",  "error"};
  arguments->options.reserve(std::size(options));  // their places stay
  for (const Documented& option : options) {
    auto& [name, value] = arguments->options.emplace_back(option.name, std::nullopt);
    const std::string names = std::string_view(name) == "--output" ? "-o,--output" : name;
    CLI::Option* const added = command->add_option(names, value, option.meaning)->type_name(option.type);
    if (std::string_view(name) == "--view")
      invocation.candidates[added] = [views](const std::string&) { return views; };
  }
  command->callback([arguments, &invocation] { invocation.result = plot_command(*arguments); });
}

}  // namespace polhode
