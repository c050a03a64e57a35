"""What gpu_verify and compare_programs share: a polhode program, initial states of every system, datasets bit by bit."""
