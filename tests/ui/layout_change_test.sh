#!/bin/sh
# The layout of the keyboard is changed while the real window runs: keys act as the letters that they bear now.
# Usage: layout_change_test.sh PATH/TO/glassformer. Needs Xvfb, xdotool and setxkbmap.
set -eu
program=$1
. "$(dirname "$0")/window_helpers.sh"
command -v setxkbmap >/dev/null || { echo "layout_change_test: left out, setxkbmap is missing"; exit 0; }
# xdotool takes keycodes, which are places: 24 is Q on an American keyboard, 39 S, 53 X.
place() { xdotool key --delay 60 "$@"; sleep 1; }

begin_display
setxkbmap us
begin_program
sleep 2
xdotool mousemove 700 745

# Without Latin letters a key is its place: S saves a figure.
setxkbmap gr
place 39
xdotool key Return
until_true 200 sh -c "ls '$scratch'/*.caption.txt" || fail "S saved no figure on a Greek layout"
xdotool key Escape
sleep 1

# Dvorak has ' where Q was, and Q where X was.
setxkbmap dvorak
place ctrl+24
kill -0 "$window_program" || fail "Ctrl and a key that bears no Q ended the program"
place ctrl+53
until_true 100 sh -c "! kill -0 $window_program" || fail "Ctrl+Q of the layout as it is now does not end the program"
wait "$window_program" || fail "the program ended with an error"
window_program=
echo "layout_change_test: all right"
