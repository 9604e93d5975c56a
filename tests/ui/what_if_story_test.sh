#!/bin/sh
# What-ifs in the real window: a head is muted by a right click, the translation loses its negation, undo brings it back;
# then the same change is typed in the What if view, and taken back by its chip. Read back from figures' captions.
# Usage: what_if_story_test.sh PATH/TO/glassformer. Needs Xvfb and xdotool.
set -eu
program=$1
. "$(dirname "$0")/window_helpers.sh"

sentence='the tired girl does not like the red car'
untouched="la fille fatiguée n'aime pas la voiture rouge"
muted='la fille fatiguée aime la voiture rouge'

# What the open Scene translates to, by the caption of a figure: read anew each time.
said() {
  rm -f "$scratch/$1.caption.txt" "$scratch/$1.png"
  save_figure "$1"
  sed -n 's/.*" -> "\(.*\)"\..*/\1/p' "$scratch/$1.caption.txt"
}
is_said() { translation=$(said "$1") && [ "$translation" = "$2" ]; }
expect() {
  until_true 10 is_said "$1" "$2" || fail "$1: expected “$2”, found “$translation”: $(cat "$scratch/$1.caption.txt" 2>&1)"
}

begin_display
begin_program --model "$(dirname "$0")/../../models/english-french"
click 140 806
sleep 1
xdotool key ctrl+a
xdotool type --delay 60 "$sentence"
xdotool key Return
sleep 1
xdotool key Escape
sleep 0.5
expect untouched "$untouched"

# A right click on the first head of the last cross-attention, and the first line of its menu.
# Both again where the menu was late.
mute_it() {
  xdotool key Escape
  xdotool mousemove 350 386 click 3
  sleep 1
  click 400 413
  sleep 1
  is_said muted "$muted" || is_said muted "$muted"
}
until_true 4 mute_it || fail "muted: found “$translation”: $(cat "$scratch/muted.caption.txt" 2>&1)"
xdotool key ctrl+z
sleep 1
expect undone "$untouched"

# View, What if; the same in words. The letters are letters there, whatever they do on the stage.
xdotool key ctrl+k
sleep 2
xdotool type --delay 60 'what if'
xdotool key Return
sleep 2
click 700 558
sleep 2
xdotool type --delay 60 'mute head cross 2.1'
xdotool key Return
sleep 1
xdotool key Escape
sleep 0.5
expect typed "$muted"
grep -q 'cross 2, head 1 muted' "$scratch/typed.caption.txt" || fail "the caption lacks the change: $(cat "$scratch/typed.caption.txt")"

# Its chip takes it back.
click 573 118
sleep 1
expect restored "$untouched"

xdotool key ctrl+q
until_true 300 sh -c "! kill -0 $window_program" || fail "the window does not close"
wait "$window_program" || fail "the program ended with an error"
window_program=
echo "what_if_story_test: all right"
