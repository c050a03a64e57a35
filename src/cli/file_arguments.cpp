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
  command
      ->add_option("-o,--output", arguments->output,
                   "picture, a name that ends in .png, .pdf or .svg; default: the first file's name with .png")
      ->type_name("FILE.png");
  const std::vector<std::string> views{"section", "density",    "section3d", "invariants",
                                       "shadow",  "statistics", "polhodes"};
  CLI::Option* view = command->add_option(
      "--view", arguments->view,
      fmt::format("{}; default: the section, else its density, the statistics or the invariants; of several files: "
                  "invariants (default) or error",
                  fmt::join(views, ", ")));
  invocation.candidates[view] = [views](const std::string&) { return views; };
  view->type_name("VIEW");
  command->add_option("--axes", arguments->axes, "two columns A,B in whose plane the section is drawn")
      ->type_name("A,B");
  command
      ->add_option("--range", arguments->range,
                   "bounds of the horizontal and the vertical axis of a section or density, as in the picture")
      ->type_name("LOW,HIGH,LOW,HIGH");
  command
      ->add_option("--trajectories", arguments->trajectories,
                   "the trajectories that are drawn, by number from 0, such as 0,5,10-20")
      ->type_name("LIST");
  command->callback([arguments, &invocation] { invocation.result = plot_command(*arguments); });
}

}  // namespace polhode
