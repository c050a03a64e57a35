// The keys of [ensemble], a part of the schema (schema.hpp): where trajectories start, once for each kind of starts.
#pragma once

#include "spec/key.hpp"

namespace polhode {

inline constexpr std::int64_t max_grid_cells = std::int64_t{1} << 32;  // a start takes tens of bytes

// The identity of a run has its starts as states, not as keys, unless they are drawn at random.

/// Kinds of starts, in the order of EnsembleSpec.
inline constexpr const char* ensemble_kinds[] = {"section", "line", "states", "file", "random", "relative-equilibrium"};
inline constexpr KeyInfo from_key{.name = "from",
                                  .type = Type::choice,
                                  .unit = "1",
                                  .meaning = "where trajectories start",
                                  .choices = ensemble_kinds,
                                  .required = true,
                                  .identity = false};
/// Distributions of random starts, in the order of RandomStarts::distribution.
inline constexpr const char* distributions[] = {"microcanonical", "canonical", "cloud", "attitudes"};
inline constexpr KeyInfo distribution_key{.name = "distribution",
                                          .type = Type::choice,
                                          .unit = "1",
                                          .meaning = "how starts are drawn",
                                          .choices = distributions,
                                          .required = true,
                                          .identity = false};

// What starts on a grid and on a line have in common.
inline constexpr KeyText start_energy_row{
    .name = "energy", .unit = "energy", .meaning = "the energy of every start", .required = true, .identity = false};
inline constexpr KeyText start_momentum_row{.name = "momentum",
                                            .unit = "angular momentum",
                                            .meaning = "the momentum about the vertical of every start",
                                            .identity = false};
inline constexpr KeyText branch_row{
    .name = "branch", .meaning = "which of the states over a point; the default is the first", .identity = false};
inline constexpr KeyText axes_row{
    .name = "axes",
    .meaning = "two columns in whose plane the starts lie, in place of the system's chart",
    .identity = false};
inline constexpr KeyText solve_row{
    .name = "solve", .meaning = "with axes: the momentum column that the energy decides", .identity = false};
inline constexpr KeyText base_row{.name = "base",
                                  .unit = "of the columns",
                                  .meaning =
                                      "with axes: a state, from which the other columns are taken; constraints and "
                                      "the section move them as little as possible",
                                  .identity = false};

inline constexpr Key<SectionStarts> section_start_keys[] = {
    key<&SectionStarts::grid>({.name = "grid",
                               .meaning = "cells along the two coordinates of the plane",
                               .limits = {.least = 1},
                               .advice = "Give positive numbers of cells",
                               .required = true,
                               .identity = false}),
    key<&SectionStarts::window>({.name = "window",
                                 .unit = "of the coordinates",
                                 .meaning = "[low, high] of both coordinates; the default is the whole section",
                                 .advice = "Give [low, high] of each coordinate, the lower one first",
                                 .identity = false}),
    key<&SectionStarts::energy>(start_energy_row),
    key<&SectionStarts::momentum>(start_momentum_row),
    key<&SectionStarts::branch>(branch_row),
    key<&SectionStarts::axes>(axes_row),
    key<&SectionStarts::solve>(solve_row),
    key<&SectionStarts::base>(base_row),
};
template <>
inline constexpr Table<SectionStarts> table_of<SectionStarts>{"ensemble", "with from = \"section\"",
                                                              section_start_keys};

inline constexpr Key<LineStarts> line_start_keys[] = {
    key<&LineStarts::ends>({.name = "ends",
                            .unit = "of the coordinates",
                            .meaning = "[[u, v], [u, v]], the first and the last point of the line",
                            .advice = "Give two points",
                            .required = true,
                            .identity = false}),
    key<&LineStarts::count>({.name = "count",
                             .meaning = "how many points, ends included; one lies in the middle",
                             .limits = {.least = 1, .most = max_grid_cells},
                             .advice = "Give at least 1",
                             .required = true,
                             .identity = false}),
    key<&LineStarts::energy>(start_energy_row),
    key<&LineStarts::momentum>(start_momentum_row),
    key<&LineStarts::branch>(branch_row),
    key<&LineStarts::axes>(axes_row),
    key<&LineStarts::solve>(solve_row),
    key<&LineStarts::base>(base_row),
};
template <>
inline constexpr Table<LineStarts> table_of<LineStarts>{"ensemble", "with from = \"line\"", line_start_keys};

inline constexpr KeyText variables_row{
    .name = "variables", .meaning = "what the momentum columns hold", .identity = false};

// In which description of the system states are given.
inline constexpr KeyText as_row{
    .name = "as",
    .meaning = "the description of the system that these are states of; the default is the system itself",
    .identity = false};
inline constexpr KeyText mu_row{
    .name = "mu",
    .unit = "angular momentum",
    .meaning =
        "with as: the momentum that is a parameter of that description, where it is reduced and the system is not",
    .identity = false};

inline constexpr const char* at_rest_name = "at_rest";
inline constexpr const char* at_rest_meaning =
    "whether the centre of mass of a free molecule is brought to rest at the origin";

inline constexpr Key<GivenStarts> given_start_keys[] = {
    key<&GivenStarts::states>({.name = "states",
                               .unit = "of the columns",
                               .meaning = "a list of states",
                               .required = true,
                               .identity = false}),
    key<&GivenStarts::variables>(variables_row),
    key<&GivenStarts::as>(as_row),
    key<&GivenStarts::mu>(mu_row),
    key<&GivenStarts::at_rest>({.name = at_rest_name, .meaning = at_rest_meaning, .identity = false}),
};
template <>
inline constexpr Table<GivenStarts> table_of<GivenStarts>{"ensemble", "with from = \"states\"", given_start_keys};

inline constexpr Key<FileStarts> file_start_keys[] = {
    key<&FileStarts::path>(
        {.name = "path",
         .meaning =
             "an HDF5 file; relative to the configuration's folder; empty in the text of a result: the result itself",
         .required = true,
         .identity = false}),
    key<&FileStarts::dataset>({.name = "dataset", .meaning = "dataset of states, [n][dim]", .identity = false}),
    key<&FileStarts::variables>(variables_row),
    key<&FileStarts::as>(as_row),
    key<&FileStarts::mu>(mu_row),
    key<&FileStarts::at_rest>({.name = at_rest_name, .meaning = at_rest_meaning, .identity = false}),
};
template <>
inline constexpr Table<FileStarts> table_of<FileStarts>{"ensemble", "with from = \"file\"", file_start_keys};

inline constexpr Key<RandomStarts> random_start_keys[] = {
    key<&RandomStarts::count>({.name = "count",
                               .meaning = "how many trajectories",
                               .limits = {.least = 1, .most = max_grid_cells},
                               .advice = "Give 1 to 2^32",
                               .required = true}),
    key<&RandomStarts::seed>({.name = "seed", .meaning = "seed of the random numbers"}),
    key<&RandomStarts::at_rest>({.name = at_rest_name, .meaning = at_rest_meaning}),
};
template <>
inline constexpr Table<RandomStarts> table_of<RandomStarts>{"ensemble", "with from = \"random\"", random_start_keys};

inline constexpr Key<RelativeEquilibriumStarts> relative_equilibrium_keys[] = {
    key<&RelativeEquilibriumStarts::near>({.name = "near",
                                           .unit = "of the columns",
                                           .meaning = "positions from which Newton's method for it begins; the default "
                                                      "is the example's",
                                           .identity = false}),
};
template <>
inline constexpr Table<RelativeEquilibriumStarts> table_of<RelativeEquilibriumStarts>{
    "ensemble", "with from = \"relative-equilibrium\"", relative_equilibrium_keys};

inline constexpr Key<Microcanonical> microcanonical_keys[] = {
    key<&Microcanonical::energy>(
        {.name = "energy", .unit = "energy", .meaning = "the energy of every start", .required = true}),
    key<&Microcanonical::momentum>(
        {.name = "momentum", .unit = "angular momentum", .meaning = "the momentum about the vertical of every start"}),
    key<&Microcanonical::angular_momentum>({.name = "angular_momentum",
                                            .unit = "angular momentum",
                                            .meaning = "J_z of one pendulum, or |Pi| of a free body"}),
};
template <>
inline constexpr Table<Microcanonical> table_of<Microcanonical>{"ensemble", "with distribution = \"microcanonical\"",
                                                                microcanonical_keys};

inline constexpr Key<Canonical> canonical_keys[] = {
    key<&Canonical::temperature>({.name = "temperature",
                                  .unit = "energy",
                                  .meaning = "kT, an energy",
                                  .limits = {.positive = true},
                                  .advice = "Give kT",
                                  .required = true}),
};
template <>
inline constexpr Table<Canonical> table_of<Canonical>{"ensemble", "with distribution = \"canonical\"", canonical_keys};

inline constexpr Key<Cloud> cloud_keys[] = {
    key<&Cloud::state>(
        {.name = "state", .unit = "of the columns", .meaning = "the middle of the cloud", .required = true}),
    key<&Cloud::width>({.name = "width",
                        .unit = "of the columns",
                        .meaning = "standard deviations, one number or one a column",
                        .limits = {.least = 0},
                        .advice = "Give lengths",
                        .required = true,
                        .type = Type::real_or_reals}),
};
template <>
inline constexpr Table<Cloud> table_of<Cloud>{"ensemble", "with distribution = \"cloud\"", cloud_keys};

inline constexpr Key<RandomAttitudes> attitude_keys[] = {
    key<&RandomAttitudes::state>(
        {.name = "state", .unit = "of the columns", .meaning = "the state to be turned", .required = true}),
};
template <>
inline constexpr Table<RandomAttitudes> table_of<RandomAttitudes>{"ensemble", "with distribution = \"attitudes\"",
                                                                  attitude_keys};

}  // namespace polhode
