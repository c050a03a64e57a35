"""Initial states of every system for the stages that run all of them."""

from verification import ensembles


def write_all_states(stage, context, count, names=None):
    """Writes difficult states of every system (or those of these names), count(entry) of each, and returns (pair, file)
    for every one of pairs(); a problem where a system is not known."""
    files, found = {}, []
    for pair in ensembles.pairs(context.program):
        entry = pair[0]
        if names is not None and entry["name"] not in names:
            continue
        if entry["name"] not in files:
            files[entry["name"]] = context.folder / f"{entry['name']}-states.h5"
            try:
                ensembles.write_states(files[entry["name"]], entry, count(entry), difficult=True)
            except ensembles.UnknownSystem as error:
                files[entry["name"]] = None
                stage.fail(str(error))
        if files[entry["name"]]:
            found.append((*pair, files[entry["name"]]))
    return found
