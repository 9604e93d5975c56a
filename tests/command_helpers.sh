# What tests of the command line share: the program, a folder that goes again, and settings of nobody. Sourced with the
# program as $1.
program=$1
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME="$scratch" XDG_CONFIG_HOME="$scratch/config" XDG_DATA_HOME="$scratch/data" XDG_CACHE_HOME="$scratch/cache"
fail() {
  echo "$(basename "$0" .sh): $*" >&2
  cat "$scratch/stderr" >&2
  exit 1
}
