#!/bin/sh
# Print the Python that is to make .venv: $PYTHON if set, else the first of python3, python3.13, python3.12, python3.11
# and python3.14 that runs, is 3.11 or newer and can make environments; one newer than 3.13 only if no other will do.
# Each is run, not only looked for: a pyenv shim is there for versions that are not active too.
# Where none will do: one line on standard error, exit 2.

# A locked package, immutables, comes compiled for Pythons up to this one.
newest_with_wheels=13
newest_tested=14
remedy="install Python 3.11, 3.12 or 3.13, or name one: make PYTHON=/path/to/python3.12"

found="" newer="" without_venv=""
if [ -n "$PYTHON" ]; then
    candidates=$PYTHON
else
    candidates="python3 python3.13 python3.12 python3.11 python3.14"
fi

OLD_IFS=$IFS
[ -n "$PYTHON" ] && IFS=   # A path given by hand may hold spaces.
for candidate in $candidates; do
    IFS=$OLD_IFS
    version=$("$candidate" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || version=
    case $version in
        3.[0-9]* | 2.[0-9]*) ;;
        *) continue ;;
    esac
    found="${found:+$found, }$candidate is $version"
    minor=${version#*.}
    if [ "${version%%.*}" != 3 ] || [ "$minor" -lt 11 ]; then
        continue
    fi
    if ! "$candidate" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        [ -n "$without_venv" ] || without_venv="$candidate ($version)"
    elif [ "$minor" -gt $newest_with_wheels ]; then
        [ -n "$newer" ] || { newer=$candidate; newer_version=$version; }
    else
        echo "$candidate"
        exit 0
    fi
done

if [ -n "$newer" ]; then
    if [ "${newer_version#*.}" -gt $newest_tested ]; then
        note="which is not tested here (3.11 to 3.$newest_tested are); trying it"
    else
        note="for which one package is compiled: that takes a C compiler and Python's headers"
    fi
    echo "set-up: $newer is Python $newer_version, $note." >&2
    echo "$newer"
    exit 0
fi
if [ -n "$without_venv" ]; then
    echo "set-up: $without_venv cannot make environments, its venv or ensurepip module is missing;" \
        "on Debian and Ubuntu: apt install python3-venv" >&2
elif [ -n "$found" ]; then
    echo "set-up: needs Python 3.11 or newer, but $found; $remedy" >&2
elif [ -n "$PYTHON" ]; then
    echo "set-up: PYTHON=$PYTHON is not a Python that runs; $remedy" >&2
else
    echo "set-up: needs Python 3.11 or newer, and found none; $remedy" >&2
fi
exit 2
