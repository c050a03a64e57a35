# polhode-mpi: the same program with MPI, in a program of its own because polhode starts without MPI. Where that is
# missing, one line says so.
set(POLHODE_HAVE_MPI OFF)
set(missing "POLHODE_MPI is off")
if(POLHODE_MPI)
  find_package(MPI 3 QUIET COMPONENTS C)
  set(missing "no MPI found")
  if(MPI_C_FOUND)
    set(POLHODE_HAVE_MPI ON)
  endif()
endif()
if(NOT POLHODE_HAVE_MPI)
  message(STATUS "polhode: one machine only, polhode-mpi is not built (${missing})")
  return()
endif()

add_library(polhode_ranks OBJECT src/parallel/ranks_mpi.cpp)
target_link_libraries(polhode_ranks PRIVATE polhode_headers fmt::fmt MPI::MPI_C)
target_compile_definitions(polhode_ranks PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)  # C++ bindings that MPI 3 dropped
add_executable(polhode-mpi src/cli/main.cpp)
target_link_libraries(polhode-mpi PRIVATE polhode_cli polhode_ranks polhode_runs MPI::MPI_C)
install(TARGETS polhode-mpi)
