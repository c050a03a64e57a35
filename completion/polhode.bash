# Completion of polhode for bash: asks the program what a word may become (src/cli/completion.cpp).

_polhode() {
  # Words as blanks separate them: bash itself would also part "--set" from its key and value at "=".
  local line=${COMP_LINE:0:COMP_POINT} words candidates
  read -ra words <<<"$line"
  [[ $line == *[[:blank:]] ]] && words+=("")
  mapfile -t candidates < <("${words[0]}" _complete "${words[@]:1}" 2>/dev/null)
  local word=${words[-1]}
  local before=${word%"${word##*=}"}  # what bash takes for words of their own, and does not replace
  if [[ ${candidates[0]} == \*.* ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -X "!${candidates[0]}" -- "$word"; compgen -d -- "$word")
  else
    COMPREPLY=("${candidates[@]#"$before"}")
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  fi
} &&
  complete -o default -F _polhode polhode polhode-mpi
