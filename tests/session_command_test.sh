#!/bin/sh
# Sessions on the command line: drawn as they say, options beside them win, and what is wrong is told with its line.
# Usage: session_command_test.sh PATH/TO/glassformer
set -eu
. "$(dirname "$0")/command_helpers.sh"
model="$root/models/english-french"
file="$scratch/tired.glassformer"

# session LINES...: writes the file.
session() {
  printf 'glassformer session 1\n' >"$file"
  printf '%s\n' "$@" >>"$file"
}
draw() {
  out=$1
  shift
  "$program" render "$@" --out "$scratch/$out.csv" 2>"$scratch/stderr" || fail "$* is not drawn"
}
same() {
  cmp -s "$scratch/$1.csv" "$scratch/$2.csv" || fail "$1 and $2 are not the same"
}
differ() {
  cmp -s "$scratch/$1.csv" "$scratch/$2.csv" && fail "$1 and $2 are the same"
  return 0
}
agree() {
  paste -d, "$scratch/$1.csv" "$scratch/$2.csv" | awk -F, 'NR > 1 { half = NF / 2
    for (i = 2; i <= half; ++i) if (($i - $(i + half)) ^ 2 > 1e-8) exit 1 }' || fail "$1 and $2 are not the same"
}
refused() {
  words=$1
  shift
  code=0
  "$program" render "$@" --out "$scratch/never.csv" >"$scratch/stdout" 2>"$scratch/stderr" || code=$?
  [ "$code" -eq 1 ] || fail "exit code $code instead of 1: $*"
  grep -qF -- "$words" "$scratch/stderr" || fail "“$words” is not said: $*"
  [ ! -e "$scratch/never.csv" ] || fail "a picture is drawn: $*"
}

# What a session draws is what the options of the same words draw.
session "model english-french" "source the tired girl sees a red car" "view attention" "kind encoder" "layer 1" \
  "head 3" "what-if mute head encoder 1.2" "decode greedy"
draw own --session "$file"
draw options --view attention --source "the tired girl sees a red car" --kind encoder --layer 1 --head 3 \
  --what-if "mute head encoder 1.2"
same own options
# As a link text, too.
draw link --session "glassformer:session 1; source the tired girl sees a red car; view attention; kind encoder; layer 1; head 3; what-if mute head encoder 1.2"
same own link

# Options beside it win.
draw layer --session "$file" --layer 2
draw layer_options --view attention --source "the tired girl sees a red car" --kind encoder --layer 2 --head 3 \
  --what-if "mute head encoder 1.2"
same layer layer_options
differ layer own
draw sentence --session "$file" --source "the boy sees a car"
differ sentence own
draw view --session "$file" --view output
draw view_options --view output --source "the tired girl sees a red car" --what-if "mute head encoder 1.2"
agree view view_options
draw model --session "$file" --model "$root/models/reverse" --source "a b c" --what-if "mute encoder 1"

# What two are compared, and how, wins too.
session "source the cat sees" "view attention" "compare step 0" "set Compared Second"
draw compared --session "$file"
draw compared_options --source "the cat sees" --view attention --against 0 --as second
same compared compared_options
draw compared_beside --session "$file" --against 2500 --as first
draw first --source "the cat sees" --view attention --against 2500 --as first
same compared_beside first
differ compared_beside compared

# A folder that is there goes before a model of that name that comes along.
cp -r "$root/models/reverse" "$scratch/english-french"
run=$(realpath "$program")
(cd "$scratch" && "$run" render --model english-french --source "a b c" --view attention \
  --out own-folder.csv 2>"$scratch/stderr") || fail "a folder of that name is not opened"
draw reverse --model reverse --source "a b c" --view attention
same own-folder reverse

# A step of the training.
draw newest --view attention --source "the cat sees"
draw early --view attention --source "the cat sees" --at-step 0
differ early newest
session "source the cat sees" "view attention" "step 0"
draw early_session --session "$file"
# Alone and in a batch of four, numbers agree to the last digits or so.
agree early early_session
draw early_beside --session "$file" --at-step 10000
agree early_beside newest
differ early_beside early
cp -r "$root/models/reverse" "$scratch/alone"
rm -rf "$scratch/alone/history" "$scratch/alone"/history*
refused "--at-step: expected a model with kept steps, got one without" --model "$scratch/alone" --source "a b c" --view attention --at-step 3
# A model of which no sentence is known shows words of its own, in the window too.
echo '{}' >"$scratch/alone/training.json"
rm -f "$scratch/alone/held-out.json"
draw alone --model "$scratch/alone" --view attention
"$program" render --model "$scratch/alone" --view window --size 640x480 --scale 1 --out "$scratch/alone.png" ||
  fail "no window of a model without sentences"

# A row and a column that are pinned are their weight, as when it is clicked.
session "source the cat sees" "view walk" "pin query 1 key 2"
for out in session options; do
  set -- --session "$file"
  [ $out = session ] || set -- --source "the cat sees" --view walk --query 1 --key 2
  "$program" render "$@" --text >"$scratch/$out.txt" 2>"$scratch/stderr" || fail "no words: $*"
done
cmp -s "$scratch/session.txt" "$scratch/options.txt" || fail "the words of a pin are others in a session"
grep -q "^Attention weight: " "$scratch/session.txt" || fail "the pinned weight is not in words"

# The window.
session "source the cat sees" "view masks" "compare source the dog sees"
"$program" render --session "$file" --view window --size 1024x768 --scale 1 --out "$scratch/window.png" || fail "no window"
grep -q "the cat sees" "$scratch/window.caption.txt" || fail "the window shows another sentence"

# What is wrong.
session "sorce a"
refused 'tired.glassformer:2: expected source, got “sorce”' --session "$file"
session "source the cat" "view masks" "fingerprint 0123456789abcdef"
refused 'tired.glassformer:4: the weights of “english-french” are not those that it was saved with' --session "$file"
session "model /nowhere" "source the cat" "view masks"
refused 'tired.glassformer:2: the model “/nowhere” is not here' --session "$file"
echo "my notes" >"$file"
refused 'expected glassformer session 1' --session "$file"
head -c 1200000 /dev/zero >"$file"
refused 'tired.glassformer' --session "$file"
refused "expected one of" --source "the cat"
refused "nothing-there.glassformer" --session "$scratch/nothing-there.glassformer"

# An option that is wrong is told by its name, beside a session as without one.
session "source the cat sees" "view attention" "kind cross"
for start in "--session $file" "--view attention --source cat"; do
  refused "--layer: expected layer 1 to 2, got “9”" $start --layer 9
  refused "--head: expected a whole number from 1 on for head, got “-1”" $start --head -1
  refused "--key: expected a whole number from 0 to " $start --key 99
  refused "--model: the model “/nowhere” is not here." $start --model /nowhere
  refused "--against: expected a whole number from 0 on for step, got “-5”" $start --against -5
  refused "what-if: “mute head cross 9.1”: this model has 2 decoder layers" $start --what-if "mute head cross 9.1"
  refused "say which with --against" $start --what-if "mute cross 1 from other"
  [ "$(wc -l <"$scratch/stderr")" -eq 1 ] || fail "more than a sentence is said"
done
refused "--as: this view has no difference" --session "$file" --view output --against 0 --as difference

# Its controls are set; one that is not there is told, and the rest is drawn.
picture() {
  out=$1
  shift
  session "model english-french" "source the tired girl sees a red car" "view attention" "kind cross" "layer 2" "head 1" "$@"
  "$program" render --session "$file" --size 560x600 --out "$scratch/$out.svg" 2>"$scratch/stderr" || fail "$* is not drawn"
}
picture plain
picture heatmap 'set "Head as" Heatmap'
picture ribbons 'set "Head as" Ribbons'
[ -s "$scratch/stderr" ] && fail "a control that is there is complained of"
picture unknown 'set "Hed as" Ribbons'
grep -q "“Hed as” was not set" "$scratch/stderr" || fail "a control that is not there is not told of"
cmp -s "$scratch/plain.svg" "$scratch/heatmap.svg" || fail "the heatmap is not what it was"
cmp -s "$scratch/plain.svg" "$scratch/unknown.svg" || fail "an unknown control changes the picture"
cmp -s "$scratch/plain.svg" "$scratch/ribbons.svg" && fail "ribbons are not drawn"
echo "sessions on the command line: all as they should be"
