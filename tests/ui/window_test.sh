#!/bin/sh
# The real program in a real window: a sentence typed, a figure saved, Train pressed, the loss seen to fall, closed.
# Usage: window_test.sh PATH/TO/glassformer. Needs Xvfb and xdotool.
set -eu
program=$1
. "$(dirname "$0")/window_helpers.sh"

# Without a display: one sentence and exit code 1.
code=0
env -u DISPLAY "$program" 2>"$scratch/stderr" || code=$?
[ "$code" -eq 1 ] || fail "without a display the exit code is $code, not 1"
[ "$(grep -c 'glassformer: no window could be opened' "$scratch/stderr")" -eq 1 ] || fail "without a display no sentence says so"

# What is typed at the prompt is read as in the window, and unknown words are told of beside the translation.
said=$(echo "The cat drank the Zörk." | "$program" translate --model "$(dirname "$0")/../../models/english-french" \
  2>"$scratch/stderr") || fail "translate failed"
[ "${said#[Ll]e chat a bu }" != "$said" ] || fail "a capital changed the translation: $said"
grep -q "line 1: “Zörk” is not among the" "$scratch/stderr" || fail "unknown words are not told of"

# A model that has hardly begun, so that there is something left to learn.
# Ctrl-C in the middle of its run saves and stops it.
timeout -s INT 2 "$program" train --task reverse --preset nano --steps 100000 --out "$scratch/model" \
  >/dev/null 2>"$scratch/stderr" || true
[ -s "$scratch/model/training.json" ] || fail "no model could be made"

begin_display
begin_program --model "$scratch/model"
sleep 1
click 140 806
sleep 0.5
xdotool key ctrl+a
xdotool type --delay 60 'd a c b'
xdotool key Return
sleep 1.5
xdotool key Escape
sleep 0.3

save_figure picture
grep -q 'd a c b' "$scratch/picture.caption.txt" || fail "the caption lacks the typed sentence: $(cat "$scratch/picture.caption.txt")"

# Train: steps are taken, and closing keeps the run.
xdotool key Escape
click 1530 24
until_true 300 sh -c "find '$scratch/data' -name training.json | grep -q ." || fail "no run was begun"
sleep 4
xdotool key ctrl+q
until_true 300 sh -c "! kill -0 $window_program" || fail "the window does not close"
wait "$window_program" || fail "the program ended with an error"
window_program=
[ -s "$scratch/config/glassformer/settings.json" ] || fail "no settings were kept"
state=$(find "$scratch/data" -name training.json | head -n 1)
[ -n "$state" ] || fail "closing kept no run"
python3 - "$state" <<'PYTHON' || fail "the loss did not fall"
import json, sys
def find(value, name):
    if isinstance(value, dict):
        if name in value: return value[name]
        for inner in value.values():
            found = find(inner, name)
            if found is not None: return found
    return None
training = json.load(open(sys.argv[1]))
steps = find(training, "curves")
loss = find(steps, "loss")
loss = [x for x in loss if x is not None]
assert len(loss) >= 4, loss
quarter = len(loss) // 4
first, last = sum(loss[:quarter]) / quarter, sum(loss[-quarter:]) / quarter
print("loss", first, "to", last, "in", len(loss), "steps")
assert last < first * 0.97
PYTHON

# The next start offers to go on; going on takes the same run further, and being killed loses only its last seconds.
step_of() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["step"])' "$state"; }
settings="$scratch/config/glassformer/settings.json"
closed_at=$(step_of)
grep -q '"unfinished_run": "/' "$settings" || fail "closing noted no unfinished run"
# Click by click: the first one may come before the offer is drawn.
trained_further() {
  click 1155 118
  sleep 3
  [ "$(step_of)" -gt "$1" ]
}
begin_program
until_true 40 trained_further "$closed_at" || fail "going on took the run no further than step $closed_at"
kill -9 "$window_program"
wait "$window_program" 2>/dev/null || true
window_program=
killed_at=$(step_of)
[ "$killed_at" -gt "$closed_at" ] || fail "the run was lost with the kill"
grep -q '"unfinished_run": "/' "$settings" || fail "the kill left no unfinished run noted"

# The polite kill saves, says so, and ends as closing does.
begin_program
until_true 40 trained_further "$killed_at" || fail "going on after a kill took the run no further than step $killed_at"
kill -TERM "$window_program"
wait "$window_program" || fail "a polite kill ended the program with an error"
window_program=
grep -q 'the run is saved' "$scratch/stderr" || fail "the end by a polite kill was not said"
[ "$(find "$scratch/data" -name training.json | wc -l)" -eq 1 ] || fail "going on made a second run"
[ -z "$(ls -A "$scratch" | grep imgui.ini)" ] || fail "imgui.ini was written"
echo "window_test: all right"
