#!/bin/sh
# Say what is missing for the caches of pip, uv, Snakemake and matplotlib: "home" where HOME is no folder, "cache"
# where no cache can be written below XDG_CACHE_HOME or HOME, "name" where the user has none. Nothing otherwise.

[ -n "$HOME" ] && [ -d "$HOME" ] || echo home

folder=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}
# Tried, not only looked up: as root and on some file servers permissions say little.
probe=$folder/.wsclust.$$
if mkdir -p "$folder" 2>/dev/null && { : >"$probe"; } 2>/dev/null; then
    rm -f "$probe"
else
    echo cache
fi

[ -n "$LOGNAME$USER" ] || id -un >/dev/null 2>&1 || echo name
