# For the tests of the real window, which source this: a folder of their own, a display, and waiting.
# Needs `program`. Sets scratch, and the homes of settings and runs in it; begin_display opens one of 1600 x 1000 pixels.
test=$(basename "$0" .sh)
scratch=$(mktemp -d)
xvfb=
window_program=
finish() {
  [ -z "$window_program" ] || kill "$window_program" 2>/dev/null || true
  [ -z "$xvfb" ] || kill "$xvfb" 2>/dev/null || true
  rm -rf "$scratch"
}
trap finish EXIT
fail() {
  echo "$test: $*" >&2
  cat "$scratch/stderr" >&2 || true
  exit 1
}
# Waits for a condition, a tenth of a second at a time; the condition may wait itself.
until_true() {
  local tries=$1
  shift
  while ! "$@" >/dev/null 2>&1; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || return 1
    sleep 0.1
  done
}

export HOME="$scratch" XDG_CONFIG_HOME="$scratch/config" XDG_DATA_HOME="$scratch/data" LIBGL_ALWAYS_SOFTWARE=1
unset WAYLAND_DISPLAY || true
# Somebody who has been here: the whole window.
mkdir -p "$XDG_CONFIG_HOME/glassformer"
echo '{"start": "whole"}' >"$XDG_CONFIG_HOME/glassformer/settings.json"

begin_display() {
  mkfifo "$scratch/display"
  # -noreset: a server that starts anew when its last window goes would turn the next start away.
  Xvfb -noreset -displayfd 3 -screen 0 1600x1000x24 3>"$scratch/display" 2>/dev/null &
  xvfb=$!
  read -r number <"$scratch/display"
  export DISPLAY=":$number"
}

# The program with these arguments, until its window is there.
begin_program() {
  "$program" --scale 1 "$@" 2>"$scratch/stderr" &
  window_program=$!
  until_true 300 xdotool search --name '^Glassformer$' || fail "no window appeared"
  sleep 3
}
click() { xdotool mousemove "$1" "$2" click 1; }

# Save figure: S, then a name, in whose field the keyboard is, and Enter.
save_figure() {
  xdotool mousemove 700 745
  xdotool key s
  sleep 1
  xdotool key ctrl+a
  xdotool type --delay 60 "$1"
  xdotool key Return
  until_true 200 test -s "$scratch/$1.caption.txt" || fail "no figure was saved"
  [ -s "$scratch/$1.png" ] || fail "the figure has no picture"
}
