// The program polhode, and polhode-mpi.
#include "cli/command_line.hpp"

int main(int argc, char** argv) { return polhode::run_command_line(argc, argv); }
